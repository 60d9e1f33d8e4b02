# SPDX-License-Identifier: MIT
# cpack runs this between installing and packaging: a Debian package has its licence and changelog in a folder of its
# name, and compressed manual pages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

find_program(GZIP_PROGRAM gzip REQUIRED)
get_filename_component(source ${CPACK_RESOURCE_FILE_LICENSE} DIRECTORY)
set(scratch ${CPACK_TEMPORARY_DIRECTORY}.changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # or SOURCE_DATE_EPOCH
file(WRITE ${scratch} "sinew (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packaged by cpack; what changed in Sinew itself stands in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")

# Without the name and time of the file, so that the bytes are the same each time.
function(compress from to)
  execute_process(COMMAND ${GZIP_PROGRAM} -9nc ${from} OUTPUT_FILE ${to} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(docs ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc)
  file(REMOVE_RECURSE ${docs}/sinew)
  set(papers ${docs}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${papers})
  file(COPY_FILE ${source}/LICENSE ${papers}/copyright)
  compress(${source}/CHANGELOG.md ${papers}/changelog.gz)
  compress(${scratch} ${papers}/changelog.Debian.gz)
  set(made ${papers}/copyright ${papers}/changelog.gz ${papers}/changelog.Debian.gz)
  file(GLOB pages ${docs}/../man/man*/*.[1-9])
  foreach(page IN LISTS pages)
    compress(${page} ${page}.gz)
    file(REMOVE ${page})
    list(APPEND made ${page}.gz)
  endforeach()
  file(CHMOD ${made} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
