// SPDX-License-Identifier: MIT
// Swaps left and right in names.
#include "humanoid/mirror_data.h"
#include "humanoid/humanoid_side.h"

#include <assert.h>

// Length of the word that starts at name[start].
static size_t word_length(const char *name, size_t start) {
    size_t end = start + 1;
    while (sinewi_is_letter(name[end]) && !sinewi_starts_word(name, end)) end++;
    return end - start;
}

static char upper_case(char c) {
    return (char)(c - 'a' + 'A');
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// Text that is written to a buffer, as far as it fits.
typedef struct name_writer {
    char *text;
    size_t size, length;
} name_writer;

static void write_character(name_writer *w, char c) {
    if (w->length + 1 < w->size) w->text[w->length] = c;
    w->length++;
}

// Writes the opposite of a word in its case, like "l", "L", "Left" or "LEFT".
static void write_opposite(name_writer *w, const char *word, const sinewi_side_word *side) {
    const bool first = is_upper(word[0]), rest = side->length > 1 ? is_upper(word[1]) : first;
    for (size_t i = 0; side->opposite[i]; i++) {
        const char c = side->opposite[i];
        write_character(w, (i == 0 ? first : rest) ? upper_case(c) : c);
    }
}

size_t sinew_mirror_name(const char *name, char *text, size_t size) {
    assert(name && (text || size == 0));
    name_writer w = {text, size, 0};
    for (size_t i = 0; name[i];) {
        const bool starts = sinewi_is_letter(name[i]) && sinewi_starts_word(name, i);
        const sinewi_side_word side = starts ? sinewi_side_word_read(name + i, word_length(name, i))
                                             : (sinewi_side_word){SINEWI_SIDE_NONE, 0, ""};
        if (side.side == SINEWI_SIDE_NONE) {
            write_character(&w, name[i++]);
        } else {
            write_opposite(&w, name + i, &side);
            i += side.length;
        }
    }
    if (size > 0) text[w.length < size ? w.length : size - 1] = 0;
    return w.length;
}

char *sinewi_mirror_name_in(sinewi_arena *arena, const char *name) {
    const size_t size = sinew_mirror_name(name, NULL, 0) + 1;
    char *text = sinewi_arena_array(arena, char, size);
    if (text) (void)sinew_mirror_name(name, text, size);
    return text;
}

bool sinewi_mirror_is_left(const char *name) {
    for (size_t i = 0; name[i]; i++) {
        if (!sinewi_is_letter(name[i]) || !sinewi_starts_word(name, i)) continue;
        const sinewi_side_word side = sinewi_side_word_read(name + i, word_length(name, i));
        if (side.side != SINEWI_SIDE_NONE) return side.side == SINEWI_SIDE_LEFT;
    }
    return false;
}
