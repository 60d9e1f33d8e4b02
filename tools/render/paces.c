// Paces by their names.
#include "render/paces.h"

// In whatever letters.
static bool is_called(const char *name, const char *small) {
    while (*small && (*name | 0x20) == *small) {
        name++;
        small++;
    }
    return *name == '\0' && *small == '\0';
}

int draw_paces(const sinew_asset *asset, const sinew_clip **clips) {
    static const char *const names[DRAW_MOST_PACES] = {"idle", "walk", "jog", "run", "sprint"};
    int count = 0;
    for (int i = 0; i < DRAW_MOST_PACES; i++) {
        int32_t clip = 0;
        while (clip < asset->clip_count && !is_called(asset->clips[clip].name, names[i])) clip++;
        if (clip < asset->clip_count) clips[count++] = &asset->clips[clip];
    }
    return count;
}
