# Package power over time, one line per repeat. Reads series-power.csv: repeat, t_s, power_w.
figure_width = 1100
figure_height = 520
load style

stats input using 'repeat' name 'R' nooutput
stats input using 't_s' name 'T' nooutput
stats input using 'power_w' name 'P' nooutput
first = int(R_min)
last = int(R_max)
shown = (last - first + 1 > 7) ? first + 6 : last

set title 'Package power' . assumed . (shown < last ? sprintf(' (repeats %d to %d of %d)', first, shown, last) : '')
set xlabel 'time (s)'
set ylabel 'power, all packages (W)'
set xrange [0:T_max]
set yrange [0:P_max > 0 ? P_max * 1.15 : 1]
if (first == last) unset key
set key outside right top

plot for [r = first:shown] input \
	using (column('repeat') == r ? column('t_s') : NaN):(column('power_w')) \
	with steps lt (r - first + 1) lw 1.5 title sprintf('repeat %d', r)
