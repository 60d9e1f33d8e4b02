# SPDX-License-Identifier: MIT
# Test labels, for `ctest -L` and `-LE`. Every test has its room's label, and those that label() adds where the test
# is defined:
#
#     slow    takes seconds: not in `make check`
#     gl      draws by OpenGL: not in `make check`
#     soak    long, or implied by tests that are shorter: only in `make soak`
#     repeat  the same code as another test, with other vectors or another version of OpenGL: not with sanitizers
#     picture compares what is drawn: not with sanitizers
#     bits    pins bits that another compiler could change: all that `make test` runs by optimising clang
#
# A new test needs no label. It's part of `make check`, `make test` with gcc and, if it's a unit test, with
# sanitizers.

add_custom_target(test_bits) # what the tests with the label `bits` run

# label(LABEL TEST...): tests that this build leaves out are ignored
function(label label)
  foreach(test IN LISTS ARGN)
    if(NOT TEST ${test})
      continue()
    endif()
    set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
    string(REGEX REPLACE "_(scalar|sse2|avx2|avx512|neon)$" "" program ${test})
    foreach(target test_${program} ${program})
      if(label STREQUAL bits AND TARGET ${target})
        add_dependencies(test_bits ${target})
      endif()
    endforeach()
  endforeach()
endfunction()

# label_tests(ROOM): at the end of the folder that calls it, all of its tests have its label.
function(label_tests room)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL label_room ${room})")
endfunction()
function(label_room room)
  get_property(tests DIRECTORY PROPERTY TESTS)
  label(${room} ${tests})
endfunction()
