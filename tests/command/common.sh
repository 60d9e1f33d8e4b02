# SPDX-License-Identifier: MIT
# Sourced by the scripts in this folder: . common.sh, with the arguments SINEW MODELS SCRATCH_FOLDER
# Enters an empty scratch folder.
set -u
sinew=$1 models=$2 scratch=$3
faults=0
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1

fault() {
    echo "$1"
    faults=$((faults + 1))
}

# same WHAT EXPECTED ACTUAL
same() { [ "$2" = "$3" ] || fault "$1: '$3', not '$2'"; }
