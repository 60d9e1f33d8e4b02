// SPDX-License-Identifier: MIT
// svg.c - writes drawings as SVG text.
#include "plots/svg.h"

#include <math.h>
#include <stdbool.h>

// ---- The style sheet -----------------------------------------------------------------------------------------

static const char shapes[] = "text{font:12px system-ui,'DejaVu Sans',sans-serif}\n"
                             ".title{font-size:14px}.title,.label{font-weight:600}\n"
                             ".middle{text-anchor:middle}.end{text-anchor:end}\n"
                             ".halo{stroke-width:4;stroke-linejoin:round;paint-order:stroke}\n"
                             ".frame,.line,.ring,.edge{fill:none}.moment{stroke-dasharray:2 3}\n"
                             ".line{stroke-width:2;stroke-linejoin:round}\n"
                             ".dash{stroke-width:1.5;stroke-dasharray:5 4}\n"
                             ".wide{stroke-width:6;stroke-opacity:.3}.ring{stroke-width:1.5}\n";

typedef struct theme {
    const char *ink, *paper, *frame, *grid;
    const char *hues[SVG_COLORS];
} theme;

// The palette by Okabe and Ito, which is safe for color blindness. Lighter on dark pages.
static const theme light = {
    "#24292f", "#fff", "#8c959f", "#e4e8ec", {"#0072b2", "#d55e00", "#009e73", "#b05a8a", "#b98300", "#6e7781"}};
static const theme dark = {
    "#e6edf3", "#0d1117", "#6e7681", "#21262d", {"#58a6e8", "#f0883e", "#3fc79a", "#d993bb", "#e3b341", "#8b949e"}};

static void write_theme(FILE *to, const theme *t) {
    fprintf(to, "text{fill:%s}.paper{fill:%s}.halo{stroke:%s}.edge{stroke:%s}\n", t->ink, t->paper, t->paper,
            t->ink);
    fprintf(to, ".frame,.moment{stroke:%s}.grid{stroke:%s}\n", t->frame, t->grid);
    for (int i = 0; i < SVG_COLORS; i++) {
        fprintf(to, ".l%d{stroke:%s}.f%d{fill:%s}%s", i, t->hues[i], i, t->hues[i], i % 3 == 2 ? "\n" : "");
    }
}

static void write_style(FILE *to) {
    fprintf(to, "<style>\n%s", shapes);
    write_theme(to, &light);
    fputs("@media (prefers-color-scheme:dark){\n", to);
    write_theme(to, &dark);
    fputs("}\n</style>\n", to);
}

// ---- Text ----------------------------------------------------------------------------------------------------

// Writes one decimal, or none if it's 0. Unlike round, never writes -0.
static void write_number(FILE *to, double value) {
    double tenths = floor(value * 10.0 + 0.5), whole = trunc(tenths / 10.0);
    bool is_whole = !(whole * 10.0 < tenths || whole * 10.0 > tenths);
    fprintf(to, is_whole ? "%.0f" : "%.1f", tenths / 10.0);
}

static const char *entity_of(char c) {
    if (c == '&') return "&amp;";
    if (c == '<') return "&lt;";
    if (c == '>') return "&gt;";
    return c == '"' ? "&quot;" : NULL;
}

static void write_escaped(FILE *to, const char *text) {
    for (; *text; text++) {
        const char *entity = entity_of(*text);
        if (entity) {
            fputs(entity, to);
        } else {
            fputc(*text, to);
        }
    }
}

static void write_attribute(FILE *to, const char *name, double value) {
    fprintf(to, " %s=\"", name);
    write_number(to, value);
    fputc('"', to);
}

// ---- Shapes --------------------------------------------------------------------------------------------------

void svg_begin(FILE *to, double width, double height, const char *title) {
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", to);
    write_attribute(to, "width", width);
    write_attribute(to, "height", height);
    fputs(" role=\"img\">\n<title>", to);
    write_escaped(to, title);
    fputs("</title>\n", to);
    write_style(to);
    svg_rect(to, "paper", (svg_point){0.0, 0.0}, width, height);
}

void svg_end(FILE *to) {
    fputs("</svg>\n", to);
}

