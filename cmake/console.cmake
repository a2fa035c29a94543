# tessera_console(target): builds the web console into the target, or says that there is none.
#
# The console is the same for all presets and is built once for all of them, by a CMake project of
# its own in TESSERA_CONSOLE_DIR; a lock keeps two builds from doing so at a time.

option(TESSERA_CONSOLE "Build the web console into the program; needs node and clang 19" ON)
set(TESSERA_CONSOLE_DIR ${PROJECT_BINARY_DIR}/console CACHE PATH "Where the console is built")

function(tessera_console target)
  set(source ${PROJECT_SOURCE_DIR}/apps/console)
  if(NOT TESSERA_CONSOLE)
    target_sources(${target} PRIVATE ${source}/absent.cpp)
    return()
  endif()
  foreach(tool npm clang++-19 wasm-ld-19 wasm-opt zopfli flock)
    find_program(found_${tool} ${tool})
    if(NOT found_${tool})
      message(FATAL_ERROR "The web console needs ${tool}. tools/install-deps build installs it; "
        "-DTESSERA_CONSOLE=OFF does without the console.")
    endif()
  endforeach()
  file(MAKE_DIRECTORY ${TESSERA_CONSOLE_DIR})
  add_custom_target(console VERBATIM
    COMMAND flock ${TESSERA_CONSOLE_DIR}/lock ${CMAKE_COMMAND} -S ${source} -B ${TESSERA_CONSOLE_DIR}
      -G Ninja --toolchain ${PROJECT_SOURCE_DIR}/cmake/wasm.cmake --log-level=WARNING
    COMMAND flock ${TESSERA_CONSOLE_DIR}/lock ${CMAKE_COMMAND} --build ${TESSERA_CONSOLE_DIR} -- --quiet
    BYPRODUCTS ${TESSERA_CONSOLE_DIR}/assets.cpp ${TESSERA_CONSOLE_DIR}/wasm/tessera.wasm
    COMMENT "The web console")
  target_sources(${target} PRIVATE ${TESSERA_CONSOLE_DIR}/assets.cpp)
  add_dependencies(${target} console)
endfunction()
