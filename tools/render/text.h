// SPDX-License-Identifier: MIT
// Text in one built-in font, DejaVu Sans, rasterized at its final size in pixels.
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include "render/picture.h"

// ASCII, Latin-1, some typographic characters (dashes, quotes, the ellipsis, arrows), and a box for every other
// character.
enum { DRAW_GLYPHS = 0x7f - 0x20 + 0x100 - 0xa0 + 14 };

// The rectangle of a character in the atlas, and its metrics.
typedef struct draw_glyph {
    int atlas_x, atlas_y, width, height; // a width or height of 0: nothing to draw
    int left, up;                        // from the pen to its upper left corner; `up` is positive upward
    int advance;                         // to the next pen
} draw_glyph;

typedef struct draw_font {
    int size;            // pixels, as requested
    int ascent, descent; // from the base line, up to the tallest and down to the deepest letters; both positive
    int x_height;        // of small letters
    int line_height;     // from base line to base line
    int atlas_width, atlas_height;
    uint8_t *atlas; // coverage; rows from top to bottom
    draw_glyph glyphs[DRAW_GLYPHS];
} draw_font;

// Creates a font with a line height of that many pixels, 6 to 96. False if memory runs out. Freed with draw_font_free in
// both cases.
bool draw_font_create(draw_font *font, int size);
void draw_font_free(draw_font *font);

// The width in pixels of a line of UTF-8 text. A byte that is not UTF-8 has the width of a box.
int draw_text_width(const draw_font *font, const char *text);

// Copies a text, cut to at most `width` pixels and `room` bytes and ended by an ellipsis if it is cut. Returns the
// copy's width.
int draw_text_fit(const draw_font *font, const char *text, int width, char *fitted, size_t room);

// A character's rectangle in pixels of the picture, y downward, and in pixels of the atlas. Both have the same size, so
// that nearest sampling reproduces the glyph.
typedef struct draw_quad {
    int x, y, width, height;
    int atlas_x, atlas_y;
} draw_quad;

// The rectangles of a text with its left end and its base line at (x, y). Returns their number, which may be more than
// `capacity`; rectangles beyond it are not written.
int draw_text_quads(const draw_font *font, int x, int y, const char *text, draw_quad *quads, int capacity);

// Paints a text over a picture, its base line at (x, y), in a colour 0xRRGGBB. Clipped to the picture.
void draw_text_paint(const draw_font *font, draw_picture *picture, int x, int y, uint32_t color, const char *text);

#endif
