/*
 * Pieces of a page of results: text, tables that sort themselves, pictures. Knows HTML, not what is
 * shown. A page is one file that asks nobody for anything, and says so to the browser.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Head and title; @style and @script are the texts of both. */
void html_start(FILE *out, const char *title, const char *style, const char *script);
void html_end(FILE *out);

/* Text with < > & and quotes as HTML has them. */
void html_text(FILE *out, const char *text);
/* <h2>. */
void html_heading(FILE *out, const char *text);

/* A table whose columns sort when their heads are clicked. @id must be unique in the page. */
void html_table_start(FILE *out, const char *id, const char *const *heads, size_t nr);
void html_table_end(FILE *out);
void html_row_start(FILE *out);
void html_row_end(FILE *out);
/* Sorted by value when it is a number, else as text. */
void html_cell(FILE *out, const char *text);
/* A number, five significant digits; NaN is an empty cell. */
void html_number(FILE *out, double value);
/* "0.9731 [0.9650, 0.9812]" or, without an interval, the value; sorted by the value. */
void html_interval(FILE *out, double value, double lo, double hi);
/* A mark such as "assumed" in a cell of its own; nothing in it when @mark is NULL. */
void html_mark(FILE *out, const char *mark);

/* A figure: the SVG's names are made its own, so that several can stand in one page. */
void html_figure(FILE *out, const char *name, const char *caption, const char *svg);
