// SPDX-License-Identifier: MIT
// gaze_picture.h - draws the hero with its gaze on a target in eight directions.
#ifndef PLOTS_GAZE_PICTURE_H
#define PLOTS_GAZE_PICTURE_H

#include "render/picture.h"

#include <sinew/asset.h>

/// Draws eight panes, with the target 45 degrees further in each. The program ends without OpenGL or if the hero lacks
/// a node or a clip. Free the picture with draw_picture_free.
draw_picture gaze_picture(const sinew_asset *hero);

#endif
