#include "sim/report/provenance.h"

#include <string.h>

#include "sim/report/html.h"

static const struct node *assumed_of(const struct provenance *provenance)
{
	const struct node *machine = node_get(provenance->root, "machine");

	return machine && machine->type == NODE_MAP ? node_get(machine, "assumed") : NULL;
}

static bool is_part(const char *path, const char *part, size_t length)
{
	return strncmp(path, part, length) == 0 && (path[length] == '.' || !path[length]);
}

/* An entry is a section, or a section and a key at any depth of it. */
static bool covers(const char *entry, const char *path)
{
	size_t section = strcspn(entry, ".");
	const char *key = entry + section + (entry[section] == '.');

	if (!is_part(path, entry, section))
		return false;
	if (!*key)
		return true;
	for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.'))
		if (is_part(dot + 1, key, strlen(key)))
			return true;
	return false;
}

bool provenance_assumed(const struct provenance *provenance, const char *path)
{
	const struct node *assumed = assumed_of(provenance);

	if (!assumed || is_part(path, "assumed", 7) || is_part(path, "name", 4) ||
		is_part(path, "summary", 7))
		return false;
	if (assumed->type == NODE_SCALAR)
		return true;
	for (const struct node *entry = assumed->first; entry; entry = entry->next)
		if (covers(node_describe(entry), path))
			return true;
	return false;
}

static const char *mark_of(const struct provenance *provenance, const char *path)
{
	static const char machine[] = "machine.";
	size_t length = sizeof(machine) - 1;

	for (size_t i = 0; i < provenance->nr_axes; i++)
		if (is_part(path, provenance->axes[i], strlen(provenance->axes[i])))
			return "varied";
	if (strncmp(path, machine, length) == 0 && provenance_assumed(provenance, path + length))
		return "assumed";
	return NULL;
}

static void write_value(
	FILE *out, const struct provenance *provenance, const char *path, const char *value)
{
	html_row_start(out);
	html_cell(out, path);
	html_cell(out, value);
	html_mark(out, mark_of(provenance, path));
	html_row_end(out);
}

/* A list of plain values is one value. */
static const char *join(struct arena *arena, const struct node *list)
{
	const char *text = "";

	for (const struct node *child = list->first; child; child = child->next)
		text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "", child->text);
	return text;
}

static bool is_plain_list(const struct node *node)
{
	if (node->type != NODE_SEQ)
		return false;
	for (const struct node *child = node->first; child; child = child->next)
		if (child->type != NODE_SCALAR)
			return false;
	return true;
}

static void write_node(
	FILE *out, const struct provenance *provenance, const char *path, const struct node *node)
{
	struct arena *arena = provenance->arena;
	size_t i = 0;

	if (node->type == NODE_SCALAR) {
		write_value(out, provenance, path, node->text);
		return;
	}
	if (is_plain_list(node)) {
		write_value(out, provenance, path, join(arena, node));
		return;
	}
	for (const struct node *child = node->first; child; child = child->next, i++) {
		const char *part = child->key ? child->key : arena_printf(arena, "%zu", i);

		write_node(out, provenance, *path ? arena_printf(arena, "%s.%s", path, part) : part,
			child);
	}
}

void provenance_write_values(FILE *out, const struct provenance *provenance)
{
	static const char *const heads[] = { "value of", "value", "mark" };

	html_table_start(out, "values", heads, sizeof(heads) / sizeof(heads[0]));
	write_node(out, provenance, "", provenance->root);
	html_table_end(out);
}

void provenance_write_kernel(FILE *out, const struct provenance *provenance)
{
	static const char *const bases[] = { ": an extrapolation; ", ": only described; " };
	const char *line = provenance->text;
	bool any = false;

	for (; *line == '#'; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *text = arena_printf(
			provenance->arena, "%.*s", (int)strcspn(line, "\n"), line);

		if (!strstr(text, bases[0]) && !strstr(text, bases[1]))
			continue;
		fputs(any ? "<li>" : "<ul class=\"kernel\">\n<li>", out);
		html_text(out, text + 1 + strspn(text + 1, " "));
		fputs("</li>\n", out);
		any = true;
	}
	if (any)
		fputs("</ul>\n", out);
}
