// Any bytes of a server, in any pieces: the same verdict as in one piece, and no more than was
// allowed.

#include "http/message.h"
#include "support/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  using State = http::AnswerReader::State;
  if (size == 0) return 0;
  constexpr std::size_t kBodyMax = 1000;
  const std::size_t piece = data[0] % 16 + 1U;
  const auto text = fuzz::as_text(data + 1, size - 1);
  http::AnswerReader whole(kBodyMax);
  whole.take(text);
  const State verdict = whole.end();
  http::AnswerReader pieces(kBodyMax);
  auto rest = text;
  while (!rest.empty() && pieces.take(rest.substr(0, piece)) == State::more) {
    rest.remove_prefix(std::min(piece, rest.size()));
  }
  const State again = pieces.end();
  fuzz::require(verdict != State::more && again == verdict);
  if (verdict != State::whole) return 0;
  fuzz::require(whole.answer().status >= 200 && whole.answer().status <= 999);
  fuzz::require(whole.answer().body.size() <= kBodyMax);
  fuzz::require(whole.answer().body == pieces.answer().body);
  fuzz::require(whole.answer().fields == pieces.answer().fields);
  return 0;
}
