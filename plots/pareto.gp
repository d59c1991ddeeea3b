# Time against energy, a mark per point of a sweep; the line joins those that no other point beats in
# both. Reads series, elapsed_s, elapsed_lo, elapsed_hi, energy_j, energy_lo, energy_hi, front; given
# series_axes, series_count and series_name[].
figure_width = 1000
figure_height = 640
load style

# Points off the front do not break its line.
set datafile missing NaN
set title 'Time against energy: 95 % intervals, and the front' . assumed
set xlabel 'elapsed time (s)'
set ylabel 'package energy (J)'
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
set key outside right top vertical noenhanced title series_axes noenhanced
plot input using (column('front') == 1 ? column('elapsed_s') : NaN):(column('energy_j')) smooth unique \
		with linespoints lc rgb '#999999' lw 3 pt 6 ps 1.6 title 'front', \
	for [s = 1:series_count] input \
		using (column('series') == s ? column('elapsed_s') : NaN):(column('energy_j')):(column('elapsed_lo')):(column('elapsed_hi')):(column('energy_lo')):(column('energy_hi')) \
		with xyerrorbars lt s title series_name[s]
