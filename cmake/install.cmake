# What other people's programs link: archives, headers, find_package(tessera CONFIG), pkg-config.
#
#   tessera_install_room(db USES core NEEDS LibSQLite)    called by tessera_room() for every room
#   tessera_install_package()                             once, behind the last of them
#
# Each room is a component of the package and a target tessera::<room>, in an export file of its
# own, so that nobody has to have the libraries of a room that he did not ask for. NEEDS names what
# whoever links the archive must find; the name for pkg-config is below.
#
# The C interface is a component too, `c`: the shared library of src/core/CMakeLists.txt.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake/modules)

set(TESSERA_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
set(pkg_config_LibYaml yaml-0.1)
set(pkg_config_LibSQLite sqlite3)
set(pkg_config_OpenSSL openssl)
set(pkg_config_ZLIB zlib)

# Files of the system's own folders: in /etc only if the rest is in /usr, since what is installed
# for a try must stay below its prefix.
set(TESSERA_ETC_DIR ${CMAKE_INSTALL_SYSCONFDIR})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(TESSERA_ETC_DIR /etc)
endif()

# Paths relative to the .pc file itself, so that an installed tree can be moved.
function(tessera_install_pkg_config module description libs requires)
  file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REPLACE ";" " " requires "${requires}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${module}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

function(tessera_install_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;NEEDS")
  install(TARGETS tessera_${room} EXPORT tessera-${room}
    ARCHIVE COMPONENT dev LIBRARY COMPONENT dev FILE_SET HEADERS COMPONENT dev)
  install(EXPORT tessera-${room} NAMESPACE tessera:: DESTINATION ${TESSERA_CONFIG_DIR} COMPONENT dev)
  set_property(GLOBAL APPEND PROPERTY TESSERA_COMPONENTS ${room})
  set_property(GLOBAL APPEND_STRING PROPERTY TESSERA_COMPONENT_FACTS
    "set(_tessera_uses_${room} ${arg_USES})\nset(_tessera_needs_${room} ${arg_NEEDS})\n")

  set(module tessera-${room})
  set(requires)
  foreach(use IN LISTS arg_USES)
    list(APPEND requires tessera-${use})
  endforeach()
  foreach(need IN LISTS arg_NEEDS)
    list(APPEND requires ${pkg_config_${need}})
  endforeach()
  list(TRANSFORM requires REPLACE "^tessera-core$" tessera)
  if(room STREQUAL "core")
    set(module tessera)
  endif()
  tessera_install_pkg_config(${module} "${PROJECT_DESCRIPTION} (${room})" "-ltessera_${room}" "${requires}")
endfunction()

function(tessera_install_c)
  install(TARGETS tessera_shared EXPORT tessera-c LIBRARY COMPONENT shared NAMELINK_COMPONENT dev)
  install(EXPORT tessera-c NAMESPACE tessera:: DESTINATION ${TESSERA_CONFIG_DIR} COMPONENT dev)
  set_property(GLOBAL APPEND PROPERTY TESSERA_COMPONENTS c)
  tessera_install_pkg_config(tessera-c "${PROJECT_DESCRIPTION} (C interface)" -ltessera "")
endfunction()

function(tessera_install_package)
  get_property(components GLOBAL PROPERTY TESSERA_COMPONENTS)
  get_property(facts GLOBAL PROPERTY TESSERA_COMPONENT_FACTS)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in
    ${PROJECT_BINARY_DIR}/tesseraConfig.cmake @ONLY)
  # Before 1.0 a minor version may break its users.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/modules/FindLibYaml.cmake
    ${PROJECT_SOURCE_DIR}/cmake/modules/FindLibSQLite.cmake
    DESTINATION ${TESSERA_CONFIG_DIR} COMPONENT dev)
endfunction()
