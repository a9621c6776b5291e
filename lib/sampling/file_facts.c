/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/file_facts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"

enum {
	ATTR_FLAGS = 40, /* offset of the bit-fields in struct perf_event_attr */
	FLAG_FREQ = 10,
	FLAG_ID_ALL = 18,
	BUILD_KERNEL = 1, /* in @misc of a build id record: the build id is that of the kernel */
};

/* ---- events ---- */

/* Bit-fields begin at the lowest bit of a byte in little-endian files, at the highest in big-endian ones. */
static bool flag(const unsigned char *attr, unsigned n, bool big)
{
	return attr[ATTR_FLAGS + n / 8] >> (big ? 7 - n % 8 : n % 8) & 1;
}

int um_facts_add_event(struct um_file_facts *f, struct um_cursor c)
{
	const unsigned char *attr = c.at;
	struct um_file_event *e;
	uint64_t often;

	if (c.left < UM_ATTR_LEAST || f->num_events == UM_EVENTS_MOST)
		return -EBADMSG;
	if (ARRAY_APPEND(f->events, f->num_events, (struct um_file_event){
		    .told = { .size = sizeof(e->told), .type = um_take32(&c) } }))
		return -ENOMEM;
	e = &f->events[f->num_events - 1];
	um_take32(&c);
	e->told.config = um_take64(&c);
	often = um_take64(&c);
	if (flag(attr, FLAG_FREQ, c.big))
		e->told.frequency = often;
	else
		e->told.period = often;
	e->layout.sample_type = um_take64(&c);
	e->layout.read_format = um_take64(&c);
	e->layout.id_all = flag(attr, FLAG_ID_ALL, c.big);
	e->layout.big = c.big;
	e->layout.period = e->told.period;
	e->told.has = e->layout.sample_type;
	return 0;
}

int um_facts_add_ids(struct um_file_facts *f, struct um_cursor c)
{
	while (c.left >= 8 && f->num_events) {
		struct um_file_id id = { .id = um_take64(&c), .event = (unsigned)f->num_events - 1 };

		if (ARRAY_APPEND(f->ids, f->num_ids, id))
			return -ENOMEM;
	}
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct um_file_id *x = a, *y = b;

	return x->id != y->id ? x->id < y->id ? -1 : 1
	     : x->event < y->event ? -1 : x->event > y->event;
}

static int is_id(const void *key, const void *element)
{
	uint64_t id = *(const uint64_t *)key, other = ((const struct um_file_id *)element)->id;

	return id < other ? -1 : id > other;
}

struct um_file_id *um_facts_find(const struct um_file_facts *f, uint64_t id)
{
	return f->num_ids ? bsearch(&id, f->ids, f->num_ids, sizeof(*f->ids), is_id) : NULL;
}

/* ---- names of events ---- */

