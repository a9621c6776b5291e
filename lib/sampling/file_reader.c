/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read perf.data (Linux tools/perf/Documentation/perf.data-file-format.txt). Opening a file checks all records and
 * determines their order; each record is read again when it is needed. Nothing in a file is trusted: a damaged file is
 * read as far as possible, and the caller learns how far.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "sampling/file_facts.h"
#include "sampling/file_runs.h"
#include "sampling/file_source.h"
#include "sampling/record.h"
#include "uncoremsr/perf_data.h"

enum {
	STREAM_HEADER = offsetof(struct um_file_head, attr_size),
	SECTION = sizeof(struct um_file_section),
	ATTR_MOST = 4096,           /* sanity limit: far more than any struct perf_event_attr has */
	FACT_MOST = 64 << 20, IDS_MOST = 8 << 20, /* sanity limits for the size of a section */
	RUN_ROOM = 1 << 16,         /* size of the read-ahead buffer of a run; the longest record fits */
};

/* The records that take_records() processes: the kernel's, those that perf itself has written, or both. */
enum { TAKE_KERNELS = 1, TAKE_OWN = 2 };

struct um_data_file {
	struct uncoremsr_perf_data pub;
	struct um_source source;
	struct um_file_facts facts;
	const struct uncoremsr_perf_data_event **events; /* lists that @pub points to */
	const struct uncoremsr_perf_data_build **builds;
	struct um_runs runs;
	struct uncoremsr_record record;
	struct um_perf_group group;     /* group members in the current record that have not been returned yet */
	unsigned leader;                /* event of the current record */
	uint64_t bytes[UM_PERF_RECORD_ROOM / 8]; /* the current record */
};

static int refuse(struct um_data_file *d, enum uncoremsr_perf_data_state state, int err)
{
	d->pub.state = state;
	return err;
}

static ssize_t read_at(const struct um_data_file *d, uint64_t at, void *to, size_t len)
{
	return um_source_read(&d->source, d->source.window, at, to, len);
}

/* Read 64-bit numbers at an offset, and convert the complete ones to this machine's byte order. */
static ssize_t read_numbers(const struct um_data_file *d, uint64_t at, void *to, size_t len)
{
	ssize_t got = read_at(d, at, to, len);
	uint64_t *numbers = to;

	for (ssize_t i = 0; i < got / 8; i++)
		numbers[i] = um_get64(&numbers[i], d->pub.big);
	return got;
}

/* ---- records ---- */

/* All events have the id at the same position (see is_mixed()), so the first event's layout is used to read it. */
static unsigned event_of(const struct um_data_file *d, const void *record, bool sample)
{
	const struct um_file_id *found;
	uint64_t id;

	if (d->facts.num_events == 1)
		return 0;
	if (!um_perf_record_id(record, &d->facts.events[0].layout, &id) || (!sample && !id))
		return sample ? UINT_MAX : 0;
	found = um_facts_find(&d->facts, id);
	return found ? found->event : UINT_MAX;
}

static int parse(struct um_data_file *d, const struct um_perf_head *head, struct um_perf_group *group)
{
	unsigned event = event_of(d, d->bytes, head->type == UNCOREMSR_RECORD_SAMPLE);

	d->record.event = event;
	return um_perf_record_parse(d->bytes, &d->facts.events[event == UINT_MAX ? 0 : event].layout, &d->record,
				    group);
}

/* The time of the parsed record. If the record has no time, use @before, the time of the previous record. */
static uint64_t time_of(const struct um_data_file *d, uint64_t before)
{
	return d->record.has & UNCOREMSR_HAS_TIME ? d->record.time : before;
}

static int take_kernels(struct um_data_file *d, const struct um_perf_head *head, uint64_t at)
{
	int err = parse(d, head, NULL);

	if (err)
		return err;
	d->pub.records++;
	return um_runs_add(&d->runs, time_of(d, d->runs.last), at, head->size);
}

static bool wanted(uint32_t type)
{
	switch (type) {
	case UNCOREMSR_RECORD_MAP:
	case UNCOREMSR_RECORD_LOST:
	case UNCOREMSR_RECORD_COMMAND:
	case UNCOREMSR_RECORD_EXIT:
	case UNCOREMSR_RECORD_THROTTLE:
	case UNCOREMSR_RECORD_UNTHROTTLE:
	case UNCOREMSR_RECORD_FORK:
	case UNCOREMSR_RECORD_SAMPLE:
	case UNCOREMSR_RECORD_MAP2:
	case UNCOREMSR_RECORD_LOST_SAMPLES:
		return true;
	default:
		return false;
	}
}

