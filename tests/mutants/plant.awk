# SPDX-License-Identifier: MIT
# Plants one mutant of mutants.txt: awk -v name=NAME -v tree=FOLDER -f plant.awk mutants.txt
# Rewrites the file in `tree` and prints "FILE TEST..."; says what is wrong with the entry and fails otherwise.

/^= / { mine = $2 == name }
!mine || /^(= |#|$)/ { next }
/^- / || /^-$/ { old = old (olds++ ? "\n" : "") substr($0, 3); next }
/^[+] / || /^[+]$/ { new = new (news++ ? "\n" : "") substr($0, 3); next }
{ file = $1; sub(/:$/, "", file); $1 = ""; tests = $0 }

function fail(why) {
    print name ": " why > "/dev/stderr"
    failed = 1
    exit 1
}

END {
    if (failed) exit 1
    if (file == "" || tests == "" || olds == 0) fail("is not in mutants.txt, or lacks its file, tests or old text")
    path = tree "/" file
    while ((got = (getline line < path)) > 0) text = text line "\n"
    if (got < 0) fail("there is no " file)
    at = index(text, old)
    if (!at) fail(file " does not hold the old text")
    rest = substr(text, at + length(old))
    if (index(rest, old)) fail(file " holds the old text more than once")
    close(path)
    printf "%s", substr(text, 1, at - 1) new rest > path
    print file tests
}
