// SPDX-License-Identifier: MIT
// Text in a built-in font, DejaVu Sans, rasterized at its final size in pixels.
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include "render/picture.h"

// ASCII, Latin-1, some typographic characters (dashes, quotes, ellipsis, arrows), and a box for all other characters.
enum { DRAW_GLYPHS = 0x7f - 0x20 + 0x100 - 0xa0 + 14 };

// A character's rectangle in the atlas, and its metrics.
typedef struct draw_glyph {
    int atlas_x, atlas_y, width, height; // there's nothing to draw if width or height is 0
    int left, up;                        // from the pen to the upper left corner; `up` is positive upward
    int advance;                         // to the next pen
} draw_glyph;

typedef struct draw_font {
    int size;            // pixels, as requested
    int ascent, descent; // from the baseline up to the tallest and down to the deepest letters; both positive
    int x_height;        // height of small letters
    int line_height;     // from baseline to baseline
    int atlas_width, atlas_height;
    uint8_t *atlas; // coverage; rows from top to bottom
    draw_glyph glyphs[DRAW_GLYPHS];
} draw_font;

// Creates a font with this line height in pixels, 6 to 96. Returns false if memory runs out. Call draw_font_free either
// way.
bool draw_font_create(draw_font *font, int size);
void draw_font_free(draw_font *font);

// Returns the width of a line of UTF-8 text in pixels. Bytes that aren't UTF-8 are as wide as a box.
int draw_text_width(const draw_font *font, const char *text);

// Copies text, cut to at most `width` pixels and `room` bytes. Adds an ellipsis if it's cut. Returns the copy's width.
int draw_text_fit(const draw_font *font, const char *text, int width, char *fitted, size_t room);

// A character's rectangle in picture pixels, y downward, and in atlas pixels. Both have the same size, so nearest
// sampling reproduces the glyph.
typedef struct draw_quad {
    int x, y, width, height;
    int atlas_x, atlas_y;
} draw_quad;

// Writes the rectangles of text whose left end and baseline are at (x, y). Returns how many there are. If that's more
// than `capacity`, the rest aren't written.
int draw_text_quads(const draw_font *font, int x, int y, const char *text, draw_quad *quads, int capacity);

// Paints text over a picture with its baseline at (x, y) and the color 0xRRGGBB. Clipped to the picture.
void draw_text_paint(const draw_font *font, draw_picture *picture, int x, int y, uint32_t color, const char *text);

#endif