static int take_attr(struct um_data_file *d, struct um_cursor *c)
{
	uint64_t size = c->left >= 8 ? um_get32(c->at + 4, c->big) : 0;
	struct um_cursor attr = *c;

	if (!size)
		size = UM_ATTR_LEAST; /* the first versions of perf wrote no size */
	if (!um_take(c, size))
		return -EBADMSG;
	attr.left = (size_t)size;
	return um_facts_add_event(&d->facts, attr) ?: um_facts_add_ids(&d->facts, *c);
}

/* The number of bytes that follow a record without being part of it. */
static uint64_t bytes_behind(struct um_data_file *d, const struct um_perf_head *head)
{
	struct um_cursor c = um_perf_record_body(d->bytes, head, d->pub.big);

	if (head->type == UM_RECORD_TRACING_DATA)
		return d->pub.stream ? ((uint64_t)um_take32(&c) + 7) / 8 * 8 : 0;
	return head->type == UM_RECORD_AUXTRACE ? um_take64(&c) : 0;
}

/* Read a record that perf itself has written. */
static int take_own(struct um_data_file *d, const struct um_perf_head *head)
{
	struct um_cursor c = um_perf_record_body(d->bytes, head, d->pub.big);
	uint64_t feature;

	switch (head->type) {
	case UM_RECORD_ATTR:
		return d->pub.stream ? take_attr(d, &c) : 0;
	case UM_RECORD_FACT:
		feature = um_take64(&c);
		return um_facts_add(&d->facts, feature, c);
	case UM_RECORD_UPDATE:
		/* In a stream, a feature record contains the names of the events. */
		return d->pub.stream ? 0 : um_facts_update(&d->facts, c);
	case UM_RECORD_BUILD:
		return um_facts_add_build(&d->facts, head->misc, c);
	case UM_RECORD_COMPRESSED:
	case UM_RECORD_COMPRESSED2:
		return refuse(d, UNCOREMSR_PERF_DATA_COMPRESSED, -ENOTSUP);
	default:
		return 0;
	}
}

/* Stop reading at offset @at. Mark the file as truncated, unless it may end there. */
static int stop(struct um_data_file *d, uint64_t at, size_t got, bool open_ended)
{
	d->pub.end = at;
	if (d->pub.state == UNCOREMSR_PERF_DATA_WHOLE && (got || !open_ended))
		d->pub.state = UNCOREMSR_PERF_DATA_CUT;
	return 0;
}

/* Read those records of section @s that @which selects. With @open_ended, the end of the section is not known. */
static int take_records(struct um_data_file *d, struct um_file_section s, bool open_ended, unsigned which)
{
	uint64_t at = s.at, end = s.size > UINT64_MAX - s.at ? UINT64_MAX : s.at + s.size;
	struct um_perf_head head;

	while (at < end) {
		ssize_t got = read_at(d, at, d->bytes, UM_PERF_RECORD_HEADER);
		uint64_t behind;
		int err = 0;

		if (got < 0)
			return (int)got;
		if (got < UM_PERF_RECORD_HEADER)
			return stop(d, at, (size_t)got, open_ended);
		if (!um_perf_record_head(d->bytes, UM_PERF_RECORD_ROOM, d->pub.big, &head) || head.size > end - at) {
			d->pub.end = at;
			d->pub.state = UNCOREMSR_PERF_DATA_DAMAGED;
			return 0;
		}
		got = read_at(d, at, d->bytes, head.size);
		if (got < head.size)
			return got < 0 ? (int)got : stop(d, at, 1, open_ended);
		behind = bytes_behind(d, &head);
		if (!wanted(head.type)) {
			um_runs_skip(&d->runs, at, head.size);
			err = which & TAKE_OWN ? take_own(d, &head) : 0;
		} else if (which & TAKE_KERNELS) {
			err = take_kernels(d, &head, at);
		}
		if (err == -EBADMSG)
			d->pub.broken++;
		else if (err)
			return err;
		at += head.size;
		if (behind > end - at)
			return stop(d, at, 1, open_ended);
		at += behind;
	}
	d->pub.end = at;
	return 0;
}

