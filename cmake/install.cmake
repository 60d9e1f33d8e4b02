# SPDX-License-Identifier: MIT
# The files of `cmake --install`, and the packages of `cpack`. All paths are relative, so that an installed tree can be
# moved. Components: development, command, and runtime for shared libraries.
include(CMakePackageConfigHelpers)

set(SINEW_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set(libraries sinew)
foreach(tier ${SINEW_TIERS} all gl)
  if(TARGET sinew-${tier})
    list(APPEND libraries sinew-${tier})
  endif()
endforeach()

# ---- The libraries ----------------------------------------------------------------------------------------------

install(TARGETS ${libraries} EXPORT sinew
  ARCHIVE COMPONENT development
  RUNTIME COMPONENT runtime
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
install(DIRECTORY include/sinew TYPE INCLUDE COMPONENT development FILES_MATCHING PATTERN "*.h")
install(EXPORT sinew NAMESPACE sinew:: FILE sinew-targets.cmake DESTINATION ${SINEW_CMAKE_DIR} COMPONENT development)

configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake INSTALL_DESTINATION ${SINEW_CMAKE_DIR}
  PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO)
# Before 1.0 each minor version may change the interface.
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  cmake/sinew-assets.cmake
  DESTINATION ${SINEW_CMAKE_DIR} COMPONENT development)

# ---- pkg-config -------------------------------------------------------------------------------------------------

# The relative path from the folder of the .pc files to the prefix, so that they have no path of this machine.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" pc_up ${pc_up})
  set(pc_prefix "\${pcfiledir}/${pc_up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()

get_target_property(pc_type sinew TYPE)
set(pc_cflags "-I\${includedir}")
if(pc_type STREQUAL "SHARED_LIBRARY")
  string(APPEND pc_cflags " -DSINEW_SHARED")
endif()
foreach(switch ${SINEW_PARTIAL})
  if(${switch})
    string(APPEND pc_cflags " -D${switch}")
  endif()
endforeach()

set(pc_libs_private "")
set(pc_libs "-lsinew")
if(UNIX)
  # A program with a static library also links its dependencies.
  if(pc_type STREQUAL "STATIC_LIBRARY")
    string(APPEND pc_libs " -lm")
  else()
    set(pc_libs_private "-lm")
  endif()
endif()

# Each target has a file of its name. A tier of a shared library is a part of sinew.
foreach(library IN LISTS libraries)
  set(pc_name ${library})
  if(library STREQUAL "sinew")
    set(pc_description "${PROJECT_DESCRIPTION}")
    set(pc_requires "")
  else()
    string(REPLACE "sinew-" "" tier ${library})
    set(pc_description "Sinew: ${tier}")
    get_target_property(pc_used ${library} INTERFACE_LINK_LIBRARIES)
    list(FILTER pc_used INCLUDE REGEX "^sinew(-[a-z]+)?$")
    list(TRANSFORM pc_used APPEND " = ${PROJECT_VERSION}")
    list(JOIN pc_used ", " pc_requires)
    set(pc_libs_private "")
    get_target_property(pc_kind ${library} TYPE)
    if(pc_kind STREQUAL "INTERFACE_LIBRARY")
      set(pc_libs "")
    else()
      set(pc_libs "-l${library}")
    endif()
  endif()
  configure_file(cmake/sinew.pc.in ${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()

# ---- The command and documents ----------------------------------------------------------------------------------

if(TARGET sinew-command)
  install(TARGETS sinew-command RUNTIME COMPONENT command)
  install(FILES docs/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(FILES docs/completion/sinew.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT command RENAME sinew)
  install(FILES docs/completion/_sinew DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
endif()

# Shared libraries of the project are found relative to the program or library, so that the tree can be moved.
if(pc_type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT DEFINED CMAKE_INSTALL_RPATH)
  set(origin $ORIGIN)
  if(APPLE)
    set(origin @loader_path)
  endif()
  if(TARGET sinew-gl)
    set_target_properties(sinew-gl PROPERTIES INSTALL_RPATH ${origin})
  endif()
  if(TARGET sinew-command)
    file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(sinew-command PROPERTIES INSTALL_RPATH ${origin}/${bin_to_lib})
  endif()
endif()

install(FILES LICENSE CHANGELOG.md TYPE DOC COMPONENT development)

# ---- Packages: cpack -G DEB, or TGZ and ZIP ----------------------------------------------------------------------

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR "The Sinew authors")
set(CPACK_PACKAGE_CONTACT "The Sinew authors <authors@sinew.invalid>" CACHE STRING "Who maintains the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL development)
if(TARGET sinew-command)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
if(pc_type STREQUAL "SHARED_LIBRARY")
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(runtime_package libsinew${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME sinew-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Sinew loads animated glTF 2.0 files, plays, fades and blends their clips, and
skins what they hold on the GPU or the CPU. This package has the headers, the
libraries, and what CMake and pkg-config need to find them.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sinew)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "The command says what an animated glTF 2.0 file holds, computes its poses and
skinned vertices at any time, and draws it to pictures and animations.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${runtime_package})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Sinew loads animated glTF 2.0 files, plays, fades and blends their clips, and
skins what they hold on the GPU or the CPU. This package has the shared
libraries.")

# libc6-dev, because linked programs also need libm.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libc6-dev")
if(pc_type STREQUAL "SHARED_LIBRARY")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${runtime_package} (= ${PROJECT_VERSION}-1), libc6-dev")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  # dpkg-shlibdeps searches the project's own libraries in the build folder.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
endif()

# Debian requires the licence and the changelog in every package.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
include(CPack)
