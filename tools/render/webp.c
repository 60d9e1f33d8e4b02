// SPDX-License-Identifier: MIT
// Writes animated WebP.
#include "render/picture.h"

#include <webp/encode.h>
#include <webp/mux.h>

bool draw_webp_begin(draw_webp *webp, int width, int height) {
    *webp = (draw_webp){.width = width, .height = height};
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) return false; // the library has a different version
    options.anim_params.loop_count = 0;                      // forever
    options.minimize_size = 1;
    webp->encoder = WebPAnimEncoderNew(width, height, &options);
    return webp->encoder != NULL;
}

// At a lower quality, the encoder skips more blocks that change little. Below 80, moving parts leave visible traces.
static const float QUALITY = 81.0f;

static bool add(WebPAnimEncoder *encoder, WebPPicture *frame, const draw_picture *picture, int milliseconds) {
    WebPConfig config;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DRAWING, QUALITY)) return false;
    config.use_sharp_yuv = 1; // keeps the edges of red on dark
    frame->width = picture->width;
    frame->height = picture->height;
    frame->use_argb = 1;
    if (!WebPPictureImportRGBA(frame, picture->rgba, picture->width * 4)) return false;
    return WebPAnimEncoderAdd(encoder, frame, milliseconds, &config);
}

bool draw_webp_add(draw_webp *webp, const draw_picture *picture, int milliseconds) {
    WebPPicture frame;
    if (!WebPPictureInit(&frame)) return false;
    bool good = add(webp->encoder, &frame, picture, milliseconds);
    WebPPictureFree(&frame);
    return good;
}

bool draw_webp_write(draw_webp *webp, int milliseconds, FILE *file) {
    WebPData data;
    WebPDataInit(&data);
    bool good = WebPAnimEncoderAdd(webp->encoder, NULL, milliseconds, NULL) &&
                WebPAnimEncoderAssemble(webp->encoder, &data);
    if (good) fwrite(data.bytes, 1, data.size, file);
    WebPDataClear(&data);
    return good;
}

const char *draw_webp_reason(const draw_webp *webp) {
    const char *reason = webp->encoder ? WebPAnimEncoderGetError(webp->encoder) : NULL;
    return reason && reason[0] ? reason : "out of memory";
}

void draw_webp_free(draw_webp *webp) {
    if (webp->encoder) WebPAnimEncoderDelete(webp->encoder);
    *webp = (draw_webp){0};
}
