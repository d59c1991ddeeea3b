#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/experiment/tolerance.h"

static struct tolerance tolerance;

static bool holds(const char *text, double published, double simulated)
{
	cr_assert(eq(int, tolerance_parse(text, &tolerance), 0), "%s", text);
	return tolerance_holds(&tolerance, published, simulated);
}

Test(tolerance, each_kind_has_its_bounds)
{
	cr_assert(holds("4%", 250, 259.9));
	cr_assert(not(holds("4%", 250, 260.1)));
	cr_assert(holds("+-13", 41, 28));
	cr_assert(not(holds("+-13", 41, 54.5)));
	cr_assert(holds("factor 2", 0.2, 0.11));
	cr_assert(not(holds("factor 2", 0.2, 0.41)));
	cr_assert(holds("20..25", 22.7, 20));
	cr_assert(not(holds("20..25", 22.7, 25.1)));
	cr_assert(holds("exact", 1885000, 1885000));
	cr_assert(not(holds("exact", 1885000, 1884999)));
}

Test(tolerance, errors_count_in_widths)
{
	static const struct {
		const char *text;
		double published, simulated, units;
	} rows[] = {
		{ "4%", 250, 255, 0.5 },
		{ "+-13", 41, 15, -2 },
		{ "20..25", 22.5, 25, 1 },
		{ "factor 2", 0.25, 1, 2 },
		{ "exact", 50, 51, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(eq(int, tolerance_parse(rows[i].text, &tolerance), 0));
		cr_assert(epsilon_eq(dbl,
			tolerance_units(&tolerance, rows[i].published, rows[i].simulated),
			rows[i].units, 1e-12));
	}
}

Test(tolerance, what_is_printed_is_read_back)
{
	static const char *const texts[] = { "4%", "+-3.3", "factor 2", "20..25", "exact" };
	char buf[32];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_assert(eq(int, tolerance_parse(texts[i], &tolerance), 0));
		tolerance_print(&tolerance, buf, sizeof(buf));
		cr_assert(eq(str, buf, (char *)texts[i]));
	}
}

Test(tolerance, other_texts_are_none)
{
	static const char *const texts[] = { "", "4", "-4%", "factor 0.5", "25..20", "+-", "..3",
		"exactly", "4%%" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(lt(int, tolerance_parse(texts[i], &tolerance), 0), "%s", texts[i]);
}

Test(tolerance, a_table_of_targets_has_kind_and_value_apart)
{
	cr_assert(eq(int, tolerance_from_target("range", "20-25", &tolerance), 0));
	cr_assert(eq(dbl, tolerance.high, 25));
	cr_assert(eq(int, tolerance_from_target("relative_percent", "0.5", &tolerance), 0));
	cr_assert(eq(int, (int)tolerance.kind, TOLERANCE_PERCENT));
	cr_assert(lt(int, tolerance_from_target("about", "3", &tolerance), 0));
	cr_assert(lt(int, tolerance_from_target("factor", "two", &tolerance), 0));
}
