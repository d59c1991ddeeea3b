#include "sim/scenario/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#define MAX_BYTES ((size_t)4 * 1024 * 1024)
#define MAX_DEPTH 32
/* Far more than any configuration; keeps a hostile file from taking memory, and the search for
 * duplicate keys from taking time. */
#define MAX_NODES 10000

/* One text on its way into a tree. The stack holds the open mappings and lists. */
struct reader {
	struct arena *arena;
	const char *name;          /* of the text, for messages */
	const struct where *fixed; /* the place of every node, when not its own */
	const char *text;
	size_t size;
	yaml_parser_t parser;
	yaml_event_t event;
	struct node *open[MAX_DEPTH];
	struct node *last[MAX_DEPTH]; /* child of each */
	int depth;
	size_t nr_nodes;
	struct node *root;
	const char *key; /* read, its value is awaited */
	struct where key_at;
	struct error *err;
};

static struct where place(const struct reader *reader, const yaml_mark_t *mark)
{
	if (reader->fixed)
		return *reader->fixed;
	return (struct where){
		.file = reader->name, .line = (int)mark->line + 1, .col = (int)mark->column + 1
	};
}

static struct where place_of_offset(const struct reader *reader, size_t offset)
{
	yaml_mark_t mark = { 0 };

	for (size_t i = 0; i < offset && i < reader->size; i++) {
		unsigned char c = (unsigned char)reader->text[i];

		if (c == '\n') {
			mark.line++;
			mark.column = 0;
		} else if ((c & 0xc0) != 0x80) {
			mark.column++;
		}
	}
	return place(reader, &mark);
}

static int refuse(struct reader *reader, const char *what)
{
	return error_at(
		reader->err, ERROR_SCENARIO, place(reader, &reader->event.start_mark), "%s", what);
}

/* Length of the UTF-8 sequence at @p, 0 when there is none. Overlong forms and surrogates are left
 * to libyaml, which refuses them too. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	size_t len = *p < 0x80 ? 1
		: *p < 0xc2    ? 0
		: *p < 0xe0    ? 2
		: *p < 0xf0    ? 3
		: *p < 0xf5    ? 4
			       : 0;

	if (len > left)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

/* Says early and in one line that a file is no text at all. */
static int check_text(const struct reader *reader)
{
	const unsigned char *p = (const unsigned char *)reader->text;
	size_t len;

	for (size_t i = 0; i < reader->size; i += len) {
		len = utf8_length(p + i, reader->size - i);
		if (len && !is_control(p[i]))
			continue;
		return error_at(reader->err, ERROR_SCENARIO, place_of_offset(reader, i),
			"byte 0x%02x is not text; expected YAML in UTF-8", p[i]);
	}
	return 0;
}

static struct node *parent(const struct reader *reader)
{
	return reader->depth ? reader->open[reader->depth - 1] : NULL;
}

static bool awaits_key(const struct reader *reader)
{
	const struct node *map = parent(reader);

	return map && map->type == NODE_MAP && !reader->key;
}

static void node_append(struct node *list, struct node **last, struct node *child)
{
	if (*last)
		(*last)->next = child;
	else
		list->first = child;
	*last = child;
	list->nr++;
}

static struct node *add_node(struct reader *reader, enum node_type type)
{
	struct node *node = arena_alloc(reader->arena, sizeof(*node));

	node->type = type;
	node->at = place(reader, &reader->event.start_mark);
	node->key = reader->key;
	node->key_at = reader->key_at;
	reader->key = NULL;
	reader->key_at = (struct where){ 0 };
	if (parent(reader))
		node_append(parent(reader), &reader->last[reader->depth - 1], node);
	else
		reader->root = node;
	return node;
}

static int open_node(struct reader *reader, enum node_type type)
{
	if (awaits_key(reader))
		return refuse(reader, "a key is a map or a list; expected a plain word");
	if (reader->depth == MAX_DEPTH)
		return refuse(reader, "nested more than 32 levels deep");
	struct node *node = add_node(reader, type);
	reader->last[reader->depth] = NULL;
	reader->open[reader->depth++] = node;
	return 0;
}

