// Reads statements as nested blocks: what stands between SELECT and its end, or in brackets that
// begin with SELECT. Each block has tables, and must compare the tenant.

#include <algorithm>
#include <array>

#include "contract/sql_tokens.h"
#include "contract/words.h"
#include "tessera/contract/declared.h"
#include "tessera/contract/sql.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

using Kind = SqlToken::Kind;

enum class Clause : std::uint8_t { other, with, tables, condition, columns };

struct Block {
  std::vector<std::string> tables;
  std::uint64_t line = 0;  // of the first table
  std::string verb;        // "select"; empty: not begun
  bool tenant = false;     // compared, or among the columns of an INSERT
  bool columns = false;    // an INSERT names its columns
};

// Brackets, or the statement itself.
struct Frame {
  std::size_t block;
  Clause outer;  // the clause that goes on behind it
  bool own_block = false;
  bool call = false;  // of a function: FROM in it begins no tables
};

class StatementCheck {
 public:
  StatementCheck(std::string_view file, const SqlOptions& options, Findings& findings)
      : file_(file), options_(options), findings_(findings) {}

  void run(const std::vector<SqlToken>& tokens) {
    tokens_ = &tokens;
    blocks_.assign(1, {});
    frames_.assign(1, {0, Clause::other, true, false});
    clause_ = Clause::other;
    expect_table_ = false;
    for (at_ = 0; at_ < tokens.size(); ++at_) take(tokens[at_]);
    while (frames_.size() > 1) close();
    finish(blocks_[0]);
  }

 private:
  static constexpr std::size_t kDepthMax = 1000;

  const SqlToken& peek(std::size_t ahead = 1) const {
    static const SqlToken nothing;
    return at_ + ahead < tokens_->size() ? (*tokens_)[at_ + ahead] : nothing;
  }
  bool next_is(std::string_view text) const {
    return peek().kind == Kind::word ? same_word(peek().text, text) : peek().text == text;
  }
  Block& block() { return blocks_[frames_.back().block]; }

  void take(const SqlToken& token) {
    if (token.kind == Kind::symbol) {
      take_symbol(token);
    } else if (expect_table_ && (token.kind == Kind::word || token.kind == Kind::name)) {
      take_table(token);
    } else if (token.kind == Kind::word || token.kind == Kind::name) {
      take_word(token);
    }
    before_ = token.kind == Kind::symbol ? SqlToken() : token;
  }

  void take_symbol(const SqlToken& token) {
    if (token.text == "(") {
      open();
    } else if (token.text == ")") {
      if (frames_.size() > 1) close();
    } else if (token.text == ",") {
      expect_table_ = clause_ == Clause::tables;
    }
  }

  void open() {
    Frame frame{frames_.back().block, clause_, false, false};
    if (frames_.size() < kDepthMax && (next_is("select") || next_is("with"))) {
      frame.own_block = true;
      frame.block = blocks_.size();
      blocks_.emplace_back();
      clause_ = Clause::other;
      expect_table_ = false;
    } else if (clause_ == Clause::columns && block().tables.size() == 1 && !block().columns) {
      block().columns = true;
    } else if (!expect_table_) {
      frame.call = before_.kind == Kind::word;
      if (frame.call && clause_ == Clause::tables) clause_ = Clause::other;
    }
    frames_.push_back(frame);
  }

  void close() {
    const Frame frame = frames_.back();
    if (frame.own_block) finish(blocks_[frame.block]);
    frames_.pop_back();
    clause_ = frame.outer;
    expect_table_ = false;
  }

  void take_table(const SqlToken& token) {
    for (const std::string_view word : {"only", "lateral", "ignore", "low_priority", "table"}) {
      if (token.kind == Kind::word && same_word(token.text, word)) return;
    }
    if (token.kind == Kind::word &&
        (same_word(token.text, "select") || same_word(token.text, "values"))) {
      expect_table_ = false;
      take_word(token);
      return;
    }
    std::string_view space;
    std::string_view name = token.text;
    while (peek().text == "." && peek(2).kind != Kind::end) {
      space = name;
      name = peek(2).text;
      at_ += 2;
    }
    expect_table_ = false;
    const bool function = peek().text == "(" && clause_ != Clause::columns;
    if (function || same_word(space, "information_schema") || same_word(space, "pg_catalog")) {
      return;
    }
    if (!counts(name)) return;
    if (block().tables.empty()) block().line = token.line;
    block().tables.emplace_back(name);
  }

  bool counts(std::string_view table) const {
    const auto like = [&](const std::string& glob) { return matches_glob(glob, table); };
    if (std::ranges::any_of(options_.skip, like)) return false;
    if (!options_.only.empty() && std::ranges::none_of(options_.only, like)) return false;
    if (options_.tenant_tables) return options_.tenant_tables->contains(table);
    return true;
  }

