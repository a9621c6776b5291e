/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Make rows from records: find the task of a sample, and what was mapped at its address at that time. */
#include <string.h>

#include "report/names.h"
#include "report/objects.h"
#include "report/report.h"
#include "report/stacks.h"

enum { FRAMES = 8192 };

struct reading {
	struct report *r;
	struct set tasks;
	struct objects *objects;
	uint64_t lost, lost_samples;
	const char *frames[FRAMES];
};

static void name_task(const struct reading *g, const struct uncoremsr_record *rec, struct row_key *key)
{
	const bool *by = g->r->by;
	bool known = rec->has & UNCOREMSR_HAS_TID;

	if (by[KEY_COMM] && known)
		key->text[KEY_COMM] = !rec->pid && !rec->tid ? name_of("swapper") : tasks_command(&g->tasks, rec->tid);
	if (by[KEY_PID] && known)
		key->number[KEY_PID] = (int32_t)rec->pid;
	if (by[KEY_TID] && known)
		key->number[KEY_TID] = (int32_t)rec->tid;
	if (by[KEY_CPU] && rec->has & UNCOREMSR_HAS_CPU)
		key->number[KEY_CPU] = (int32_t)rec->cpu;
}

static const char *symbol_at(const struct reading *g, const struct map *m, uint64_t address)
{
	return m ? objects_symbol(g->objects, m, address)
		 : name_of_fmt("0x%llx", (unsigned long long)address);
}

static void name_place(const struct reading *g, const struct uncoremsr_record *rec, struct row_key *key)
{
	const bool *by = g->r->by;
	const struct map *m;

	if (!(rec->has & UNCOREMSR_HAS_IP))
		return;
	m = tasks_map(&g->tasks, rec->pid, rec->misc & UNCOREMSR_RECORD_MODE, rec->ip);
	if (by[KEY_DSO] && m)
		key->text[KEY_DSO] = object_name(m->object);
	if (by[KEY_SYMBOL])
		key->text[KEY_SYMBOL] = symbol_at(g, m, rec->ip);
	if (by[KEY_SRCLINE] && m)
		key->text[KEY_SRCLINE] = objects_line(g->objects, m, rec->ip);
	if (by[KEY_ADDRESS])
		key->number[KEY_ADDRESS] = (int64_t)rec->ip;
}

/* A return address is behind the call, so subtract 1 to find the line or function of the call. */
static size_t name_callers(struct reading *g, const struct uncoremsr_record *rec)
{
	unsigned mode = rec->misc & UNCOREMSR_RECORD_MODE;
	bool returns = false;
	size_t num = 0;

	for (size_t i = 0; i < rec->num_chain && num < FRAMES; i++) {
		uint64_t address = rec->chain[i];

		if (address >= UNCOREMSR_CHAIN_MARK) {
			mode = address == UNCOREMSR_CHAIN_KERNEL ? UNCOREMSR_RECORD_KERNEL
			     : address == UNCOREMSR_CHAIN_USER ? UNCOREMSR_RECORD_USER : 0;
			returns = false;
			continue;
		}
		/* Address 0 ends the list of callers. */
		if (!address)
			continue;
		address -= returns;
		returns = true;
		g->frames[num++] = symbol_at(g, tasks_map(&g->tasks, rec->pid, mode, address), address);
	}
	if (!num && rec->has & UNCOREMSR_HAS_IP)
		g->frames[num++] = symbol_at(g, tasks_map(&g->tasks, rec->pid, mode, rec->ip), rec->ip);
	return num;
}

static bool is_chosen(const struct report *r, unsigned event)
{
	const char *name = event_of_index(r, event);

	if (r->stacks)
		return event == r->first;
	return !r->event || (name && !strcmp(name, r->event));
}

static void add_row(const struct reading *g, const struct uncoremsr_record *rec, const char *caller)
{
	struct row_key key = { .event = rec->event };

	for (int k = 0; k < NUM_KEYS; k++)
		key.number[k] = -1;
	if (g->r->by[KEY_CALLER])
		key.text[KEY_CALLER] = caller;
	name_task(g, rec, &key);
	name_place(g, rec, &key);
	table_add(g->r, &key, rec->period);
}

static void add_sample(struct reading *g, const struct uncoremsr_record *rec)
{
	struct report *r = g->r;
	size_t num = 0;

	if (!is_chosen(r, rec->event))
		return;
	table_sum(r, rec->event, rec->period);
	if (r->stacks || r->by[KEY_CALLER])
		num = name_callers(g, rec);
	if (!r->common.own_format)
		add_row(g, rec, num > 1 ? g->frames[1] : NULL);
	if (r->stacks)
		stacks_add(r->stacks, g->frames, num, rec->period);
}

static void add_record(struct reading *g, const struct uncoremsr_record *rec)
{
	switch (rec->type) {
	case UNCOREMSR_RECORD_SAMPLE:
		add_sample(g, rec);
		break;
	case UNCOREMSR_RECORD_LOST:
		g->lost += rec->lost;
		break;
	case UNCOREMSR_RECORD_LOST_SAMPLES:
		g->lost_samples += rec->lost;
		break;
	case UNCOREMSR_RECORD_THROTTLE:
		g->r->all.throttled++;
		break;
	case UNCOREMSR_RECORD_MAP:
	case UNCOREMSR_RECORD_MAP2:
		tasks_add_map(&g->tasks, rec, objects_of(g->objects, rec));
		break;
	case UNCOREMSR_RECORD_COMMAND:
		tasks_name(&g->tasks, rec);
		break;
	case UNCOREMSR_RECORD_FORK:
		tasks_fork(&g->tasks, rec);
		break;
	default:
		break;
	}
}

int samples_read(struct report *r)
{
	struct reading g = { .r = r, .objects = objects_new(r->data, r->symfs) };
	const struct uncoremsr_record *rec;
	int err;

	while ((err = uncoremsr_perf_data_next(r->data, &rec)) == 1)
		add_record(&g, rec);
	/* LOST and LOST_SAMPLES records can count the same losses, so use the larger number. */
	r->all.lost = g.lost > g.lost_samples ? g.lost : g.lost_samples;
	tasks_free(&g.tasks);
	objects_free(g.objects);
	table_finish(r);
	return err;
}
