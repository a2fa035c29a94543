# A room is a folder of src/ and one library, tessera_<name>, alias tessera::<name>.
#
#   tessera_room(store
#     USES        segment registry    the rooms it calls
#     LINKS       OpenSSL::SSL        what the library needs besides; stays out of its headers
#     NEEDS       OpenSSL             how its users find that: find_package(OpenSSL)
#     BUILT_WITH  Boost::headers      what is headers only: its users need not have it
#     TEST_LINKS  OpenSSL::Crypto     what only its tests and soaks need
#     BENCH_LINKS Boost::headers      what only its benchmarks need
#     ONE_TEST)                       its tests share servers: ctest runs the program once
#
# The rest is found by name, so that a new unit is a new file and no other change:
#
#   x.cpp         the library
#   x_kernel.cpp  the library too, at -O3 in release builds
#   x_test.cpp    <name>_test: GoogleTest, GoogleMock, RapidCheck; a ctest per TEST
#   x_soak.cpp    <name>_soak: the same, for a second in ctest and for long under `make soak`
#   x_bench.cpp   <name>_bench: Google Benchmark; ctest runs it small, so that it cannot rot
#   x_fuzz.cpp    x_fuzz: libFuzzer, presets asan and fuzz; seeds are in tests/corpus/x_fuzz/
#
# Public headers are include/tessera/<name>/*.h; those of core are include/tessera/*.h, with
# what they share, and nobody else should use, in include/tessera/detail/.

include(GoogleTest)
add_custom_target(fuzz_targets)

# Sanitized tests build three times as fast without optimisation, and without those checks that
# find little but are needed at every call of a template. What they test keeps all.
set(TESSERA_SANITIZED_TEST_OPTIONS)
if(TESSERA_SANITIZE)
  set(TESSERA_SANITIZED_TEST_OPTIONS -O0)
  if(TESSERA_FUZZ)  # nobody counts which lines of a test are reached
    list(APPEND TESSERA_SANITIZED_TEST_OPTIONS -fno-sanitize=fuzzer-no-link)
  endif()
  if(TESSERA_SANITIZE MATCHES "undefined")
    list(APPEND TESSERA_SANITIZED_TEST_OPTIONS
      -fno-sanitize=null,alignment,object-size,vptr,return,nonnull-attribute,returns-nonnull-attribute)
  endif()
endif()

