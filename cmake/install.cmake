# tessera_install(core): the library, its headers, find_package(tessera CONFIG) and pkg-config.
#
# Only core is installed so far: it is the part that other people's programs link.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

function(tessera_install room)
  set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
  install(TARGETS tessera_${room} EXPORT tessera FILE_SET HEADERS COMPONENT library)
  install(EXPORT tessera NAMESPACE tessera:: DESTINATION ${config_dir} FILE tesseraConfig.cmake
          COMPONENT library)

  # Before 1.0 a minor version may break its users.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake DESTINATION ${config_dir}
          COMPONENT library)

  # Paths relative to the .pc file itself, so that an installed tree can be moved.
  file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in tessera.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT library)
endfunction()
