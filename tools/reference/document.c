// The file: its container, its JSON, and the members of JSON objects.
#include "reference/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool ref_fail(ref_document *document, sinew_json_value value, const char *format, ...) {
    char message[256], place[192] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (value != SINEW_JSON_ABSENT) sinew_json_location(&document->json, value, place, sizeof place);
    snprintf(document->error, sizeof document->error, "%s%s%s", place, place[0] ? ": " : "", message);
    return false;
}

// ---- Members -----------------------------------------------------------------------------------------------------

int64_t ref_whole(const ref_document *document, sinew_json_value object, const char *key, int64_t absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (value == SINEW_JSON_ABSENT) return absent;
    double number = ref_number(document, object, key, -1.0);
    return number >= 0.0 && number <= 0x1p53 && number == floor(number) ? (int64_t)number : -1;
}

int32_t ref_index(const ref_document *document, sinew_json_value object, const char *key) {
    int64_t index = ref_whole(document, object, key, -1);
    return index <= INT32_MAX ? (int32_t)index : -1;
}

double ref_number(const ref_document *document, sinew_json_value object, const char *key, double absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_NUMBER) return absent;
    return sinew_json_number(&document->json, value);
}

bool ref_flag(const ref_document *document, sinew_json_value object, const char *key) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    return sinew_json_kind_of(&document->json, value) == SINEW_JSON_TRUE;
}

bool ref_array_numbers(const ref_document *document, sinew_json_value array, int32_t count, double *out) {
    const sinew_json *json = &document->json;
    sinew_json_value first = sinew_json_first(json, array);
    int32_t found = 0;
    if (sinew_json_kind_of(json, array) != SINEW_JSON_ARRAY) return false;
    for (sinew_json_value e = first; e != SINEW_JSON_ABSENT; e = sinew_json_following(json, e), found++) {
        // An array that is too long is not walked to its end: many objects may refer to it.
        if (found == count || sinew_json_kind_of(json, e) != SINEW_JSON_NUMBER) return false;
    }
    if (found != count) return false;
    for (sinew_json_value e = first; e != SINEW_JSON_ABSENT; e = sinew_json_following(json, e)) {
        *out++ = sinew_json_number(json, e);
    }
    return true;
}

bool ref_numbers(const ref_document *document, sinew_json_value object, const char *key, int32_t count,
                 double *out) {
    return ref_array_numbers(document, sinew_json_get(&document->json, object, key), count, out);
}

const char *ref_string(ref_document *document, sinew_json_value object, const char *key) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_STRING) return "";
    const char *string = sinew_json_string(&document->json, value, &document->arena, NULL);
    return string ? string : "";
}

int ref_word(const ref_document *document, sinew_json_value object, const char *key, const char *const *words,
             int absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (value == SINEW_JSON_ABSENT) return absent;
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_STRING) return -1;
    for (int i = 0; words[i]; i++) {
        if (sinew_json_equals(&document->json, value, words[i])) return i;
    }
    return -1;
}

ref_list ref_elements(ref_document *document, sinew_json_value object, const char *key) {
    const sinew_json *json = &document->json;
    sinew_json_value array = sinew_json_get(json, object, key);
    ref_list list = {sinew_json_count(json, array), NULL};
    sinew_json_value *values = sinew_arena_array(&document->arena, sinew_json_value, (size_t)list.count);
    if (!values) return (ref_list){0, NULL};
    sinew_json_value element = sinew_json_first(json, array);
    for (int32_t i = 0; i < list.count; i++, element = sinew_json_following(json, element)) values[i] = element;
    list.values = values;
    return list;
}

sinew_json_value ref_extension(const ref_document *document, sinew_json_value object, const char *name) {
    return sinew_json_get(&document->json, sinew_json_get(&document->json, object, "extensions"), name);
}

// ---- The container (section 4) -------------------------------------------------------------------------------------

static uint32_t u32_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// The chunk at `*at`, if it is of that type and lies inside the file; `*at` moves behind it.
static bool take_chunk(ref_bytes file, size_t *at, uint32_t type, ref_bytes *chunk) {
    if (file.size - *at < 8 || u32_at(file.data + *at + 4) != type) return false;
    size_t size = u32_at(file.data + *at);
    if (size > file.size - *at - 8) return false;
    *chunk = (ref_bytes){file.data + *at + 8, size};
    *at += 8 + size;
    return true;
}

