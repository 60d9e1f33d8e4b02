// URIs: percent signs, what is refused, and base64.
#include "gltf/import.h"

#include <string.h>

// ---- Relative references -----------------------------------------------------------------------------------------

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// A percent sign that does not begin an escape stands for itself: exporters write file names as they are.
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

// RFC 3986, section 3.1. A drive letter looks like a scheme too.
static bool has_scheme(const char *uri) {
    if (!is_letter(*uri)) return false;
    while (is_letter(*uri) || (*uri >= '0' && *uri <= '9') || (*uri && strchr("+-.", *uri))) uri++;
    return *uri == ':';
}

// ".." with more dots and with spaces behind it, too: Windows leaves those away.
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

static bool starts_like(const char *text, const char *capitals) {
    for (; *capitals; text++, capitals++)
        if (*text != *capitals && *text != *capitals + ('a' - 'A')) return false;
    return true;
}

// How long the name of a device is that `step` starts with; 0 when it starts with none. COM and LPT have a digit
// behind them, which may be one of the raised ones.
static size_t device_length(const char *step) {
    static const char *const names[] = {"CON", "PRN", "AUX", "NUL"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!starts_like(step, names[i])) continue;
        if (i == 0 && starts_like(step + 3, "IN$")) return 6;
        return i == 0 && starts_like(step + 3, "OUT$") ? 7 : 3;
    }
    if (!starts_like(step, "COM") && !starts_like(step, "LPT")) return 0;
    if (step[3] >= '0' && step[3] <= '9') return 4;
    bool raised = step[3] == '\xC2' && (step[4] == '\xB9' || step[4] == '\xB2' || step[4] == '\xB3');
    return raised ? 5 : 0;
}

bool sinew_gltf_is_special_on_windows(const char *path) {
    if (strchr(path, ':')) return true; // a drive, or a stream of a file
    for (const char *step = path; step; step = strchr(step, '/')) {
        if (*step == '/') step++;
        size_t length = device_length(step);
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

// ---- What is refused ---------------------------------------------------------------------------------------------

// What would break the one line of an error message, or worse where that is shown.
static bool has_control_character(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F) return true;
    return false;
}

const char *sinew_gltf_decode_uri(char *uri) {
    if (has_scheme(uri)) return "a scheme is not allowed";
    size_t escaped_length = strlen(uri);
    bool hides_zero = strstr(uri, "%00") != NULL;
    decode_percent(uri);
    if (escaped_length == 0) return "the name is empty";
    if (hides_zero) return "a zero byte is not allowed";
    if (has_control_character(uri)) return "a control character is not allowed";
    if (has_scheme(uri)) return "a scheme or drive is not allowed";
    if (uri[0] == '/') return "an absolute path is not allowed";
    if (strchr(uri, '\\')) return "a backslash is not allowed";
    if (has_parent_step(uri)) return "\"..\" is not allowed";
    if (ON_WINDOWS && sinew_gltf_is_special_on_windows(uri)) return "the name of a device is not allowed";
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

bool sinew_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size) {
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
