# SPDX-License-Identifier: MIT
# Builds for 64-bit Windows with mingw-w64; programs run under wine if it is installed:
#   cmake -B build/windows -D CMAKE_TOOLCHAIN_FILE=cmake/toolchain-mingw.cmake -D JSMN_INCLUDE_DIR=... (scripts/windows.sh)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Static compiler libraries, which would otherwise be needed next to each program.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

find_program(WINE_PROGRAM NAMES wine64 wine wine-stable)
if(WINE_PROGRAM)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE_PROGRAM})
endif()
