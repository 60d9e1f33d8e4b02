// SPDX-License-Identifier: MIT
// The VRM data of a file, for sinew info.
#ifndef CLI_INFO_VRM_H
#define CLI_INFO_VRM_H

#include <sinew/asset.h>

// Prints a line for each kind of data that the file has; nothing without VRM data.
void cli_print_vrm(const sinew_asset *asset);

// Prints the member "vrm" of a JSON object, after a comma.
void cli_print_json_vrm(const sinew_asset *asset);

#endif
