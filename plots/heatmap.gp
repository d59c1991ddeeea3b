# A sweep over two axes: elapsed time and energy as colours, with the mean written in each field when
# there is room. Reads x, y, x_lo, x_hi, y_lo, y_hi, elapsed_s, energy_j; given x_name, y_name, fields.
figure_width = 1300
figure_height = 560
load style

# Even in brightness and safe for colour-blind eyes, dark to light.
set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')
set multiplot layout 1, 2 title 'Sweep over two axes: mean' font ',16'
set xlabel x_name noenhanced
set ylabel y_name noenhanced
unset key
unset grid
set style fill solid 1 noborder
set autoscale fix
array heading[2] = ['elapsed time (s)', 'package energy (J)' . assumed]
array value[2] = ['elapsed_s', 'energy_j']
number(v) = v >= 1000 ? sprintf('%.0f', v) : sprintf('%.4g', v)
do for [m = 1:2] {
	set title heading[m]
	stats input using (column(value[m])) name 'V' nooutput
	middle = (V_min + V_max) / 2
	set cbrange [V_min:V_max > V_min ? V_max : V_min + 1]
	plot input using (column('x')):(column('y')):(column('x_lo')):(column('x_hi')):(column('y_lo')):(column('y_hi')):(column(value[m])) \
			with boxxyerror fc palette, \
		input using (column('x')):(column('y')):(fields <= 120 ? number(column(value[m])) : ''):(column(value[m]) > middle ? 0x000000 : 0xffffff) \
			with labels tc rgb variable font ',9'
}
unset multiplot
