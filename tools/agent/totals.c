/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file has room for two versions, which are written in turn, so that one of them is complete at any moment. A
 * version is a head, and for each total its name with a NUL, its base and its sum.
 */
#include "agent/totals.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOT = 16 << 20 };

struct head {
	char magic[8];
	uint64_t seq, run;
	uint64_t size, checksum; /* of what follows */
};

static const char magic[sizeof(((struct head *)NULL)->magic)] = "totals 2";

/* Checksum (FNV-1a) of a version. */
static uint64_t sum_of(const char *text, size_t len)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return sum;
}

struct total *totals_find(struct totals *t, const char *name)
{
	const struct total like = { .name = set_get(&t->names, name, strlen(name) + 1, SET_TEXTS) };

	return like.name ? set_get(&t->set, &like, sizeof(like), SET_KEY(struct total, name)) : NULL;
}

/* If the sum fell, a part of it began again at 0. Raise the base, so that the total to be sent does not fall. */
static uint64_t take(uint64_t *base, uint64_t *sum, uint64_t now)
{
	if (now < *sum)
		*base += *sum - now;
	*sum = now;
	return *base + now;
}

struct series_total totals_take(struct total *e, const struct series_total *sum)
{
	return (struct series_total){
		take(&e->base.value, &e->sum.value, sum->value),
		take(&e->base.counted, &e->sum.counted, sum->counted),
		take(&e->base.enabled_ns, &e->sum.enabled_ns, sum->enabled_ns),
		take(&e->base.running_ns, &e->sum.running_ns, sum->running_ns),
	};
}

static bool read_body(struct totals *t, const char *body, size_t size, bool same_run)
{
	const char *end = body + size, *numbers;
	struct total *e;

	for (const char *name = body; name < end; name = numbers + sizeof(e->base) + sizeof(e->sum)) {
		numbers = name + strnlen(name, (size_t)(end - name)) + 1;
		e = end - numbers < (ptrdiff_t)(sizeof(e->base) + sizeof(e->sum)) ? NULL : totals_find(t, name);
		if (!e)
			return false;
		memcpy(&e->base, numbers, sizeof(e->base));
		memcpy(&e->sum, numbers + sizeof(e->base), sizeof(e->sum));
		if (same_run)
			continue;
		series_add(&e->base, &e->sum);
		e->sum = (struct series_total){ .value = 0 };
	}
	return true;
}

static char *read_slot(int fd, size_t slot, struct head *h)
{
	const off_t at = (off_t)(slot * SLOT);
	char *body;

	if (pread(fd, h, sizeof(*h), at) != sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) != 0 ||
	    h->size > SLOT - sizeof(*h))
		return NULL;
	body = malloc(h->size + 1);
	if (body && pread(fd, body, h->size, at + (off_t)sizeof(*h)) == (ssize_t)h->size &&
	    sum_of(body, h->size) == h->checksum)
		return body;
	free(body);
	return NULL;
}

bool totals_load(struct totals *t, int fd, uint64_t run)
{
	char *bodies[2];
	struct head heads[2];
	bool good;

	*t = (struct totals){ .fd = fd, .run = run };
	out_init(&t->bytes, -1);
	if (fd < 0)
		return false;
	for (size_t i = 0; i < 2; i++)
		bodies[i] = read_slot(fd, i, &heads[i]);
	t->slot = bodies[1] && (!bodies[0] || heads[1].seq > heads[0].seq);
	good = bodies[t->slot];
	if (good) {
		t->seq = heads[t->slot].seq;
		good = read_body(t, bodies[t->slot], heads[t->slot].size, heads[t->slot].run == run);
	}
	free(bodies[0]);
	free(bodies[1]);
	return good;
}

static int write_all(int fd, const char *bytes, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, bytes, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		bytes += n;
		at += n;
		len -= (size_t)n;
	}
	return fdatasync(fd) < 0 ? errno : 0;
}

static int write_version(struct totals *t)
{
	struct head h = { .seq = t->seq + 1, .run = t->run };
	struct out *o = &t->bytes;
	int err;

	o->len = 0;
	out_mem(o, (const char *)&h, sizeof(h));
	for (size_t i = 0; i < t->set.num; i++) {
		const struct total *e = t->set.items[i];

		out_mem(o, e->name, strlen(e->name) + 1);
		out_mem(o, (const char *)&e->base, sizeof(e->base));
		out_mem(o, (const char *)&e->sum, sizeof(e->sum));
	}
	if (o->error || o->len > SLOT)
		return o->error ? o->error : EFBIG;
	memcpy(h.magic, magic, sizeof(magic));
	h.size = o->len - sizeof(h);
	h.checksum = sum_of(o->buf + sizeof(h), h.size);
	memcpy(o->buf, &h, sizeof(h));
	err = write_all(t->fd, o->buf, o->len, (off_t)(!t->slot * SLOT));
	if (err)
		return err;
	t->slot = !t->slot;
	t->seq++;
	return 0;
}

int totals_save(struct totals *t)
{
	static const struct head nothing;
	int err = t->fd < 0 ? 0 : write_version(t);

	if (!err)
		return 0;
	write_all(t->fd, (const char *)&nothing, sizeof(nothing), 0);
	write_all(t->fd, (const char *)&nothing, sizeof(nothing), SLOT);
	return err;
}

void totals_free(struct totals *t)
{
	set_free(&t->set);
	set_free(&t->names);
	out_free(&t->bytes);
}
