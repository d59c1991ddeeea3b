#!/bin/sh
# The corpus of recordings, workload files and a table of a machine, damaged in 3000 ways; or in $1 ways, with seed $2.
set -eu
exec "$CPUFREQSIM_BUILD/tests/fuzz_files" "${1:-3000}" "${2:-20161109}" \
	tests/data/traces/*.txt tests/data/traces/*.dat tests/data/workloads/*.json \
	tests/data/workloads/*.workload tests/data/workloads/*.loadrec \
	tests/data/cpufreq-bench.conf
