// SPDX-License-Identifier: MIT
// A file's VRM data, for sinew info.
#ifndef CLI_INFO_VRM_H
#define CLI_INFO_VRM_H

#include <sinew/asset.h>

// Prints a line for each kind of VRM data in the file. Prints nothing if there isn't any.
void cli_print_vrm(const sinew_asset *asset);

// Prints a comma and the JSON member "vrm".
void cli_print_json_vrm(const sinew_asset *asset);

#endif
