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

# Repeats added until a precision is reached are the same ones as well.
"$P" sweep "$top/s.yaml" -j 1 --precision 0.6% --max-repeats 31 -o "$top/p1" >"$top/p1.out"
"$P" sweep "$top/s.yaml" -j 3 --precision 0.6% --max-repeats 31 --shuffle 7 -o "$top/p3" >/dev/null
[ "$(wc -l <"$top/p1/runs.csv")" -gt 91 ] || fail "no repeats were added"
cmp "$top/p1/runs.csv" "$top/p3/runs.csv"
"$P" sweep "$top/s.yaml" -j 2 --precision 0.01% --max-repeats 7 -o "$top/p4" |
	grep -q "precision 0.01 % not reached with 7 repeats at 18 points"
