// SPDX-License-Identifier: MIT
// The sub-commands of `sinew graph`. argv[0] is "graph check" and so on.
#ifndef GRAPH_H
#define GRAPH_H

int cli_graph_check(int argc, char **argv);
int cli_graph_test(int argc, char **argv);
int cli_graph_plot(int argc, char **argv);

#endif
