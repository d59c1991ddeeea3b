#!/bin/sh
# A report stands by itself: in a browser every figure has drawn marks, every column sorts, nothing is
# asked of the network and the console stays silent. Pages with a planted fault are found out.
set -eu
P=$CPUFREQSIM_PROGRAM
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
fail()
{
	echo "$*" >&2
	exit 1
}
cat >"$top/s.yaml" <<'END'
name: three tasks & <two> 'CPUs'
machine: generic-2cpu
governor: { name: ondemand }
workload: { name: periodic, tasks: 3, period: 43ms, run: 17ms, jitter: 0.21, loops: 61 }
run: { seed: 43815, repeats: 3, sample_interval: 31ms }
END
"$P" run "$top/s.yaml" -o "$top/one" >/dev/null
"$P" sweep "$top/s.yaml" --sweep governor.sampling_rate=10ms:90ms:40ms \
	--sweep governor.up_threshold=60:95:7 -o "$top/map" >/dev/null
mkdir "$top/experiment"
cat >"$top/experiment/comparison.csv" <<'END'
experiment,target_id,unit,published,simulated,ci95_lo,ci95_hi,error_pct,tolerance,verdict,role
e,j2,s,244,243.1,242,244.2,-0.369,5%,within,calibration
e,j120,s,23,23.9,23.5,24.3,3.913,5%,within,prediction
END
cat >"$top/experiment/figure.csv" <<'END'
panel_nr,panel,series_nr,variant,numeric,x,axis,unit,published,simulated,ci95_lo,ci95_hi
1,rates,1,10ms,1,2,jobs,s,244,243.1,242,244.2
1,rates,1,10ms,1,120,jobs,s,23,23.9,23.5,24.3
END
for dir in one map experiment; do
	"$P" report "$top/$dir" -o "$top/$dir.html" 2>"$top/err"
	[ ! -s "$top/err" ] || fail "$dir: $(cat "$top/err")"
	"$P" report "$top/$dir" -o "$top/again.html"
	cmp "$top/$dir.html" "$top/again.html"
	if grep -n 'src=\|@import\|url(http\|href="[^d#]' "$top/$dir.html"; then fail "$dir: outside"; fi
done
for text in '<title>three tasks &amp; &lt;two&gt;' '<span class="mark">assumed power' \
	'<td>machine.power.ceff</td>' '<span class="mark">assumed</span>'; do
	grep -q "$text" "$top/one.html" || fail "one.html: no $text"
done
[ "$(grep -c '<span class="mark">varied' "$top/map.html")" = 2 ] || fail "map: axes are not marked"

says()
{
	want=$1 pattern=$2
	shift 2
	status=0
	"$P" report "$@" >"$top/said" 2>&1 || status=$?
	[ "$status" = "$want" ] || fail "$*: status $status: $(cat "$top/said")"
	grep -q -- "$pattern" "$top/said" || fail "$*: $(cat "$top/said")"
}
says 64 "the directory is missing"
says 64 "FILE is missing" "$top/one"
says 1 "no results to report; expected a directory written by run -o" "$top" -o "$top/x.html"
says 1 "No such file or directory" "$top/one" -o "$top/nowhere/x.html"
mv "$top/map/runs.csv" "$top/kept.csv"
says 1 "the sweep has not ended" "$top/map" -o "$top/x.html"
[ ! -e "$top/x.html" ] || fail "a page of nothing"

browser=$(command -v chromium || true)
if [ -z "$browser" ]; then
	echo "skipped: chromium is not installed, no page was opened"
	exit 77
