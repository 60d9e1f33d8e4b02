# What Doxygen reads instead of a header, in as many lines: the first comment is the file's, and a comment behind
# several members counts for each of them.
NR <= 2 && !done && sub(/^\/\/\/ /, "/** @file */ /// ") { done = 1; print; next }
match($0, /^ +[a-z0-9_ ]+ \**[a-z_]+(, \**[a-z_]+)+; +\/\/\/< /) {
    comment = $0
    sub(/^[^;]*; +\/\/\/< /, "", comment)
    members = $0
    sub(/;.*/, "", members)
    match(members, /^ +[a-z0-9_ ]+ /)
    type = substr(members, 1, RLENGTH)
    count = split(substr(members, RLENGTH + 1), name, /, /)
    for (i = 1; i <= count; i++) printf "%s%s; /**< %s */", type, name[i], comment
    print ""
    next
}
{ print }
