// SPDX-License-Identifier: MIT
// Files with the motion of other files.
#ifndef CLI_MOTION_H
#define CLI_MOTION_H

#include "retargeting/retargeting.h"

// Whether a file is motion alone, by its name: .bvh or .vrma.
bool cli_is_motion_file(const char *path);

// Loads the glTF file `path` with all clips of the file `motion` retargeted onto it, in addition to its own. Clips of equal names
// are replaced. `*first` is the clip of `motion` that is the first there. Returns false, with the reason in `error`, if that fails.
bool cli_read_with_motion(const char *path, const char *motion, sinew_asset **asset, int32_t *first,
                          sinew_error *error);

// Appends a line with the expressions of a .vrma file that the target has no morph targets or eyes for, and a zero. Returns false
// if there are none.
bool cli_append_dropped(const retargeting *work, lint_text *out);

#endif