/* Names of hardware and software events, by config (perf_event_open(2)). */
static const char *const hardware[] = {
	"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
	"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};
static const char *const software[] = {
	"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
};

static char *name_by_attr(const struct uncoremsr_perf_data_event *e)
{
	char *name = NULL;
	int len;

	if (e->type == PERF_TYPE_HARDWARE && e->config < ARRAY_SIZE(hardware))
		return strdup(hardware[e->config]);
	if (e->type == PERF_TYPE_SOFTWARE && e->config < ARRAY_SIZE(software))
		return strdup(software[e->config]);
	if (e->type == PERF_TYPE_RAW)
		len = asprintf(&name, "r%llx", (unsigned long long)e->config);
	else
		len = asprintf(&name, "type %u config 0x%llx", (unsigned)e->type, (unsigned long long)e->config);
	return len < 0 ? NULL : name;
}

/* Read a string, which is stored as its length and that many bytes, ended by NUL. */
static int take_string(struct um_cursor *c, char **text)
{
	uint32_t size = um_take32(c);
	const unsigned char *p = um_take(c, size);

	if (!p)
		return -EBADMSG;
	*text = strndup((const char *)p, size);
	return *text ? 0 : -ENOMEM;
}

static int add_names(struct um_file_facts *f, struct um_cursor *c)
{
	uint32_t num = um_take32(c), size = um_take32(c);
	int err = 0;

	if (f->num_names)
		return -EBADMSG;
	for (uint32_t i = 0; !err && i < num && i < UM_EVENTS_MOST; i++) {
		char *name = NULL;
		uint32_t ids;

		um_take(c, size);
		ids = um_take32(c);
		err = take_string(c, &name);
		if (!err && !um_take_many(c, ids, 8) && ids)
			err = -EBADMSG;
		err = err ? err : ARRAY_APPEND(f->names, f->num_names, name);
		if (err)
			free(name);
	}
	return err;
}

int um_facts_update(struct um_file_facts *f, struct um_cursor c)
{
	uint64_t what = um_take64(&c);
	const struct um_file_id *id = um_facts_find(f, um_take64(&c));
	char *name;

	if (c.failed || what != UM_UPDATE_NAME || !id)
		return c.failed ? -EBADMSG : 0;
	name = strndup((const char *)c.at, c.left);
	if (!name)
		return -ENOMEM;
	free((char *)f->events[id->event].told.name);
	f->events[id->event].told.name = name;
	return 0;
}

void um_facts_sort_ids(struct um_file_facts *f)
{
	if (f->num_ids)
		qsort(f->ids, f->num_ids, sizeof(*f->ids), by_id);
}

int um_facts_finish(struct um_file_facts *f)
{
	for (size_t i = 0; i < f->num_events; i++) {
		struct um_file_event *e = &f->events[i];
		const char *named = i < f->num_names ? f->names[i] : "";

		if (*named || !e->told.name || !*e->told.name) {
			free((char *)e->told.name);
			e->told.name = *named ? strdup(named) : name_by_attr(&e->told);
		}
		if (!e->told.name)
			return -ENOMEM;
	}
	return 0;
}

/* ---- build ids ---- */

int um_facts_add_build(struct um_file_facts *f, uint16_t misc, struct um_cursor c)
{
	struct uncoremsr_perf_data_build b = { .size = sizeof(b) };
	const unsigned char *id, *sized;

	um_take(&c, 4);
	id = um_take(&c, UNCOREMSR_BUILD_ID_SIZE);
	sized = um_take(&c, 4);
	if (c.failed)
		return -EBADMSG;
	b.kernel = (misc & UNCOREMSR_RECORD_MODE) == BUILD_KERNEL;
	memcpy(b.id, id, sizeof(b.id));
	b.id_size = misc & UM_BUILD_ID_SIZED && sized[0] <= sizeof(b.id) ? sized[0] : sizeof(b.id);
	b.name = strndup((const char *)c.at, c.left);
	if (b.name && !ARRAY_APPEND(f->builds, f->num_builds, b))
		return 0;
	free((char *)b.name);
	return -ENOMEM;
}

static int add_builds(struct um_file_facts *f, struct um_cursor *c)
{
	struct um_perf_head head;
	int err = 0;

	while (!err && c->left) {
		if (!um_perf_record_head(c->at, c->left, c->big, &head))
			return -EBADMSG;
		err = um_facts_add_build(f, head.misc, um_perf_record_body(c->at, &head, c->big));
		um_take(c, head.size);
	}
	return err;
}

/* ---- texts ---- */

static int add_text(char **text, struct um_cursor *c)
{
	char *new = NULL;
	int err = take_string(c, &new);

	if (err)
		return err;
	free(*text);
	*text = new;
	return 0;
}

static int add_words(char **text, struct um_cursor *c)
{
	uint32_t num = um_take32(c);
	char *joined = calloc(1, c->left + 1), *end = joined;

	if (!joined)
		return -ENOMEM;
	for (uint32_t i = 0; i < num && !c->failed; i++) {
		uint32_t size = um_take32(c);
		const char *word = (const char *)um_take(c, size);

		if (word)
			end = stpncpy(end == joined ? end : stpcpy(end, " "), word, size);
	}
	*text = joined;
	return c->failed ? -EBADMSG : 0;
}

int um_facts_add(struct um_file_facts *f, uint64_t feature, struct um_cursor c)
{
	switch (feature) {
	case UM_FACT_BUILD_IDS:
		return add_builds(f, &c);
	case UM_FACT_EVENTS:
		return add_names(f, &c);
	case UM_FACT_HOST:
	case UM_FACT_RELEASE:
	case UM_FACT_VERSION:
	case UM_FACT_ARCH:
	case UM_FACT_CPU:
		return add_text(&f->texts[feature], &c);
	case UM_FACT_COMMAND:
		return f->texts[feature] ? -EBADMSG : add_words(&f->texts[feature], &c);
	default:
		return 0;
	}
}

void um_facts_free(struct um_file_facts *f)
{
	for (size_t i = 0; i < f->num_events; i++)
		free((char *)f->events[i].told.name);
	for (size_t i = 0; i < f->num_names; i++)
		free(f->names[i]);
	for (size_t i = 0; i < f->num_builds; i++)
		free((char *)f->builds[i].name);
	for (size_t i = 0; i < UM_FACT_TEXTS; i++)
		free(f->texts[i]);
	free(f->events);
	free(f->names);
	free(f->builds);
	free(f->ids);
}
