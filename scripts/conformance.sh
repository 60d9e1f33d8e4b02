#!/bin/sh
# SPDX-License-Identifier: MIT
# Generates models/conformance/ and its table in docs/conformance.md: scripts/conformance.sh MAKE_CONFORMANCE
set -eu

table=$(mktemp)
page=$(mktemp)
trap 'rm -f "$table" "$page"' EXIT
mkdir -p models/conformance
rm -f models/conformance/*
"$1" models/conformance >"$table"
awk -v table="$table" '
    /^<!-- table/ { print; while ((getline line < table) > 0) print line; inside = 1; next }
    /^<!-- end/ { print ""; inside = 0 }
    !inside' docs/conformance.md >"$page"
cp "$page" docs/conformance.md
