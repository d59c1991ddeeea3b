#include "sim/scenario/yaml.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct arena arena;
static struct error err;
static char folder[] = "/tmp/cpufreqsim-yaml-XXXXXX";
static char path[64];

static void start(void)
{
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/x.yaml", folder);
}

static void stop(void)
{
	unlink(path);
	rmdir(path);
	rmdir(folder);
	arena_free(&arena);
}

TestSuite(yaml, .init = start, .fini = stop);

static struct node *read_text(const char *text)
{
	struct node *root = NULL;

	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_fatal("out of memory");
	int rc = yaml_read_text(&arena, "x.yaml", text, &root, &err);
	cr_assert(eq(int, rc, root ? 0 : -1));
	return root;
}

static struct node *get(struct node *node, const char *key)
{
	struct node *child = node_get(node, key);

	cr_assert(child != NULL, "%s", key);
	return child;
}

static void expect_refused(const char *text, const char *message)
{
	cr_assert(read_text(text) == NULL, "%s", text);
	cr_assert(eq(str, err.text, (char *)message));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
}

Test(yaml, every_node_knows_its_place)
{
	struct node *root = read_text("# c\nmachine: m.yaml\n"
				      "governor: { name: ondemand,\n   up_threshold: 95 }\n"
				      "list:\n  - a\n  - [b, 'c d']\n");
	struct node *governor = get(root, "governor"), *value = get(governor, "up_threshold");
	struct node *list = get(root, "list");

	cr_assert(eq(sz, root->nr, 3));
	cr_assert(eq(str, (char *)get(root, "machine")->text, "m.yaml"));
	cr_assert(eq(str, (char *)value->text, "95"));
	cr_assert(eq(int, value->at.line, 4));
	cr_assert(eq(int, value->at.col, 18));
	cr_assert(eq(int, value->key_at.line, 4));
	cr_assert(eq(int, value->key_at.col, 4));
	cr_assert(eq(str, (char *)value->at.file, "x.yaml"));
	cr_assert(eq(int, governor->at.line, 3));
	cr_assert(eq(int, governor->at.col, 11));
	cr_assert(eq(int, list->type, NODE_SEQ));
	cr_assert(eq(sz, list->nr, 2));
	cr_assert(eq(str, (char *)list->first->next->first->next->text, "c d"));
	cr_assert(eq(str, (char *)node_describe(root), "map"));
	cr_assert(eq(str, (char *)node_describe(list), "list"));
	cr_assert(eq(str, (char *)node_describe(value), "95"));
	cr_assert(eq(ptr, node_get(root, "none"), NULL));
	cr_assert(eq(ptr, node_get(list, "a"), NULL));
}

Test(yaml, an_empty_value_is_empty_text)
{
	cr_assert(eq(str, (char *)get(read_text("kernel:\n"), "kernel")->text, ""));
}

Test(yaml, a_byte_order_mark_is_passed_over)
{
	cr_assert(eq(str, (char *)get(read_text("\xef\xbb\xbfhz: 250\n"), "hz")->text, "250"));
}

Test(yaml, umlauts_are_text_and_count_as_one_column)
{
	struct node *root = read_text("{ \xc3\xa4\xc3\xb6: 1, b: 2 }");

	cr_assert(eq(int, get(root, "b")->key_at.col, 10));
}

Test(yaml, what_hides_meaning_is_refused)
{
	expect_refused(
		"a: 1\nb: 2\na: 3\n", "x.yaml:3:1: duplicate key \"a\"; first seen in line 1");
	expect_refused("a: &x 1\n", "x.yaml:1:4: anchors (&name) are not supported");
	expect_refused("a: &x [1]\n", "x.yaml:1:4: anchors (&name) are not supported");
	expect_refused("a: &x { b: 1 }\n", "x.yaml:1:4: anchors (&name) are not supported");
	expect_refused("a: *x\n", "x.yaml:1:4: aliases (*name) are not supported");
	expect_refused("a: !!int 3\n", "x.yaml:1:4: tags (!name) are not supported");
	expect_refused("a: !!map { b: 1 }\n", "x.yaml:1:4: tags (!name) are not supported");
	expect_refused("a: !x [1]\n", "x.yaml:1:4: tags (!name) are not supported");
	expect_refused("a: 1\n---\nb: 2\n", "x.yaml:2:1: more than one document (---)");
	expect_refused(
		"? [a]\n: 1\n", "x.yaml:1:3: a key is a map or a list; expected a plain word");
	expect_refused(
		"? {a: 1}\n: 1\n", "x.yaml:1:3: a key is a map or a list; expected a plain word");
	expect_refused("a: \"x\\0y\"\n", "x.yaml:1:4: the text holds a control character");
	expect_refused("a: \"\\e[31m\"\n", "x.yaml:1:4: the text holds a control character");
}