/* ---- the header of a file ---- */

enum { IDS = UM_FACT_LIMIT }; /* a value that no feature has */

/* Parse section @s: a feature or, if @what is IDS, the ids of the most recently added event. */
static int take_section(struct um_data_file *d, struct um_file_section s, unsigned what)
{
	struct um_cursor body = { .big = d->pub.big };
	int err = -EBADMSG;

	if (s.size <= (what == IDS ? IDS_MOST : FACT_MOST)) {
		ssize_t got = -ENOMEM;

		body.at = malloc(s.size + 1);
		if (body.at)
			got = read_at(d, s.at, body.at, s.size);
		body.left = s.size;
		err = got < 0 ? (int)got : (size_t)got < s.size ? -EBADMSG
			: what == IDS ? um_facts_add_ids(&d->facts, body) : um_facts_add(&d->facts, what, body);
	}
	free(body.at);
	if (err != -EBADMSG)
		return err;
	d->pub.broken++;
	return 0;
}

static int take_events(struct um_data_file *d, struct um_file_section attrs, uint64_t entry)
{
	unsigned char buf[ATTR_MOST + SECTION];

	if (entry < UM_ATTR_LEAST + SECTION || entry > sizeof(buf) || attrs.size > UINT64_MAX - attrs.at)
		return -EBADMSG;
	for (uint64_t at = attrs.at; attrs.at + attrs.size - at >= entry; at += entry) {
		const struct um_cursor attr = { .at = buf, .left = entry - SECTION, .big = d->pub.big };
		const unsigned char *end = buf + entry - SECTION;
		ssize_t got = read_at(d, at, buf, entry);
		struct um_file_section ids;
		int err;

		if (got < (ssize_t)entry)
			return got < 0 ? (int)got : -EBADMSG;
		ids = (struct um_file_section){ um_get64(end, d->pub.big), um_get64(end + 8, d->pub.big) };
		err = um_facts_add_event(&d->facts, attr) ?: take_section(d, ids, IDS);
		if (err)
			return err;
	}
	return 0;
}

static bool has_feature(const uint64_t *flags, unsigned feature)
{
	return flags[feature / 64] >> feature % 64 & 1;
}

/* The table of feature sections follows the data section. */
static int take_facts(struct um_data_file *d, const uint64_t *flags, uint64_t at)
{
	int err = 0;

	for (unsigned i = 0; !err && i < UM_FACT_LIMIT; i++) {
		struct um_file_section section;
		ssize_t got;

		if (!has_feature(flags, i))
			continue;
		got = read_numbers(d, at, &section, SECTION);
		if (got < SECTION)
			return got < 0 ? (int)got : stop(d, d->pub.end, 1, false);
		at += SECTION;
		err = take_section(d, section, i);
	}
	return err;
}

static int refuse_form(struct um_data_file *d, const uint64_t *flags)
{
	if (has_feature(flags, UM_FACT_DIRECTORY))
		return refuse(d, UNCOREMSR_PERF_DATA_DIRECTORY, -ENOTSUP);
	if (has_feature(flags, UM_FACT_COMPRESSED))
		return refuse(d, UNCOREMSR_PERF_DATA_COMPRESSED, -ENOTSUP);
	return 0;
}

/* Was the recorder killed before it finished the file? Then the file may have more data than its header says. */
static bool was_left(struct um_data_file *d, struct um_file_section attrs, struct um_file_section data, bool any_fact)
{
	unsigned char byte;

	if (any_fact || data.size > UINT64_MAX - data.at || attrs.at >= data.at)
		return false;
	return !data.size || read_at(d, data.at + data.size, &byte, 1) == 1;
}

/* Do the events have different sample layouts without an id at a fixed position (PERF_SAMPLE_IDENTIFIER)? */
static bool is_mixed(const struct um_file_facts *f)
{
	bool same = true, identified = true;

	for (size_t i = 0; i < f->num_events; i++) {
		const struct um_perf_layout *l = &f->events[i].layout;

		same = same && l->sample_type == f->events[0].layout.sample_type &&
		       l->id_all == f->events[0].layout.id_all;
		identified = identified && l->sample_type & PERF_SAMPLE_IDENTIFIER;
	}
	return !same && !identified;
}

