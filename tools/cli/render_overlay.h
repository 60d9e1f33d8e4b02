// What `sinew render` paints over its pictures: skeletons, the ways that nodes go, and labels.
#ifndef CLI_RENDER_OVERLAY_H
#define CLI_RENDER_OVERLAY_H

#include "render/picture.h"
#include "render/text.h"
#include "cli/render_args.h"

// The ways of some nodes of the first actor.
typedef struct cli_trails {
    int count;
    int32_t nodes[CLI_MAX_TRAILS];
    sinew_vec3 *points[CLI_MAX_TRAILS]; // several for each tick
    int point_count;
    int tick_count;
    float step; // seconds from tick to tick
} cli_trails;

// Finds the nodes; false, with their names printed, when there is none of that name.
bool cli_trails_find(cli_trails *trails, const cli_stage *stage, const cli_render_args *args);

// Plays the stage, from its first frame for `ticks` steps of that many seconds, and keeps where the nodes are. What
// was kept before is let go. False, with the reason printed, when memory runs out.
bool cli_trails_record(cli_trails *trails, const cli_stage *stage, int ticks, float step);
void cli_trails_free(cli_trails *trails);

void cli_trails_frame(const cli_trails *trails, draw_framing *framing);

// Paints the ways over a picture, and where on them the nodes are `now` seconds after the first frame.
void cli_trails_paint(const cli_trails *trails, const draw_camera *camera, float now, draw_picture *picture);

// Paints all actors' skeletons over a picture of them.
void cli_skeleton_paint(const cli_stage *stage, const draw_camera *camera, draw_picture *picture);

// Paints a text into the lower left corner of a rectangle, as much of it as there is room for.
void cli_label_paint(const draw_font *font, draw_picture *picture, int x, int y, int width, uint32_t color,
                     const char *text);

#endif
