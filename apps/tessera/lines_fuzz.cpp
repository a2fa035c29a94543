// Any table as CSV or TSV, by any column: a field is a part of its line, or that without quotes;
// and names are found where they are said to be.

#include <string>

#include "lines.h"
#include "support/fuzz.h"

namespace {

using namespace tessera;

// What a field may have come from: no field is longer than its line.
void read_all(cli::Column& column, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const auto field = column.field_of(line);
    if (field) fuzz::require(field->size() <= line.size());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  const std::string_view first = text.substr(0, std::min(text.find('\n'), text.size()));
  for (const char* number : {"1", "2", "18446744073709551615"}) {
    cli::Column column(number);
    fuzz::require(!column.by_name() && column.begin(first));
    read_all(column, text);
  }
  for (const std::string& name : cli::Column::names(first)) {
    cli::Column column(name);
    if (!column.by_name()) continue;  // a name that is a number is taken for one
    fuzz::require(column.begin(first));
    fuzz::require(column.field_of(first) == name);
    read_all(column, text);
  }
  return 0;
}
