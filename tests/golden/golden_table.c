#include "tests/golden/golden_table.h"

struct row {
	GOLDEN_TABLE_ROW(GOLDEN_FIELD)
};
const char golden_table_columns[] = GOLDEN_TABLE_ROW(GOLDEN_NAME);

const struct freq_table *golden_table(struct golden *g, const struct golden_csv *csv, uint64_t id,
	struct golden_table *buf, bool *ok)
{
	const struct row *rows;
	size_t nr;

	*ok = true;
	if (id == 0)
		return NULL;
	*ok = false;
	rows = golden_find(g, csv, id, &nr);
	if (rows == NULL)
		return NULL;
	if (nr > GOLDEN_TABLE_MAX) {
		golden_fail(g, "%s: table %d is too long", csv->name, (int)id);
		return NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		if (rows[i].idx != i) {
			golden_fail(
				g, "%s: table %d: its rows are not in order", csv->name, (int)id);
			return NULL;
		}
		buf->entries[i] = (struct freq_entry){
			.khz = (uint32_t)rows[i].frequency,
			.boost = rows[i].flags & 1,
			.inefficient = rows[i].flags & 2,
		};
	}
	buf->table = (struct freq_table){ .entries = buf->entries, .nr = (int)nr };
	buf->sorted = freq_table_sort(&buf->table) < 0 ? -1 : (int)buf->table.order;
	*ok = true;
	return &buf->table;
}

void golden_check_tables(struct golden *g)
{
	const char *stem = golden_arg(g);
	const struct golden_csv *csv = golden_open(g, stem);
	const struct row *r;
	struct golden_table buf;
	bool ok;

	while ((r = golden_next(g)) != NULL) {
		if (r->table_id == 0) {
			golden_fail(g, "table 0 means no table");
			return;
		}
		golden_table(g, csv, r->table_id, &buf, &ok);
		if (!ok)
			return;
		GOLDEN_EQ(g, r, sorted, buf.sorted);
	}
}
