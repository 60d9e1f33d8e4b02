// SPDX-License-Identifier: MIT
// Checks an animation graph and lays it out, for JavaScript. It's a separate module, which the studio fetches for the
// first graph that it edits. The functions return JSON, or NULL if memory ran out. The caller frees it.
#ifndef SINEW_WEB_GRAPH_CHECK_H
#define SINEW_WEB_GRAPH_CHECK_H

#include "web.h"

// Loads a file and keeps it instead of the last one. Graphs are checked against its skeleton and clips. The data may be
// freed afterwards. If the file can't be read, returns false, with the reason in web_error, and keeps no file.
bool web_check_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                    sinew_meshopt_decode decode);

// Forgets the loaded file.
void web_check_unload(void);

// The findings of `sinew graph check`, each with its graph elements.
char *web_check_graph(const char *text, size_t size);

// The graph's machines, laid out like in `sinew graph plot`.
char *web_layout_graph(const char *text, size_t size);

#endif
