// SPDX-License-Identifier: MIT
// Packs glyphs into an atlas and paints lines of text.
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_truetype.h>

// DejaVuSans.ttf, turned into a C array by cmake/embed.cmake.
extern const unsigned char draw_font_file[];

// ---- Which characters ----------------------------------------------------------------------------------------

enum { ASCII_COUNT = 0x7f - 0x20, LATIN_COUNT = 0x100 - 0xa0 };

// En and em dash, quotes, bullet, ellipsis, arrows, minus.
static const uint32_t signs[] = {0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                                 0x2026, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212};
enum { SIGN_COUNT = sizeof signs / sizeof signs[0], BOX = ASCII_COUNT + LATIN_COUNT + SIGN_COUNT };
_Static_assert(BOX + 1 == DRAW_GLYPHS, "one glyph for each character, and the box");

static const uint32_t ELLIPSIS = 0x2026;

static uint32_t character_of(int index) {
    if (index < ASCII_COUNT) return 0x20u + (uint32_t)index;
    if (index < ASCII_COUNT + LATIN_COUNT) return 0xa0u + (uint32_t)(index - ASCII_COUNT);
    return signs[index - ASCII_COUNT - LATIN_COUNT];
}

static int index_of(uint32_t character) {
    if (character >= 0x20 && character < 0x7f) return (int)character - 0x20;
    if (character >= 0xa0 && character < 0x100) return ASCII_COUNT + (int)character - 0xa0;
    for (int i = 0; i < SIGN_COUNT; i++) {
        if (signs[i] == character) return ASCII_COUNT + LATIN_COUNT + i;
    }
    return BOX;
}

// ---- UTF-8 ---------------------------------------------------------------------------------------------------

enum { NO_CHARACTER = 0xfffd };

// Reads the next character and advances *text. Bytes that aren't UTF-8 are read as one unknown character each.
static uint32_t next_character(const char **text) {
    const unsigned char *bytes = (const unsigned char *)*text;
    int more = bytes[0] < 0x80 ? 0 : bytes[0] < 0xc2 ? -1 : bytes[0] < 0xe0 ? 1 : bytes[0] < 0xf0 ? 2 : 3;
    (*text)++;
    if (more == 0) return bytes[0];
    if (more < 0 || bytes[0] > 0xf4) return NO_CHARACTER;
    uint32_t character = bytes[0] & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return NO_CHARACTER; // also stops at the terminating 0
        character = character << 6 | (bytes[i] & 0x3fu);
    }
    *text += more;
    return character;
}

// ---- Making --------------------------------------------------------------------------------------------------

typedef struct face {
    stbtt_fontinfo info;
    float scale;
} face;

// Adjusts the scale to make lower-case letters a whole number of pixels high. Most horizontal edges are at their top
// and bottom, and edges at pixel boundaries are sharp.
static bool open_face(face *f, int size) {
    if (!stbtt_InitFont(&f->info, draw_font_file, 0)) return false;
    int ascent, descent, gap, left, bottom, right, top;
    stbtt_GetFontVMetrics(&f->info, &ascent, &descent, &gap);
    if (!stbtt_GetCodepointBox(&f->info, 'x', &left, &bottom, &right, &top)) return false;
    float scale = (float)size / (float)(ascent - descent + gap);
    // Slightly less, so rounding doesn't add a row of pixels at the top.
    f->scale = (fmaxf(roundf((float)top * scale), 3.0f) - 0.002f) / (float)top;
    return true;
}

static void measure_font(const face *f, draw_font *font) {
    int left, bottom, right, top;
    stbtt_GetCodepointBox(&f->info, 'x', &left, &bottom, &right, &top);
    font->x_height = (int)lrintf((float)top * f->scale);
    stbtt_GetCodepointBox(&f->info, 'd', &left, &bottom, &right, &top);
    font->ascent = (int)ceilf((float)top * f->scale);
    stbtt_GetCodepointBox(&f->info, 'p', &left, &bottom, &right, &top);
    font->descent = (int)ceilf((float)-bottom * f->scale);
    font->line_height = font->size;
}

// Returns the box for unknown characters: a hollow rectangle of whole pixels.
static draw_glyph measure_box(const draw_font *font) {
    int width = font->ascent * 5 / 8 + 1;
    return (draw_glyph){
        .width = width, .height = font->ascent, .left = 1, .up = font->ascent, .advance = width + 2};
}

static draw_glyph measure_glyph(const face *f, uint32_t character) {
    int x0, y0, x1, y1, advance, bearing;
    stbtt_GetCodepointBitmapBox(&f->info, (int)character, f->scale, f->scale, &x0, &y0, &x1, &y1);
    stbtt_GetCodepointHMetrics(&f->info, (int)character, &advance, &bearing);
    return (draw_glyph){.width = x1 - x0,
                        .height = y1 - y0,
                        .left = x0,
                        .up = -y0,
                        .advance = (int)lrintf((float)advance * f->scale)};
}

