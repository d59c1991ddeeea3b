#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/pstate_fixed.h"

Test(pstate_fixed, a_ratio_loses_what_is_below_8_bits)
{
	/* 10 / 43.815 is 58.4 of 256 */
	cr_assert(eq(i32, fp_div(10000000, 43815000), 58));
	/* the gain of 20 % is 51.2 of 256 */
	cr_assert(eq(i32, fp_div(fp_of(20), fp_of(100)), 51));
	cr_assert(eq(i32, fp_div(fp_of(34), fp_of(15)), 580));
}

Test(pstate_fixed, division_truncates_toward_zero_and_multiplication_rounds_down)
{
	cr_assert(eq(i32, fp_div(-1000, 3000), -85));
	cr_assert(eq(i32, fp_mul(-51, 30113), -6000));
	cr_assert(eq(i32, fp_floor(-1), -1));
}

Test(pstate_fixed, the_extended_format_keeps_14_bits)
{
	cr_assert(eq(u64, ext_div(3310136, 3277362), 16547));
	cr_assert(eq(u64, ext_mul(100, 16547), 100));
}

Test(pstate_fixed, results_wrap_at_32_bits)
{
	cr_assert(eq(i32, fp_mul(INT32_MAX, INT32_MAX), (int32_t)0xff000000));
	cr_assert(eq(i32, s32_add(INT32_MAX, 7), INT32_MIN + 6));
	cr_assert(eq(i32, s32_sub(INT32_MIN, 5), INT32_MAX - 4));
}
