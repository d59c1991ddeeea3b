#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/experiment/expr.h"

static struct arena arena;
static struct expr expr;
static struct error err;
static const struct where at = { .file = "x.yaml", .line = 3, .col = 7 };

static int parse(const char *text)
{
	err = (struct error){ .code = ERROR_NONE };
	if (arena_try(&arena))
		abort();
	return expr_parse(&arena, text, at, &expr, &err);
}

/* A name is worth 10 times its letters plus its index; "gone" has no value. */
static int value_of(void *arg, const struct expr *e, size_t name, double index, double *value)
{
	(void)arg;
	*value = 10 * (double)strlen(e->names[name].name) + (isnan(index) ? 0 : index);
	return strcmp(e->names[name].name, "gone") == 0 ? -1 : 0;
}

static double value(const char *text)
{
	const struct expr_values values = { value_of, NULL };
	double result = 0;

	cr_assert(eq(int, parse(text), 0), "%s", err.text);
	cr_assert(eq(int, expr_value(&expr, &values, &result), 0));
	arena_free(&arena);
	return result;
}

Test(expr, products_bind_stronger_than_sums)
{
	cr_assert(eq(dbl, value("7 - 3 * 2 - 1"), 0));
	cr_assert(eq(dbl, value("(7 - 3) * 2 / 16"), 0.5));
	cr_assert(eq(dbl, value("-2 * -(3 + 1)"), 8));
}

Test(expr, functions_take_one_or_two_arguments)
{
	cr_assert(eq(dbl, value("sqrt(abs(-49)) + floor(2.75)"), 9));
	cr_assert(eq(dbl, value("min(4, 3) + max(4, 3)"), 7));
}

Test(expr, a_name_may_have_an_index_and_a_variant)
{
	cr_assert(eq(dbl, value("100 * (ab / abcd@12x.v-2 - 1)"), -50));
	cr_assert(eq(dbl, value("abc[2 * 3] - abc[1]"), 5));
	cr_assert(eq(int, parse("abcd[3]@old"), 0));
	cr_assert(eq(str, (char *)expr.names[0].of, "old"));
	cr_assert(expr.names[0].indexed);
	arena_free(&arena);
}

Test(expr, a_name_without_a_value_is_said)
{
	const struct expr_values values = { value_of, NULL };
	double result;

	cr_assert(eq(int, parse("1 + gone"), 0));
	cr_assert(eq(int, expr_value(&expr, &values, &result), -1));
	arena_free(&arena);
}

static void assert_refused(const char *text, const char *message)
{
	cr_assert(eq(int, parse(text), -1), "%s", text);
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(strncmp(err.text, "x.yaml:3:7: ", 12) == 0, "%s", err.text);
	cr_assert(strstr(err.text, message) != NULL, "%s", err.text);
	arena_free(&arena);
}

Test(expr, mistakes_say_what_was_expected)
{
	assert_refused("1 +", "found \"the end\"; expected a number, a name or \"(\"");
	assert_refused("(1", "expected \")\"");
	assert_refused("a[1", "expected \"]\"");
	assert_refused("1 2", "expected an operator");
	assert_refused("min(1)", "expected a comma");
	assert_refused("a@", "expected the name of a variant");
	assert_refused("sin(1)", "unknown function \"sin\"");
}

Test(expr, what_is_too_long_or_too_deep_is_refused)
{
	char text[2048] = "";

	for (int i = 0; i < 40; i++)
		strcat(text, "(");
	assert_refused(text, "more than 32 levels");
	text[0] = '\0';
	for (int i = 0; i < 40; i++)
		strcat(text, "a + ");
	strcat(text, "a");
	assert_refused(text, "more than 32 names");
	text[0] = '\0';
	for (int i = 0; i < 200; i++)
		strcat(text, "1 + ");
	strcat(text, "1");
	assert_refused(text, "more than 256 operations");
}
