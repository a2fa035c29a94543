# Toolchain: WebAssembly for browsers, by clang 19 and Debian's wasi-libc.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# All that is linked is made here, for every preset alike.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
