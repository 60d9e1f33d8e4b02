// SPDX-License-Identifier: MIT
// Text widths and styles in drawings. Fonts differ, so widths are a wide font's.
#include "graph/plot.h"

#include <string.h>

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

static double width_of(char c) {
    if ((unsigned char)c >= 0x80) return 12.0; // as wide as an ideograph
    if (strchr("iljtfI.,:;'|!()[]/", c)) return 5.2;
    if (strchr("mwMWQ@%", c)) return 12.4;
    if (c >= 'A' && c <= 'Z') return 9.4;
    return 8.0;
}

double graph_text_width(const char *text) {
    double width = 0.0;
    for (; *text; text++) width += is_continuation(*text) ? 0.0 : width_of(*text);
    return width;
}

double graph_mono_width(const char *text) {
    double width = 0.0;
    for (; *text; text++) width += is_continuation(*text) ? 0.0 : (unsigned char)*text >= 0x80 ? 11.0 : 6.7;
    return width;
}

void graph_plot_style(FILE *to) {
    fputs("<style>\n.mono{font:11px ui-monospace,'DejaVu Sans Mono',monospace}.small{font-size:11px}\n"
          ".dim{fill-opacity:.72}.state{fill-opacity:.1;stroke-width:1.5}.machine{fill-opacity:.04}\n"
          ".arrow{fill:none;stroke-width:1.4}.any{stroke-dasharray:6 3}.layer{fill-opacity:.03;stroke-width:1}\n"
          ".band{fill-opacity:.28}.fading{fill-opacity:.55}\n</style>\n",
          to);
}
