# What periods the power has: frequency times one-sided density, so that equal areas on the
# logarithmic axis are equal shares of the variance, and the density. Reads power-spectrum.csv:
# f_hz, psd_w2_per_hz, f_psd_w2; given assumed.
figure_width = 1000
figure_height = 760
load style

set multiplot layout 2, 1 title 'Spectrum of package power, Hann window, mean removed' . assumed font ',16'
set logscale x
set xlabel 'frequency (Hz)'
set format x '%g'
unset key
set ylabel 'f S(f) (W^2)'
set yrange [0:*]
plot input using (column('f_hz')):(column('f_psd_w2')) with lines lt 1
set ylabel 'S(f) (W^2/Hz)'
set logscale y
set format y '10^{%L}'
set yrange [*:*]
plot input using (column('f_hz')):(column('psd_w2_per_hz') > 0 ? column('psd_w2_per_hz') : NaN) with lines lt 2
unset multiplot
