# Between what was installed for cpack and the .deb files: what Debian's policy wants of them. Every
# time is that of SOURCE_DATE_EPOCH, so that the same sources give the same files, bit by bit.

set(debian ${CPACK_TESSERA_SOURCE}/packaging/debian)
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  message(FATAL_ERROR "SOURCE_DATE_EPOCH is not set; tools/package sets it to the time of the last commit")
endif()
set(epoch $ENV{SOURCE_DATE_EPOCH})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, if that is set

function(pack file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} key)
  set(name ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  set(doc ${root}/usr/share/doc/${name})
  file(COPY ${debian}/copyright DESTINATION ${doc})
  file(WRITE ${doc}/changelog.Debian "tessera (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) "
    "unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  pack(${doc}/changelog.Debian)
  configure_file(${CPACK_TESSERA_SOURCE}/CHANGELOG.md ${doc}/changelog COPYONLY)
  pack(${doc}/changelog)
  if(EXISTS ${debian}/${name}.lintian-overrides)
    configure_file(${debian}/${name}.lintian-overrides ${root}/usr/share/lintian/overrides/${name} COPYONLY)
  endif()
  file(GLOB pages ${root}/usr/share/man/*/*.1)
  foreach(page IN LISTS pages)
    pack(${page})
  endforeach()
  file(GLOB_RECURSE archives ${root}/usr/lib/*.a)
  foreach(archive IN LISTS archives)
    execute_process(COMMAND strip --strip-debug --remove-section=.comment --enable-deterministic-archives ${archive}
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND find ${root}/usr -type f ( -path */bin/* -o -name *.so -o -name *.so.* )
    -exec strip --remove-section=.comment {} + COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND find ${root} -name *.so.* -type f -exec chmod 644 {} + COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND find ${root} -exec touch --no-dereference --date=@${epoch} {} +
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
