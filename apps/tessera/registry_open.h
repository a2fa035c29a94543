#pragma once

// The registry of a configuration, opened for one command.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "args.h"
#include "exit.h"
#include "tessera/config/config.h"
#include "tessera/registry/registry.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"
#include "tessera/short_cipher.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace tessera::cli {

// The types that have a scope, as the registry wants them. One whose scope has bits is of short
// IDs. None at all is an error, too.
Result<RegistryTypes, Error> registry_types(const Config& config);

// Keys straight from the store: as many as are needed, and none wasted. The key of a short ID is
// the number that it is enciphered from. For one thread.
class DrawnNumbers final : public NumberSource {
 public:
  DrawnNumbers(SegmentPorts& store, const Config& config) : store_(store), config_(config) {}

  // Before the first ID of a type that is short.
  void use_cipher(const RegisteredType& type, const ShortCipher& cipher) {
    ciphers_.emplace(type.declared.scope, cipher);
  }

  Result<std::vector<std::int64_t>, Error> keys(std::string_view scope, std::size_t count) override;
  Result<std::uint64_t, Error> short_number(const RegisteredType& type, std::int64_t key) override;

 private:
  SegmentPorts& store_;
  const Config& config_;
  std::map<std::string, ShortCipher, std::less<>> ciphers_;  // by scope
};

struct OpenRegistry {
  Config config;
  RegistryTypes types;
  std::unique_ptr<SegmentPorts> store;
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;

  // Of a registry in a database; null, if it is another Tessera's.
  std::unique_ptr<RegistryStore> rows;
  std::optional<DrawnNumbers> numbers;
  Registry* stored = nullptr;

  std::unique_ptr<RegistryPort> registry;

  // By name or prefix. What is wrong has been complained about.
  Result<const RegisteredType*, Exit> type(std::string_view name) const;
};

// What is wrong has been complained about.
Result<std::unique_ptr<OpenRegistry>, Exit> open_registry(const Args& args, Config config);

// The parts of tessera registry. `words` are what follows the name of the action.
using Rest = std::vector<std::string_view>;
Exit registry_init(const Args& args, const Config& config);
Exit registry_create(const Args& args, OpenRegistry& open, const Rest& words);
Exit registry_list(const Args& args, OpenRegistry& open, const Rest& words);
Exit registry_answer(const Args& args, OpenRegistry& open, const Rest& words,
                     std::string_view action);  // get, resolve, retire, undelete
Exit registry_sweep(const Args& args, OpenRegistry& open);
Exit registry_stats(const Args& args, OpenRegistry& open, const Rest& words);
Exit registry_verify(const Args& args, OpenRegistry& open);

}  // namespace tessera::cli
