/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/objects.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/memory.h"
#include "report/names.h"

enum { KERNEL = -1 };

/* A thread. The main thread, whose id is the process id, also has the mappings of the process. */
struct task {
	int64_t id; /* thread id, or KERNEL */
	const char *command;
	struct map *maps; /* sorted by address, not overlapping */
	size_t num;
};

static struct task *get_task(struct set *t, int64_t id)
{
	return need(set_get(t, &(struct task){ .id = id }, sizeof(struct task), SET_KEY(struct task, id)));
}

static struct task *find_task(const struct set *t, int64_t id)
{
	return set_find(t, &(struct task){ .id = id }, SET_KEY(struct task, id));
}

void tasks_free(struct set *t)
{
	for (size_t i = 0; i < t->num; i++)
		free(((struct task *)t->items[i])->maps);
	set_free(t);
}

/* Index of the first mapping that ends after @address. */
static size_t position(const struct task *p, uint64_t address)
{
	size_t low = 0, high = p->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->maps[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The new mapping replaces the parts of earlier mappings that it overlaps. */
static void add_map(struct task *p, const struct map *m)
{
	size_t first = position(p, m->start), last = first, num = 0;
	struct map pieces[3];

	if (ARRAY_ROOM(p->maps, p->num, 2))
		no_memory();
	if (first < p->num && p->maps[first].start < m->start) {
		pieces[num] = p->maps[first];
		pieces[num++].end = m->start;
	}
	pieces[num++] = *m;
	while (last < p->num && p->maps[last].start < m->end)
		last++;
	if (last > first && p->maps[last - 1].end > m->end) {
		pieces[num] = p->maps[last - 1];
		pieces[num].pgoff += m->end - pieces[num].start;
		pieces[num++].start = m->end;
	}
	memmove(p->maps + first + num, p->maps + last, (p->num - last) * sizeof(*m));
	memcpy(p->maps + first, pieces, num * sizeof(*m));
	p->num += num - (last - first);
}

void tasks_add_map(struct set *t, const struct uncoremsr_record *rec, struct object *object)
{
	unsigned mode = rec->misc & UNCOREMSR_RECORD_MODE;
	struct map m = { .start = rec->start, .end = rec->start + rec->len, .pgoff = rec->pgoff,
			 .object = object };

	if (m.end > m.start && (mode == UNCOREMSR_RECORD_KERNEL || mode == UNCOREMSR_RECORD_USER))
		add_map(get_task(t, mode == UNCOREMSR_RECORD_KERNEL ? KERNEL : (int64_t)rec->pid), &m);
}

const struct map *tasks_map(const struct set *t, uint32_t pid, unsigned mode, uint64_t address)
{
	const struct task *p = mode == UNCOREMSR_RECORD_KERNEL ? find_task(t, KERNEL)
			     : mode == UNCOREMSR_RECORD_USER ? find_task(t, pid) : NULL;
	size_t at = p ? position(p, address) : 0;

	return p && at < p->num && p->maps[at].start <= address ? &p->maps[at] : NULL;
}

static void fork_process(struct set *t, uint32_t child, uint32_t parent)
{
	struct task *to = get_task(t, child), *from = find_task(t, parent);

	to->num = from ? from->num : 0;
	if (ARRAY_ROOM(to->maps, 0, to->num))
		no_memory();
	if (to->num)
		memcpy(to->maps, from->maps, to->num * sizeof(*to->maps));
}

/* Tasks that ran before the recording began have FORK records, too, but their parents may be unknown. */
void tasks_fork(struct set *t, const struct uncoremsr_record *rec)
{
	struct task *child = get_task(t, rec->tid);
	const struct task *parent = find_task(t, rec->ptid);

	child->command = parent ? parent->command : NULL;
	if (rec->pid != rec->ppid && !(rec->misc & UNCOREMSR_RECORD_EXEC))
		fork_process(t, rec->pid, rec->ppid);
}

void tasks_name(struct set *t, const struct uncoremsr_record *rec)
{
	struct task *p = rec->misc & UNCOREMSR_RECORD_EXEC ? find_task(t, rec->pid) : NULL;

	if (p)
		p->num = 0;
	get_task(t, rec->tid)->command = name_of(rec->name);
}

const char *tasks_command(const struct set *t, uint32_t tid)
{
	const struct task *thread = find_task(t, tid);

	return thread ? thread->command : NULL;
}
