// SPDX-License-Identifier: MIT
// Writes a comparison as JSON (docs/json.md).
#include "shrink/comparison.h"

#include <math.h>

static void append_number(lint_text *out, const char *name, double number) {
    lint_append_format(out, "\"%s\":", name);
    if (isfinite(number)) {
        lint_append_format(out, "%.9g", number);
    } else {
        lint_append_format(out, "null");
    }
}

static void append_worst(const comparison *c, const compare_worst *worst, lint_text *out) {
    append_number(out, "millimetres", comparison_millimetres(c, worst->error));
    lint_append_format(out, ",");
    append_number(out, "bound", comparison_millimetres(c, worst->bound));
    lint_append_format(out, ",");
    append_number(out, "units", worst->error);
    if (worst->clip >= 0) {
        lint_append_format(out, ",\"clip\":%d,", worst->clip);
        append_number(out, "time", worst->time);
    }
    if (worst->part < 0) return;
    const compare_part *part = &c->body.parts[worst->part];
    lint_append_format(out, ",\"node\":%d", c->body.groups[worst->group].node);
    if (part->mesh >= 0) lint_append_format(out, ",\"mesh\":%d,\"primitive\":%d", part->mesh, part->primitive);
    lint_append_format(out, ",\"%s\":%d", part->mesh >= 0 ? "vertex" : "point", worst->vertex);
}

static void append_file(const compared_file *file, lint_text *out) {
    lint_append_format(out, "{\"path\":");
    lint_append_json_string(out, file->path);
    lint_append_format(out, ",\"bytes\":%zu,\"animationData\":%zu,\"animationJson\":%zu}", file->size,
                       file->bytes.data, file->bytes.json);
}

void comparison_append_json(const comparison *c, lint_text *out) {
    lint_append_format(out, "\"files\":[");
    append_file(&c->files[0], out);
    lint_append_format(out, ",");
    append_file(&c->files[1], out);
    lint_append_format(
        out,
        "],\"size\":%.9g,\"sizeOf\":\"%s\",\"vertices\":%d,\"sortedVertices\":%d,\"carriedVertices\":%d,"
        "\"unmatchedVertices\":%d,\n\"worst\":{",
        c->body.size, compare_size_name(c->body.size_source), c->body.vertex_count, c->body.sorted_vertices,
        c->body.carried_vertices, c->body.unmatched_vertices);
    append_worst(c, &c->worst, out);
    lint_append_format(out, "},\"clips\":[");
    for (int32_t i = 0; i < c->files[0].model.animation_count; i++) {
        lint_append_format(out, "%s\n{\"name\":", i ? "," : "");
        lint_append_json_string(out, c->files[0].model.animations[i].name);
        lint_append_format(out, ",\"matched\":%s,", c->clip_of[i] >= 0 ? "true" : "false");
        append_worst(c, &c->clips[i], out);
        lint_append_format(out, "}");
    }
    lint_append_format(out, "],\"joints\":[");
    for (int32_t g = 0; g < c->body.group_count; g++) {
        lint_append_format(out, "%s\n{\"name\":", g ? "," : "");
        lint_append_json_string(out, c->files[0].model.nodes[c->body.groups[g].node].name);
        lint_append_format(out, ",");
        append_worst(c, &c->measure.groups[g], out);
        lint_append_format(out, "}");
    }
    lint_append_format(out, "],\"differences\":[");
    for (int32_t i = 0; i < c->difference_count; i++) {
        lint_append_format(out, "%s", i ? "," : "");
        lint_append_json_string(out, c->differences[i]);
    }
    lint_append_format(out, "]");
}
