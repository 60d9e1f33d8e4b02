// SPDX-License-Identifier: MIT
// The check and the layout of an animation graph for JavaScript: a module of its own, which the studio fetches for the
// first graph that it edits. Texts that the functions return are JSON to be freed, or NULL without memory.
#ifndef SINEW_WEB_GRAPH_CHECK_H
#define SINEW_WEB_GRAPH_CHECK_H

#include "web.h"

// Loads the file whose skeleton and clips graphs are compared with, instead of the last one, and keeps it. The data may be
// freed afterwards. Returns false, with the reason in web_error, for a file that cannot be read: then there is none.
bool web_check_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                    sinew_meshopt_decode decode);

// Forgets that file.
void web_check_unload(void);

// The findings of `sinew graph check`, with the elements that they are about.
char *web_check_graph(const char *text, size_t size);

// The machines of the graph as `sinew graph plot` lays them out.
char *web_layout_graph(const char *text, size_t size);

#endif
