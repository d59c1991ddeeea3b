#include "sim/base/error.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

Test(error, a_place_comes_first)
{
	struct error err = { 0 };
	struct where at = { .file = "a/b.yaml", .line = 17, .col = 5 };

	cr_assert(eq(int, error_at(&err, ERROR_SCENARIO, at, "hz: %d", 417), -1));
	cr_assert(eq(str, err.text, "a/b.yaml:17:5: hz: 417"));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
}

Test(error, a_whole_file_has_no_line)
{
	struct error err = { 0 };

	error_at(&err, ERROR_TRACE, (struct where){ .file = "t.dat" }, "cut short");
	cr_assert(eq(str, err.text, "t.dat: cut short"));
	cr_assert(eq(int, err.code, ERROR_TRACE));
}

Test(error, no_file_is_the_command_line)
{
	struct error err = { 0 };

	error_at(&err, ERROR_USAGE, (struct where){ 0 }, "bad");
	cr_assert(eq(str, err.text, "(command line): bad"));
}

Test(error, the_first_error_stays)
{
	struct error err = { 0 };

	error_set(&err, ERROR_RUN, "first %s", "one");
	error_set(&err, ERROR_USAGE, "second");
	cr_assert(eq(str, err.text, "first one"));
	cr_assert(eq(int, err.code, ERROR_RUN));
	cr_assert(eq(int, error_set(NULL, ERROR_RUN, "nobody listens"), -1));
}

Test(error, long_text_is_cut_not_overrun)
{
	struct error err = { 0 };
	char file[3000];

	memset(file, 'f', sizeof(file) - 1);
	file[sizeof(file) - 1] = '\0';
	error_at(&err, ERROR_RUN, (struct where){ .file = file, .line = 1, .col = 1 }, "%s", file);
	cr_assert(lt(sz, strlen(err.text), sizeof(err.text)));
	cr_assert(gt(sz, strlen(err.text), 900));
}

Test(error, a_message_is_one_line_whatever_it_quotes)
{
	struct error err = { 0 };

	error_set(&err, ERROR_SCENARIO, "unknown \"a\nb\033[31m\x7f\xc3\xa4\"");
	cr_assert(eq(str, err.text, "unknown \"a?b?[31m?\xc3\xa4\""));
}
