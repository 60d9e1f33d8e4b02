# SPDX-License-Identifier: MIT
# Builds for WebAssembly with clang and wasi-libc; programs run under Node if it is installed:
#   cmake -B build/wasm -D CMAKE_TOOLCHAIN_FILE=cmake/toolchain-wasm.cmake -D CMAKE_C_COMPILER=clang-16
#     -D CMAKE_C_FLAGS=-msimd128
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

find_program(NODE_PROGRAM NAMES node nodejs)
if(NODE_PROGRAM)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${NODE_PROGRAM} --no-warnings ${CMAKE_CURRENT_LIST_DIR}/wasi.mjs)
endif()
