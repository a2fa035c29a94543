# What a release build has besides its speed: a mistake in it is harder to make use of, and it is
# the same, bit by bit, wherever it is built. The ctest `hardening` looks at what came out.
#
# A project that builds us within its own decides on its flags itself.

if(NOT PROJECT_IS_TOP_LEVEL OR TESSERA_SANITIZE)
  return()
endif()

include(CheckPIESupported)
check_pie_supported()

set(released "$<CONFIG:Release,RelWithDebInfo>")
set(hardening -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND hardening -fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  list(APPEND hardening -mbranch-protection=standard)
endif()
add_compile_options("$<${released}:${hardening}>")
add_link_options("$<${released}:LINKER:-z,relro,-z,now,-z,noexecstack>")

# No name of a folder of this machine in what is built. (What is made in the build folder comes
# after the sources: of two that match, the compiler takes the last.)
add_compile_options(
  "$<${released}:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.;-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>")
