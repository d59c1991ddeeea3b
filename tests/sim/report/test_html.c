#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/html.h"

static char *text;
static size_t size;

static FILE *start(void)
{
	return open_memstream(&text, &size);
}

static void expect(FILE *out, const char *wanted)
{
	fclose(out);
	cr_assert(eq(str, text, (char *)wanted));
	free(text);
}

Test(html, text_cannot_become_markup)
{
	FILE *out = start();

	html_text(out, "a<b> & \"c\"");
	expect(out, "a&lt;b&gt; &amp; &quot;c&quot;");
}

Test(html, a_cell_with_a_number_sorts_by_its_value)
{
	FILE *out = start();

	html_cell(out, "43.815");
	html_cell(out, "10ms");
	html_cell(out, "");
	expect(out, "<td class=\"n\" data-v=\"43.815\">43.815</td><td>10ms</td><td></td>");
}

Test(html, an_interval_stands_behind_its_value)
{
	FILE *out = start();

	html_interval(out, 43.8151, 41.5, 46.25);
	html_interval(out, 43.8151, NAN, NAN);
	html_number(out, NAN);
	expect(out,
		"<td class=\"n\" data-v=\"43.8151\">43.815 <span class=\"ci\">[41.5, "
		"46.25]</span></td><td class=\"n\" data-v=\"43.8151\">43.815</td><td></td>");
}

Test(html, a_mark_is_optional)
{
	FILE *out = start();

	html_mark(out, "assumed");
	html_mark(out, NULL);
	expect(out, "<td><span class=\"mark\">assumed</span></td><td></td>");
}

Test(html, a_series_keeps_its_title_but_not_the_command_that_drew_it)
{
	FILE *out = start();

	html_figure(out, "f1", "",
		"<svg><title>Gnuplot</title><title>10 ms</title><title>gnuplot_plot_2a</title>"
		"<title>input using (1)</title></svg>");
	expect(out,
		"<figure id=\"f1\">\n<svg><title>10 ms</title></svg><figcaption></figcaption>\n"
		"</figure>\n");
}

Test(html, names_in_a_picture_become_its_own)
{
	FILE *out = start();

	html_figure(out, "f1", "A & B",
		"<?xml?>\n<svg width=\"3\"><title>Gnuplot</title><path id='p'/><g id=\"q\"/>"
		"<use xlink:href='#p'/><a fill=\"url(#q)\"/></svg>");
	expect(out,
		"<figure id=\"f1\">\n<svg width=\"3\"><path id='f1-p'/><g id=\"f1-q\"/>"
		"<use xlink:href='#f1-p'/><a fill=\"url(#f1-q)\"/></svg>"
		"<figcaption>A &amp; B</figcaption>\n</figure>\n");
}
