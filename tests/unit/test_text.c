// SPDX-License-Identifier: MIT
// Text in pictures: measuring, placing and painting.
#include "render/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static draw_font make_font(int size) {
    draw_font font;
    assert_true(draw_font_create(&font, size));
    return font;
}

// Catches advances that depend on what stands beside, bytes counted for characters, and boxes for Latin letters.
static void widths_add_up(void **state) {
    (void)state;
    draw_font font = make_font(14);
    const int box = draw_text_width(&font, "\xe4\xb8\xad"); // a character that is not in the font's share
    assert_int_equal(draw_text_width(&font, ""), 0);
    assert_true(box > 0);
    assert_int_equal(draw_text_width(&font, "Walk"), draw_text_width(&font, "Wa") + draw_text_width(&font, "lk"));
    assert_int_equal(draw_text_width(&font, "\xc3\xb6"), draw_text_width(&font, "o")); // ö
    assert_int_equal(draw_text_width(&font, "\xc3\xb6\xe4\xb8\xad"), draw_text_width(&font, "o") + box);
    assert_true(draw_text_width(&font, "W") > draw_text_width(&font, "i"));
    draw_font_free(&font);
}

// Catches reading past the end of a text that stops within a character, and bytes that vanish.
static void what_is_no_utf8_is_a_box_a_byte(void **state) {
    (void)state;
    draw_font font = make_font(14);
    const int box = draw_text_width(&font, "\xe4\xb8\xad"), a = draw_text_width(&font, "a");
    static const struct {
        const char *text;
        int boxes, letters;
    } cases[] = {{"\xff", 1, 0},      {"\xc3", 1, 0},
                 {"\xe4\xb8", 2, 0},  {"a\x80z", 1, 2},
                 {"\xc0\xafz", 2, 1}, {"\xf5\x80\x80\x80", 4, 0},
                 {"\x7f", 1, 0},      {"\xf0\x9f\x98\x80", 1, 0},
                 {"\xe4z", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *copy = malloc(strlen(cases[i].text) + 1); // its own block, so a sanitizer sees its end
        assert_non_null(copy);
        memcpy(copy, cases[i].text, strlen(cases[i].text) + 1);
        int letters = strchr(copy, 'z') ? cases[i].letters - 1 : cases[i].letters;
        int z = strchr(copy, 'z') ? draw_text_width(&font, "z") : 0;
        assert_int_equal(draw_text_width(&font, copy), cases[i].boxes * box + letters * a + z);
        free(copy);
    }
    draw_font_free(&font);
}

// Catches glyphs that look into each other's places, and places outside the atlas.
static void each_character_has_a_place_of_its_own(void **state) {
    (void)state;
    for (int size = 6; size <= 96; size += 15) {
        draw_font font = make_font(size);
        uint8_t *taken = calloc((size_t)font.atlas_width * (size_t)font.atlas_height, 1);
        assert_non_null(taken);
        for (int i = 0; i < DRAW_GLYPHS; i++) {
            const draw_glyph *g = &font.glyphs[i];
            assert_true(g->atlas_x >= 0 && g->atlas_x + g->width <= font.atlas_width);
            assert_true(g->atlas_y >= 0 && g->atlas_y + g->height <= font.atlas_height);
            for (int k = 0; k < g->width * g->height; k++) {
                uint8_t *t = &taken[(g->atlas_y + k / g->width) * font.atlas_width + g->atlas_x + k % g->width];
                assert_int_equal(*t, 0);
                *t = 1;
            }
        }
        for (int i = 0; i < font.atlas_width * font.atlas_height; i++) assert_true(taken[i] || !font.atlas[i]);
        free(taken);
        draw_font_free(&font);
    }
}

// Catches small letters with feet or heads between pixels: an x's are full rows.
static void letters_stand_on_whole_pixels(void **state) {
    (void)state;
    for (int size = 10; size <= 32; size++) {
        draw_font font = make_font(size);
        draw_quad z;
        assert_int_equal(draw_text_quads(&font, 0, 0, "z", &z, 1), 1);
        assert_int_equal(z.y, -font.x_height);
        assert_int_equal(z.height, font.x_height);
        for (int row = 0; row < z.height; row += z.height - 1) {
            const uint8_t *line = font.atlas + (ptrdiff_t)(z.atlas_y + row) * font.atlas_width + z.atlas_x;
            assert_true(line[z.width / 2] > 130); // a stroke may be thinner than a pixel
        }
        draw_font_free(&font);
    }
}

static void quads_follow_the_pen(void **state) {
    (void)state;
    draw_font font = make_font(16);
    draw_quad quads[4];
    assert_int_equal(draw_text_quads(&font, 100, 50, "a b", quads, 4), 2); // there is nothing to draw in a space
    assert_int_equal(quads[1].x - quads[0].x,
                     draw_text_width(&font, "a ") + font.glyphs['b' - ' '].left - font.glyphs['a' - ' '].left);
    assert_int_equal(quads[1].y, 50 - font.glyphs['b' - ' '].up);
    quads[1].x = -77;
    assert_int_equal(draw_text_quads(&font, 100, 50, "ab", quads, 1), 2); // says two, and writes one
    assert_int_equal(quads[1].x, -77);
    draw_font_free(&font);
}

static void what_does_not_fit_ends_in_an_ellipsis(void **state) {
    (void)state;
    static const char dots[] = "\xe2\x80\xa6";
    draw_font font = make_font(12);
    const char *text = "1H_Melee_Attack_Slice_Diagonal";
    const int whole = draw_text_width(&font, text);
    char fitted[64];
    assert_int_equal(draw_text_fit(&font, text, whole, fitted, sizeof fitted), whole);
    assert_string_equal(fitted, text);
    for (int width = draw_text_width(&font, dots); width < whole; width += 7) {
        int used = draw_text_fit(&font, text, width, fitted, sizeof fitted);
        size_t length = strlen(fitted);
        assert_int_equal(used, draw_text_width(&font, fitted));
        assert_true(used <= width && length >= 3);
        assert_string_equal(fitted + length - 3, dots);
        assert_memory_equal(fitted, text, length - 3);
    }
    assert_int_equal(draw_text_fit(&font, text, 3, fitted, sizeof fitted), 0);
    assert_string_equal(fitted, "");
    char small[8];
    draw_text_fit(&font, text, 1000, small, sizeof small); // room for less than there is space
    assert_string_equal(small, "1H_M\xe2\x80\xa6");
    draw_font_free(&font);
}

// Catches text that lands elsewhere, in another colour, or writes outside the picture.
static void painting_stays_in_its_place(void **state) {
    (void)state;
    draw_font font = make_font(16);
    draw_picture picture;
    assert_true(draw_picture_create(&picture, 60, 24));
    draw_text_paint(&font, &picture, 5, 18, 0x336699, "dl");
    int ink = 0;
    for (int i = 0; i < 60 * 24; i++) {
        const uint8_t *p = picture.rgba + (ptrdiff_t)4 * i;
        if (p[3] == 0) continue;
        ink++;
        assert_in_range(i % 60, 5, 5 + draw_text_width(&font, "dl"));
        assert_in_range(i / 60, 18 - font.ascent, 18);
        assert_true(p[0] == 0x33 && p[1] == 0x66 &&
                    p[2] == 0x99); // the colour does not depend on how much is covered
    }
    assert_true(ink > 20);
    for (int x = -40; x <= 80; x += 20) {
        for (int y = -20; y <= 60; y += 10) draw_text_paint(&font, &picture, x, y, 0, "Mg");
    }
    draw_picture_free(&picture);
    draw_font_free(&font);
}

// Catches an alpha that is lost, and colours that are darkened where they are laid over nothing.
static void blending_keeps_colours_straight(void **state) {
    (void)state;
    draw_picture picture;
    assert_true(draw_picture_create(&picture, 2, 1));
    picture.rgba[4] = picture.rgba[5] = picture.rgba[6] = picture.rgba[7] = 255; // white beside nothing
    draw_picture_blend(&picture, 0, 0, 0xff8000, 128);
    draw_picture_blend(&picture, 1, 0, 0x000000, 128);
    assert_int_equal(picture.rgba[0], 255);
    assert_int_equal(picture.rgba[1], 128);
    assert_int_equal(picture.rgba[2], 0);
    assert_int_equal(picture.rgba[3], 128);
    assert_int_equal(picture.rgba[4], 127);
    assert_int_equal(picture.rgba[7], 255);
    draw_picture_blend(&picture, 0, 0, 0xff8000, 128);
    assert_int_equal(picture.rgba[0], 255);
    assert_in_range(picture.rgba[3], 191, 192); // half, and half of what is left
    draw_picture_blend(&picture, 2, 0, 0, 255);
    draw_picture_blend(&picture, 0, -1, 0, 255);
    draw_picture_free(&picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(what_is_no_utf8_is_a_box_a_byte),
        cmocka_unit_test(each_character_has_a_place_of_its_own),
        cmocka_unit_test(letters_stand_on_whole_pixels),
        cmocka_unit_test(quads_follow_the_pen),
        cmocka_unit_test(what_does_not_fit_ends_in_an_ellipsis),
        cmocka_unit_test(painting_stays_in_its_place),
        cmocka_unit_test(blending_keeps_colours_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
