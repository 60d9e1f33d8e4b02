# SPDX-License-Identifier: MIT
# sinew_assets(TARGET FILES file... [OPTIMIZE length] [DESTINATION folder] [OPTIONS option...])
#
# Bakes assets while TARGET is built: each FILE, glTF or BVH, becomes NAME.sinew in DESTINATION, by default in the current
# binary folder. With OPTIMIZE, such as 1mm, `sinew optimize --meshes` makes a glTF file smaller first. OPTIONS go to
# `sinew bake-asset`, such as --up z. A file is baked again when it, a buffer or image that it names (from CMake 3.21 on), or the
# command changes. The build bakes several at a time.
#
# TARGET is a program or library, or a new name: then it is a custom target of all builds.

cmake_policy(PUSH)
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW) # dependency files have absolute paths
endif()

function(_sinew_bake input baked optimize options)
  set(depfile)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.21) # for all generators
    set(depfile DEPFILE ${baked}.d)
  endif()
  get_filename_component(name ${baked} NAME)
  if(optimize AND NOT input MATCHES "[.][bB][vV][hH]$")
    string(REGEX REPLACE "[.]sinew$" ".optimized.glb" small ${baked})
    set(small_depfile)
    if(depfile)
      set(small_depfile DEPFILE ${small}.d)
    endif()
    add_custom_command(OUTPUT ${small}
      COMMAND sinew::command --quiet optimize ${input} -o ${small} --error ${optimize} --meshes --depfile ${small}.d
      DEPENDS ${input} sinew::command ${small_depfile} VERBATIM COMMENT "Optimizing ${name}")
    set(input ${small})
  endif()
  add_custom_command(OUTPUT ${baked}
    COMMAND sinew::command --quiet bake-asset ${input} -o ${baked} --depfile ${baked}.d ${options}
    DEPENDS ${input} sinew::command ${depfile} VERBATIM COMMENT "Baking ${name}")
endfunction()

function(sinew_assets target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OPTIMIZE;DESTINATION" "FILES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_FILES)
    message(FATAL_ERROR "sinew_assets(${target} FILES file... [OPTIMIZE length] [DESTINATION folder] [OPTIONS option...]): "
      "FILES is missing, or before them there is '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET sinew::command)
    message(FATAL_ERROR "sinew_assets(${target}): the command isn't installed with Sinew, which SINEW_BUILD_TOOLS builds")
  endif()
  get_filename_component(folder "${arg_DESTINATION}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  file(MAKE_DIRECTORY ${folder})
  set(all_baked)
  foreach(file IN LISTS arg_FILES)
    get_filename_component(input ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WLE)
    set(baked ${folder}/${name}.sinew)
    if(baked IN_LIST all_baked)
      message(FATAL_ERROR "sinew_assets(${target}): two FILES are named ${name}: bake them into two folders")
    endif()
    list(APPEND all_baked ${baked})
    _sinew_bake(${input} ${baked} "${arg_OPTIMIZE}" "${arg_OPTIONS}")
  endforeach()
  if(TARGET ${target})
    string(SHA256 hash "${all_baked}")
    string(SUBSTRING ${hash} 0 8 hash)
    add_custom_target(${target}-assets-${hash} DEPENDS ${all_baked})
    add_dependencies(${target} ${target}-assets-${hash})
  else()
    add_custom_target(${target} ALL DEPENDS ${all_baked})
  endif()
endfunction()

cmake_policy(POP)
