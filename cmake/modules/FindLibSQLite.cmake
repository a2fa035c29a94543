# LibSQLite::LibSQLite: the archive of SQLite, or else the shared library; LibSQLite_INCLUDE_DIR.
find_path(LibSQLite_INCLUDE_DIR sqlite3.h)
find_library(LibSQLite_LIBRARY NAMES libsqlite3.a sqlite3)
mark_as_advanced(LibSQLite_INCLUDE_DIR LibSQLite_LIBRARY)
find_package(Threads QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibSQLite REQUIRED_VARS LibSQLite_LIBRARY LibSQLite_INCLUDE_DIR Threads_FOUND)
if(LibSQLite_FOUND AND NOT TARGET LibSQLite::LibSQLite)
  add_library(LibSQLite::LibSQLite UNKNOWN IMPORTED)
  set_target_properties(LibSQLite::LibSQLite PROPERTIES
    IMPORTED_LOCATION ${LibSQLite_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibSQLite_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
