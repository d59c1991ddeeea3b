#include "sim/report/clock_bands.h"

#include <string.h>

void clock_bands_add(struct clock_bands *bands, int64_t khz)
{
	size_t i = 0;

	if (khz == 0)
		return;
	if (bands->low_khz == 0 || khz < bands->low_khz)
		bands->low_khz = khz;
	if (khz > bands->high_khz)
		bands->high_khz = khz;
	if (bands->many)
		return;
	while (i < bands->nr && bands->clocks_khz[i] < khz)
		i++;
	if (i < bands->nr && bands->clocks_khz[i] == khz)
		return;
	if (bands->nr == CLOCK_BANDS) {
		bands->many = true;
		return;
	}
	memmove(&bands->clocks_khz[i + 1], &bands->clocks_khz[i],
		(bands->nr - i) * sizeof(bands->clocks_khz[0]));
	bands->clocks_khz[i] = khz;
	bands->nr++;
}

size_t clock_bands_of(const struct clock_bands *bands, int64_t khz)
{
	size_t i = 0;

	if (bands->many)
		return (size_t)((khz - bands->low_khz) * CLOCK_BANDS /
			(bands->high_khz - bands->low_khz + 1));
	while (bands->clocks_khz[i] < khz)
		i++;
	return i;
}

const char *clock_bands_name(const struct clock_bands *bands, struct arena *arena, size_t band)
{
	double low = (double)bands->low_khz / 1e6;
	double width = (double)(bands->high_khz - bands->low_khz) / 1e6 / CLOCK_BANDS;
	double from = low + width * (double)band;

	if (bands->many)
		return arena_printf(arena, "%.3g to %.3g GHz", from, from + width);
	return arena_printf(arena, "%.4g GHz", (double)bands->clocks_khz[band] / 1e6);
}
