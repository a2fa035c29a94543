# A port of this very tree: the folder above packaging/. Core alone, or with the feature `rooms` all.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

set(only_core ON)
if("rooms" IN_LIST FEATURES)
  set(only_core OFF)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DTESSERA_DEVELOP=OFF
    -DTESSERA_PROGRAM=OFF
    -DTESSERA_CONSOLE=OFF
    -DTESSERA_EXTENSIONS=OFF
    -DTESSERA_ONLY_CORE=${only_core})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME tessera CONFIG_PATH lib/cmake/tessera)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
