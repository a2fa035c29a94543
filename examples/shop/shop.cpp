// Requests become statements and answers.

#include "shop.h"

#include <boost/json.hpp>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>

#include "queries.h"

namespace shop {
namespace {

namespace json = boost::json;

constexpr std::size_t kRequestKeySizeMax = 200;
constexpr std::size_t kNameSizeMax = 200;
constexpr std::int64_t kPriceMax = 1'000'000'000;
constexpr std::int64_t kQuantityMax = 1000;

// Thrown while a request is read, and answered as it is.
struct Refused {
  Answer answer;
};

std::string text_of(Tenant tenant) { return std::to_string(static_cast<std::int64_t>(tenant)); }

template <class Id>
Id read_id(std::string_view text) {
  const auto id = Id::parse(text);
  if (id) return *id;
  const auto& error = id.error();
  throw Refused{problem(400, tessera::name_of(error.code), tessera::describe(error, text))};
}

// The fields, all of them and no other: so nobody can send an `id` of their own choice.
json::object read_body(std::string_view body, std::initializer_list<std::string_view> names) {
  json::error_code error;
  json::parse_options options;
  options.max_depth = 4;
  const json::value value = json::parse(body, error, {}, options);
  if (error || !value.is_object())
    throw Refused{problem(400, "invalid_json", "the body is no JSON object")};
  for (const std::string_view name : names) {
    if (!value.as_object().contains(name)) {
      throw Refused{problem(400, "missing_field", "'" + std::string(name) + "' is missing")};
    }
  }
  if (value.as_object().size() != names.size()) {
    throw Refused{
        problem(400, "unknown_field", "there is a field that is not known; IDs are made here")};
  }
  return value.as_object();
}

std::string read_text(const json::object& body, std::string_view name, std::size_t size_max) {
  const json::string* text = body.at(name).if_string();
  if (text == nullptr || text->empty() || text->size() > size_max ||
      text->find('\0') != json::string::npos) {
    throw Refused{problem(400, "type_mismatch", "'" + std::string(name) + "' is no good text")};
  }
  return {text->data(), text->size()};
}

std::int64_t read_number(const json::object& body, std::string_view name, std::int64_t min,
                         std::int64_t max) {
  const std::int64_t* number = body.at(name).if_int64();
  if (number == nullptr || *number < min || *number > max) {
    throw Refused{problem(400, "out_of_range",
                          "'" + std::string(name) + "' is no number from " + std::to_string(min) +
                              " to " + std::to_string(max))};
  }
  return *number;
}

std::string product_json(const Row& row) {
  return json::serialize(
      json::object{{"id", *row[0]}, {"name", *row[1]}, {"price_cents", std::stoll(*row[2])}});
}

std::string order_json(const Row& row) {
  return json::serialize(
      json::object{{"id", *row[0]}, {"product_id", *row[1]}, {"quantity", std::stoll(*row[2])}});
}

template <class Id>
Id new_id() {
  const auto id = Id::generate();
  if (!id) throw std::runtime_error("no ID could be made");
  return *id;
}

// What a request made: now, or when it was sent first with this key.
Answer created(std::string_view collection, const std::string& id, const Row& row, std::string body,
               bool same) {
  if (!same) {
    return problem(422, "key_reused", "this Idempotency-Key belongs to another request");
  }
  return {.status = 201,
          .body = std::move(body),
          .location = "/" + std::string(collection) + "/" + *row[0],
          .replayed = *row[0] != id};
}

}  // namespace

Answer problem(unsigned status, std::string_view code, std::string_view detail) {
  return {.status = status,
          .body = json::serialize(json::object{{"type", "/errors/" + std::string(code)},
                                               {"status", status},
                                               {"code", code},
                                               {"detail", detail}})};
}

Answer Shop::handle(Tenant tenant, std::string_view method, std::string_view path,
                    std::string_view body, std::string_view idempotency_key) {
  try {
    return route(tenant, method, path, body, idempotency_key);
  } catch (const Refused& refused) {
    return refused.answer;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shop: %s\n", error.what());
    return problem(503, "unavailable", "repeat the request with the same Idempotency-Key");
  }
}

Answer Shop::route(Tenant tenant, std::string_view method, std::string_view path,
                   std::string_view body, std::string_view idempotency_key) {
  const std::size_t slash = path.find('/', 1);
  const std::string_view collection = path.substr(0, slash);
  const std::string_view id = slash == path.npos ? "" : path.substr(slash + 1);
  if (collection != "/products" && collection != "/orders")
    return problem(404, "no_route", "there is no such route");
  const bool products = collection == "/products";

  if (slash == path.npos && method == "POST") {
    if (idempotency_key.empty() || idempotency_key.size() > kRequestKeySizeMax) {
      return problem(400, "invalid_idempotency_key",
                     "a creation needs an Idempotency-Key of up to 200 characters");
    }
    return products ? add_product(tenant, body, idempotency_key)
                    : add_order(tenant, body, idempotency_key);
  }
  if (slash == path.npos && method == "GET" && products) return list_products(tenant);
  if (slash != path.npos && method == "GET") {
    return products ? find(tenant, read_id<ProductId>(id)) : find(tenant, read_id<OrderId>(id));
  }
  if (slash != path.npos && method == "DELETE" && !products)
    return remove(tenant, read_id<OrderId>(id));
  return problem(405, "method_not_allowed", "the route does not have this method");
}

std::int64_t Shop::next_key(std::string_view scope) {
  const auto key = ids_.next_long(scope);
  if (!key) throw std::runtime_error(key.error().message);
  return *key;
}

Answer Shop::add_product(Tenant tenant, std::string_view body, std::string_view key) {
  const json::object fields = read_body(body, {"name", "price_cents"});
  const std::string name = read_text(fields, "name", kNameSizeMax);
  const std::string price = std::to_string(read_number(fields, "price_cents", 0, kPriceMax));
  const std::string id = new_id<ProductId>().to_string();
  database_.rows(sql::kAddProduct, {text_of(tenant), std::string(key),
                                    std::to_string(next_key("PRODUCT")), id, name, price});
  const Row row = database_.rows(sql::kProductOfRequest, {text_of(tenant), std::string(key)}).at(0);
  return created("products", id, row, product_json(row), *row[1] == name && *row[2] == price);
}

Answer Shop::add_order(Tenant tenant, std::string_view body, std::string_view key) {
  const json::object fields = read_body(body, {"product_id", "quantity"});
  const std::string product = read_id<ProductId>(read_text(fields, "product_id", 64)).to_string();
  const std::string quantity = std::to_string(read_number(fields, "quantity", 1, kQuantityMax));
  const std::string id = new_id<OrderId>().to_string();
  database_.rows(sql::kAddOrder, {text_of(tenant), std::string(key),
                                  std::to_string(next_key("ORDER")), id, product, quantity});
  const auto rows = database_.rows(sql::kOrderOfRequest, {text_of(tenant), std::string(key)});
  if (rows.empty()) return problem(404, "not_found", "there is no such product");
  const Row& row = rows[0];
  return created("orders", id, row, order_json(row), *row[1] == product && *row[2] == quantity);
}

Answer Shop::find(Tenant tenant, const ProductId& id) {
  const auto rows = database_.rows(sql::kProduct, {text_of(tenant), id.to_string()});
  if (rows.empty()) return problem(404, "not_found", "nothing of that name was ever issued");
  return {.body = product_json(rows[0])};
}

Answer Shop::find(Tenant tenant, const OrderId& id) {
  const auto rows = database_.rows(sql::kOrder, {text_of(tenant), id.to_string()});
  if (rows.empty()) return problem(404, "not_found", "nothing of that name was ever issued");
  if (rows[0][3]) return problem(410, "deleted", "it was deleted");
  return {.body = order_json(rows[0])};
}

Answer Shop::list_products(Tenant tenant) {
  std::string body = "{\"products\":[";
  for (const Row& row : database_.rows(sql::kProducts, {text_of(tenant)})) {
    if (body.back() != '[') body += ',';
    body += product_json(row);
  }
  return {.body = body + "]}"};
}

Answer Shop::remove(Tenant tenant, const OrderId& id) {
  const Answer before = find(tenant, id);
  if (before.status != 200) return before;
  database_.rows(sql::kDeleteOrder, {text_of(tenant), id.to_string()});
  return {.status = 204};
}

}  // namespace shop
