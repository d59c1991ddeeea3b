#include "sim/experiment/setting.h"

#include <string.h>

static size_t name_length(const char *text)
{
	static const char digits[] = "0123456789";
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return strspn(text, digits) ? 0 : strspn(text, all);
}

bool setting_is_name(const char *name)
{
	return *name && name_length(name) == strlen(name);
}

const char *setting_find(
	const struct experiment *experiment, const char *text, size_t *index, size_t *length)
{
	for (; (text = strchr(text, '$')); text++) {
		*length = name_length(text + 1);
		if (*length)
			break;
	}
	for (*index = 0; text && *index < experiment->nr_parameters; ++*index) {
		const char *name = experiment->parameters[*index].name;

		if (name && strncmp(name, text + 1, *length) == 0 && name[*length] == '\0')
			break;
	}
	return text;
}

static const char *expand(struct arena *arena, const struct experiment *e, const char *text,
	const char *const *values)
{
	const char *result = "", *name;
	size_t index, length;

	while ((name = setting_find(e, text, &index, &length))) {
		result = arena_printf(arena, "%s%.*s%s", result, (int)(name - text), text,
			index < e->nr_parameters ? values[index] : "$");
		text = name + 1 + (index < e->nr_parameters ? length : 0);
	}
	return arena_printf(arena, "%s%s", result, text);
}

const char *const *setting_list(struct arena *arena, const struct experiment *experiment,
	const struct cell *cell, const char *const *values, size_t *nr)
{
	const char **list;

	*nr = cell->nr_parameters + cell->nr_set;
	list = arena_array(arena, *nr + 1, sizeof(*list));
	for (size_t i = 0; i < cell->nr_parameters; i++) {
		size_t index = cell->parameters[i];

		list[i] = arena_printf(arena, "%s=%s", experiment->parameters[index].path,
			expand(arena, experiment, values[index], values));
	}
	for (size_t i = 0; i < cell->nr_set; i++)
		list[cell->nr_parameters + i] = expand(arena, experiment, cell->set[i], values);
	return list;
}
