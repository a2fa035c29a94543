#pragma once

// The files of schema/, as texts. CMakeLists.txt makes schema_files.cpp of them.

#include <string_view>

namespace tessera {

extern const std::string_view sqlite_create_sql;
extern const std::string_view sqlite_adopt_sql;
extern const std::string_view sqlite_adopted_sql;
extern const std::string_view postgres_create_sql;
extern const std::string_view postgres_adopt_sql;
extern const std::string_view mariadb_create_sql;
extern const std::string_view mariadb_adopt_sql;

extern const std::string_view sqlite_registry_sql;
extern const std::string_view sqlite_registry_type_sql;
extern const std::string_view postgres_registry_sql;
extern const std::string_view postgres_registry_type_sql;
extern const std::string_view mariadb_registry_sql;
extern const std::string_view mariadb_registry_type_sql;

}  // namespace tessera
