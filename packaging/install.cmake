# What is installed besides programs and libraries, and the .deb packages that cpack makes of all.
#
#    component     package                  what is in it
#    shared        libtessera0              the C interface, libtessera.so.0
#    dev           libtessera-dev           headers, archives, CMake package, pkg-config files
#    program       tessera                  the program, its pages, completions, unit, configuration
#    postgresql    tessera-postgresql-15    CREATE EXTENSION tessera
#    mariadb       tessera-mariadb          functions for MariaDB
#    sqlite        tessera-sqlite           an extension to be loaded

set(packaging ${CMAKE_CURRENT_LIST_DIR})
install(FILES ${packaging}/systemd/tessera.service DESTINATION lib/systemd/system COMPONENT program)
install(FILES ${packaging}/systemd/tessera.sysusers DESTINATION lib/sysusers.d RENAME tessera.conf
  COMPONENT program)
install(FILES ${packaging}/systemd/tessera.tmpfiles DESTINATION lib/tmpfiles.d RENAME tessera.conf
  COMPONENT program)
install(FILES ${packaging}/tessera.yaml DESTINATION ${TESSERA_ETC_DIR}/tessera COMPONENT program)
install(FILES ${packaging}/monitoring/alerts.yaml ${packaging}/monitoring/grafana-dashboard.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/monitoring COMPONENT program)
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT program)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program)

if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  return()  # packages are made for the folders of the system
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR tessera)
set(CPACK_PACKAGE_CONTACT "The Tessera authors <tessera@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY OFF)  # one for all; each package has its own
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL shared dev program mariadb sqlite)
if(TESSERA_POSTGRES)
  list(APPEND CPACK_COMPONENTS_ALL postgresql)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE tessera)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src/core)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

macro(deb component name section depends summary)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}")
  file(READ ${packaging}/debian/${name}.description text)
  string(STRIP "${text}" text)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}")
endmacro()
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
deb(shared libtessera0 libs "" "identifiers for every language: shared library")
deb(dev libtessera-dev libdevel
  "libtessera0 (= ${version}), libsqlite3-dev, libssl-dev, libyaml-dev, zlib1g-dev"
  "identifiers for C++ and C: headers and archives")
# OpenSSL and zlib are loaded when they are first used, so that no tool sees that they are needed.
deb(program tessera utils "libssl3, zlib1g, systemd | systemd-standalone-sysusers | systemd-sysusers"
  "makes, checks, reads, stores and retires identifiers")
deb(postgresql tessera-postgresql-15 database "postgresql-15" "identifiers inside PostgreSQL 15")
deb(mariadb tessera-mariadb database "mariadb-server" "identifiers inside MariaDB")
deb(sqlite tessera-sqlite database "libsqlite3-0" "identifiers inside SQLite")
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libpq5, libmariadb3")  # opened when a store needs them
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "postgresql-15, mariadb-server, etcd-server, prometheus")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${packaging}/debian/conffiles ${packaging}/debian/postinst
  ${packaging}/debian/prerm ${packaging}/debian/postrm)
# By hand, so that what is no library for programs, such as extensions, is not complained about.
configure_file(${packaging}/debian/shlibs.in ${PROJECT_BINARY_DIR}/debian/shlibs @ONLY)
set(CPACK_DEBIAN_SHARED_PACKAGE_CONTROL_EXTRA ${packaging}/debian/triggers ${PROJECT_BINARY_DIR}/debian/shlibs)

# Man pages and changelogs are packed, copyrights added, times set: what Debian wants and cpack does not do.
set(CPACK_PRE_BUILD_SCRIPTS ${packaging}/debian/finish.cmake)
set(CPACK_TESSERA_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
