#!/bin/sh
# Measures how good what `tune` finds is: on the PCC kernel build with 16 jobs it searches sampling_rate,
# up_threshold and load_map with 80 runs; a grid of 408 points is run whole on ten seeds that no search
# used, and what the searches chose is run on the same ten. Beside it stands plain random search with 80
# runs. The builds are 600 units long instead of 1943: a third of the time, the same queues. With 1943 as
# UNITS the grid takes about 25 minutes of CPU time.
#
# usage: tune_grid.sh PROGRAM DIR [UNITS [SEED...]]     DIR keeps the grid: a second time it is there
set -eu
cd "$(dirname "$0")/../.."
program=$1 dir=$2 units=${3:-600}
shift 2
[ $# = 0 ] || shift
[ $# != 0 ] || set -- 1 1001 2001 3001 4001
scenario=configs/scenarios/pcc-kernel-build.yaml
mkdir -p "$dir"

build()
{
	command=$1
	shift
	"$program" "$command" $scenario --set workload.jobs=16 --set "workload.units=$units" "$@"
}
build sweep --set run.seed=100001 --repeats 10 --sweep governor.sampling_rate=10ms:90ms:5ms \
	--sweep governor.up_threshold=60:95:5 --sweep governor.load_map=new,old,minmax \
	-o "$dir/grid" >&2

# "elapsed energy" of each point of a table of runs, the mean of its runs.
means()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		point = at["point"] ? $at["point"] : 1
		if (!(point in nr))
			order[++points] = point
		nr[point]++
		s[point] += $at["elapsed_s"]
		j[point] += $at["energy_pkg_j"]
	}
	END { for (i = 1; i <= points; i++) { p = order[i]
		printf "%.9f %.6f\n", s[p] / nr[p], j[p] / nr[p] } }' "$@"
}
means "$dir/grid/runs.csv" >"$dir/grid.means"

# measure FILE: each line of it, three settings, on the ten seeds of the grid.
measure()
{
	while read -r rate threshold map; do
		build run --set run.seed=100001 --repeats 10 --set "$rate" --set "$threshold" \
			--set "$map" --format csv </dev/null | means
	done <"$1"
}

# Random points, one run each; those that no other beats in what is asked for.
random_search()
{
	seed=$1
	awk -v seed="$seed" 'BEGIN {
		srand(seed)
		split("new old minmax", map, " ")
		for (i = 0; i < 80; i++)
			printf "governor.sampling_rate=%dms governor.up_threshold=%d governor.load_map=%s\n",
				10 + int(rand() * 81), 60 + int(rand() * 36), map[1 + int(rand() * 3)]
	}' >"$dir/random.points"
	while read -r rate threshold map; do
		build run --set "run.seed=$seed" --set "$rate" --set "$threshold" --set "$map" \
			--format csv </dev/null | means
	done <"$dir/random.points" | paste -d ' ' - "$dir/random.points" >"$dir/random.runs"
	sort -g "$dir/random.runs" | awk 'NR == 1 { print $3, $4, $5 }' >"$dir/random.best"
	sort -g "$dir/random.runs" | awk 'NR == 1 || $2 < least { least = $2; print $3, $4, $5 }' \
		>"$dir/random.front"
}

# tune_search OBJECTIVES SEED OUT: the points of the front.
tune_search()
{
	build tune --set "run.seed=$2" --over governor.sampling_rate=10ms:90ms:1ms \
		--over governor.up_threshold=60:95 --over governor.load_map=new,old,minmax \
		--objective "$1" --budget 80 >"$dir/tune.out"
	grep -o 'governor.sampling_rate=.* governor.load_map=[a-z]*$' "$dir/tune.out" >"$3"
}

# volume FILE: what its points dominate of the box between the best and the worst of the grid.
volume()
{
	sort -g "$1" | awk -v grid="$dir/grid.means" '
	BEGIN {
		while ((getline line <grid) > 0) {
			split(line, v, " ")
			if (!n++) { low_s = high_s = v[1]; low_j = high_j = v[2] }
			if (v[1] < low_s) low_s = v[1]
			if (v[1] > high_s) high_s = v[1]
			if (v[2] < low_j) low_j = v[2]
			if (v[2] > high_j) high_j = v[2]
		}
		last = high_j
	}
	$1 < high_s && $2 < last { sum += (high_s - $1) * (last - $2); last = $2 }
	END { printf "%.6f\n", sum / ((high_s - low_s) * (high_j - low_j)) }'
}

best=$(sort -g "$dir/grid.means" | awk 'NR == 1 { print $1 }')
whole=$(volume "$dir/grid.means")
echo "grid: $(wc -l <"$dir/grid.means") points, best mean of elapsed $best s"
echo "seed  elapsed over the grid's best: tune, random    front over the grid's: tune, random"
for seed in "$@"; do
	tune_search elapsed "$seed" "$dir/tune.best"
	tune_search energy,elapsed "$seed" "$dir/tune.front"
	random_search "$seed"
	for what in tune random; do
		head -n 1 "$dir/$what.best" >"$dir/$what.one"
		measure "$dir/$what.one" | awk '{ print $1 }' >"$dir/$what.s"
		measure "$dir/$what.front" >"$dir/$what.means"
		volume "$dir/$what.means" >"$dir/$what.v"
	done
	echo "$seed $best $whole $(cat "$dir/tune.s" "$dir/random.s" "$dir/tune.v" "$dir/random.v" |
		tr '\n' ' ')" | awk '{ printf "%-6d %31.4f, %.4f %32.4f, %.4f\n", $1, $4 / $2, $5 / $2,
		$6 / $3, $7 / $3 }'
done