/* Call this when all events are known. Checks that each record can be assigned to an event. */
static int check_events(struct um_data_file *d)
{
	if (!d->facts.num_events)
		return refuse(d, UNCOREMSR_PERF_DATA_EVENTLESS, -EBADMSG);
	if (is_mixed(&d->facts))
		return refuse(d, UNCOREMSR_PERF_DATA_MIXED, -ENOTSUP);
	um_facts_sort_ids(&d->facts);
	return 0;
}

static int read_file(struct um_data_file *d)
{
	struct um_file_head h;
	ssize_t got = read_numbers(d, 0, &h, sizeof(h));
	bool any_fact = false, left;
	int err;

	if (got < (ssize_t)sizeof(h))
		return got < 0 ? (int)got : refuse(d, UNCOREMSR_PERF_DATA_CUT, -EBADMSG);
	for (unsigned i = 0; i < ARRAY_SIZE(h.features); i++)
		any_fact |= h.features[i] != 0;
	err = refuse_form(d, h.features) ?: take_events(d, h.attrs, h.attr_size);
	if (err == -EBADMSG)
		return refuse(d, UNCOREMSR_PERF_DATA_EVENTLESS, err);
	if (!err)
		err = check_events(d);
	if (err)
		return err;
	left = was_left(d, h.attrs, h.data, any_fact);
	if (left) {
		d->pub.state = UNCOREMSR_PERF_DATA_UNFINISHED;
		h.data.size = UINT64_MAX;
	}
	err = take_records(d, h.data, left, TAKE_KERNELS | TAKE_OWN);
	if (left && d->pub.state == UNCOREMSR_PERF_DATA_DAMAGED)
		d->pub.state = UNCOREMSR_PERF_DATA_UNFINISHED;
	return err || d->pub.state != UNCOREMSR_PERF_DATA_WHOLE ? err : take_facts(d, h.features, d->pub.end);
}

/* Events may be described anywhere in a stream, so they are read first. */
static int read_stream(struct um_data_file *d)
{
	const struct um_file_section all = { STREAM_HEADER, UINT64_MAX };

	return take_records(d, all, true, TAKE_OWN) ?: check_events(d) ?: take_records(d, all, true, TAKE_KERNELS);
}

/* ---- open, next, close ---- */

static int read_all(struct um_data_file *d, int fd)
{
	unsigned char magic[UM_SOURCE_MAGIC] = "";
	struct stat st;
	int err;

	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		return refuse(d, UNCOREMSR_PERF_DATA_DIRECTORY, -ENOTSUP);
	err = um_source_open(&d->source, fd, magic);
	if (err)
		return err == -EBADMSG ? refuse(d, UNCOREMSR_PERF_DATA_FOREIGN, err) : err;
	if (!memcmp(magic, "PERFFILE", 8))
		return refuse(d, UNCOREMSR_PERF_DATA_OLD, -ENOTSUP);
	d->pub.big = magic[0] == '2';
	d->pub.stream = um_get64(magic + 8, d->pub.big) == STREAM_HEADER;
	err = (d->pub.stream ? read_stream(d) : read_file(d)) ?: um_facts_finish(&d->facts);
	if (err)
		um_runs_free(&d->runs);
	else
		um_runs_order(&d->runs);
	return err;
}

static int publish(struct um_data_file *d)
{
	char **texts = d->facts.texts;

	d->events = calloc(d->facts.num_events + 1, sizeof(*d->events));
	d->builds = calloc(d->facts.num_builds + 1, sizeof(*d->builds));
	if (!d->events || !d->builds)
		return -ENOMEM;
	for (size_t i = 0; i < d->facts.num_events; i++)
		d->events[i] = &d->facts.events[i].told;
	for (size_t i = 0; i < d->facts.num_builds; i++)
		d->builds[i] = &d->facts.builds[i];
	d->pub.size = sizeof(d->pub);
	d->pub.host = texts[UM_FACT_HOST];
	d->pub.release = texts[UM_FACT_RELEASE];
	d->pub.version = texts[UM_FACT_VERSION];
	d->pub.arch = texts[UM_FACT_ARCH];
	d->pub.cpu = texts[UM_FACT_CPU];
	d->pub.command = texts[UM_FACT_COMMAND];
	d->pub.num_events = d->facts.num_events;
	d->pub.events = d->events;
	d->pub.builds = d->builds;
	return 0;
}

