# LibYaml::LibYaml: the archive, not the shared library: a program that needs no configuration
# loads no library for it. Where a system has no archive, the shared one serves.
find_path(LibYaml_INCLUDE_DIR yaml.h)
find_library(LibYaml_LIBRARY NAMES libyaml.a yaml)
mark_as_advanced(LibYaml_INCLUDE_DIR LibYaml_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibYaml REQUIRED_VARS LibYaml_LIBRARY LibYaml_INCLUDE_DIR)
if(LibYaml_FOUND AND NOT TARGET LibYaml::LibYaml)
  add_library(LibYaml::LibYaml UNKNOWN IMPORTED)
  set_target_properties(LibYaml::LibYaml PROPERTIES
    IMPORTED_LOCATION ${LibYaml_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibYaml_INCLUDE_DIR})
endif()
