// SPDX-License-Identifier: MIT
// body_picture.h - draws the hero with its hands, feet, head and hips moved to targets.
#ifndef PLOTS_BODY_PICTURE_H
#define PLOTS_BODY_PICTURE_H

#include "render/picture.h"

#include <sinew/asset.h>

/// Draws eight panes, each with other targets. The program ends without OpenGL or if the hero lacks a node or a clip.
/// Free the picture with draw_picture_free.
draw_picture body_picture(const sinew_asset *hero);

#endif
