// SPDX-License-Identifier: MIT
// Reads the numbers of a rig.
#include "motion/graph_read.h"
#include "motion/rig_setting.h"

bool sinewi_rig_read_number(sinewi_graph_text *t, sinewi_json_value value, float min, float max, float *out) {
    float number;
    if (value == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_read_float(t, value, &number)) return false;
    if (number < min || number > max)
        return sinewi_graph_fail(t, value, "the value is %g; it must be %s", (double)number,
                                 sinewi_rig_range_text(min, max).text);
    *out = number;
    return true;
}

bool sinewi_rig_read_floats(sinewi_graph_reader *r, sinewi_json_value value, const char *expected, int count,
                            float *out) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_count(&r->text.json, value) != count) return sinewi_graph_fail_type(&r->text, value, expected);
    sinewi_json_value element = sinewi_graph_first(r, value);
    for (int i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!sinewi_graph_read_float(&r->text, element, &out[i])) return false;
    }
    return true;
}

bool sinewi_rig_read_vector(sinewi_graph_reader *r, sinewi_json_value value, sinew_vec3 *out) {
    float v[3] = {out->x, out->y, out->z};
    if (!sinewi_rig_read_floats(r, value, "an array of three numbers", 3, v)) return false;
    *out = (sinew_vec3){v[0], v[1], v[2]};
    return true;
}