  void take_word(const SqlToken& token) {
    if (same_word(token.text, options_.tenant_column)) {
      // ON CONFLICT (tenant_id) sets nothing.
      const Clause wanted = block().verb == "insert" ? Clause::columns : Clause::condition;
      if (clause_ == wanted) block().tenant = true;
      return;
    }
    if (token.kind == Kind::name) {
      if (clause_ == Clause::with) note_common_table(token);
      return;
    }
    const std::string word = lowered(token.text);
    if (clause_ == Clause::with && frames_.back().own_block) note_common_table(token);
    if (is_verb(word)) {
      begin_verb(word);
    } else if (word == "from") {
      if (!frames_.back().call && !same_word(before_.text, "distinct")) begin_tables();
    } else if (word == "join" || word == "straight_join") {
      begin_tables();
    } else if (word == "into") {
      if (block().verb == "insert") begin_columns();
    } else if (word == "using") {
      // DELETE FROM a USING b; JOIN b USING (tenant_id).
      next_is("(") ? begin(Clause::condition) : begin_tables();
    } else if (word == "where" || word == "on") {
      begin(Clause::condition);
    } else if (word == "set") {
      begin(block().verb == "insert" ? Clause::columns : Clause::other);
      if (block().verb == "insert") block().columns = true;
    } else if (word == "union" || word == "intersect" || word == "except") {
      begin_next_block();
    } else if (is_other_clause(word)) {
      begin(Clause::other);
    }
  }

  static bool is_verb(std::string_view word) {
    constexpr std::array<std::string_view, 6> kVerbs = {"select", "insert",  "update",
                                                        "delete", "replace", "with"};
    return std::ranges::find(kVerbs, word) != kVerbs.end();
  }
  static bool is_other_clause(std::string_view word) {
    constexpr std::array<std::string_view, 9> kWords = {
        "group", "order", "having", "limit", "returning", "values", "window", "offset", "for"};
    return std::ranges::find(kWords, word) != kWords.end();
  }

  // FOR UPDATE, ON CONFLICT DO UPDATE and REPLACE() are no beginnings.
  void begin_verb(const std::string& word) {
    Block& now = block();
    if (word == "with") {
      if (now.verb.empty()) begin(Clause::with);
      return;
    }
    if (now.verb == "insert" && word == "select") {
      begin_next_block();
      block().verb = word;
      return;
    }
    if (!now.verb.empty() || (word != "select" && next_is("("))) return;
    now.verb = word == "replace" ? "insert" : word;
    begin(Clause::other);
    if (word == "update") begin_tables();
    if (word == "replace" && !next_is("into")) begin_columns();
  }

  void begin(Clause clause) {
    clause_ = clause;
    expect_table_ = false;
  }
  void begin_tables() {
    begin(Clause::tables);
    expect_table_ = true;
  }
  void begin_columns() {
    begin(Clause::columns);
    expect_table_ = true;
  }

  // What follows UNION, or the SELECT of an INSERT, is a block beside this one.
  void begin_next_block() {
    finish(block());
    block() = {};
    begin(Clause::other);
  }

  void note_common_table(const SqlToken& token) {
    if (next_is("as") || next_is("(")) common_tables_.emplace(token.text);
  }

  void finish(Block& done) {
    std::erase_if(done.tables,
                  [&](const std::string& name) { return common_tables_.contains(name); });
    if (done.tables.empty() || done.tenant) return;
    const bool insert = done.verb == "insert";
    if (insert && !done.columns) return;  // which columns it sets is not said
    std::string names;
    for (const std::string& name : done.tables) names += (names.empty() ? "" : ", ") + quoted(name);
    Place place;
    place.file = file_;
    place.line = done.line;
    findings_.push_back(finding_of(
        insert ? RuleId::insert_without_tenant : RuleId::query_without_tenant, std::move(place),
        insert ? "into " + names + " without " + options_.tenant_column
               : done.verb + " of " + names + " without " + options_.tenant_column));
  }

  std::string file_;
  const SqlOptions& options_;
  Findings& findings_;
  const std::vector<SqlToken>* tokens_ = nullptr;
  std::size_t at_ = 0;
  std::vector<Block> blocks_;
  std::vector<Frame> frames_;
  std::set<std::string, std::less<>> common_tables_;
  Clause clause_ = Clause::other;
  bool expect_table_ = false;
  SqlToken before_;
};

// Statements that read or write rows; the rest makes tables and accounts.
bool is_query(const std::vector<SqlToken>& tokens) {
  constexpr std::array<std::string_view, 7> kFirst = {"select", "with",    "insert", "update",
                                                      "delete", "replace", "explain"};
  if (tokens.empty()) return false;
  const auto first =
      std::ranges::find_if(tokens, [](const SqlToken& token) { return token.text != "("; });
  if (first == tokens.end() || first->kind != Kind::word) return false;
  return std::ranges::find(kFirst, lowered(first->text)) != kFirst.end();
}

}  // namespace

Findings check_sql(std::string_view sql, std::string_view file, const SqlOptions& options) {
  Findings findings;
  SqlTokens source(sql);
  std::vector<SqlToken> statement;
  while (true) {
    const SqlToken token = source.next();
    const bool ends = token.kind == Kind::end;
    if (!ends && token.text != ";") {
      statement.push_back(token);
      continue;
    }
    if (is_query(statement)) StatementCheck(file, options, findings).run(statement);
    statement.clear();
    if (ends) break;
  }
  std::ranges::stable_sort(findings, {}, [](const Finding& finding) { return finding.place.line; });
  return findings;
}

}  // namespace tessera::contract