int uncoremsr_perf_data_open(int fd, struct uncoremsr_perf_data **data)
{
	struct um_data_file *d;
	int err;

	if (!data)
		return -EINVAL;
	*data = NULL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->source.fd = -1;
	err = read_all(d, fd);
	if ((!err || err == -EBADMSG || err == -ENOTSUP) && publish(d))
		err = -ENOMEM;
	if (!err || err == -EBADMSG || err == -ENOTSUP)
		*data = &d->pub;
	else
		uncoremsr_perf_data_close(&d->pub);
	return err;
}

void uncoremsr_perf_data_close(struct uncoremsr_perf_data *data)
{
	struct um_data_file *d = (struct um_data_file *)data;

	if (!d)
		return;
	um_facts_free(&d->facts);
	free(d->events);
	free(d->builds);
	um_runs_free(&d->runs);
	um_source_close(&d->source);
	free(d);
}

/* As in perf report, each group member gets a sample, whose period is its count since the leader's previous sample. */
static bool next_member(struct um_data_file *d)
{
	struct um_perf_group *g = &d->group;

	while (g->num) {
		uint64_t value = um_get64(g->at, d->pub.big);
		struct um_file_id *id = um_facts_find(&d->facts, um_get64(g->at + 8, d->pub.big));
		uint64_t last = id ? id->last : value;

		g->at += g->step;
		g->num--;
		if (id)
			id->last = value;
		if (value <= last || id->event == d->leader)
			continue;
		d->record.event = id->event;
		d->record.id = id->id;
		d->record.period = value - last;
		d->record.has |= UNCOREMSR_HAS_PERIOD;
		return true;
	}
	return false;
}

/* Read the next record of a run into @bytes. Returns -EBADMSG if the file has changed meanwhile. */
static int read_bytes(struct um_data_file *d, const struct um_run *run, struct um_perf_head *head)
{
	ssize_t got = um_source_read(&d->source, run->window, run->at, d->bytes, UM_PERF_RECORD_HEADER);

	if (got == UM_PERF_RECORD_HEADER && um_perf_record_head(d->bytes, UM_PERF_RECORD_ROOM, d->pub.big, head) &&
	    head->size <= run->end - run->at)
		got = um_source_read(&d->source, run->window, run->at, d->bytes, head->size);
	else if (got >= 0)
		return -EBADMSG;
	return got < 0 ? (int)got : got < head->size ? -EBADMSG : 0;
}

static int read_record(struct um_data_file *d, struct um_run *run, struct um_perf_head *head)
{
	uint64_t left = run->end - run->at;
	int err;

	if (!run->window)
		run->window = um_window_new(left < RUN_ROOM ? (size_t)left : RUN_ROOM);
	err = run->window ? read_bytes(d, run, head) : -ENOMEM;
	return !err && wanted(head->type) ? parse(d, head, &d->group) : err;
}

/* Read the oldest record of all runs. Returns 1, 0 if there is none, or a negative errno. */
static int read_next(struct um_data_file *d)
{
	while (d->runs.num) {
		struct um_run *run = d->runs.at;
		uint64_t at = run->at, time;
		struct um_perf_head head;
		int err = read_record(d, run, &head);

		if (err)
			return err;
		time = wanted(head.type) ? time_of(d, run->time) : run->time;
		if (time > run->time) {
			run->time = time;
			um_runs_settle(&d->runs);
		}
		if (run->at != at) /* the next record of another run is earlier */
			continue;
		run->at += head.size;
		if (run->at >= run->end)
			um_runs_settle(&d->runs);
		if (wanted(head.type))
			return 1;
	}
	return 0;
}

int uncoremsr_perf_data_next(struct uncoremsr_perf_data *data, const struct uncoremsr_record **record)
{
	struct um_data_file *d = (struct um_data_file *)data;
	int got;

	if (!record)
		return -EINVAL;
	*record = NULL;
	if (!d)
		return -EINVAL;
	*record = &d->record;
	if (next_member(d))
		return 1;
	*record = NULL;
	got = read_next(d);
	if (got != 1) {
		d->group.num = 0; /* the record is not returned, so return no members of its group */
		return got;
	}
	d->leader = d->record.event;
	if (d->record.event == UINT_MAX)
		d->group.num = 0; /* unknown event: its record was parsed with the layout of another event */
	*record = &d->record;
	return 1;
}
