# A sweep along one axis: time and energy, mean and 95 % interval, a line for each value of the other
# axes. Reads series, x, x_label, elapsed_s, elapsed_lo, elapsed_hi, energy_j, energy_lo, energy_hi;
# given x_name, numeric, series_axes, series_count and series_name[].
figure_width = 1200
figure_height = 560
load style

# Rows of other series in between do not break a line.
set datafile missing NaN
set multiplot layout 1, 2 title 'Sweep: mean and 95 % interval' font ',16'
set xlabel x_name noenhanced
set offsets graph 0.04, graph 0.04, graph 0.08, graph 0.04
if (series_count > 1) {
	set key outside bottom center horizontal noenhanced title series_axes noenhanced
} else {
	unset key
}
if (!numeric) {
	set xtics rotate by 25 right noenhanced
	set xtics ('' 0)
	stats input using (last = column('x')) nooutput
	add(x, l) = (sprintf('%s%s"%s" %g', tics, strlen(tics) ? ', ' : '', l, x))
	tics = ''
	stats input using (tics = add(column('x'), stringcolumn('x_label')), column('x')) nooutput
	eval sprintf('set xtics (%s)', tics)
}
array heading[2] = ['elapsed time', 'package energy' . assumed]
array unit[2] = ['s', 'J']
array value[2] = ['elapsed_s', 'energy_j']
array low[2] = ['elapsed_lo', 'energy_lo']
array high[2] = ['elapsed_hi', 'energy_hi']
# Between names there is nothing that a line could say.
lines = numeric ? "for [s = 1:series_count] input using (column('series') == s ? column('x') : NaN):(column(value[m])) with lines lt s notitle, " : ''
bars = "for [s = 1:series_count] input using (column('series') == s ? column('x') : NaN):(column(value[m])):(column(low[m])):(column(high[m])) with yerrorbars lt s title series_name[s]"
do for [m = 1:2] {
	set title heading[m]
	set ylabel unit[m]
	eval 'plot ' . lines . bars
}
unset multiplot
