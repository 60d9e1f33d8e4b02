// SPDX-License-Identifier: MIT
// Loads the resource of a `uri`: a data URI, a file in or below the glTF file's folder, or a resource from the caller's
// reader.
//
// A data URI contains its bytes as base64. Any other URI is a relative reference. Its percent escapes are decoded. It
// is rejected if it could leave the folder or name a device. A step is the part of a path between slashes. Bytes from
// the caller's reader are borrowed and get released when the import ends.
#include "core/gltf_import.h"

#include <string.h>

// ---- Relative references -----------------------------------------------------------------------------------------

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Decodes percent escapes in place. Keeps a '%' that doesn't start an escape, because some exporters don't escape file
// names.
static void decode_percent(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? hex_digit(from[1]) : -1;
        int low = high >= 0 ? hex_digit(from[2]) : -1;
        if (low < 0) {
            *to++ = *from;
            continue;
        }
        *to++ = (char)(high << 4 | low);
        from += 2;
    }
    *to = '\0';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns whether a URI starts with a scheme (RFC 3986, section 3.1) or a drive letter.
static bool has_scheme(const char *uri) {
    if (!is_letter(*uri)) return false;
    while (is_letter(*uri) || (*uri >= '0' && *uri <= '9') || (*uri && strchr("+-.", *uri))) uri++;
    return *uri == ':';
}

// Returns whether a path has a ".." step. Dots and spaces may follow, because Windows ignores them.
static bool has_parent_step(const char *path) {
    for (const char *step = path; step; step = strchr(step, '/')) {
        if (*step == '/') step++;
        if (strncmp(step, "..", 2) != 0) continue;
        const char *end = step + strspn(step, ". ");
        if (*end == '/' || *end == '\0') return true;
    }
    return false;
}

// ---- Windows -----------------------------------------------------------------------------------------------------

// Returns whether a text starts with a word, ignoring case.
static bool starts_with(const char *text, const char *capitals) {
    for (; *capitals; text++, capitals++)
        if (*text != *capitals && *text != *capitals + ('a' - 'A')) return false;
    return true;
}

// Returns the length of the device name at the start of a step, or 0. COM and LPT are followed by a digit, which may be
// superscript (U+00B9, U+00B2, U+00B3).
static size_t device_name_length(const char *step) {
    static const char *const names[] = {"CON", "PRN", "AUX", "NUL"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!starts_with(step, names[i])) continue;
        if (i == 0 && starts_with(step + 3, "IN$")) return 6;
        return i == 0 && starts_with(step + 3, "OUT$") ? 7 : 3;
    }
    if (!starts_with(step, "COM") && !starts_with(step, "LPT")) return 0;
    if (step[3] >= '0' && step[3] <= '9') return 4;
    bool superscript = step[3] == '\xC2' && (step[4] == '\xB9' || step[4] == '\xB2' || step[4] == '\xB3');
    return superscript ? 5 : 0;
}

bool sinewi_gltf_is_special_on_windows(const char *path) {
    if (strchr(path, ':')) return true; // a drive, or a file's alternate stream
    for (const char *step = path; step; step = strchr(step, '/')) {
        if (*step == '/') step++;
        size_t length = device_name_length(step);
        const char *end = step + length + strspn(step + length, " ");
        if (length > 0 && (*end == '\0' || *end == '/' || *end == '.')) return true;
    }
    return false;
}

#ifdef _WIN32
#define ON_WINDOWS true
#else
#define ON_WINDOWS false
#endif

// ---- Refusal -----------------------------------------------------------------------------------------------------

// Returns whether a text has a control character. It would break a message's line or control a terminal.
static bool has_control_character(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F) return true;
    return false;
}

const char *sinewi_gltf_decode_uri(char *uri) {
    if (has_scheme(uri)) return "a scheme is not allowed";
    size_t escaped_length = strlen(uri);
    bool has_zero = strstr(uri, "%00") != NULL;
    decode_percent(uri);
    if (escaped_length == 0) return "the name is empty";
    if (has_zero) return "a zero byte is not allowed";
    if (has_control_character(uri)) return "a control character is not allowed";
    if (has_scheme(uri)) return "a scheme or drive is not allowed";
    if (uri[0] == '/') return "an absolute path is not allowed";
    if (strchr(uri, '\\')) return "a backslash is not allowed";
    if (has_parent_step(uri)) return "\"..\" is not allowed";
    if (ON_WINDOWS && sinewi_gltf_is_special_on_windows(uri)) return "a device name is not allowed";
    return NULL;
}

// ---- Base64 (RFC 4648, section 4) ----------------------------------------------------------------------------------

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

// Decodes digits with or without padding. Four digits are three bytes.
bool sinewi_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size) {
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') padding++;
    if (padding > 0 && length % 4 != 0) return false;
    length -= padding;
    if (length % 4 == 1) return false;

    uint32_t bits = 0;
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(text[i]);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0) out[used++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    *size = used;
    return true;
}

// ---- data: URIs --------------------------------------------------------------------------------------------------

static bool is_data_uri(const char *text, size_t length) {
    static const char scheme[] = "data:";
    if (length < 5) return false;
    for (int i = 0; i < 4; i++)
        if ((text[i] | 0x20) != scheme[i]) return false; // ignores case
    return text[4] == ':';
}

// Copies a media type of printable ASCII characters if it fits. Otherwise leaves `mime` unchanged.
static void copy_media_type_if_it_fits(const char *start, size_t length, char *mime, size_t mime_size) {
    if (length >= mime_size) return;
    for (size_t i = 0; i < length; i++)
        if (start[i] <= ' ' || start[i] > '~') return;
    memcpy(mime, start, length);
    mime[length] = '\0';
}

