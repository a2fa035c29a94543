#pragma once

// The steps of a migration, and the machine that goes through them. Knows no SQL.
//
//    column -> trigger -> backfill -> index -> check -> validate -> not_null -> verify -> done
//
// A step may be done twice, never skipped: first it is done, then its successor is recorded. So a
// kill at any point costs at most one step done again, which finds its work done.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::migrate {

enum class StepName : std::uint8_t {
  column,
  trigger,
  backfill,
  index,
  check,
  validate,
  not_null,
  verify,
  done
};
std::string_view name_of(StepName step) noexcept;  // "not_null"
std::optional<StepName> step_of(std::string_view name) noexcept;

struct Step {
  StepName name = StepName::done;
  std::vector<std::string> statements;  // as they are sent; those of a batch have ? in them
  std::string lock;                     // what clients may notice
  double seconds = 0;                   // an estimate
};

// What the machine drives: a database, or the fake of a test.
class Work {
 public:
  virtual ~Work() = default;
  virtual Result<StepName, Error> recorded() = 0;
  // Does all of a step that is not done yet. An error that may_retry() is followed by another
  // call, after a rest.
  virtual Result<bool, Error> perform(const Step& step) = 0;
  virtual Result<bool, Error> record(StepName next) = 0;
  virtual void rest(std::chrono::milliseconds time) = 0;
};

// Goes on from what is recorded, to the end. A step is tried until `patience` has been spent on
// rests; then its last error is the answer, and a later call goes on from there.
Result<bool, Error> perform_steps(const std::vector<Step>& steps, Work& work,
                                  std::chrono::milliseconds patience);

}  // namespace tessera::migrate
