# SPDX-License-Identifier: MIT
# Labels of the tests, for `ctest -L` and `-LE`, and which build runs what. Every test has the label of its room:
#
#     unit structure docs tools golden graph hostile gl window shaders oracle packaging web examples
#
# and may have others:
#
#     slow    takes seconds; `make check` leaves it out
#     soak    long, or implied by tests that are shorter: `make soak` runs it, `make test` does not
#     repeat  the same code as another test, with other vectors or another version of OpenGL: not with sanitizers
#     picture compares what is drawn: not with sanitizers
#     bits    pins bits that another compiler could change: all that `make test` runs by optimising clang
#
# A new test needs nothing here. It is part of `make check`, `make test` by gcc and, if it is a unit test, with sanitizers.

add_custom_target(test_bits) # what the tests with the label `bits` run
function(set_labels room)
  # Seconds of CPU in the release build, from 5 on: these start first (COST), and `make check` leaves them out (slow).
  set(seconds
    golden_on_aarch64_all 130 packaging_amalgamated_all 97 web_build 95 view_window 82 golden_on_wasm 74 web_npm 60 web_npm_bundlers 9 web_npm_react 6 web_react 8
    web_bundler_vite5 6 web_bundler_vite6 6 web_bundler_vite7 6 web_bundler_vite8 6 web_bundler_webpack 8 web_bundler_rollup 5
    web_studio_looks 45 web_studio 38 web_studio_scene 35 gl_paths 34 web_studio_files 33 oracle 31 gl_paths_es3.1 31
    gl_paths_es3.2 31 web_renderers 28 web_pictures 26 golden_on_aarch64 25 docs_command 23 crowd_of_1000 22 view_drop 21
    render_looks 21 golden_uninitialized 40 packaging_sizes_all 60 packaging_sizes 25 web_studio_state 28 web_studio_input 24 web_studio_draws 20 web_studio_joints 8
    command_memory 16 structure_json_reader 13 structure_headers 8 web_core 5 web_babylon 5 recording_hostile_all 28
    packaging_bare 20 packaging_mingw 20 packaging_amalgamated 20 web_adapters_garbage 19 oracle_reference 18 web_studio_mix 18
    shaders_glsl 18 packaging_subdirectory 18 gl_paths_3.3 17 structure_demo 16 tool_work 45 command_outputs 16 verify_files 16
    bounds_files 15 web_adapters_page 15 gl_paths_es3.0 15 packaging_switches 80 structure_shared 14 render 13 packaging_static 13
    packaging_shared 13 structure_models 13 structure_optimize 90 structure_optimize_three 50 optimize 14 docs_snippets 11 packaging_package 10 web_garbage 9 bench_gpu 7 graph_random_500 7 graph_random_all 150 web_lint 6 web_optimize 60 web_studio_retarget 50 web_studio_graph 35 web_studio_optimize 25 web_studio_solving 12 web_studio_warp 12 web_three 6 gltf_work 6
    render_scene 5 render_crowd 5 crowd 5 crowd_es3.0 5 crowd_3.3 5 golden_on_qemu64 5 golden_on_Haswell 5 web_memory 5)

  # Only in `make soak`, and what `make test` has instead.
  set(soak_tests
    golden_uninitialized       # golden: the same session; here with clang's memory sanitizer
    golden_on_aarch64_all      # golden_on_aarch64: the golden hash of the two-file library; here all kernels, in its own build
    golden_on_wasm             # web_golden: the modules of the package; here other optimisations
    packaging_amalgamated_all  # packaging_amalgamated: not optimised; here -O3 -march=native too, as C and as C++
    packaging_sizes_all        # packaging_sizes: the sizes of the page that people read first, SSE2 with gcc
    recording_hostile_all      # recording_hostile: with sanitizers a third of the values of each damaged byte
    packaging_shared           # structure_shared builds and links the same libraries
    packaging_subdirectory     # packaging_static and packaging_bare build the same targets
    render_looks               # render: plain pictures and errors; here labels, ghosts, skeletons, trails and shadows
    structure_demo             # render and docs_command draw by the same command
    oracle_reference           # the evaluator of `sinew verify`, whose arithmetic the test reference has by hand
    structure_optimize_all     # structure_optimize: other people's large files with one error only, and at fewer times
    verify_files               # oracle compares the same files with another evaluator
    crowd_of_1000              # crowd draws the same with fewer
    view_window                # view_drop opens a window; view, view_crowd, view_mixing, view_attachments, view_body do without a display
    web_studio_looks web_studio_files web_studio_mix web_studio_scene web_studio_webp # web_studio: the page from start to end
    web_renderers web_pictures # web_adapters_page and web_gpu draw in Chromium, too
    web_adapters_garbage       # web_garbage: the same of the package without adapters
    graph_random_all           # graph_random_500: other seeds, and fewer
  )

  # OpenGL 4.5 and OpenGL ES 3.0 have the most and the least; a driver without a cache of its shaders takes half a minute for
  # each version of gl_paths.
  set(soak_pattern "^(gl|crowd).*_(3\\.3|es3\\.[12])$")

  # Rooms of the tests in tests/unit, by name: label, pattern.
  set(unit_rooms
    gl "^(gl_.*|gl|crowd.*|render.*|bench_gpu)$"
    window "^view_(window|drop)$"
    oracle "^(oracle.*|verify_files)$"
    tools "^(view.*|command_memory|lint.*|draco|verify|reference|plots|slope|bench|replay|pops|tool_work|text)$")

  # test_kernels runs all kernels on memory that ends where the data does, with each set of vectors: it alone is repeated
  # with sanitizers. foot_slide measures how well what ik_foot_lock and foot_contact run does.
  set(repeat_pattern "^(clip_range|update|batch_budget|offsets|held|root_pose|mixer_layers|mixer_sides|mixer_transitions|mixer_pose|golden)_(scalar|sse2|avx2|avx512|neon)$|^foot_slide$|_(3\\.3|es3\\.[012])$")
  set(picture_pattern "^(render|render_looks|render_crowd|crowd.*)$")
  set(bits_pattern "^(golden|kernels|clip_range|update|offsets|held|root_pose|mixer_layers|mixer_transitions|mixer_pose)(_(scalar|sse2|avx2|avx512|neon))?$|^(math|rotation_vector|json|keys|clip|clip_additive|steps|blend_space|blend_triangles|mixer|mixer_snapshot|recording|scene_instances|scene_seen|bounds|skin|skin_kernels|bake|structure_fused|structure_trigonometry|golden_on_(qemu64|Haswell))$")

  get_property(names DIRECTORY PROPERTY TESTS)
  foreach(name IN LISTS names)
    set(labels ${room})
    if(room STREQUAL unit)
      set(rules ${unit_rooms})
      while(rules)
        list(POP_FRONT rules label pattern)
        if(name MATCHES "${pattern}")
          set(labels ${label})
          break()
        endif()
      endwhile()
    endif()
    foreach(label repeat picture bits)
      if(name MATCHES "${${label}_pattern}")
        list(APPEND labels ${label})
      endif()
    endforeach()
    if(name IN_LIST soak_tests OR name MATCHES "${soak_pattern}")
      list(APPEND labels soak)
    endif()
    list(FIND seconds ${name} at)
    if(NOT at EQUAL -1)
      math(EXPR at "${at} + 1")
      list(GET seconds ${at} cost)
      list(APPEND labels slow)
      set_tests_properties(${name} PROPERTIES COST ${cost})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}")
    if(bits IN_LIST labels)
      string(REGEX REPLACE "_(scalar|sse2|avx2|avx512|neon)$" "" program ${name})
      foreach(target test_${program} ${program} sinew)
        if(TARGET ${target})
          add_dependencies(test_bits ${target})
        endif()
      endforeach()
    endif()
  endforeach()
endfunction()

# label_tests(ROOM): at the end of the folder that calls it, all of its tests have their labels.
function(label_tests room)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL set_labels ${room})")
endfunction()