// Decodes data:[media type][;parameters];base64,digits.
static bool load_data_uri(sinewi_import *g, sinewi_json_value location, const char *text, size_t length,
                          sinewi_arena *arena, char *mime, size_t mime_size, sinewi_gltf_bytes *bytes) {
    const char *start = text + 5, *comma = (const char *)memchr(text, ',', length);
    if (!comma) return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "the data URI has no ','");
    if (comma - start < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_UNSUPPORTED,
                                "the data URI is not base64; only base64 is supported");
    const char *media_end = (const char *)memchr(start, ';', (size_t)(comma - start));
    copy_media_type_if_it_fits(start, (size_t)(media_end - start), mime, mime_size);

    const char *digits = comma + 1;
    size_t digit_count = length - (size_t)(digits - text);
    uint8_t *data = sinewi_gltf_array(g, arena, uint8_t, digit_count / 4 * 3 + 3);
    if (!data) return false;
    if (!sinewi_gltf_decode_base64(digits, digit_count, data, &bytes->size))
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "the data URI is not valid base64");
    bytes->data = data;
    return true;
}

// ---- External resources ------------------------------------------------------------------------------------------

// A resource name for a message. It is shortened to leave room for the reason.
typedef struct short_uri {
    char text[160];
} short_uri;

static short_uri shorten_uri(const char *uri) {
    short_uri shown;
    sinewi_shorten(uri, shown.text, sizeof shown.text);
    return shown;
}

static void give_back_borrowed(const sinewi_import *g, sinew_bytes borrowed) {
    if (g->options.reader.release) g->options.reader.release(borrowed, g->options.reader.user);
}

static bool fail_unread(sinewi_import *g, sinewi_json_value location, const char *uri) {
    return sinewi_gltf_fail(g, location, SINEW_ERROR_IO, "%s cannot be read", shorten_uri(uri).text);
}

// Borrows a resource from the caller's reader and counts it in the budget.
bool sinewi_gltf_load_through_reader(sinewi_import *g, sinewi_json_value location, const char *uri,
                                     sinewi_gltf_bytes *bytes) {
    sinew_bytes borrowed = {NULL, 0};
    if (!g->options.reader.read(uri, &borrowed, g->options.reader.user)) return fail_unread(g, location, uri);
    if (!borrowed.data && borrowed.size > 0) {
        give_back_borrowed(g, borrowed);
        return fail_unread(g, location, uri);
    }
    bool counted = sinewi_gltf_count_read(g, uri, borrowed.size);
    if (!counted || !sinewi_budget_reserve(&g->data->budget, borrowed.size)) {
        give_back_borrowed(g, borrowed);
        return counted ? sinewi_gltf_fail_memory(g) : false;
    }
    *bytes = (sinewi_gltf_bytes){borrowed.data, borrowed.size, borrowed, true};
    return true;
}

// Reads a file in or below the glTF file's folder.
static bool load_from_folder(sinewi_import *g, sinewi_json_value location, const char *uri, sinewi_arena *arena,
                             sinewi_gltf_bytes *bytes) {
    size_t folder_length = strlen(g->folder), uri_size = strlen(uri) + 1;
    char *path = sinewi_gltf_array(g, &g->scratch, char, folder_length + uri_size);
    if (!path) return false;
    memcpy(path, g->folder, folder_length);
    memcpy(path + folder_length, uri, uri_size);
    if (sinewi_gltf_read_file(g, path, arena, bytes)) return true;
    sinew_error inner = *g->error;
    return sinewi_gltf_fail(g, location, inner.result, "%s: %s", shorten_uri(uri).text, inner.message);
}

// Loads a data URI, or an external resource through the reader or from the file's folder.
bool sinewi_gltf_load_uri(sinewi_import *g, sinewi_json_value uri, sinewi_arena *arena, char *mime,
                          size_t mime_size, sinewi_gltf_bytes *bytes) {
    *bytes = (sinewi_gltf_bytes){.data = NULL};
    if (sinewi_json_kind_of(&g->json, uri) != SINEWI_JSON_STRING)
        return sinewi_gltf_fail(g, uri, SINEW_ERROR_FORMAT, "uri is not a string");
    size_t length;
    const char *text = sinewi_json_raw_string(&g->json, uri, &length);
    if (text && is_data_uri(text, length)) // often most of the file, so decode it without a copy
        return load_data_uri(g, uri, text, length, arena, mime, mime_size, bytes);

    char *decoded = sinewi_json_string(&g->json, uri, &g->scratch, &length);
    if (!decoded) return sinewi_gltf_fail_memory(g);
    if (is_data_uri(decoded, length)) return load_data_uri(g, uri, decoded, length, arena, mime, mime_size, bytes);
    const char *refusal = sinewi_gltf_decode_uri(decoded);
    if (refusal) {
        char quote[80];
        sinewi_json_quote(&g->json, uri, quote, sizeof quote);
        return sinewi_gltf_fail(g, uri, SINEW_ERROR_FORMAT, "\"%s\" is refused: %s", quote, refusal);
    }
    if (g->options.reader.read) return sinewi_gltf_load_through_reader(g, uri, decoded, bytes);
    if (g->folder) return load_from_folder(g, uri, decoded, arena, bytes);
    return sinewi_gltf_fail(g, uri, SINEW_ERROR_IO,
                            "%s is an external resource, but no reader is set in the options",
                            shorten_uri(decoded).text);
}

void sinewi_gltf_release_bytes(sinewi_import *g, sinewi_gltf_bytes *bytes) {
    if (!bytes->is_borrowed) return;
    sinewi_budget_give_back(&g->data->budget, bytes->borrowed.size);
    give_back_borrowed(g, bytes->borrowed);
    *bytes = (sinewi_gltf_bytes){.data = NULL};
}
