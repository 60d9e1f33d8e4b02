// Framing, and the matrices of cameras and lights.
#include "draw/camera.h"

#include <math.h>

static const float PI = 3.14159265f;
static const float VIEW_ANGLE = 28.0f; // degrees, of the picture's height
static const float YAW = 32.0f;        // from the front (+Z) toward the character's left hand (+X)
static const float PITCH = 14.0f;      // from above
static const float MARGIN = 1.12f;     // room around everything

// ---- Vectors and matrices ------------------------------------------------------------------------------------

static float dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static sinew_vec3 cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static sinew_vec3 unit(sinew_vec3 v) {
    float length = sqrtf(dot(v, v));
    return (sinew_vec3){v.x / length, v.y / length, v.z / length};
}

static sinew_mat4 multiply(const sinew_mat4 *a, const sinew_mat4 *b) {
    sinew_mat4 out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int i = 0; i < 4; i++) sum += a->m[i * 4 + row] * b->m[column * 4 + i];
            out.m[column * 4 + row] = sum;
        }
    }
    return out;
}

// The axes of a view: right, up, and back to whoever looks.
typedef struct axes {
    sinew_vec3 right, up, back;
} axes;

static axes axes_of(sinew_vec3 back) {
    const sinew_vec3 up = {0.0f, 1.0f, 0.0f};
    sinew_vec3 right = unit(cross(up, back));
    return (axes){right, cross(back, right), back};
}

static sinew_mat4 view_matrix(axes a, sinew_vec3 eye) {
    return (sinew_mat4){{a.right.x, a.up.x, a.back.x, 0.0f, a.right.y, a.up.y, a.back.y, 0.0f, a.right.z, a.up.z,
                         a.back.z, 0.0f, -dot(a.right, eye), -dot(a.up, eye), -dot(a.back, eye), 1.0f}};
}

static axes camera_axes(void) {
    const float yaw = YAW * PI / 180.0f, pitch = PITCH * PI / 180.0f;
    return axes_of((sinew_vec3){sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch)});
}

// ---- Framing -------------------------------------------------------------------------------------------------

draw_framing draw_framing_start(float aspect) {
    float slope = tanf(VIEW_ANGLE * 0.5f * PI / 180.0f);
    return (draw_framing){.width_slope = slope * aspect / MARGIN, .height_slope = slope / MARGIN, .empty = true};
}

static void add_point(draw_framing *framing, const axes *a, sinew_vec3 p) {
    float x = dot(a->right, p), y = dot(a->up, p), z = dot(a->back, p);
    float planes[4] = {framing->width_slope * z + x, framing->width_slope * z - x, framing->height_slope * z + y,
                       framing->height_slope * z - y};
    if (framing->empty) {
        framing->empty = false;
        framing->least = framing->most = p;
        framing->nearest = framing->farthest = z;
        for (int i = 0; i < 4; i++) framing->planes[i] = planes[i];
    }
    for (int i = 0; i < 4; i++) framing->planes[i] = fmaxf(framing->planes[i], planes[i]);
    framing->nearest = fmaxf(framing->nearest, z);
    framing->farthest = fminf(framing->farthest, z);
    framing->least =
        (sinew_vec3){fminf(framing->least.x, p.x), fminf(framing->least.y, p.y), fminf(framing->least.z, p.z)};
    framing->most =
        (sinew_vec3){fmaxf(framing->most.x, p.x), fmaxf(framing->most.y, p.y), fmaxf(framing->most.z, p.z)};
}

void draw_framing_add(draw_framing *framing, const float *points, int32_t count) {
    const axes a = camera_axes();
    for (size_t i = 0; i < (size_t)count; i++) {
        sinew_vec3 p = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) add_point(framing, &a, p);
    }
}

float draw_framing_radius(const draw_framing *framing) {
    sinew_vec3 d = {framing->most.x - framing->least.x, framing->most.y - framing->least.y,
                    framing->most.z - framing->least.z};
    float radius = 0.5f * sqrtf(dot(d, d));
    return radius > 0.0f && isfinite(radius) ? radius : 1.0f;
}

sinew_vec3 draw_framing_center(const draw_framing *framing) {
    return (sinew_vec3){0.5f * (framing->least.x + framing->most.x), 0.5f * (framing->least.y + framing->most.y),
                        0.5f * (framing->least.z + framing->most.z)};
}

// ---- Matrices ------------------------------------------------------------------------------------------------

static sinew_mat4 perspective(float width_slope, float height_slope, float near, float far) {
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / width_slope;
    out.m[5] = 1.0f / height_slope;
    out.m[10] = (far + near) / (near - far);
    out.m[11] = -1.0f;
    out.m[14] = 2.0f * far * near / (near - far);
    return out;
}

// A pyramid with its tip at distance z and its sides at the slopes holds the points where right <= slope × z - x
// and left <= slope × z + x; so its tip is where the two meet, and the wider need decides the distance.
draw_camera draw_framing_camera(const draw_framing *framing) {
    const axes a = camera_axes();
    const float *planes = framing->planes;
    const float radius = draw_framing_radius(framing);
    float across = (planes[0] - planes[1]) * 0.5f, along = (planes[2] - planes[3]) * 0.5f;
    float distance = fmaxf((planes[0] + planes[1]) * 0.5f / framing->width_slope,
                           (planes[2] + planes[3]) * 0.5f / framing->height_slope);
    distance = fmaxf(distance, framing->nearest + radius);
    sinew_vec3 eye = {a.right.x * across + a.up.x * along + a.back.x * distance,
                      a.right.y * across + a.up.y * along + a.back.y * distance,
                      a.right.z * across + a.up.z * along + a.back.z * distance};
    float near = (distance - framing->nearest) * 0.5f;
    float far = distance - framing->farthest + 8.0f * radius; // and the ground behind
    sinew_mat4 projection = perspective(framing->width_slope * MARGIN, framing->height_slope * MARGIN, near, far);
    sinew_mat4 view = view_matrix(a, eye);
    return (draw_camera){eye, multiply(&projection, &view)};
}

sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width) {
    const float radius = draw_framing_radius(framing) * 1.02f;
    sinew_mat4 view = view_matrix(axes_of(toward_light), draw_framing_center(framing));
    sinew_mat4 projection = {{0}};
    projection.m[0] = projection.m[5] = 1.0f / radius;
    projection.m[10] = -1.0f / radius;
    projection.m[15] = 1.0f;
    *width = 2.0f * radius;
    return multiply(&projection, &view);
}
