#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/setup.sh only installs if asked to. It waits, and says so, while another program holds the package lock. It
# names what it doesn't install: setup.sh SOURCE_FOLDER SCRATCH_FOLDER Nothing is installed: apt-get is a script that
# logs its arguments, and the test chooses what's on PATH.
set -u
export LC_ALL=C
source=$1 scratch=$2
faults=0
fault() {
    echo "$1"
    faults=$((faults + 1))
}

[ "$(uname -s)" = Linux ] || {
    echo "SKIPPED: apt-get is not how packages are installed here"
    exit 77
}
rm -rf "$scratch"
mkdir -p "$scratch/bin"
unset NO_INSTALL
bin=$scratch/bin
for tool in sh env cat tee rm mktemp uname cut awk grep chmod; do ln -s "$(command -v $tool)" "$bin/$tool"; done
make_tool() { # make_tool NAME: with standard input as its text
    { echo '#!/bin/sh'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}
echo 'echo 0' | make_tool id
echo 'echo "slept $1" >>"'"$scratch"'/calls"' | make_tool sleep

# run_setup: `make interface` needs python3, which is not on PATH until apt-get "installs" it.
run_setup() {
    rm -f "$scratch/calls" "$bin/python3"
    said=$(PATH=$bin sh "$source/scripts/setup.sh" --install interface 2>&1)
    status=$?
}
says() { case $said in *"$1"*) ;; *) fault "$2: does not say '$1': $said" ;; esac }
count() { grep -cE -- "$1" "$scratch/calls"; }

# ---- The lock of dpkg, for which apt-get waits ------------------------------------------------------------------

make_tool apt-get <<EOT
echo "apt-get \$*" >>"$scratch/calls"
case "\$*" in
*install*)
    echo 'Waiting for cache lock: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 42 (apt-get)...'
    echo 'Waiting for cache lock: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 42 (apt-get)...'
    : >"$bin/python3"
    chmod +x "$bin/python3"
    ;;
esac
EOT
run_setup
[ $status = 0 ] || fault "dpkg's lock: ends with status $status: $said"
[ "$(count 'install.*python3')" = 1 ] || fault "dpkg's lock: $(cat "$scratch/calls")"
[ "$(count '^apt-get.*DPkg::Lock::Timeout=[1-9][0-9]+ ')" = 2 ] || fault "dpkg's lock: apt-get is not told to wait"
[ "$(echo "$said" | grep -c 'waiting up to')" = 1 ] || fault "dpkg's lock: does not say once that it waits: $said"

# ---- The lock of the package lists, for which it does not -------------------------------------------------------

make_tool apt-get <<EOT
echo "apt-get \$*" >>"$scratch/calls"
case "\$*" in
*update*)
    grep -q slept "$scratch/calls" && exit 0
    echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 42 (apt-get)'
    exit 100
    ;;
*) : >"$bin/python3"; chmod +x "$bin/python3" ;;
esac
EOT
run_setup
[ $status = 0 ] || fault "the lists' lock: ends with status $status: $said"
[ "$(count update)" = 2 ] && [ "$(count slept)" = 1 ] || fault "the lists' lock: $(cat "$scratch/calls")"
says 'waiting up to' "the lists' lock"

# ---- What fails -------------------------------------------------------------------------------------------------

make_tool apt-get <<EOT
echo "apt-get \$*" >>"$scratch/calls"
echo "E: it is broken"
exit 100
EOT
run_setup
[ $status = 1 ] || fault "a failure: ends with status $status"
[ "$(count update)" = 1 ] || fault "a failure: $(cat "$scratch/calls")"
says 'E: it is broken' "a failure"
says 'make interface: missing: python' "a failure"
says 'apt-get install --no-install-recommends python3' "a failure"

# ---- Only looking -----------------------------------------------------------------------------------------------

# names VARIABLES ARGUMENT...: without asking apt-get, it says what is missing and which command installs it.
names() {
    rm -f "$scratch/calls" "$bin/python3"
    said=$(env PATH="$bin" "$1" sh "$source/scripts/setup.sh" $2 2>&1)
    [ $? = 1 ] || fault "setup.sh $2, $1: does not end with status 1"
    [ ! -e "$scratch/calls" ] || fault "setup.sh $2, $1: asks apt-get"
    says 'make interface: missing: python' "setup.sh $2, $1"
    says "make setup FOR='interface'" "setup.sh $2, $1"
    says 'apt-get install --no-install-recommends python3' "setup.sh $2, $1"
}
names NO_INSTALL= interface
names NO_INSTALL=1 '--install interface'

# Several targets together name each package once.
rm -f "$bin/python3"
said=$(PATH=$bin sh "$source/scripts/setup.sh" interface amalgamate 2>&1)
[ "$(echo "$said" | grep 'apt-get install' | grep -o ' python3' | wc -l)" = 1 ] || fault "two targets: $said"

echo "$faults faults"
[ $faults = 0 ]
