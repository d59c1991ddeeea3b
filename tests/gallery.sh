#!/bin/sh
# The gallery shows every kind of figure that there is, none of them blank, and its table for a mail
# keeps to 72 columns.
set -eu
bad=0
kinds=$("$CPUFREQSIM_PROGRAM" plot --help | awk '/--kind/, /default/' | tr -cs 'a-z' '\n' |
	grep -vxE 'kind|or|default|what|the|files|allow' | sort -u)
[ "$(echo "$kinds" | wc -l)" -ge 10 ] || { echo "kinds: $kinds"; exit 1; }
for kind in $kinds; do
	[ -z "$kind" ] && continue
	grep -q "(gallery/$kind.svg)" docs/gallery.md && [ -s "docs/gallery/$kind.svg" ] || {
		echo "docs/gallery.md shows no $kind"
		bad=1
		continue
	}
	awk -f tests/svg_series.awk "docs/gallery/$kind.svg" || { echo "in $kind.svg"; bad=1; }
done
awk '/^elapsed_s \(s\):/ { inside = 1 }
	/^```/ { inside = 0 }
	inside && length > 72 { print "over 72 columns: " $0; bad = 1 }
	inside { lines++ }
	END { exit bad || lines < 10 }' docs/gallery.md || { echo "the table for a mail"; bad=1; }
exit $bad
