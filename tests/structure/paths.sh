#!/bin/sh
# SPDX-License-Identifier: MIT
# No file of the project contains a path on somebody's machine or a package registry's host: paths.sh SOURCE_FOLDER
# (The brackets keep the patterns from finding themselves.)
set -u
export LC_ALL=C
cd "$1"

list_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -c -o --exclude-standard -z
    else
        find . \( -name build -o -name node_modules -o -name .git \) -prune -o -type f -print0
    fi
}

# -I: what is not text holds no paths.
find_in_files() { list_files | xargs -0 grep -nIE "$1" /dev/null; }

found=$(
    find_in_files '(^|[^A-Za-z0-9_.~)}-])/(hom[e]|roo[t]|wor[k]|User[s])/[A-Za-z]'
    find_in_files '(^|[^A-Za-z0-9_.~)}-])/tm[p]/' | grep -vE 'mktemp|XXXXXX|TMPDIR'
    find_in_files '(registry[.]|[.]org/simple|[.]crates[.]io|(deb|security)[.]debian[.]|archive[.]ubuntu[.]|proxy[.]golang[.])'
    find_in_files '(np[m]js|yarn[p]kg|py[p]i|ruby[g]ems|pythonhoste[d])[.](com|org)'
)
[ -z "$found" ] && exit 0
echo "$found"
exit 1
