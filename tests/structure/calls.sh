#!/bin/sh
# SPDX-License-Identifier: MIT
# Files must not call each other in a circle: calls.sh OBJECT_OR_ARCHIVE... File A depends on file B if A uses a
# function that B defines. The graph of all given files must be acyclic. Data doesn't count: by design, a lower file
# calls a higher one through a table of function pointers.
set -eu
export LC_ALL=C

nm -A -g "$@" 2>/dev/null | awk '
    # "sinew.dir/mixer/mixer.c.o" becomes "sinew/mixer/mixer.c"; a member of an archive is "libsinew.a:mixer.c". A file of
    # src that another target compiles once more is the same file.
    function file_of(name) {
        sub(/:$/, "", name)
        sub(/\.(o|obj)$/, "", name)
        if (name !~ /\.dir\//) { sub(/^.*\//, "", name); return name }
        sub(/^.*\/__\/src\//, "sinew/", name)
        sub(/\.dir\//, "/", name)
        sub(/^.*CMakeFiles\//, "", name)
        return name
    }

    # nm prints "FILE:ADDRESS T NAME" or "FILE: U NAME", with blanks after the colon or not.
    {
        if (!match($0, /:[ 0-9a-fA-F]*[ ][A-Za-z][ ]/)) next
        file = file_of(substr($0, 1, RSTART - 1))
        if (!(file in number)) { number[file] = ++count; file_name[count] = file }
        type = $(NF - 1)
        if (type == "T" || type == "W") definer[$NF] = number[file]
        if (type == "U") { users++; user[users] = number[file]; used[users] = $NF }
    }

    # Tarjan: numbers the files reachable from v, and collects each component that has more than one file.
    function visit(v,    i, w, size, member) {
        order[v] = low[v] = ++visited
        stack[++depth] = v
        on_stack[v] = 1
        for (i = 1; i <= edge_count[v]; i++) {
            w = edge[v, i]
            if (!(w in order)) {
                visit(w)
                if (low[w] < low[v]) low[v] = low[w]
            } else if (on_stack[w] && order[w] < low[v]) {
                low[v] = order[w]
            }
        }
        if (low[v] != order[v]) return
        size = 0
        do {
            w = stack[depth--]
            on_stack[w] = 0
            circle_of[w] = v
            size++
        } while (w != v)
        if (size > 1) circle_size[v] = size
    }

    END {
        for (i = 1; i <= users; i++) {
            a = user[i]
            if (!(used[i] in definer)) continue
            b = definer[used[i]]
            if (a == b || (a, b) in by) continue
            by[a, b] = used[i]
            edge[a, ++edge_count[a]] = b
        }
        for (v = 1; v <= count; v++) if (!(v in order)) visit(v)
        circles = 0
        for (v = 1; v <= count; v++) {
            if (!(v in circle_size)) continue
            circles++
            printf "circle of %d files:\n", circle_size[v]
            for (a = 1; a <= count; a++) {
                if (circle_of[a] != v) continue
                for (i = 1; i <= edge_count[a]; i++) {
                    b = edge[a, i]
                    if (circle_of[b] == v) printf "    %s calls %s of %s\n", file_name[a], by[a, b], file_name[b]
                }
            }
        }
        printf "%d circles of calls between %d files\n", circles, count
        if (count < 2) { print "this test was given no objects that it can read"; exit 1 }
        exit circles > 0
    }'
