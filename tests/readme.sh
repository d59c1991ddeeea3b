#!/bin/sh
# The commands that the README shows work as they stand there. The full experiment is run in its
# short form.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
PATH=$(dirname "$CPUFREQSIM_PROGRAM"):$PATH
export PATH

awk '/^```/ { inside = !inside; next }
	inside && /^(cpufreq-sim|S=)/ { sub(/ +#.*/, ""); print }' README.md |
	sed -e "s, out/, $out/,g" -e 's/reproduce [a-z-]*/& --quick/' >"$out/commands"
if ! command -v gnuplot >/dev/null; then
	echo "left out: plots, as gnuplot is not installed"
	sed -i '/^cpufreq-sim plot/d' "$out/commands"
fi
[ "$(wc -l <"$out/commands")" -ge 8 ]
sh -eux "$out/commands" >"$out/stdout"
[ -s "$out/stdout" ]
cpufreq-sim run "$out/old-map/manifest.yaml" -o "$out/twice" >/dev/null
cmp "$out/old-map/runs.csv" "$out/twice/runs.csv"
