# Where CPU time went: idle and at each clock, stacked to 100 %; a bar per policy of one run, or per run.
# Reads name, idle, then a column per clock or band of clocks, in percent; given bands.
figure_width = 1100
figure_height = 560
load style

# From dark to light with the clock, safe for colour-blind eyes; idle is grey.
colour(i) = word('#440154 #46327e #365c8d #277f8e #1fa187 #4ac16d #a0da39 #fde725', \
	bands > 1 ? 1 + int((i - 1) * 7.0 / (bands - 1) + 0.5) : 4)
count = 0
stats input using (count = count + 1, column('idle')) nooutput

set title 'CPU time idle and at each clock'
set ylabel 'share of CPU time (%)'
set yrange [0:100]
set style data histograms
set style histogram rowstacked
set style fill solid 1 noborder
set boxwidth 0.7
set xrange [-0.6:count - 0.4]
set xtics scale 0 noenhanced
if (count > 4) {
	set xtics rotate by 25 right
}
set key outside right top vertical invert reverse Left noenhanced
plot input using (column('idle')):xtic(stringcolumn('name')) lc rgb '#dddddd' title 'idle', \
	for [i = 1:bands] input using (column(i + 2)) lc rgb colour(i) title columnheader(i + 2)
