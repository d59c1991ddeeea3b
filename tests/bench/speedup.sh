#!/bin/sh
# Measures what two threads of a sweep reach of the speed-up that two processes reach which know nothing
# of each other: the sweep of the PCC scenario's thresholds (320 runs) with --jobs 2 against the same
# sweep twice at a time with --jobs 1. Both are measured in turn, so that other load hits both.
#
# usage: speedup.sh PROGRAM [ROUNDS [KEY=VALUE...]]    such as workload.units=300 for shorter builds
set -eu
cd "$(dirname "$0")/../.."
program=$1 rounds=${2:-3}
shift
[ $# = 0 ] || shift
sets=
for set in "$@"; do
	sets="$sets --set $set"
done
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# sweep JOBS DIR
sweep()
{
	# Settings are words.
	# shellcheck disable=SC2086
	"$program" sweep configs/sweeps/pcc-thresholds.yaml $sets --jobs "$1" -o "$top/$2" >/dev/null
}

for round in $(seq "$rounds"); do
	start=$(date +%s%N)
	sweep 2 "threads$round"
	middle=$(date +%s%N)
	sweep 1 "left$round" &
	left=$!
	sweep 1 "right$round"
	wait $left
	end=$(date +%s%N)
	cmp "$top/left$round/runs.csv" "$top/threads$round/runs.csv"
	echo "$start $middle $end"
done | awk '
{
	threads = ($2 - $1) / 1e9
	both = ($3 - $2) / 1e9
	ratio[NR] = both / 2 / threads
	printf "two threads %.2f s, two processes %.2f s for twice the runs: %.3f of their speed-up\n",
		threads, both, ratio[NR]
}
END {
	for (i = 1; i <= NR; i++)
		for (k = i + 1; k <= NR; k++)
			if (ratio[k] < ratio[i]) {
				t = ratio[i]; ratio[i] = ratio[k]; ratio[k] = t
			}
	printf "median of %d rounds: %.3f\n", NR, ratio[int((NR + 1) / 2)]
}'
