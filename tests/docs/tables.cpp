// Prints the tables of errors as JSON; tools/reference.py makes a page of them.

#include <cstdio>
#include <string>

#include "service/problem.h"
#include "tessera/error.h"
#include "tessera/json.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"

int main() {
  using namespace tessera;
  JsonWriter json;
  json.begin_object().key("texts").begin_array();
  for (const ErrorText& row : error_texts()) {
    json.begin_object().key("code").value(row.name).key("phrase").value(row.phrase);
    json.key("hint").value(row.hint).end_object();
  }
  json.end_array().key("making").begin_array();
  for (int i = 0; name_of(static_cast<MintError>(i)) != "unknown"; ++i) {
    const auto error = static_cast<MintError>(i);
    json.begin_object().key("code").value(name_of(error));
    json.key("phrase").value(describe(error)).end_object();
  }
  json.end_array().key("stores").begin_array();
  for (const ErrorCodeText& row : error_code_texts()) {
    json.begin_object().key("code").value(row.name).key("phrase").value(row.meaning);
    json.key("status").value(std::to_string(service::status_of(row.code)));
    json.key("retry").value(row.retry).end_object();
  }
  json.end_array().key("requests").begin_array();
  for (const service::FaultText& row : service::fault_texts()) {
    json.begin_object().key("code").value(row.code).key("phrase").value(row.title);
    json.key("status").value(std::to_string(row.status)).key("ends").value(row.close).end_object();
  }
  json.end_array().end_object();
  std::puts(json.take().c_str());
  return 0;
}
