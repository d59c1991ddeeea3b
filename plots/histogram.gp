# How often each power was read, all repeats together. Reads power-histogram.csv: from_w, to_w,
# readings, share_pct; given assumed.
figure_width = 1000
figure_height = 520
load style

stats input using 'readings' name 'N' nooutput
set title sprintf('Package power by the energy counters: %d readings', N_sum) . assumed
set xlabel 'power, all packages (W)'
set ylabel 'readings (%)'
set yrange [0:*]
set style fill solid 0.85 noborder
unset key
# A box from border to border: bins touch.
plot input using ((column('from_w') + column('to_w')) / 2):(column('share_pct')):(0.96 * (column('to_w') - column('from_w'))) \
	with boxes lt 1
