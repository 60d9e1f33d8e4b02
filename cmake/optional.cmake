# SPDX-License-Identifier: MIT
# Libraries that only the tools and the tests need. Without one of them those parts are not built, and a warning says what
# to install. The core library, its examples and the tests without dependencies are always built.
find_package(PkgConfig QUIET)

# find_module(NAME PACKAGE MODULE...): makes the target PkgConfig::NAME, or adds PACKAGE to the missing ones. PACKAGE is Debian's name.
function(find_module name package)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${ARGN})
  endif()
  if(NOT TARGET PkgConfig::${name})
    set(missing ${missing} ${package} PARENT_SCOPE)
  endif()
endfunction()

macro(note_unless found package)
  if(NOT ${found})
    list(APPEND missing ${package})
  endif()
endmacro()

# warn_left_out(WHAT OPTION): warns about missing packages, and names the option to build without them.
function(warn_left_out what option)
  if(NOT PKG_CONFIG_FOUND)
    list(PREPEND missing pkg-config)
  endif()
  list(JOIN missing " " packages)
  message(WARNING "${what} left out. Missing, by Debian's package names: ${packages}. Install them, or silence this "
    "with -D ${option}=OFF.")
endfunction()

# ---- The tools --------------------------------------------------------------------------------------------------

# Without drawing, the codec of the WebAssembly modules takes meshoptimizer's place.
if(SINEW_BUILD_TOOLS AND NOT SINEW_BUILD_DRAWING)
  add_library(sinew-meshopt STATIC EXCLUDE_FROM_ALL web/meshopt/vertex_codec.c web/meshopt/index_codec.c
    web/meshopt/vertex_filters.c)
  target_include_directories(sinew-meshopt PRIVATE web/meshopt)
  target_link_libraries(sinew-meshopt PRIVATE sinew_options)
  set(MESHOPTIMIZER_LIBRARY sinew-meshopt)
  set(MESHOPTIMIZER_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/web/meshopt)
endif()
if(SINEW_BUILD_TOOLS AND SINEW_BUILD_DRAWING)
  set(missing "")
  find_module(webp libwebp-dev libwebp libwebpmux)
  find_module(epoxy libepoxy-dev epoxy)
  find_module(egl libegl-dev egl)
  find_module(glfw libglfw3-dev glfw3)
  find_path(STB_INCLUDE_DIR stb/stb_image.h)
  note_unless(STB_INCLUDE_DIR libstb-dev)
  find_library(MESHOPTIMIZER_LIBRARY meshoptimizer)
  find_path(MESHOPTIMIZER_INCLUDE_DIR meshoptimizer.h)
  if(NOT MESHOPTIMIZER_LIBRARY OR NOT MESHOPTIMIZER_INCLUDE_DIR)
    list(APPEND missing libmeshoptimizer-dev)
  endif()
  find_file(SINEW_FONT DejaVuSans.ttf NO_CMAKE_FIND_ROOT_PATH
    PATHS /usr/share/fonts /usr/local/share/fonts /opt/homebrew/share/fonts /Library/Fonts $ENV{HOME}/Library/Fonts
    PATH_SUFFIXES truetype/dejavu dejavu-sans-fonts dejavu TTF
    DOC "DejaVuSans.ttf, which is taken into the programs that draw text")
  note_unless(SINEW_FONT fonts-dejavu-core)
  if(missing)
    warn_left_out("The sinew command and its tests are" SINEW_BUILD_TOOLS)
    set(SINEW_BUILD_TOOLS OFF)
  elseif(NOT SINEW_BUILD_GL)
    message(WARNING "The sinew command and its tests are left out: they need -D SINEW_BUILD_GL=ON.")
    set(SINEW_BUILD_TOOLS OFF)
  endif()
endif()

# ---- The tests, and the sanitizer support of tests/fuzz; cmocka has no packages for other systems ---------------------

if(SINEW_BUILD_TESTS OR SINEW_SANITIZE)
  find_path(JSMN_INCLUDE_DIR jsmn.h DOC "The folder of jsmn.h, by which tests read JSON")
  mark_as_advanced(JSMN_INCLUDE_DIR)
endif()
if((SINEW_BUILD_TESTS OR SINEW_SANITIZE) AND NOT CMAKE_CROSSCOMPILING)
  set(missing "")
  find_module(cmocka libcmocka-dev cmocka)
  note_unless(JSMN_INCLUDE_DIR libjsmn-dev)
  if(missing)
    warn_left_out("Tests that are C programs are" SINEW_BUILD_TESTS)
  endif()
endif()
