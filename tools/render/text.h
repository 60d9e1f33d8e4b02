// Text: one font (DejaVu Sans, built in), at the size in pixels at which it is shown.
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include "render/picture.h"

// ASCII, Latin-1, a few signs of typography (dashes, quotes, the ellipsis, arrows), and the box that stands for
// every other character.
enum { DRAW_GLYPHS = 0x7f - 0x20 + 0x100 - 0xa0 + 14 };

// Where a character's picture lies in the atlas, and where it goes on a line of text.
typedef struct draw_glyph {
    int atlas_x, atlas_y, width, height; // nothing to draw where these are 0
    int left, up;                        // from the pen to its upper left corner; `up` counts upward
    int advance;                         // to the next pen
} draw_glyph;

typedef struct draw_font {
    int size;            // pixels, as it was asked for
    int ascent, descent; // from the base line, up to the tallest and down to the deepest letters; both positive
    int x_height;        // of small letters
    int line_height;     // from base line to base line
    int atlas_width, atlas_height;
    uint8_t *atlas; // how much of each pixel is covered; rows from top to bottom
    draw_glyph glyphs[DRAW_GLYPHS];
} draw_font;

// A font of that many pixels (6 to 96) from line to line. False when memory runs out. Freed with draw_font_free in
// both cases.
bool draw_font_create(draw_font *font, int size);
void draw_font_free(draw_font *font);

// How many pixels wide a text is, in UTF-8. What is no UTF-8 counts as one box a byte. A text has one line.
int draw_text_width(const draw_font *font, const char *text);

// Copies as much of a text as is at most `width` wide and fits into `room` bytes, its end replaced by an ellipsis
// where something is left out. Returns the copy's width.
int draw_text_fit(const draw_font *font, const char *text, int width, char *fitted, size_t room);

// One character's rectangle: pixels of what is drawn upon, y downward, and pixels of the atlas. Both are of the same
// size, so that with nearest-texel sampling the glyph is what it was drawn as.
typedef struct draw_quad {
    int x, y, width, height;
    int atlas_x, atlas_y;
} draw_quad;

// The rectangles of a text whose line has its left end and its base line at (x, y). Returns how many there are, which
// may be more than `capacity`; those beyond it are not written.
int draw_text_quads(const draw_font *font, int x, int y, const char *text, draw_quad *quads, int capacity);

// Paints a text over a picture, its base line at (x, y), in a colour 0xRRGGBB. What lies outside is left out.
void draw_text_paint(const draw_font *font, draw_picture *picture, int x, int y, uint32_t color, const char *text);

#endif
