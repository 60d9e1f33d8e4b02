// gaze_picture.h - a picture of the hero that looks at a target on each side.
#ifndef PLOTS_GAZE_PICTURE_H
#define PLOTS_GAZE_PICTURE_H

#include "render/picture.h"

#include <sinew/asset.h>

/// Eight panes, the target 45 degrees further in each. The program ends where there is no OpenGL or the hero lacks something.
/// Freed with draw_picture_free.
draw_picture gaze_picture(const sinew_asset *hero);

#endif
