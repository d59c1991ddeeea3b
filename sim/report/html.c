#include "sim/report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The browser itself refuses whatever is not in the page. */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; "
			     "script-src 'unsafe-inline'; img-src data:";

void html_text(FILE *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		switch (*p) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*p, out);
		}
	}
}

void html_start(FILE *out, const char *title, const char *style, const char *script)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>",
		policy);
	html_text(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n<script>\n%s</script>\n</head>\n<body>\n<h1>",
		style, script);
	html_text(out, title);
	fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
	fputs("</body>\n</html>\n", out);
}

void html_heading(FILE *out, const char *text)
{
	fputs("<h2>", out);
	html_text(out, text);
	fputs("</h2>\n", out);
}

void html_table_start(FILE *out, const char *id, const char *const *heads, size_t nr)
{
	fprintf(out, "<div class=\"wide\"><table id=\"%s\" class=\"sorts\">\n<thead><tr>", id);
	for (size_t i = 0; i < nr; i++) {
		fputs("<th><button type=\"button\">", out);
		html_text(out, heads[i]);
		fputs("</button></th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
	fputs("</tbody>\n</table></div>\n", out);
}

void html_row_start(FILE *out)
{
	fputs("<tr>", out);
}

void html_row_end(FILE *out)
{
	fputs("</tr>\n", out);
}

void html_cell(FILE *out, const char *text)
{
	char *end;

	strtod(text, &end);
	if (*text && !*end)
		fprintf(out, "<td class=\"n\" data-v=\"%s\">", text);
	else
		fputs("<td>", out);
	html_text(out, text);
	fputs("</td>", out);
}

void html_number(FILE *out, double value)
{
	html_interval(out, value, (double)NAN, (double)NAN);
}

void html_interval(FILE *out, double value, double lo, double hi)
{
	if (isnan(value)) {
		fputs("<td></td>", out);
		return;
	}
	fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%.5g", value, value);
	if (!isnan(lo) && !isnan(hi))
		fprintf(out, " <span class=\"ci\">[%.5g, %.5g]</span>", lo, hi);
	fputs("</td>", out);
}

void html_mark(FILE *out, const char *mark)
{
	fputs("<td>", out);
	if (mark) {
		fputs("<span class=\"mark\">", out);
		html_text(out, mark);
		fputs("</span>", out);
	}
	fputs("</td>", out);
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The length of a series' title that is not one but the command that drew it: it would show
 * wherever the pointer is. */
static size_t useless_title(const char *svg)
{
	static const char start[] = "<title>", end[] = "</title>";
	const char *text = svg + sizeof(start) - 1, *behind;

	if (!starts(svg, start) || !(behind = strstr(text, end)))
		return 0;
	for (const char *p = text; p < behind; p++)
		if (starts(p, " using ") || (p == text && starts(p, "gnuplot_plot_")))
			return (size_t)(behind - svg) + sizeof(end) - 1;
	return 0;
}

/* gnuplot gives every picture the same names: each gets the figure's before it. */
static void copy_svg(FILE *out, const char *name, const char *svg)
{
	static const char *const names[] = { " id='", " id=\"", "url(#", "href='#", "href=\"#" };
	const size_t nr = sizeof(names) / sizeof(names[0]);

	while (*svg) {
		size_t i = 0, title = useless_title(svg);

		if (title) {
			svg += title;
			continue;
		}
		while (i < nr && !starts(svg, names[i]))
			i++;
		if (i == nr) {
			fputc(*svg++, out);
			continue;
		}
		fprintf(out, "%s%s-", names[i], name);
		svg += strlen(names[i]);
	}
}

void html_figure(FILE *out, const char *name, const char *caption, const char *svg)
{
	/* gnuplot's title of the picture would show wherever the pointer is. */
	static const char title[] = "<title>Gnuplot</title>";
	const char *start = strstr(svg, "<svg"), *at = strstr(svg, title);

	fprintf(out, "<figure id=\"%s\">\n", name);
	if (start && at) {
		fwrite(start, 1, (size_t)(at - start), out);
		copy_svg(out, name, at + sizeof(title) - 1);
	}
	fputs("<figcaption>", out);
	html_text(out, caption);
	fputs("</figcaption>\n</figure>\n", out);
}
