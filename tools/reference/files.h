// The files that a glTF file consists of.
#ifndef REFERENCE_FILES_H
#define REFERENCE_FILES_H

#include <stdbool.h>

// Receives a path, which is gone when it returns. False ends the walk.
typedef bool (*ref_visit_file)(const char *path, void *user);

// Calls `visit` for each file that loading `path` may read: itself, its markers sidecar, and what any "uri" of it
// names, in extensions too. The paths need not exist; of a file that cannot be parsed only the first two are visited.
// False where `visit` ended the walk or memory runs out.
bool ref_visit_files(const char *path, ref_visit_file visit, void *user);

#endif
