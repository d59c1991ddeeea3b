#!/bin/sh
# Every cell of the kernel build once, and what it has to show.
set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$CPUFREQSIM_PROGRAM" reproduce pcc-kernel-build --repeats 1 --format csv >"$out" 2>/dev/null
awk -f tests/experiments/pcc_gates.awk "$out"
