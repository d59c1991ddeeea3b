#!/bin/sh
# The mutation check itself must fail when a mistake goes unnoticed, does not compile, cannot be
# planted, or is no single token in a shipped model.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0
file=sim/kernel/energy_model.c
row='%s\tS30\t%s\t%s\t%s\t%s\n'

# expect ID VERDICT: the run must have said so of that mistake.
expect()
{
	if ! grep -q "^$1  *S30  *$2" "$tmp/out"; then
		echo "$1: not \"$2\""
		failures=$((failures + 1))
	fi
}

{
	printf "$row" unnoticed $file - 'cheapest = UINT64_MAX;' 'cheapest = UINT32_MAX;'
	printf "$row" broken $file - 'int em_state_for(' 'int em_state_of('
	printf "$row" absent $file - 'cost * no_such_thing' 'cost * sum_util'
	printf "$row" ambiguous $file - 'domain->nr - 1' 'domain->nr - 2'
	printf "$row" long $file - '.cost * sum_util' '.cost + max_util'
	printf "$row" test tests/golden/golden_csv.c - a b
	printf "$row" noticed $file - '.cost * sum_util' '.cost * max_util'
} >"$tmp/table.tsv"
if sh tests/mutate/run --table "$tmp/table.tsv" >"$tmp/out" 2>&1; then
	echo "passes all the same"
	failures=$((failures + 1))
fi
expect unnoticed missed
expect broken "does not compile"
expect absent "does not apply"
expect ambiguous "does not apply"
expect long "does not apply"
expect test "tests/golden/golden_csv.c is no shipped model"
expect noticed "caught ("
if sh tests/mutate/run --check no-such-mistake >"$tmp/out" 2>&1; then
	echo "an unknown id passes"
	failures=$((failures + 1))
fi
[ $failures -eq 0 ] || cat "$tmp/out"
echo "$failures failures"
[ $failures -eq 0 ]
