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
	/*
	 * Kernels before 5.1 have no seal that leaves our own mapping writable. On those only the read-only descriptor
	 * protects the memory.
	 */
	if (fcntl(w->fd, F_ADD_SEALS, seals | F_SEAL_FUTURE_WRITE) < 0)
		fcntl(w->fd, F_ADD_SEALS, seals);
	fchmod(w->fd, 0400);
	snprintf(w->memory->version, sizeof(w->memory->version), "%s", UM_VERSION);
	w->memory->other_user = geteuid() == 0;
	return 0;
}

/* Allocate the pages of a slot before they are written: if memory ran out during the write, SIGBUS would be raised. */
static int allocate(struct shared_writer *w, size_t slot, size_t size)
{
	const size_t whole = offsetof(struct shared_slot, rows) + size;
	const off_t start = (off_t)(offsetof(struct shared, slots) + slot * sizeof(struct shared_slot));

	if (size > SHARED_ROWS)
		return EFBIG;
	if (whole > w->room[slot] && fallocate(w->fd, 0, start, (off_t)whole) < 0)
		return errno;
	w->room[slot] = whole > w->room[slot] ? whole : w->room[slot];
	return 0;
}

int shared_publish(struct shared_writer *w, const struct shared_interval *i, const char *rows)
{
	struct shared *m = w->memory;
	const unsigned next = atomic_load_explicit(&m->number, memory_order_relaxed) + 1;
	const unsigned number = next ? next : 2;
	struct shared_slot *slot = &m->slots[number % 2];
	const int err = allocate(w, number % 2, i->size);

	if (err)
		return err;
	/*
	 * A reader that is still copying the old interval of this slot finds that m->number has changed, and drops
	 * its copy. So the previous call's store to m->number must become visible before any change of the slot.
	 */
	atomic_thread_fence(memory_order_release);
	slot->interval = *i;
	slot->interval.number = number;
	if (i->size) /* else @rows may be NULL */
		memcpy(slot->rows, rows, i->size);
	atomic_store_explicit(&m->number, number, memory_order_release);
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