# Headers that sanitized builds read once for all files of a target. Elsewhere a file must show
# that it includes what it needs.
set(TESSERA_COMMON_HEADERS <algorithm> <atomic> <chrono> <functional> <memory> <mutex> <optional>
  <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
function(tessera_precompile target)
  if(TESSERA_SANITIZE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
  endif()
endfunction()

function(tessera_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "ONE_TEST" "" "USES;LINKS;NEEDS;BUILT_WITH;TEST_LINKS;BENCH_LINKS")
  if(room_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_room(${name}): do not know ${room_UNPARSED_ARGUMENTS}")
  endif()
  set(uses ${room_USES})
  list(TRANSFORM room_USES PREPEND tessera::)
  list(TRANSFORM room_BUILT_WITH REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")

  set(include ${PROJECT_SOURCE_DIR}/include/tessera)
  if(name STREQUAL "core")
    file(GLOB headers CONFIGURE_DEPENDS ${include}/*.h ${include}/detail/*.h)
    list(APPEND headers ${PROJECT_BINARY_DIR}/include/tessera/version.h)
  else()
    file(GLOB headers CONFIGURE_DEPENDS ${include}/${name}/*.h)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|soak|bench|fuzz)\\.cpp$")
  file(GLOB kernels CONFIGURE_DEPENDS *_kernel.cpp)
  set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-O3>")

  add_library(tessera_${name} ${sources})
  add_library(tessera::${name} ALIAS tessera_${name})
  set_target_properties(tessera_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY TESSERA_ROOMS tessera::${name})
  target_compile_features(tessera_${name} PUBLIC cxx_std_20)
  target_sources(tessera_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    FILES ${headers})
  target_include_directories(tessera_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tessera_${name}
    PUBLIC ${room_USES}
    PRIVATE ${room_LINKS} ${room_BUILT_WITH} $<BUILD_INTERFACE:tessera_warnings>)
  tessera_precompile(tessera_${name} ${TESSERA_COMMON_HEADERS})
  tessera_install_room(${name} USES ${uses} NEEDS ${room_NEEDS})

  if(TESSERA_DEVELOP)
    tessera_gtest(${name} test ${room_TEST_LINKS})
    tessera_gtest(${name} soak ${room_TEST_LINKS})
    if(NOT TESSERA_SANITIZE)  # a sanitized benchmark measures the sanitizer
      tessera_bench(${name} ${room_BENCH_LINKS})
    endif()
  endif()
  if(TESSERA_FUZZ)
    tessera_fuzz(${name})
  endif()
endfunction()

# What tests, benchmarks and fuzz targets of a room share.
function(tessera_room_executable target room sources)
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE
    TESSERA_VECTORS_DIR="${PROJECT_SOURCE_DIR}/tests/vectors")
  target_link_libraries(${target} PRIVATE tessera::${room} tessera_warnings ${ARGN})
endfunction()

function(tessera_gtest room suffix)
  if(suffix STREQUAL "test" AND NOT TESSERA_UNIT_TESTS)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *_${suffix}.cpp)
  if(TESSERA_SANITIZE STREQUAL "thread")  # it can find nothing where there is one thread
    foreach(source IN LISTS sources)
      file(STRINGS ${source} threads REGEX "#include <thread>")
      if(NOT threads)
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endif()
  if(sources)
    set(target ${room}_${suffix})
    tessera_room_executable(${target} ${room} "${sources}"
      GTest::gmock_main rapidcheck rapidcheck_gtest ${ARGN})
    target_compile_options(${target} PRIVATE ${TESSERA_SANITIZED_TEST_OPTIONS})
    tessera_precompile(${target} <gmock/gmock.h> <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
    if(room_ONE_TEST)
      add_test(NAME ${room}.${suffix} COMMAND ${target})
      set_tests_properties(${room}.${suffix} PROPERTIES LABELS ${suffix} COST 200)  # begins first
      return()
    endif()
    # Listed when ctest starts, not when linked: a build need not run what it builds.
    gtest_discover_tests(${target} TEST_PREFIX ${room}. DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${suffix})
  endif()
endfunction()

function(tessera_bench room)
  file(GLOB sources CONFIGURE_DEPENDS *_bench.cpp)
  if(sources)
    tessera_room_executable(${room}_bench ${room} "${sources}" benchmark::benchmark_main ${ARGN})
    add_test(NAME ${room}.bench COMMAND ${room}_bench --benchmark_min_time=0.001)
    set_tests_properties(${room}.bench PROPERTIES LABELS bench)
  endif()
endfunction()

function(tessera_fuzz room)
  file(GLOB sources CONFIGURE_DEPENDS *_fuzz.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM target)
    tessera_room_executable(${target} ${room} ${source} -fsanitize=fuzzer)
    # One folder for all, so that tools/run_fuzz finds them.
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    add_dependencies(fuzz_targets ${target})
  endforeach()
endfunction()

# tessera_program(name USES rooms... LINKS libraries... TEST_LINKS libraries...)
#
# The main.cpp of this folder, as build/<preset>/bin/<name>. Its other files are a library, the
# room `app`, so that its tests (x_test.cpp, as above) can link them. They include each other
# without a folder: "args.h", since "tessera/args.h" would be a public header.
function(tessera_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "USES;LINKS;TEST_LINKS")
  list(TRANSFORM program_USES PREPEND tessera::)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "(/main|_test|_soak|_bench|_fuzz)\\.cpp$")

  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE ${program_USES} tessera_warnings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  install(TARGETS ${name} COMPONENT program)
  if(sources)
    add_library(tessera_app STATIC ${sources})
    add_library(tessera::app ALIAS tessera_app)
    target_include_directories(tessera_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(tessera_app PUBLIC ${program_USES} PRIVATE ${program_LINKS} tessera_warnings)
    target_link_libraries(${name} PRIVATE tessera::app)
    tessera_precompile(tessera_app ${TESSERA_COMMON_HEADERS})
    if(TESSERA_DEVELOP)
      tessera_gtest(app test ${program_TEST_LINKS})
    endif()
    if(TESSERA_FUZZ)
      tessera_fuzz(app)
    endif()
  endif()
endfunction()