Test(yaml, mistakes_of_grammar_have_a_place)
{
	expect_refused("a: b: c\n",
		"x.yaml:1:5: not valid YAML: mapping values are not allowed in this context");
	expect_refused("a: [1, 2\n",
		"x.yaml:2:1: not valid YAML: did not find expected ',' or ']' while parsing a flow "
		"sequence");
	expect_refused("a: 1\n\tb: 2\n",
		"x.yaml:2:1: not valid YAML: found a tab character that violates indentation while "
		"scanning a plain scalar");
	expect_refused("a: @x\n",
		"x.yaml:1:4: not valid YAML: found character that cannot start any token while "
		"scanning for the next token");
}

Test(yaml, nothing_to_read_is_said)
{
	expect_refused("", "x.yaml:1:1: the file is empty; expected YAML");
	expect_refused("# only a comment\n", "x.yaml:1:1: the file is empty; expected YAML");
}

Test(yaml, bytes_that_are_no_text_are_refused)
{
	expect_refused("ab\nc\xff", "x.yaml:2:2: byte 0xff is not text; expected YAML in UTF-8");
	expect_refused("\xc3", "x.yaml:1:1: byte 0xc3 is not text; expected YAML in UTF-8");
	expect_refused("\xc0\x80", "x.yaml:1:1: byte 0xc0 is not text; expected YAML in UTF-8");
	expect_refused("a\x01", "x.yaml:1:2: byte 0x01 is not text; expected YAML in UTF-8");
	expect_refused("a\x7f", "x.yaml:1:2: byte 0x7f is not text; expected YAML in UTF-8");
	cr_assert(read_text("a: \xed\xa0\x80") == NULL);
	cr_assert(eq(str, err.text, "x.yaml:1:4: not valid YAML: invalid Unicode character"));
}

Test(yaml, depth_has_a_limit)
{
	char text[100] = "";

	memset(text, '[', 32);
	memset(text + 32, ']', 32);
	cr_assert(read_text(text) != NULL);
	memset(text, '[', 33);
	memset(text + 33, ']', 33);
	expect_refused(text, "x.yaml:1:33: nested more than 32 levels deep");
}

/* One message, soon, with little memory. */
static void expect_file_refused(const char *file, const char *message)
{
	struct timespec begin, end;
	struct node *root;

	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_fatal("out of memory");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	cr_assert(eq(int, yaml_read_file(&arena, file, &root, &err), -1));
	clock_gettime(CLOCK_MONOTONIC, &end);
	char expected[256];
	snprintf(expected, sizeof(expected), "%s%s", file, message);
	cr_assert(eq(str, err.text, expected));
	cr_assert(lt(sz, arena.used_bytes, 8 * 1024 * 1024));
	cr_assert(lt(int, (int)(end.tv_sec - begin.tv_sec), 2));
}

/* A file of @size bytes, the first of them @bytes over and over. */
static void write_file(const char *bytes, size_t nr, size_t size)
{
	FILE *f = fopen(path, "w");

	cr_assert(f != NULL);
	for (size_t i = 0; i < size; i += nr)
		fwrite(bytes, 1, nr, f);
	fclose(f);
}

Test(yaml, an_empty_file_is_refused)
{
	write_file("", 1, 0);
	expect_file_refused(path, ":1:1: the file is empty; expected YAML");
}

Test(yaml, a_missing_file_is_refused)
{
	expect_file_refused("/tmp/no/such.yaml", ": No such file or directory");
}

Test(yaml, a_directory_is_refused)
{
	expect_file_refused(folder, ": is a directory; expected a YAML file");
}

Test(yaml, a_fifo_is_refused_without_waiting)
{
	cr_assert(eq(int, mkfifo(path, 0600), 0));
	expect_file_refused(path, ": is not a regular file; expected a YAML file");
}

Test(yaml, an_endless_device_is_refused)
{
	expect_file_refused("/dev/zero", ": is not a regular file; expected a YAML file");
}

Test(yaml, an_unreadable_file_is_refused)
{
	write_file("a: 1\n", 5, 5);
	chmod(path, 0);
	if (access(path, R_OK) == 0)
		cr_skip_test("this user may read everything");
	expect_file_refused(path, ": Permission denied");
}

Test(yaml, a_hundred_megabytes_are_not_even_opened)
{
	write_file("x", 1, 1);
	cr_assert(eq(int, truncate(path, 100 * 1024 * 1024), 0));
	expect_file_refused(path, ": is larger than 4 MiB; expected a YAML file");
	cr_assert(lt(sz, arena.used_bytes, 100000));
}