// Places glyphs in rows, one pixel apart to keep them separate when sampled.
static void place_glyphs(draw_font *font) {
    int x = 1, y = 1, tallest = 0;
    font->atlas_width = font->size <= 32 ? 512 : 1536;
    for (int i = 0; i < DRAW_GLYPHS; i++) {
        draw_glyph *glyph = &font->glyphs[i];
        if (x + glyph->width + 1 > font->atlas_width) {
            x = 1;
            y += tallest + 1;
            tallest = 0;
        }
        glyph->atlas_x = x;
        glyph->atlas_y = y;
        x += glyph->width + 1;
        if (glyph->height > tallest) tallest = glyph->height;
    }
    font->atlas_height = y + tallest + 1;
}

static uint8_t *atlas_at(const draw_font *font, const draw_glyph *glyph) {
    return font->atlas + (size_t)glyph->atlas_y * (size_t)font->atlas_width + (size_t)glyph->atlas_x;
}

static void fill_box(const draw_font *font, const draw_glyph *glyph) {
    uint8_t *pixels = atlas_at(font, glyph);
    int thick = font->size / 20 + 1;
    for (int y = 0; y < glyph->height; y++) {
        for (int x = 0; x < glyph->width; x++) {
            bool inside = x >= thick && x < glyph->width - thick && y >= thick && y < glyph->height - thick;
            pixels[y * font->atlas_width + x] = inside ? 0 : 255;
        }
    }
}

static void fill_glyphs(const face *f, const draw_font *font) {
    for (int i = 0; i < BOX; i++) {
        const draw_glyph *glyph = &font->glyphs[i];
        if (glyph->width == 0 || glyph->height == 0) continue;
        stbtt_MakeCodepointBitmap(&f->info, atlas_at(font, glyph), glyph->width, glyph->height, font->atlas_width,
                                  f->scale, f->scale, (int)character_of(i));
    }
    fill_box(font, &font->glyphs[BOX]);
}

bool draw_font_create(draw_font *font, int size) {
    *font = (draw_font){.size = size < 6 ? 6 : size > 96 ? 96 : size};
    face f;
    if (!open_face(&f, font->size)) return false;
    measure_font(&f, font);
    for (int i = 0; i < BOX; i++) font->glyphs[i] = measure_glyph(&f, character_of(i));
    font->glyphs[BOX] = measure_box(font);
    place_glyphs(font);
    font->atlas = calloc((size_t)font->atlas_width * (size_t)font->atlas_height, 1);
    if (!font->atlas) return false;
    fill_glyphs(&f, font);
    return true;
}

void draw_font_free(draw_font *font) {
    free(font->atlas);
    *font = (draw_font){0};
}

// ---- Lines ---------------------------------------------------------------------------------------------------

int draw_text_width(const draw_font *font, const char *text) {
    int width = 0;
    while (*text) width += font->glyphs[index_of(next_character(&text))].advance;
    return width;
}

int draw_text_fit(const draw_font *font, const char *text, int width, char *fitted, size_t room) {
    static const char dots[] = "\xe2\x80\xa6";
    const int whole = draw_text_width(font, text);
    fitted[0] = '\0';
    if (whole <= width && strlen(text) < room) {
        memcpy(fitted, text, strlen(text) + 1);
        return whole;
    }
    int used = font->glyphs[index_of(ELLIPSIS)].advance;
    if (used > width || room < sizeof dots) return 0;
    const char *end = text;
    while (*end) {
        const char *next = end;
        int advance = font->glyphs[index_of(next_character(&next))].advance;
        if (used + advance > width || (size_t)(next - text) + sizeof dots > room) break;
        used += advance;
        end = next;
    }
    size_t length = (size_t)(end - text);
    memcpy(fitted, text, length);
    memcpy(fitted + length, dots, sizeof dots);
    return used;
}

int draw_text_quads(const draw_font *font, int x, int y, const char *text, draw_quad *quads, int capacity) {
    int count = 0;
    while (*text) {
        const draw_glyph *glyph = &font->glyphs[index_of(next_character(&text))];
        if (glyph->width > 0 && glyph->height > 0) {
            if (count < capacity) {
                quads[count] = (draw_quad){x + glyph->left, y - glyph->up,  glyph->width,
                                           glyph->height,   glyph->atlas_x, glyph->atlas_y};
            }
            count++;
        }
        x += glyph->advance;
    }
    return count;
}

// ---- Painting ------------------------------------------------------------------------------------------------

static void paint_quad(const draw_font *font, draw_picture *picture, const draw_quad *quad, uint32_t color) {
    for (int row = 0; row < quad->height; row++) {
        const uint8_t *cover =
            font->atlas + (size_t)(quad->atlas_y + row) * (size_t)font->atlas_width + quad->atlas_x;
        for (int column = 0; column < quad->width; column++) {
            draw_picture_blend(picture, quad->x + column, quad->y + row, color, cover[column]);
        }
    }
}

void draw_text_paint(const draw_font *font, draw_picture *picture, int x, int y, uint32_t color, const char *text) {
    while (*text) {
        const char *next = text;
        next_character(&next);
        char one[5] = "";
        memcpy(one, text, (size_t)(next - text));
        draw_quad quad;
        if (draw_text_quads(font, x, y, one, &quad, 1) == 1) paint_quad(font, picture, &quad, color);
        x += draw_text_width(font, one);
        text = next;
    }
}