static int read_key(struct reader *reader, const char *text)
{
	const struct node *same = node_get(parent(reader), text);

	if (same)
		return error_at(reader->err, ERROR_SCENARIO,
			place(reader, &reader->event.start_mark),
			"duplicate key \"%.60s\"; first seen in line %d", text, same->key_at.line);
	reader->key = arena_strdup(reader->arena, text);
	reader->key_at = place(reader, &reader->event.start_mark);
	return 0;
}

static int read_scalar(struct reader *reader)
{
	const unsigned char *text = reader->event.data.scalar.value;

	/* An escape in quotes can spell what the file itself must not hold. */
	for (size_t i = 0; i < reader->event.data.scalar.length; i++)
		if (is_control(text[i]))
			return refuse(reader, "the text holds a control character");
	if (awaits_key(reader))
		return read_key(reader, (const char *)text);
	add_node(reader, NODE_SCALAR)->text = arena_strdup(reader->arena, (const char *)text);
	return 0;
}

/* Anchors and tags make a file mean more than it shows. */
static int check_plain(struct reader *reader, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (++reader->nr_nodes > MAX_NODES)
		return refuse(reader, "more than 10000 keys and values");
	if (anchor)
		return refuse(reader, "anchors (&name) are not supported");
	if (tag)
		return refuse(reader, "tags (!name) are not supported");
	return 0;
}

static int read_event(struct reader *reader)
{
	const yaml_event_t *event = &reader->event;

	switch (event->type) {
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return 0;
	case YAML_DOCUMENT_START_EVENT:
		return reader->root ? refuse(reader, "more than one document (---)") : 0;
	case YAML_ALIAS_EVENT:
		return refuse(reader, "aliases (*name) are not supported");
	case YAML_SCALAR_EVENT:
		if (check_plain(reader, event->data.scalar.anchor, event->data.scalar.tag) < 0)
			return -1;
		return read_scalar(reader);
	case YAML_MAPPING_START_EVENT:
		if (check_plain(reader, event->data.mapping_start.anchor,
			    event->data.mapping_start.tag) < 0)
			return -1;
		return open_node(reader, NODE_MAP);
	case YAML_SEQUENCE_START_EVENT:
		if (check_plain(reader, event->data.sequence_start.anchor,
			    event->data.sequence_start.tag) < 0)
			return -1;
		return open_node(reader, NODE_SEQ);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		reader->depth--;
		return 0;
	}
	return 0;
}

static int syntax_error(struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	const char *context = parser->context;
	struct where at;

	if (parser->error == YAML_MEMORY_ERROR)
		longjmp(reader->arena->out_of_memory, 1);
	if (parser->error == YAML_READER_ERROR)
		at = place_of_offset(reader, parser->problem_offset);
	else
		at = place(reader, &parser->problem_mark);
	return error_at(reader->err, ERROR_SCENARIO, at, "not valid YAML: %s%s%s", parser->problem,
		context ? " " : "", context ? context : "");
}

static int read_events(struct reader *reader)
{
	yaml_event_type_t type;
	int rc;

	do {
		if (!yaml_parser_parse(&reader->parser, &reader->event))
			return syntax_error(reader);
		type = reader->event.type;
		rc = read_event(reader);
		yaml_event_delete(&reader->event);
	} while (rc == 0 && type != YAML_STREAM_END_EVENT);
	return rc;
}

/* libyaml's memory is not the arena's: when the arena jumps away, stop on the way and free it. */
static int read_guarded(struct reader *reader)
{
	jmp_buf outer;

	memcpy(outer, reader->arena->out_of_memory, sizeof(outer));
	if (arena_try(reader->arena)) {
		yaml_event_delete(&reader->event);
		yaml_parser_delete(&reader->parser);
		memcpy(reader->arena->out_of_memory, outer, sizeof(outer));
		longjmp(reader->arena->out_of_memory, 1);
	}
	int rc = read_events(reader);
	yaml_parser_delete(&reader->parser);
	memcpy(reader->arena->out_of_memory, outer, sizeof(outer));
	return rc;
}