Test(yaml, binary_noise_is_refused)
{
	write_file("\x7f"
		   "ELF\x02\x01\x01\x00\x9f",
		9, 4000000);
	expect_file_refused(path, ":1:1: byte 0x7f is not text; expected YAML in UTF-8");
}

Test(yaml, megabytes_of_values_are_refused)
{
	write_file("- a\n", 4, 4000000);
	expect_file_refused(path, ":10000:3: more than 10000 keys and values");
}

Test(yaml, megabytes_of_brackets_are_refused)
{
	write_file("[", 1, 4000000);
	expect_file_refused(path, ":1:33: nested more than 32 levels deep");
}

Test(yaml, megabytes_of_one_key_are_refused)
{
	write_file("a: 1\n", 5, 4000000);
	expect_file_refused(path, ":2:1: duplicate key \"a\"; first seen in line 1");
}

Test(yaml, a_limit_of_memory_leaves_nothing_behind)
{
	char text[20001];

	for (size_t i = 0; i < 20000; i += 4)
		memcpy(text + i, "- a\n", 4);
	text[20000] = '\0';
	arena.limit_bytes = 200000;
	if (arena_try(&arena) == 0) {
		struct node *root;

		yaml_read_text(&arena, "x.yaml", text, &root, &err);
		cr_fatal("the limit did not hold");
	}
}

static const char base[] = "governor: { name: ondemand, up_threshold: 95 }\n"
			   "driver: null\nlist: [ a, { k: v } ]\n";

static struct node * override(const char *assignment, const char *message)
{
	struct node *root = read_text(base);

	int rc = yaml_override(&arena, root, assignment, &err);
	cr_assert(eq(int, rc, *message ? -1 : 0), "%s", err.text);
	cr_assert(eq(str, err.text, (char *)message));
	return root;
}

Test(yaml, an_override_replaces_in_place)
{
	struct node *root = override("governor.up_threshold=63", "");
	struct node *value = get(get(root, "governor"), "up_threshold");

	cr_assert(eq(str, (char *)value->text, "63"));
	cr_assert(eq(str, (char *)value->at.file, "(command line) governor.up_threshold=63"));
	cr_assert(eq(int, value->at.line, 0));
	cr_assert(eq(sz, get(root, "governor")->nr, 2));
}

Test(yaml, an_override_adds_what_is_missing)
{
	struct node *root = override("run.seed=4711", "");

	cr_assert(eq(str, (char *)get(get(root, "run"), "seed")->text, "4711"));
	cr_assert(eq(sz, root->nr, 4));
}

Test(yaml, an_override_goes_below_a_bare_name)
{
	struct node *driver = get(override("driver.lock=1", ""), "driver");

	cr_assert(eq(str, (char *)get(driver, "name")->text, "null"));
	cr_assert(eq(str, (char *)get(driver, "lock")->text, "1"));
}

Test(yaml, an_override_reaches_elements_of_lists)
{
	struct node *list = get(override("list.1.k=w", ""), "list");

	cr_assert(eq(str, (char *)get(list->first->next, "k")->text, "w"));
}

Test(yaml, an_override_may_be_a_whole_map)
{
	struct node *root = override("governor={ name: old, x: [1, 2] }", "");

	cr_assert(eq(str, (char *)get(get(root, "governor"), "name")->text, "old"));
	cr_assert(eq(sz, get(get(root, "governor"), "x")->nr, 2));
	cr_assert(eq(str, (char *)get(get(root, "governor"), "x")->first->at.file,
		"(command line) governor={ name: old, x: [1, 2] }"));
}

Test(yaml, an_override_keeps_odd_text)
{
	struct node *root = override("a=b=c: #d", "");

	cr_assert(eq(str, (char *)get(root, "a")->text, "b=c: #d"));
}

Test(yaml, a_wrong_override_names_itself)
{
	override("seed", "(command line) seed: no \"=\"; expected section.key=value");
	override("=5", "(command line) =5: an empty name before \"=\"; expected section.key=value");
	override("run..x=5",
		"(command line) run..x=5: an empty name before \"=\"; expected section.key=value");
	override("list.2=x",
		"(command line) list.2=x: \"2\" is no element of a list of 2; expected a number "
		"from 0");
	override("list.k=x",
		"(command line) list.k=x: \"k\" is no element of a list of 2; expected a number "
		"from 0");
	override("a=[1",
		"(command line) a=[1: not valid YAML: did not find expected ',' or ']' while "
		"parsing a flow sequence");
}
