#!/bin/sh
# A function fits a screen: at most 70 lines between its braces. Lines are at most 100 columns,
# a tab being 8.
set -eu
find sim governors drivers workloads -name '*.[ch]' | sort | xargs awk '
FNR == 1 { from = 0 }
/^\{/ { from = FNR }
/^\}/ && from {
	nr++
	if (FNR - from - 1 > 70) {
		printf "%s:%d: a function of %d lines\n", FILENAME, from, FNR - from - 1
		bad++
	}
	from = 0
}
{
	line = $0
	while ((at = index(line, "\t")) > 0)
		line = substr(line, 1, at - 1) substr("        ", 1, 8 - (at - 1) % 8) \
			substr(line, at + 1)
	if (length(line) > 100) {
		printf "%s:%d: %d columns\n", FILENAME, FNR, length(line)
		bad++
	}
}
END {
	printf "%d functions\n", nr
	exit bad > 0
}'
