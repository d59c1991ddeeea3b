#include "sim/report/figure_text.h"

#include <stdlib.h>

static int out_of_memory(struct error *err)
{
	return error_set(err, ERROR_RUN, "out of memory for a figure");
}

int figure_text_start(struct figure_text *text, struct error *err)
{
	*text = (struct figure_text){ .size = 0 };
	text->out = open_memstream(&text->text, &text->size);
	return text->out ? 0 : out_of_memory(err);
}

const char *figure_text_end(struct figure_text *text, struct arena *arena, struct error *err)
{
	const char *copy = NULL;

	if (fclose(text->out) == 0)
		copy = arena_strdup(arena, text->text);
	else
		out_of_memory(err);
	free(text->text);
	return copy;
}
