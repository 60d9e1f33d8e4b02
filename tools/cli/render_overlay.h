// SPDX-License-Identifier: MIT
// The overlays in `sinew render`: skeletons, node trails and labels.
#ifndef CLI_RENDER_OVERLAY_H
#define CLI_RENDER_OVERLAY_H

#include "render/picture.h"
#include "render/text.h"
#include "cli/render_args.h"

// The paths of some of the first actor's nodes.
typedef struct cli_trails {
    int count;
    int32_t nodes[CLI_MAX_TRAILS];
    sinew_vec3 *points[CLI_MAX_TRAILS]; // several per tick
    int point_count;
    int tick_count;
    float step; // seconds between ticks
} cli_trails;

// Finds the nodes. If one is missing, prints the existing names and returns false.
bool cli_trails_find(cli_trails *trails, const cli_stage *stage, const cli_render_args *args);

// Plays the stage from its first frame for `ticks` steps of `step` seconds and stores the nodes' positions, replacing
// earlier ones. If memory runs out, prints the reason and returns false.
bool cli_trails_record(cli_trails *trails, const cli_stage *stage, int ticks, float step);
void cli_trails_free(cli_trails *trails);

void cli_trails_frame(const cli_trails *trails, draw_framing *framing);

// Paints the trails over a picture, with a dot where each node is `now` seconds after the first frame.
void cli_trails_paint(const cli_trails *trails, const draw_camera *camera, float now, draw_picture *picture);

// Paints all actors' skeletons over a picture, or only those of actors without meshes.
void cli_skeleton_paint(const cli_stage *stage, bool all, const draw_camera *camera, draw_picture *picture);

// Paints text in a rectangle's lower left corner, cut to its width.
void cli_label_paint(const draw_font *font, draw_picture *picture, int x, int y, int width, uint32_t color,
                     const char *text);

#endif
