// SPDX-License-Identifier: MIT
// What the library's files share of aim offsets.
#ifndef SINEWI_AIM_OFFSET_DATA_H
#define SINEWI_AIM_OFFSET_DATA_H

#include <sinew/body/aim_offset.h>

// The size of an aim offset in bytes.
size_t sinewi_aim_offset_memory(const sinew_aim_offset *aim);

#endif
