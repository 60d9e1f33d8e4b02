// The clips of a file that are paces of one character: standing, walking, running.
#ifndef DRAW_PACES_H
#define DRAW_PACES_H

#include <sinew/asset.h>

enum { DRAW_MOST_PACES = 5 };

// Those that are there, from the slowest on, by their names in whatever letters; returns how many. `clips` has room for
// DRAW_MOST_PACES.
int draw_paces(const sinew_asset *asset, const sinew_clip **clips);

#endif
