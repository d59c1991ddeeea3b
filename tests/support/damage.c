#include "tests/support/damage.h"

#include <string.h>

#define CUT_MAX 64

size_t damage_below(struct rng *rng, size_t n)
{
	return n ? rng_below(rng, (uint32_t)n) : 0;
}

static void cut(struct damaged *d, size_t at, size_t nr)
{
	if (at >= d->len)
		return;
	nr = nr < d->len - at ? nr : d->len - at;
	memmove(d->bytes + at, d->bytes + at + nr, d->len - at - nr);
	d->len -= nr;
}

static void insert(struct damaged *d, size_t at, const void *bytes, size_t nr)
{
	if (at > d->len || nr > d->room - d->len)
		return;
	memmove(d->bytes + at + nr, d->bytes + at, d->len - at);
	memcpy(d->bytes + at, bytes, nr);
	d->len += nr;
}

static const char *pick(const struct damaged *d, struct rng *rng)
{
	size_t nr = 0;

	while (d->pieces[nr][0])
		nr++;
	return d->pieces[damage_below(rng, nr)];
}

void damage(struct damaged *d, struct rng *rng)
{
	unsigned char copy[DAMAGE_COPY_MAX];
	const char *piece = pick(d, rng);
	size_t at = damage_below(rng, d->len + 1), from = damage_below(rng, d->len),
	       nr = damage_below(rng, d->copy_max);

	switch (damage_below(rng, 7)) {
	case 0:
		if (d->len)
			d->bytes[from] = (unsigned char)damage_below(rng, 256);
		break;
	case 1:
		if (d->len)
			d->bytes[from] ^= (unsigned char)(1u << damage_below(rng, 8));
		break;
	case 2:
		cut(d, from, 1 + damage_below(rng, CUT_MAX));
		break;
	case 3:
		insert(d, at, piece, strlen(piece));
		break;
	case 4:
		cut(d, at, strlen(piece));
		insert(d, at, piece, strlen(piece));
		break;
	case 5: /* a piece of it elsewhere */
		nr = nr < d->len - from ? nr : d->len - from;
		memcpy(copy, d->bytes + from, nr);
		insert(d, at, copy, nr);
		break;
	case 6:
		if (damage_below(rng, 8) == 0)
			d->len = at;
		break;
	}
}