void svg_line(FILE *to, const char *classes, svg_point from, svg_point end) {
    fprintf(to, "<line class=\"%s\"", classes);
    write_attribute(to, "x1", from.x);
    write_attribute(to, "y1", from.y);
    write_attribute(to, "x2", end.x);
    write_attribute(to, "y2", end.y);
    fputs("/>\n", to);
}

static void write_points(FILE *to, const char *element, const char *classes, const svg_point *points, int count) {
    fprintf(to, "<%s class=\"%s\" points=\"", element, classes);
    for (int i = 0; i < count; i++) {
        if (i > 0) fputc(i % 12 == 0 ? '\n' : ' ', to);
        write_number(to, points[i].x);
        fputc(',', to);
        write_number(to, points[i].y);
    }
    fputs("\"/>\n", to);
}

void svg_polyline(FILE *to, const char *classes, const svg_point *points, int count) {
    write_points(to, "polyline", classes, points, count);
}

void svg_polygon(FILE *to, const char *classes, const svg_point *points, int count) {
    write_points(to, "polygon", classes, points, count);
}

void svg_rect(FILE *to, const char *classes, svg_point corner, double width, double height) {
    fprintf(to, "<rect class=\"%s\"", classes);
    write_attribute(to, "x", corner.x);
    write_attribute(to, "y", corner.y);
    write_attribute(to, "width", width);
    write_attribute(to, "height", height);
    fputs("/>\n", to);
}

void svg_box(FILE *to, const char *classes, svg_point corner, double width, double height, double radius) {
    fprintf(to, "<rect class=\"%s\"", classes);
    write_attribute(to, "x", corner.x);
    write_attribute(to, "y", corner.y);
    write_attribute(to, "width", width);
    write_attribute(to, "height", height);
    write_attribute(to, "rx", radius);
    fputs("/>\n", to);
}

static void write_point(FILE *to, char command, double x, double y) {
    fputc(command, to);
    write_number(to, x);
    fputc(' ', to);
    write_number(to, y);
}

void svg_flow(FILE *to, const char *classes, const svg_point *points, int count) {
    fprintf(to, "<path class=\"%s\" d=\"", classes);
    for (int i = 0; i < count; i++) {
        const svg_point p = points[i], before = points[i > 0 ? i - 1 : 0];
        const bool is_straight = fabs(p.x - before.x) < 0.05 || fabs(p.y - before.y) < 0.05;
        if (i == 0 || is_straight) {
            write_point(to, i == 0 ? 'M' : 'L', p.x, p.y);
            continue;
        }
        const double middle = (before.x + p.x) / 2.0;
        write_point(to, 'C', middle, before.y);
        write_point(to, ' ', middle, p.y);
        write_point(to, ' ', p.x, p.y);
    }
    fputs("\"/>\n", to);
}

void svg_circle(FILE *to, const char *classes, svg_point center, double radius) {
    fprintf(to, "<circle class=\"%s\"", classes);
    write_attribute(to, "cx", center.x);
    write_attribute(to, "cy", center.y);
    write_attribute(to, "r", radius);
    fputs("/>\n", to);
}

void svg_squares(FILE *to, const char *classes, const svg_point *centers, const double *sides, int count) {
    fprintf(to, "<path class=\"%s\" d=\"", classes);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 && i % 6 == 0 ? "\nM" : "M", to);
        write_number(to, centers[i].x - sides[i] / 2.0);
        fputc(' ', to);
        write_number(to, centers[i].y - sides[i] / 2.0);
        static const char *const ways[] = {"h", "v", "h-"};
        for (int k = 0; k < 3; k++) {
            fputs(ways[k], to);
            write_number(to, sides[i]);
        }
        fputc('z', to);
    }
    fputs("\"/>\n", to);
}

void svg_text(FILE *to, const char *classes, svg_point at, const char *text) {
    fprintf(to, "<text class=\"%s\"", classes);
    write_attribute(to, "x", at.x);
    write_attribute(to, "y", at.y);
    fputc('>', to);
    write_escaped(to, text);
    fputs("</text>\n", to);
}
