// Resources that a `uri` names: data URIs, files beside the one being read, or what the caller's reader gives.
#include "gltf/import.h"

#include <string.h>

// ---- data: URIs --------------------------------------------------------------------------------------------------

static bool is_data_uri(const char *text, size_t length) {
    static const char scheme[] = "data:";
    if (length < 5) return false;
    for (int i = 0; i < 4; i++)
        if ((text[i] | 0x20) != scheme[i]) return false; // schemes may be written in capitals
    return text[4] == ':';
}

// Keeps a media type that is what it should be: a few plain characters.
static void keep_media_type(const char *start, size_t length, char *mime, size_t mime_size) {
    if (length >= mime_size) return;
    for (size_t i = 0; i < length; i++)
        if (start[i] <= ' ' || start[i] > '~') return;
    memcpy(mime, start, length);
    mime[length] = '\0';
}

static bool load_data_uri(sinew_import *g, sinew_json_value place, const char *text, size_t length,
                          sinew_arena *arena, char *mime, size_t mime_size, sinew_gltf_bytes *bytes) {
    const char *start = text + 5, *comma = (const char *)memchr(text, ',', length);
    if (!comma) return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "the data URI has no ','");
    if (comma - start < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return sinew_gltf_fail(g, place, SINEW_ERROR_UNSUPPORTED, "the data URI is not in base64");
    const char *media_end = (const char *)memchr(start, ';', (size_t)(comma - start));
    keep_media_type(start, (size_t)(media_end - start), mime, mime_size);

    const char *digits = comma + 1;
    size_t digit_count = length - (size_t)(digits - text);
    uint8_t *data = sinew_gltf_array(g, arena, uint8_t, digit_count / 4 * 3 + 3);
    if (!data) return false;
    if (!sinew_gltf_decode_base64(digits, digit_count, data, &bytes->size))
        return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "the data URI is not valid base64");
    bytes->data = data;
    return true;
}

// ---- External resources ------------------------------------------------------------------------------------------

// As messages name a resource: a long name is not to push the reason out of them.
typedef struct shown_uri {
    char text[160];
} shown_uri;

static shown_uri show(const char *uri) {
    shown_uri shown;
    sinew_gltf_shorten(uri, shown.text, sizeof shown.text);
    return shown;
}

bool sinew_gltf_load_through_reader(sinew_import *g, sinew_json_value place, const char *uri,
                                    sinew_gltf_bytes *bytes) {
    sinew_bytes lent = {NULL, 0};
    bool read = g->options.reader.read(uri, &lent, g->options.reader.user);
    if (!read || (!lent.data && lent.size > 0))
        return sinew_gltf_fail(g, place, SINEW_ERROR_IO, "%s cannot be read", show(uri).text);
    bool counted = sinew_gltf_count_read(g, uri, lent.size);
    if (!counted || !sinew_budget_reserve(&g->data->budget, lent.size)) {
        if (g->options.reader.release) g->options.reader.release(lent, g->options.reader.user);
        return counted ? sinew_gltf_fail_memory(g) : false;
    }
    *bytes = (sinew_gltf_bytes){.data = lent.data, .size = lent.size, .lent = lent};
    return true;
}

static bool load_from_folder(sinew_import *g, sinew_json_value place, const char *uri, sinew_arena *arena,
                             sinew_gltf_bytes *bytes) {
    size_t folder_length = strlen(g->folder), uri_size = strlen(uri) + 1;
    char *path = sinew_gltf_array(g, &g->scratch, char, folder_length + uri_size);
    if (!path) return false;
    memcpy(path, g->folder, folder_length);
    memcpy(path + folder_length, uri, uri_size);
    if (sinew_gltf_read_file(g, path, arena, bytes)) return true;
    sinew_error inner = *g->error;
    return sinew_gltf_fail(g, place, inner.result, "%s: %s", show(uri).text, inner.message);
}

bool sinew_gltf_load_uri(sinew_import *g, sinew_json_value uri, sinew_arena *arena, char *mime, size_t mime_size,
                         sinew_gltf_bytes *bytes) {
    *bytes = (sinew_gltf_bytes){.data = NULL};
    if (sinew_json_kind_of(&g->json, uri) != SINEW_JSON_STRING)
        return sinew_gltf_fail(g, uri, SINEW_ERROR_FORMAT, "this is not a string");
    size_t length;
    const char *text = sinew_json_raw_string(&g->json, uri, &length);
    if (text && is_data_uri(text, length)) // mostly the bulk of the file: read without another copy
        return load_data_uri(g, uri, text, length, arena, mime, mime_size, bytes);

    char *decoded = sinew_json_string(&g->json, uri, &g->scratch, &length);
    if (!decoded) return sinew_gltf_fail_memory(g);
    if (is_data_uri(decoded, length)) return load_data_uri(g, uri, decoded, length, arena, mime, mime_size, bytes);
    const char *refusal = sinew_gltf_decode_uri(decoded);
    if (refusal) {
        char quote[80];
        sinew_json_quote(&g->json, uri, quote, sizeof quote);
        return sinew_gltf_fail(g, uri, SINEW_ERROR_FORMAT, "\"%s\" is refused: %s", quote, refusal);
    }
    if (g->options.reader.read) return sinew_gltf_load_through_reader(g, uri, decoded, bytes);
    if (g->folder) return load_from_folder(g, uri, decoded, arena, bytes);
    return sinew_gltf_fail(g, uri, SINEW_ERROR_IO, "%s stands outside the file, and there is no reader for it",
                           show(decoded).text);
}

void sinew_gltf_give_back(sinew_import *g, sinew_gltf_bytes *bytes) {
    if (!bytes->lent.data) return;
    sinew_budget_give_back(&g->data->budget, bytes->lent.size);
    if (g->options.reader.release) g->options.reader.release(bytes->lent, g->options.reader.user);
    *bytes = (sinew_gltf_bytes){.data = NULL};
}
