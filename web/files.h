// SPDX-License-Identifier: MIT
// The files of a module that has the C library's streams: those that the page hands over, by name. files.c replaces fopen
// and stat of the C library by these.
#ifndef SINEW_WEB_FILES_H
#define SINEW_WEB_FILES_H

#include "web.h"

// Gives the module these files, which must stay in memory until the next call, and no others.
void web_files_set(const web_file *files, int32_t count);

#endif
