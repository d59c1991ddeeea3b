#!/bin/sh
# Every kind of figure is drawn from results of its own, silently, with a mark for every series, and
# the script left beside it draws the same picture again where there is nothing else.
set -eu
P=$CPUFREQSIM_PROGRAM
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cat >"$top/s.yaml" <<'END'
machine: generic-2cpu
governor: { name: ondemand }
workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms, jitter: 0.21, loops: 97 }
run: { seed: 43815, repeats: 3, sample_interval: 613ms }
END
"$P" run "$top/s.yaml" -o "$top/it's one" >/dev/null
"$P" run "$top/s.yaml" --set governor=powersave -o "$top/two" >/dev/null
"$P" run "$top/s.yaml" --set governor=performance -o "$top/steady" >/dev/null
"$P" sweep "$top/s.yaml" --sweep governor.sampling_rate=10ms:90ms:20ms \
	--sweep governor.up_threshold=60:95:7 -o "$top/map" >/dev/null
"$P" sweep "$top/s.yaml" --sweep governor=performance,powersave \
	--sweep workload.run=3ms:9ms:2ms -o "$top/curves" >/dev/null
"$P" sweep "$top/s.yaml" --sweep governor=performance,powersave -o "$top/names" >/dev/null

mkdir "$top/published"
cat >"$top/published/figure.csv" <<'END'
panel_nr,panel,series_nr,variant,numeric,x,axis,unit,published,simulated,ci95_lo,ci95_hi
1,rates,1,10ms,1,2,jobs,s,244,243.1,242,244.2
1,rates,1,10ms,1,16,jobs,s,61,62.3,61.9,62.7
1,rates,1,10ms,1,120,jobs,s,23,23.9,23.5,24.3
1,rates,2,50ms,1,2,jobs,s,251,250.7,250.1,251.3
1,rates,2,50ms,1,120,jobs,s,NaN,31.2,29.9,32.5
2,maps,3,new,0,1,new,s,58,57.4,56.4,58.4
2,maps,4,old,0,2,old,s,41,40.9,40.1,41.7
END

# draws NAME PATTERN COUNT DIR... [OPTION...]: the SVG has PATTERN at least COUNT times.
draws()
{
	name=$1 pattern=$2 count=$3
	shift 3
	"$P" plot "$@" -o "$top/$name.svg" 2>"$top/err"
	[ ! -s "$top/err" ] || { cat "$top/err" >&2; exit 1; }
	awk -f tests/svg_series.awk "$top/$name.svg" || { echo "$name: see above" >&2; exit 1; }
	found=$(grep -c -- "$pattern" "$top/$name.svg" || true)
	[ "$found" -ge "$count" ] || { echo "$name: $found of $count $pattern" >&2; exit 1; }
	mkdir "$top/again"
	cp "$top/$name.gp" "$top/$name.data.csv" "$top/again"
	(cd "$top/again" && LC_ALL=C.UTF-8 gnuplot --default-settings "$name.gp" 2>"$top/err")
	[ ! -s "$top/err" ] || { cat "$top/err" >&2; exit 1; }
	cmp "$top/$name.svg" "$top/again/$name.svg"
	rm -r "$top/again"
}

# A series without a mark is found out.
cat >"$top/empty.svg" <<'END'
	<g id="gnuplot_plot_1a" ><title>load</title>
	<g transform="translate(700.3,82.8)" stroke="none">
		<text>load</text>
	</g>
	<path d='M710.1,78.6 L730.1,78.6 '/>
	<use xlink:href='#gpPt4' transform='translate(720.3,78.6) scale(2.25)'/>
END
if awk -f tests/svg_series.awk "$top/empty.svg"; then exit 1; fi | grep -q "nothing drawn of load"

# Points are drawn as <use xlink:href='#gpPt..'>, bars and fields as filled polygons.
point="xlink:href='#gpPt" field="<polygon fill" line="<path stroke="
draws power "$line" 3 "$top/it's one" --kind power
draws timeline "$line" 6 "$top/it's one" --kind timeline
draws window "$point" 3 "$top/it's one" --kind timeline --cpu 1 --from 0.5s --to 1.5s
draws steady "$line" 6 "$top/steady" --kind timeline
# Two policies, idle and three clocks, and the key.
draws residency "$field" 12 "$top/it's one" --kind residency
draws stacks "$field" 8 "$top/it's one" "$top/two" "$top/steady" --kind residency
draws published "$point" 6 "$top/published"
draws histogram "$field" 4 "$top/it's one" --kind histogram
grep -q "readings (assumed power)" "$top/histogram.svg"
"$P" run "$top/s.yaml" --set run.sample_interval=31ms -o "$top/dense" >/dev/null
draws spectrum "$line" 2 "$top/dense" --kind spectrum
grep -q "Hann window, mean removed (assumed power)" "$top/spectrum.svg"
# Powersave has no transitions: a bar of height 0.
draws bars "$field" 7 "$top/it's one" "$top/two"
draws map "$field" 60 "$top/map"
grep -q "governor.sampling_rate (ms)" "$top/map.svg"
draws curves "$point" 16 "$top/curves"
grep -q powersave "$top/curves.svg"
draws names "$point" 4 "$top/names"
grep -q performance "$top/names.svg"
draws pareto "$point" 8 "$top/curves" --kind pareto
for format in png pdf; do
	"$P" plot "$top/map" -o "$top/picture.$format"
	[ "$(wc -c <"$top/picture.$format")" -gt 5000 ]
done
"$P" plot "$top/curves" --terminal dumb >"$top/dumb"
grep -q "elapsed time" "$top/dumb"

refuses()
{
	status=$1 pattern=$2
	shift 2
	"$P" plot "$@" >/dev/null 2>"$top/err" && exit 1 || [ $? = "$status" ]
	grep -q "$pattern" "$top/err" || { cat "$top/err" >&2; exit 1; }
}
refuses 1 "needs exactly two axes of numbers" "$top/curves" --kind heatmap -o "$top/x.png"
refuses 1 "no axes; expected what sweep -o writes" "$top/two" --kind sweep -o "$top/x.png"
refuses 1 "has no power-spectrum.csv with results" "$top/it's one" --kind spectrum -o "$top/x.png"
refuses 64 "use one of them" "$top/two" --terminal dumb -o "$top/x.png"
refuses 64 "unknown terminal" "$top/two" --terminal smart
refuses 64 "shows one directory" "$top/map" "$top/curves" --kind pareto -o "$top/x.png"
[ ! -e "$top/x.gp" ]
