# One policy over time: clock and decisions, load, power. Reads kind, t_s, value, load_pct, outcome,
# rule (sim/timeline.h); given window_from, window_to, decisions, what, assumed.
figure_width = 1200
figure_height = 900
load style

# What became of the requests, in the order in which colours are given; shown where there are any.
array outcome[6] = ['applied', 'no change', 'handed to a kernel worker', 'nothing asked for', \
	'ignored by the driver', 'failed']
array colour[6] = [2, 3, 4, 5, 6, 7]
array seen[6] = [0, 0, 0, 0, 0, 0]
loads = 0
note(o, l) = (sum [i = 1:6] (o eq outcome[i] ? (seen[i] = seen[i] + 1) : 0), loads = loads + (l >= 0))
if (decisions > 0) {
	stats input using (stringcolumn('kind') eq 'decision' ? \
		note(stringcolumn('outcome'), strlen(stringcolumn('load_pct')) ? 0 : -1) : NaN) nooutput
}
# Rows of other kinds in between do not break a line.
set datafile missing NaN
is(k) = stringcolumn('kind') eq k
set multiplot layout 3, 1 title what font ',16' noenhanced
set lmargin 9
set rmargin 30
set xrange [window_from:window_to]
set key outside right top vertical noenhanced width -4
set format x ''
set ylabel 'frequency (GHz)'
clocks = "input using (is('clock') ? column('t_s') : NaN):(column('value')) with steps lc rgb '#999999' lw 3 title 'real clock', " . \
	"input using (is('cur') ? column('t_s') : NaN):(column('value')) with steps lt 1 lw 1 title 'as the kernel has it'"
marks = ''
one = ", input using (is('decision') && stringcolumn('outcome') eq outcome[%d] ? column('t_s') : NaN):(column('value')) with points lt %d ps 0.5 title 'decision: ' . outcome[%d]"
do for [i = 1:6] {
	marks = seen[i] > 0 ? marks . sprintf(one, i, colour[i], i) : marks
}
stats input using (is('busy') || is('power') ? NaN : column('value')) name 'F' nooutput
set yrange [F_min - 0.1 * F_max:F_max * 1.05]
eval 'plot ' . clocks . marks
set yrange [0:105]
set ylabel 'load (%)'
if (loads > 0) {
	plot input using (is('busy') ? column('t_s') : NaN):(column('value')) with steps lt 6 title 'busy', \
		input using (is('decision') && strlen(stringcolumn('load_pct')) ? column('t_s') : NaN):(column('load_pct')) \
			with points lt 2 ps 0.4 title 'as the governor saw it'
} else {
	plot input using (is('busy') ? column('t_s') : NaN):(column('value')) with steps lt 6 title 'busy'
}
set yrange [0:*]
set format x '%g'
set xlabel 'time (s)'
set ylabel 'power (W)' . assumed
plot input using (is('power') ? column('t_s') : NaN):(column('value')) with steps lt 4 title 'all packages'
unset multiplot