static int read_tree(struct reader *reader, struct node **root)
{
	if (reader->size >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0) {
		reader->text += 3;
		reader->size -= 3;
	}
	if (check_text(reader) < 0)
		return -1;
	if (!yaml_parser_initialize(&reader->parser))
		longjmp(reader->arena->out_of_memory, 1);
	yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&reader->parser, (const unsigned char *)reader->text, reader->size);
	if (read_guarded(reader) < 0)
		return -1;
	if (!reader->root)
		return error_at(reader->err, ERROR_SCENARIO, place_of_offset(reader, 0),
			"the file is empty; expected YAML");
	*root = reader->root;
	return 0;
}

int yaml_read_text(struct arena *arena, const char *name, const char *text, struct node **root,
	struct error *err)
{
	struct reader *reader = arena_alloc(arena, sizeof(*reader));

	*reader = (struct reader){ .arena = arena,
		.name = arena_strdup(arena, name),
		.text = text,
		.size = strlen(text),
		.err = err };
	return read_tree(reader, root);
}

static int refuse_file(const struct reader *reader, const char *what)
{
	return error_at(
		reader->err, ERROR_SCENARIO, (struct where){ .file = reader->name }, "%s", what);
}

/* Why a file of this kind and size is not read at all; NULL when it is. */
static const char *unfit(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return "is a directory; expected a YAML file";
	if (!S_ISREG(st->st_mode))
		return "is not a regular file; expected a YAML file";
	if ((uintmax_t)st->st_size > MAX_BYTES)
		return "is larger than 4 MiB; expected a YAML file";
	return NULL;
}

/* Fills @bytes, which were taken before: the arena must not jump away from an open file. */
static int read_bytes(struct reader *reader, char *bytes, size_t max)
{
	/* Should the file have become a FIFO since we looked, do not wait for its writer. */
	int fd = open(reader->name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return refuse_file(reader, strerror(errno));
	while (n != 0 && reader->size < max) {
		n = read(fd, bytes + reader->size, max - reader->size);
		if (n < 0 && errno != EINTR) {
			refuse_file(reader, strerror(errno));
			close(fd);
			return -1;
		}
		reader->size += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	reader->text = bytes;
	return 0;
}

int yaml_read_file(struct arena *arena, const char *path, struct node **root, struct error *err)
{
	struct reader *reader = arena_alloc(arena, sizeof(*reader));
	struct stat st;

	*reader = (struct reader){ .arena = arena, .name = arena_strdup(arena, path), .err = err };
	if (stat(path, &st) < 0)
		return refuse_file(reader, strerror(errno));
	if (unfit(&st))
		return refuse_file(reader, unfit(&st));
	size_t max = (size_t)st.st_size;
	if (read_bytes(reader, arena_alloc(arena, max + 1), max) < 0)
		return -1;
	return read_tree(reader, root);
}

int yaml_read_value(struct arena *arena, struct where at, const char *text, struct node **root,
	struct error *err)
{
	struct reader *reader = arena_alloc(arena, sizeof(*reader));

	*reader = (struct reader){
		.arena = arena, .fixed = &at, .text = text, .size = strlen(text), .err = err
	};
	return read_tree(reader, root);
}

struct node *node_get(const struct node *map, const char *key)
{
	if (map->type != NODE_MAP)
		return NULL;
	for (struct node *child = map->first; child; child = child->next)
		if (strcmp(child->key, key) == 0)
			return child;
	return NULL;
}

const char *node_describe(const struct node *node)
{
	switch (node->type) {
	case NODE_MAP:
		return "map";
	case NODE_SEQ:
		return "list";
	case NODE_SCALAR:
		break;
	}
	return node->text;
}
