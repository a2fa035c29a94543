#pragma once

// What a simulation throws: one seed, one history.

#include <chrono>
#include <cstdint>

namespace tessera {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t roll() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t end) { return roll() % end; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  // One or more, of any magnitude up to about `most`.
  std::uint64_t some(std::uint64_t most) { return 1 + below(1 + (most >> below(16))); }
  std::chrono::nanoseconds time(std::chrono::nanoseconds most) {
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(some(static_cast<std::uint64_t>(most.count()))));
  }

 private:
  std::uint64_t state_;
};

}  // namespace tessera
