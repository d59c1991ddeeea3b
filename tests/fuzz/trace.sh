#!/bin/sh
# The corpus of recordings and workload files, damaged in 3000 ways; or in $1 ways, with seed $2.
set -eu
exec "$CPUFREQSIM_BUILD/tests/fuzz_trace" "${1:-3000}" "${2:-20161109}" \
	tests/data/traces/*.txt tests/data/traces/*.dat tests/data/workloads/*.json \
	tests/data/workloads/*.workload
