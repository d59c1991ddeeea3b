#!/bin/sh
# The table does not depend on the number of threads, on the order of the runs, on parts put
# together, nor on the process that ran them.
. tests/sweep/scenario.sh
scenario 97
"$P" sweep "$top/s.yaml" -j 1 -o "$top/one" >/dev/null
"$P" export "$top/one" >"$top/one.csv"
"$P" export "$top/one" --format json >"$top/one.json"
cmp "$top/one.csv" "$top/one/runs.csv"
[ "$(wc -l <"$top/one.csv")" = 55 ]
if grep -q ",$(uname -n),\|$(date -u +%Y-%m)" "$top/one.csv"; then fail "host or date in the table"; fi

same()
{
	"$P" export "$1" | cmp - "$top/one.csv"
	"$P" export "$1" --format json | cmp - "$top/one.json"
}
"$P" sweep "$top/s.yaml" -j 2 -o "$top/two" >/dev/null
same "$top/two"
"$P" sweep "$top/s.yaml" -j 3 -o "$top/three" >/dev/null
same "$top/three"
"$P" sweep "$top/s.yaml" -j 2 --shuffle 885 -o "$top/shuffled" >/dev/null
same "$top/shuffled"

# On a terminal it says how far it is, how fast, and how long it will take.
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "left out: progress on a terminal, as there is none to be had"
else
	script -qec "'$P' sweep '$top/s.yaml' -j 1 -o '$top/seen'" /dev/null >"$top/progress"
	grep -q "[0-9]* of 54 runs, [0-9.]*/s, 0:00:0[0-9] left, 0 failed" "$top/progress" ||
		fail "progress: $(tail -c 300 "$top/progress")"
fi

# Three shards, merged one by one and at once; and what is no part is refused.
for k in 1 2 3; do
	"$P" sweep "$top/s.yaml" --shard $k/3 -o "$top/part$k" | grep -q "^18 runs"
done
"$P" merge "$top/part1" "$top/part2" "$top/part3" -o "$top/merged" | grep -q "^54 runs added"
same "$top/merged"
cmp "$top/merged/runs.csv" "$top/one.csv"
"$P" merge "$top/part3" -o "$top/bit" >/dev/null
"$P" merge "$top/part2" "$top/part1" -o "$top/bit" | grep -q "^36 runs added"
"$P" merge "$top/part2" "$top/one" -o "$top/bit" | grep -q "^0 runs added"
same "$top/bit"
"$P" sweep "$top/s.yaml" --sweep governor.up_threshold=61,80 -o "$top/else" >/dev/null
says 1 "is no part of the sweep in" "$P" merge "$top/part1" "$top/else" -o "$top/none"
says 1 "holds another sweep than" "$P" merge "$top/else" -o "$top/merged"
says 64 "the directory is missing" "$P" merge -o "$top/none"
says 64 "-o DIR is missing" "$P" merge "$top/part1"
if command -v sqlite3 >/dev/null; then
	sqlite3 "$top/part2/results.sqlite" "UPDATE run SET elapsed_s = elapsed_s + 1 WHERE repeat = 1"
	says 1 "runs have other results than in .*not the same build" \
		"$P" merge "$top/part2" -o "$top/merged"
fi

# Repeats added until a precision is reached are the same ones as well.
"$P" sweep "$top/s.yaml" -j 1 --precision 0.6% --max-repeats 31 -o "$top/p1" >"$top/p1.out"
"$P" sweep "$top/s.yaml" -j 3 --precision 0.6% --max-repeats 31 --shuffle 7 -o "$top/p3" >/dev/null
[ "$(wc -l <"$top/p1/runs.csv")" -gt 91 ] || fail "no repeats were added"
cmp "$top/p1/runs.csv" "$top/p3/runs.csv"
"$P" sweep "$top/s.yaml" -j 2 --precision 0.01% --max-repeats 7 -o "$top/p4" |
	grep -q "precision 0.01 % not reached with 7 repeats at 18 points"