static bool open_container(ref_document *document, ref_bytes file) {
    ref_bytes text = file;
    document->binary = file.size >= 12 && memcmp(file.data, "glTF", 4) == 0;
    if (document->binary) {
        size_t at = 12;
        if (!take_chunk(file, &at, UINT32_C(0x4E4F534A), &text)) // "JSON"
            return ref_fail(document, SINEW_JSON_ABSENT, "the .glb file has no JSON chunk");
        take_chunk(file, &at, UINT32_C(0x004E4942), &document->bin);           // "BIN"; may be missing
        while (text.size > 0 && text.data[text.size - 1] == '\0') text.size--; // how some exporters pad it
    } else if (file.size >= 3 && memcmp(file.data, "\xEF\xBB\xBF", 3) == 0) {  // a byte order mark
        text = (ref_bytes){file.data + 3, file.size - 3};
    }
    document->text = (const char *)text.data;
    document->text_size = text.size;
    return true;
}

static bool parse(ref_document *document) {
    sinew_json_problem problem;
    sinew_result result =
        sinew_json_parse(&document->json, document->text, document->text_size, &document->arena, &problem);
    if (result == SINEW_OK)
        return sinew_json_index_arrays(&document->json, &document->arena) ||
               ref_fail_memory(document, SINEW_JSON_ABSENT);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return ref_fail_memory(document, SINEW_JSON_ABSENT);
    return ref_fail(document, SINEW_JSON_ABSENT, "JSON, byte %zu: %s", problem.offset, problem.what);
}

static bool list_sections(ref_document *document) {
    struct {
        const char *name;
        ref_list *list;
    } sections[] = {
        {"buffers", &document->buffers},     {"bufferViews", &document->views},
        {"accessors", &document->accessors}, {"images", &document->images},
        {"textures", &document->textures},   {"materials", &document->materials},
        {"meshes", &document->meshes},       {"nodes", &document->nodes},
        {"skins", &document->skins},         {"animations", &document->animations},
        {"scenes", &document->scenes},       {"cameras", &document->cameras},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        *sections[i].list = ref_elements(document, 0, sections[i].name);
        if (!sections[i].list->values) return ref_fail_memory(document, SINEW_JSON_ABSENT);
    }
    document->read = sinew_arena_zeros(&document->arena, ref_accessor, (size_t)document->accessors.count);
    document->unreadable = sinew_arena_zeros(&document->arena, bool, (size_t)document->accessors.count);
    return (document->read && document->unreadable) || ref_fail_memory(document, SINEW_JSON_ABSENT);
}

// ---- Files -------------------------------------------------------------------------------------------------------

bool ref_read_file(ref_document *document, const char *path, ref_bytes *bytes) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false; // opening a pipe would wait
    size_t size = (size_t)status.st_size;
    if (!ref_count_read(document, path, size)) return false;
    uint8_t *data = sinew_arena_array(&document->arena, uint8_t, size);
    FILE *file = data ? fopen(path, "rb") : NULL;
    if (!file) return false;
    size_t got = fread(data, 1, size, file);
    (void)fclose(file); // only read: nothing can be lost
    *bytes = (ref_bytes){data, size};
    return got == size;
}

static const char *folder_of(ref_document *document, const char *path) {
    const char *slash = strrchr(path, '/');
    return sinew_arena_string(&document->arena, path, slash ? (size_t)(slash + 1 - path) : 0);
}

bool ref_open_json(ref_document *document, const char *path) {
    memset(document, 0, sizeof *document);
    ref_begin_budget(document);
    ref_bytes file;
    if (!ref_read_file(document, path, &file))
        return ref_fail(document, SINEW_JSON_ABSENT, "%s: the file cannot be read", path);
    document->folder = folder_of(document, path);
    if (!document->folder) return ref_fail_memory(document, SINEW_JSON_ABSENT);
    return open_container(document, file) && parse(document);
}

bool ref_open(ref_document *document, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    return ref_open_json(document, path) && list_sections(document) &&
           ref_load_buffers(document, decode, decode_user) && ref_within_budget(document);
}

void ref_close(ref_document *document) {
    sinew_arena_free(&document->arena);
}
