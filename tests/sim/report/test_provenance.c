#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/provenance.h"

static struct arena arena;
static struct error err;
static char *out;

static struct provenance read_text(const char *text)
{
	struct node *root = NULL;

	cr_assert(eq(int, arena_try(&arena), 0));
	cr_assert(eq(int, yaml_read_text(&arena, "m", text, &root, &err), 0), "%s", err.text);
	return (struct provenance){ .arena = &arena, .text = text, .root = root };
}

static void leave(void)
{
	arena_free(&arena);
	free(out);
}

TestSuite(provenance, .fini = leave);

static void write_values(const struct provenance *p)
{
	size_t size;
	FILE *file = open_memstream(&out, &size);

	provenance_write_values(file, p);
	fclose(file);
}

#define MARK(path_, value_, mark_) \
	"<td>" path_ "</td>" value_ "<td><span class=\"mark\">" mark_ "</span></td>"

Test(provenance, an_entry_covers_its_section_or_its_key_at_any_depth)
{
	struct provenance p = read_text("machine:\n  assumed: [ power, idle.exit_latency, clock "
					"]\n  power: { ceff: 885 }\n");

	cr_assert(provenance_assumed(&p, "power.ceff"));
	cr_assert(provenance_assumed(&p, "power"));
	cr_assert(provenance_assumed(&p, "idle.3.exit_latency"));
	cr_assert(provenance_assumed(&p, "clock.scope"));
	cr_assert(not(provenance_assumed(&p, "idle.3.exit_latency_us")));
	cr_assert(not(provenance_assumed(&p, "idle.3.power")));
	cr_assert(not(provenance_assumed(&p, "powers.ceff")));
	cr_assert(not(provenance_assumed(&p, "memory.contention")));
}

Test(provenance, all_leaves_out_what_is_no_claim)
{
	struct provenance p = read_text(
		"machine: { assumed: all, name: one, limits: { min: 885 } }\n");

	cr_assert(provenance_assumed(&p, "limits.min"));
	cr_assert(not(provenance_assumed(&p, "name")));
	cr_assert(not(provenance_assumed(&p, "assumed")));
}

Test(provenance, every_value_has_a_row_and_what_it_is_called)
{
	static const char *const axes[] = { "governor.up_threshold" };
	struct provenance p = read_text(
		"governor: { name: ondemand, up_threshold: 63 }\n"
		"machine:\n  assumed: [ power ]\n  power: { ceff: 885 }\n"
		"  cpus: [ { cpus: 0-3, package: 1 } ]\n  policies: [ 0-1, 2-3 ]\n");

	p.axes = axes;
	p.nr_axes = 1;
	write_values(&p);
	cr_assert(ne(ptr,
		strstr(out,
			MARK("governor.up_threshold", "<td class=\"n\" data-v=\"63\">63</td>",
				"varied")),
		NULL));
	cr_assert(ne(ptr,
		strstr(out,
			MARK("machine.power.ceff", "<td class=\"n\" data-v=\"885\">885</td>",
				"assumed")),
		NULL));
	cr_assert(ne(ptr, strstr(out, "<td>machine.cpus.0.cpus</td><td>0-3</td><td></td>"), NULL));
	cr_assert(ne(ptr, strstr(out, "<td>machine.policies</td><td>0-1, 2-3</td>"), NULL));
}

Test(provenance, what_kernel_rules_follow_is_listed_when_it_is_not_checked)
{
	struct provenance p = read_text("# Every effective value\n"
					"# pelt: an extrapolation; 4.9 follows the source of 4.8.\n"
					"name: one\n# dbs: only described; late\n");
	size_t size;
	FILE *file = open_memstream(&out, &size);

	provenance_write_kernel(file, &p);
	fclose(file);
	cr_assert(eq(str, out,
		"<ul class=\"kernel\">\n<li>pelt: an extrapolation; 4.9 follows the source of "
		"4.8.</li>\n</ul>\n"));
}
