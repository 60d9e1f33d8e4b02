// SPDX-License-Identifier: MIT
// body_picture.h - a picture of the hero whose hands, feet, head and hips are moved to targets.
#ifndef PLOTS_BODY_PICTURE_H
#define PLOTS_BODY_PICTURE_H

#include "render/picture.h"

#include <sinew/asset.h>

/// Eight panes, each with other targets. The program ends without OpenGL or if the hero lacks a node or a clip. Freed with
/// draw_picture_free.
draw_picture body_picture(const sinew_asset *hero);

#endif
