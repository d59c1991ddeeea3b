#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/version.h"

static unsigned parsed(const char *text)
{
	unsigned version = 0;

	cr_assert(eq(int, kver_parse(text, &version, NULL), 0), "%s", text);
	return version;
}

Test(version, numbers_are_read_in_order_of_age)
{
	static const char *const texts[] = { "2.6.20", "2.6.39", "3.16", "4.5", "4.8", "4.15.18",
		"5.10.13", "5.11", "6.1", "6.1.192", "6.12.117" };

	for (size_t i = 1; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(lt(u32, parsed(texts[i - 1]), parsed(texts[i])));
	cr_assert(eq(u32, parsed("2.6.39"), KVER(2, 6, 39)));
}

Test(version, a_release_candidate_counts_as_its_release)
{
	cr_assert(eq(u32, parsed("4.8-rc5"), KVER(4, 8, 0)));
}

Test(version, a_stable_release_above_255_counts_as_255)
{
	cr_assert(eq(u32, parsed("5.10.262"), KVER(5, 10, 255)));
	cr_assert(lt(u32, parsed("5.10.262"), KVER(5, 11, 0)));
}

Test(version, a_variant_is_handed_out_as_suffix)
{
	unsigned version;
	const char *suffix;

	cr_assert(eq(int, kver_parse("6.1base", &version, &suffix), 0));
	cr_assert(eq(str, (char *)suffix, "base"));
	cr_assert(eq(u32, version, KVER(6, 1, 0)));
	cr_assert(eq(int, kver_parse("4.8-rc2", &version, &suffix), 0));
	cr_assert(eq(str, (char *)suffix, ""));
}

Test(version, anything_else_is_no_version)
{
	static const char *const texts[] = { "", "4", "4.", "v4.8", "4.8.", "4.8-", "4.8-rc",
		"4.8-rcx", "4.8 ", "4.8foo", "256.1", "4.256", "-4.8", "4,8", "4.8.10000" };
	unsigned version;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(eq(int, kver_parse(texts[i], &version, NULL), -1), "%s", texts[i]);
}
