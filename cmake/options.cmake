# SPDX-License-Identifier: MIT
# The compile options of every target of the project, as the target sinew_options.
add_library(sinew_options INTERFACE)

if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(sinew_options INTERFACE
    # The same bits everywhere: no contraction of a*b+c, with any default of the compiler.
    -ffp-contract=off
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wpointer-arith
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wdouble-promotion
    $<$<BOOL:${MINGW}>:-Wno-float-conversion> # isfinite(double): its branch for float warns
    $<$<BOOL:${SINEW_WERROR}>:-Werror>)
endif()

if(SINEW_SANITIZE)
  target_compile_options(sinew_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sinew_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(sinew_options INTERFACE SINEW_SMALL_CHUNKS)
endif()

if(SINEW_BUILD_FUZZERS)
  target_compile_options(sinew_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(SINEW_COVERAGE)
  target_compile_options(sinew_options INTERFACE --coverage -O0 -fprofile-update=atomic) # threads count, too
  target_link_options(sinew_options INTERFACE --coverage)
endif()
