# Runs compared: time, energy, clock and transitions, mean and 95 % interval. Reads a row per bar: name,
# then each metric, and half the width of its interval in a column of the same name with _ci.
figure_width = 1200
figure_height = 760
load style

count = 0
stats input using (count = count + 1, column('elapsed_s')) nooutput
array label[count]
array mean[count]
array ci[count]

set multiplot layout 2, 2 title 'Runs compared: mean and 95 % interval' font ',16'
set style fill solid 0.85 noborder
set boxwidth 0.6
unset key
set xtics scale 0 rotate by (count > 4 ? 25 : 0) right noenhanced
if (count <= 4) {
	set xtics scale 0 norotate center noenhanced
}
set xtics ('' 0)
i = 0
stats input using (i = i + 1, label[i] = stringcolumn('name'), i) nooutput
set for [i = 1:count] xtics add (label[i] i)

names = 'elapsed_s energy_pkg_j freq_avg_ghz transitions'
array heading[4] = ['elapsed time', 'package energy' . assumed, 'mean clock of busy CPUs', 'transitions']
array unit[4] = ['s', 'J', 'GHz', 'per run']
do for [m = 1:4] {
	top = 0.0
	name = word(names, m)
	# stats counts only what lies inside the ranges, and an array has no header row.
	set datafile columnheaders
	set datafile separator comma
	set autoscale xy
	i = 0
	stats input using (i = i + 1, mean[i] = column(name), ci[i] = column(name . '_ci'), \
		top = mean[i] + ci[i] > top ? mean[i] + ci[i] : top, i) nooutput
	unset datafile columnheaders
	set datafile separator whitespace
	set xrange [0.4:count + 0.6]
	set title heading[m]
	set ylabel unit[m]
	set yrange [0:top > 0 ? top * 1.18 : 1]
	plot mean using 1:2:1 with boxes lc variable, \
		mean using 1:($2 - ci[$1]):(0):(2 * ci[$1]) with vectors heads size screen 0.004, 90 lc rgb '#222222' lw 2, \
		mean using 1:(mean[$1] + ci[$1]):(sprintf('%.5g', $2)) with labels offset 0, 0.7 noenhanced
}
unset multiplot
