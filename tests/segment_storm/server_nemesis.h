#pragma once

// What becomes of the store's servers in a storm, on a thread of its own: they take a while to
// come back.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "nemesis.h"
#include "storm/dice.h"

namespace segment_storm {

class ServerNemesis {
 public:
  ServerNemesis(std::uint64_t seed, StormReport& report) : dice_(seed ^ 0x5E2F), report_(report) {}
  virtual ~ServerNemesis() = default;
  ServerNemesis(const ServerNemesis&) = delete;
  ServerNemesis& operator=(const ServerNemesis&) = delete;

  // With `rest_ms` at least between two blows.
  void begin(std::uint64_t rest_ms);
  // The server is up afterwards.
  void end();
  virtual std::string url() = 0;

 protected:
  enum class Blow : std::uint8_t { stop, shut_down, kill, cut, promote };

  virtual void strike(Blow blow, storm::Dice& dice) = 0;
  // What comes as the `number`th, from 0. The first ones are such that every storm has them.
  virtual Blow choose(std::uint64_t number, storm::Dice& dice);

  // False when it is over.
  bool rest(std::uint64_t time_ms);

 private:
  void run(std::uint64_t rest_ms);

  storm::Dice dice_;
  StormReport& report_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

// Starts the servers of the store. None for a file. May move the program into a network namespace,
// so that it comes before any thread.
std::unique_ptr<ServerNemesis> make_server_nemesis(const StormOptions& options,
                                                   StormReport& report);

}  // namespace segment_storm