fi
# Runs before anything else in the page: what it would ask of others.
cat >"$top/first.js" <<'END'
const outside = [];
document.addEventListener("securitypolicyviolation", (e) => outside.push(e.blockedURI));
END
# Runs when the page is there.
cat >"$top/last.js" <<'END'
const found = [];
const marks = "path, polygon, polyline, use, circle, rect, text";
const drawn = (mark) => {
	const box = mark.getBoundingClientRect();

	return box.width + box.height > 0;
};
for (const figure of document.querySelectorAll("figure")) {
	const series = figure.querySelectorAll("g[id*=gnuplot_plot_]");

	if (!series.length)
		found.push(figure.id + " has no series");
	for (const one of series)
		if (!Array.from(one.querySelectorAll(marks)).some(drawn))
			found.push(figure.id + ": nothing drawn of " + one.id);
}

const value = (cell) => cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
const after = (a, b) => typeof a === "number" && typeof b === "number" ? a > b :
	String(a).localeCompare(String(b), "en", { numeric: true }) > 0;
const rowsOf = (table) => Array.from(table.tBodies[0].rows);
const content = (table) => rowsOf(table).map((row) => row.textContent).sort().join();
let sorted = 0;
for (const head of document.querySelectorAll("table thead th"))
	for (const down of [false, true]) {
		const table = head.closest("table"), before = content(table);

		head.querySelector("button").click();
		const cells = rowsOf(table).map((row) => value(row.cells[head.cellIndex]));
		for (let i = 1; i < cells.length; i++)
			if (down ? after(cells[i], cells[i - 1]) : after(cells[i - 1], cells[i]))
				found.push(table.id + " does not sort by " + head.textContent);
		if (content(table) !== before)
			found.push(table.id + " lost rows by " + head.textContent);
		sorted++;
	}

for (const entry of performance.getEntriesByType("resource"))
	if (!entry.name.startsWith("data:"))
		outside.push(entry.name);
const verdict = document.createElement("pre");
verdict.id = "verdict";
verdict.textContent = "\n" + ["figures " + document.querySelectorAll("figure").length,
	sorted > 10 ? "sorts" : "sorts " + sorted].concat(found,
	outside.map((name) => "asks for " + name)).join("\n") + "\n";
document.body.append(verdict);
END
# look PAGE: what the page says of itself, then what its console says.
look()
{
	awk -v first="$top/first.js" -v last="$top/last.js" '
	function put(file,   line)
	{
		while ((getline line <file) > 0)
			print line
		close(file)
	}
	/<\/body>/ {
		print "<script>addEventListener(\"load\", () => {"
		put(last)
		print "});</script>"
	}
	{ print }
	/<head>/ { print "<script>"; put(first); print "</script>" }' "$1" >"$top/looked.html"
	HOME=$top timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
		--enable-logging=stderr --user-data-dir="$top/profile" \
		--disable-background-networking --virtual-time-budget=4000 --dump-dom \
		"file://$top/looked.html" 2>"$top/log" >"$top/dom" ||
		fail "the browser failed: $(tail -n 5 "$top/log")"
	sed -n '/<pre id="verdict">/,/<\/pre>/p' "$top/dom" |
		sed 's/.*<pre id="verdict">//; s/<[^>]*>//g; /^$/d'
	grep 'CONSOLE' "$top/log" || true
}

# clean PAGE FIGURES: nothing to complain of.
clean()
{
	look "$1" >"$top/verdict"
	[ "$(cat "$top/verdict")" = "figures $2
sorts" ] || fail "$1: $(cat "$top/verdict")"
}
clean "$top/one.html" 5
clean "$top/map.html" 3
clean "$top/experiment.html" 1

# One page with four faults: an outside picture, a mistake in a script, a figure without its marks,
# and a table that does not sort.
sed 's#</body>#<img src="http://198.51.100.7/a.png" alt=""><script>nothing.at.all();</script>&#
	s/<polygon/<nothing/
	s/return a - b;/return 0;/' "$top/map.html" >"$top/planted.html"
look "$top/planted.html" >"$top/verdict"
for fault in "asks for http://198.51.100.7" "CONSOLE.*nothing is not defined" \
	"figure-heatmap: nothing drawn" "points does not sort by"; do
	grep -q "$fault" "$top/verdict" || fail "not found out: $fault: $(cat "$top/verdict")"
done
