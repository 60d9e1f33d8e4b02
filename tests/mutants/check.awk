# SPDX-License-Identifier: MIT
# Checks the entries of mutants.txt; see check.sh: awk -v root=FOLDER -v tests="NAME..." -f check.awk mutants.txt

function say(what) {
    printf "%s:%d: %s: %s\n", FILENAME, first, name, what
    faults++
}

# The text of a file of the tree, its lines in line[path, 1..]; read once. Returns how many lines.
function load(path,    one, n) {
    if (path in lines_of) return lines_of[path]
    while ((getline one < (root "/" path)) > 0) {
        line[path, ++n] = one
        text[path] = text[path] one "\n"
    }
    close(root "/" path)
    return lines_of[path] = n + 0
}

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}

# How many words two lines share, less those that only one of them has.
function likeness(a, b,    n, i, words, seen, score) {
    n = split(a, words, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++) if (words[i] != "") seen[words[i]]++
    score = -n / 2
    n = split(b, words, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++) if (words[i] != "") score += seen[words[i]]-- > 0 ? 2 : -0.5
    return score
}

# The line of the old text that the file lacks, and the file's line that is most like it.
function explain(    i, n, parts, missing, best, best_score, score, count) {
    count = load(file)
    n = split(old, parts, "\n")
    missing = ""
    for (i = 1; i <= n && missing == ""; i++) if (!index(text[file], parts[i])) missing = parts[i]
    if (missing == "") {
        say(file ": has each line of the old text, but not one below the other")
        return
    }
    best = 0
    for (i = 1; i <= count; i++) {
        score = likeness(missing, line[file, i])
        if (!best || score > best_score) {
            best = i
            best_score = score
        }
    }
    say(file ": does not contain   " trim(missing))
    printf "    most like it is %s:%d:   %s\n", file, best, trim(line[file, best])
}

function finish(    n, i, at, list) {
    if (name == "") return
    count++
    if (name in names) say("is the name of two entries")
    names[name]
    if (file == "" || old == "") {
        say("lacks its file or its old text")
    } else if (!load(file)) {
        say("there is no file " file)
    } else if (old == new) {
        say("changes nothing")
    } else if (!(at = index(text[file], old))) {
        explain()
    } else if (index(substr(text[file], at + 1), old)) {
        say(file ": has the old text more than once")
    }
    n = split(wanted, list, " ")
    if (n == 0) say("names no test")
    for (i = 1; i <= n; i++) if (!(list[i] in known) && list[i] !~ /^shaders_/) say("there is no test " list[i])
}

BEGIN {
    n = split(tests, list, " ")
    for (i = 1; i <= n; i++) known[list[i]]
}

/^= / {
    finish()
    name = $2
    first = FNR
    file = wanted = old = new = ""
    olds = news = 0
    next
}
name == "" || /^(#|$)/ { next }
/^- / || /^-$/ { old = old (olds++ ? "\n" : "") substr($0, 3); next }
/^[+] / || /^[+]$/ { new = new (news++ ? "\n" : "") substr($0, 3); next }
{ file = $1; sub(/:$/, "", file); $1 = ""; wanted = $0 }

END {
    finish()
    if (faults) print faults " faults in " count " entries"
    exit faults > 0
}
