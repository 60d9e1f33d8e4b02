// SPDX-License-Identifier: MIT
// Files for modules that use the C library's streams. files.c replaces fopen and stat to find the page's files by name.
#ifndef SINEW_WEB_FILES_H
#define SINEW_WEB_FILES_H

#include "web.h"

// Replaces the module's files. They must stay in memory until the next call.
void web_files_set(const web_file *files, int32_t count);

#endif
