// SPDX-License-Identifier: MIT
// Loads files with other files' motion.
#ifndef CLI_MOTION_H
#define CLI_MOTION_H

#include "retargeting/retargeting.h"

// Returns whether a file's name says that it only has motion: .bvh or .vrma.
bool cli_is_motion_file(const char *path);

// Loads the glTF file `path`, and adds all clips of the file `motion` retargeted onto it. They replace clips with the
// same name. `*first` is the index of `motion`'s first clip. On failure, returns false with the reason in `error`.
bool cli_read_with_motion(const char *path, const char *motion, sinew_asset **asset, int32_t *first,
                          sinew_error *error);

// Appends a line and a zero: the expressions in a .vrma file that the target has no morph targets or eyes for. Returns
// false if there aren't any.
bool cli_append_dropped(const retargeting *work, lint_text *out);

#endif
