# An experiment against its published numbers: elapsed time over the number of jobs, a line per
# variant, points where something was published; a panel per part of the experiment. Reads figure.csv:
# panel, variant, axis, metric, published, simulated.
figure_width = 1200
figure_height = 560
load style

metric = 'elapsed_s'
# Rows of other lines in between do not break a line.
set datafile missing NaN

# Panels and variants in the order in which they appear.
panels = ''
variants = ''
pairs = ''
seen(list, name) = strstrt(' ' . list . ' ', ' ' . name . ' ') > 0
note(p, v, m) = m eq metric ? \
	(panels = seen(panels, p) ? panels : (panels eq '' ? p : panels . ' ' . p), \
	pairs = seen(pairs, p . '/' . v) ? pairs : pairs . ' ' . p . '/' . v, \
	variants = seen(variants, v) ? variants : (variants eq '' ? v : variants . ' ' . v), 1) : 1
stats input using (note(stringcolumn('panel'), stringcolumn('variant'), stringcolumn('metric'))) nooutput

set multiplot layout 1, words(panels) title 'Published (points) and simulated (lines) elapsed time' font ',16'
set logscale x 2
set logscale y 2
set xlabel 'make jobs'
set format y '%g'
set ytics (8, 16, 32, 64, 128, 256, 512)
set xtics (2, 4, 8, 16, 32, 64, 120)
set xrange [1.7:145]
set yrange [10:400]
mine(p, v) = stringcolumn('panel') eq p && stringcolumn('variant') eq v && \
	stringcolumn('metric') eq metric
do for [k = 1:words(panels)] {
	p = word(panels, k)
	set title p noenhanced
	if (k == 1) {
		set ylabel 'elapsed time (s)'
	} else {
		unset ylabel
	}
	# A variant keeps its colour in panels that lack another.
	here = ''
	do for [i = 1:words(variants)] {
		here = seen(pairs, p . '/' . word(variants, i)) ? here . ' ' . i : here
	}
	plot for [i in here] input \
			using (mine(p, word(variants, int(i))) ? column('axis') : NaN):(column('simulated')) \
			with lines lt int(i) title word(variants, int(i)) noenhanced, \
		for [i in here] input \
			using (mine(p, word(variants, int(i))) ? column('axis') : NaN):(column('published')) \
			with points lt int(i) ps 1.3 notitle
}
unset multiplot
