/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/wait.h"

enum { STEP = 1 << 16 }; /* bytes of a slot that are allocated at a time */

uint64_t shared_most_late_ns(uint64_t interval_ns)
{
	const uint64_t share = interval_ns / 20;

	return share > NS_PER_S ? share : NS_PER_S;
}

bool shared_is_late(const struct shared_interval *i)
{
	return clock_now(CLOCK_MONOTONIC) - i->made_ns > i->interval_ns + shared_most_late_ns(i->interval_ns);
}

/* ---- the sampler ---- */

static int open_readable(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int shared_create(struct shared_writer *w)
{
	const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW;

	*w = (struct shared_writer){ .fd = memfd_create("uncore-agent", MFD_CLOEXEC | MFD_ALLOW_SEALING) };
	w->readable = w->fd < 0 ? -1 : open_readable(w->fd);
	if (w->readable < 0 || ftruncate(w->fd, sizeof(*w->memory)) < 0)
		return -errno;
	w->memory = mmap(NULL, sizeof(*w->memory), PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
	if (w->memory == MAP_FAILED) {
		w->memory = NULL;
		return -errno;
	}
	/* Before Linux 5.1 no seal leaves our mapping writable; only the read-only descriptor protects the memory. */
	if (fcntl(w->fd, F_ADD_SEALS, seals | F_SEAL_FUTURE_WRITE) < 0)
		fcntl(w->fd, F_ADD_SEALS, seals);
	fchmod(w->fd, 0400);
	snprintf(w->memory->version, sizeof(w->memory->version), "%s", UM_VERSION);
	w->memory->other_user = geteuid() == 0;
	return 0;
}

/* A row; its texts follow. It has no padding and no pointers, from which the outputs could learn about our memory. */
struct stored {
	uint32_t size;                       /* size of the struct and its texts */
	int32_t kind, again;
	int32_t labels[SERIES_NUM_LABELS];   /* value of an int, or size of a text (0 if NULL) */
	uint64_t values[SERIES_MOST_VALUES]; /* contents of the row's union */
};
_Static_assert(sizeof(struct stored) == (3 + SERIES_NUM_LABELS) * sizeof(int32_t) + SERIES_MOST_VALUES * sizeof(uint64_t),
	       "no padding");

static const size_t value_sizes[] = {
	[SERIES_EVENT] = sizeof(struct series_total), [SERIES_METRIC] = sizeof(double),
	[SERIES_THROTTLED] = sizeof(struct series_throttling), [SERIES_CHANGED] = sizeof(struct series_change),
	[SERIES_UNKNOWN] = 0,
};

/* The pages are allocated before they are written: if memory ran out during a write, SIGBUS would be raised. */
static char *room_in_slot(struct shared_writer *w, size_t size)
{
	const size_t slot = w->interval.number % 2, start = offsetof(struct shared, slots[slot]);
	const size_t most = sizeof(struct shared_slot), at = w->interval.size;
	const size_t whole = offsetof(struct shared_slot, rows[at + size]);
	const size_t room = whole + STEP < most ? whole + STEP : most;

	if (!w->error && whole > most)
		w->error = EFBIG;
	if (!w->error && whole > w->room[slot]) {
		w->error = fallocate(w->fd, 0, (off_t)start, (off_t)room) < 0 ? errno : 0;
		w->room[slot] = w->error ? w->room[slot] : room;
	}
	if (w->error)
		return NULL;
	w->interval.size += size;
	return w->memory->slots[slot].rows + at;
}

static char *room_for_change(struct shared_writer *w, size_t size)
{
	while (w->changes_size + size > sizeof(w->changes)) {
		struct stored oldest;

		memcpy(&oldest, w->changes, sizeof(oldest));
		w->changes_size -= oldest.size;
		memmove(w->changes, w->changes + oldest.size, w->changes_size);
	}
	w->changes_size += size;
	return w->changes + w->changes_size - size;
}

static void put(struct series *series, const struct series_row *row)
{
	struct shared_writer *w = (struct shared_writer *)series;
	struct stored s = { .size = sizeof(s), .kind = (int32_t)row->kind, .again = row->labels.again };
	const char *texts[SERIES_NUM_LABELS];
	char *to;

	for (size_t i = 0; i < SERIES_NUM_LABELS; i++) {
		const struct series_label *label = &series_label_table[i];

		texts[i] = series_label_text(&row->labels, label);
		s.labels[i] = label->number ? series_label_number(&row->labels, label)
					    : texts[i] ? (int32_t)strlen(texts[i]) + 1 : 0;
		s.size += label->number ? 0 : (uint32_t)s.labels[i];
	}
	memcpy(s.values, &row->total, value_sizes[row->kind]);
	if (row->kind == SERIES_CHANGED)
		s.values[offsetof(struct series_change, number) / sizeof(*s.values)] = ++w->num_changes;
	to = row->kind == SERIES_CHANGED ? room_for_change(w, s.size) : room_in_slot(w, s.size);
	if (!to)
		return;
	to = mempcpy(to, &s, sizeof(s));
	for (size_t i = 0; i < SERIES_NUM_LABELS; i++)
		if (texts[i])
			to = mempcpy(to, texts[i], (size_t)s.labels[i]);
}

struct series *shared_begin(struct shared_writer *w, const struct shared_interval *i)
{
	static const struct series_format format = { .name = "shared", .put = put };
	const unsigned next = atomic_load_explicit(&w->memory->number, memory_order_relaxed) + 1;

	w->series = (struct series){ .format = &format, .wall_ns = i->wall_ns };
	w->interval = *i;
	w->interval.number = next ? next : 2;
	w->error = 0;
	/*
	 * A reader that is still copying the old interval of this slot finds that the number has changed, and drops
	 * its copy. So the store to the number in shared_publish() must become visible before any change of the slot.
	 */
	atomic_thread_fence(memory_order_release);
	return &w->series;
}

int shared_publish(struct shared_writer *w)
{
	const unsigned number = w->interval.number;
	char *changes = room_in_slot(w, w->changes_size);

	if (!changes)
		return w->error;
	memcpy(changes, w->changes, w->changes_size);
	w->interval.made_ns = clock_now(CLOCK_MONOTONIC);
	w->memory->slots[number % 2].interval = w->interval;
	atomic_store_explicit(&w->memory->number, number, memory_order_release);
	return 0;
}

void shared_free(struct shared_writer *w)
{
	if (!w->memory)
		return;
	munmap(w->memory, sizeof(*w->memory));
	close(w->readable);
	close(w->fd);
}

/* ---- the outputs ---- */

const struct shared *shared_map(int fd)
{
	struct stat st;
	const struct shared *m;

	if (fstat(fd, &st) < 0 || st.st_size != sizeof(*m))
		return NULL;
	m = mmap(NULL, sizeof(*m), PROT_READ, MAP_SHARED, fd, 0);
	return m == MAP_FAILED || strncmp(m->version, UM_VERSION, sizeof(m->version)) != 0 ? NULL : m;
}

/* Copy interval @number. False: it was overwritten meanwhile. */
static bool copy(const struct shared *m, unsigned number, struct shared_interval *i, char **rows)
{
	const struct shared_slot *slot = &m->slots[number % 2];

	*i = slot->interval;
	if (rows && i->size <= SHARED_ROWS) {
		*rows = malloc(i->size);
		if (*rows)
			memcpy(*rows, slot->rows, i->size);
	}
	/* If the number is still the same, the writer had not begun to overwrite this slot. */
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&m->number, memory_order_relaxed) == number;
}

int shared_read(const struct shared *m, struct shared_interval *i, char **rows)
{
	unsigned number;

	while ((number = atomic_load_explicit(&m->number, memory_order_acquire))) {
		char *copied = NULL;

		if (copy(m, number, i, rows ? &copied : NULL)) {
			if (rows)
				*rows = copied;
			return !rows || copied || !i->size ? 1 : -1;
		}
		free(copied);
	}
	return 0;
}

bool shared_next(const char *rows, size_t size, size_t *at, struct series_row *row)
{
	const char *text = rows + *at + sizeof(struct stored);
	struct stored s;

	if (*at >= size)
		return false;
	memcpy(&s, rows + *at, sizeof(s));
	*at += s.size;
	row->kind = (enum series_kind)s.kind;
	row->labels.again = s.again;
	memcpy(&row->total, s.values, sizeof(s.values));
	for (size_t i = 0; i < SERIES_NUM_LABELS; i++) {
		void *member = (char *)&row->labels + series_label_table[i].at;

		if (series_label_table[i].number) {
			*(int *)member = s.labels[i];
			continue;
		}
		*(const char **)member = s.labels[i] ? text : NULL;
		text += s.labels[i];
	}
	return true;
}
