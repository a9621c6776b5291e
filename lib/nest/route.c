/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nest/route.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"
#include "names/imc_lists.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"
#include "uncoremsr.h"

/* Words of the control block (skiboot include/imc.h) and their values. */
enum { STATUS, COMMAND, CONTROL_WORDS };
enum { STATUS_RUNNING = 1, COMMAND_PAUSE = 2 };

struct event {
	char *name;              /* the event as the user wrote it */
	const struct um_imc_unit *unit;
	uint32_t offset;
	double scale;
	const char *measure;
};

struct chip {
	char path[64];
	bool no_cpu;
	bool paused;             /* the microcode was paused in this interval or at its beginning */
	bool paused_now;         /* the microcode was paused just before or after the last read */
	/* Why the control block could not be read, so that it is unknown whether the microcode runs; "": it was read. */
	char failed[UM_DETAIL];
	uint64_t last_ns;        /* when the counters were read at the end of the previous interval */
	uint64_t took_ns;        /* duration of the read at the end of the previous interval */
	uint64_t start_ns;       /* duration of the read at the start */
};

/* An event on a chip. Nothing clears the counter: after a failed read, the next good one corrects the total. */
struct counter {
	struct um_reading reading, total;
	uint64_t last;           /* counter value of the last good read */
	bool have_last;
	bool late;               /* the counter or its chip could not be read at the beginning of this interval */
	/* the counter or its chip could not be read at the start: an unknown part of the total is missing */
	bool begun_late;
	uint64_t counted;        /* counted since the previous interval was closed */
	char failed[UM_DETAIL];  /* why the last read failed; "": it did not fail */
};

struct state {
	const struct um_route_env *env;
	struct event *events, *claimed;
	size_t num, num_claimed;
	/* The members below are filled at the start. Counters and units are sorted by event, then by chip. */
	struct chip *chips;
	struct counter *counters;
	struct um_front *units;
	size_t num_places;
};

static int open_state(void **state, const struct um_route_env *env, struct um_error *e)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return um_no_memory(e);
	s->env = env;
	*state = s;
	return 0;
}

static void free_events(struct event *events, size_t num)
{
	for (size_t i = 0; i < num; i++)
		free(events[i].name);
	free(events);
}

static void drop_claimed(struct state *s)
{
	free_events(s->claimed, s->num_claimed);
	s->claimed = NULL;
	s->num_claimed = 0;
}

static void free_run(struct state *s)
{
	FREE_AND_NULL(s->chips);
	FREE_AND_NULL(s->counters);
	FREE_AND_NULL(s->units);
}

static void free_state(void *state)
{
	struct state *s = state;

	drop_claimed(s);
	free_events(s->events, s->num);
	free_run(s);
	free(s);
}

/* ---- claims ---- */

static int not_mine(const struct um_event *ev, struct um_error *e)
{
	um_event_fail(e, -ENOENT, ev->text, "no catalog of in-memory counters has this event");
	return um_advise(e, -ENOENT, "only nest events can be read from memory; uncore-events search finds their names");
}

/* Parse the byte offset in "PMU/event=N/" or "PMU/offset=N/". */
static int take_offset(const struct um_imc_lists *l, const struct um_event *ev, struct event *out, struct um_error *e)
{
	const struct um_event_term *t = ev->terms;
	uint64_t offset;

	out->unit = um_imc_find_unit(l, ev->pmu, ev->pmu_len);
	if (!out->unit)
		return not_mine(ev, e);
	if (!um_is_word(t->name, t->name_len, "event") && !um_is_word(t->name, t->name_len, "offset"))
		return um_event_fail(e, -EINVAL, ev->text, "the route memory knows only the terms event= and offset=");
	if (!um_perf_number(t->value, t->value_len, &offset) || offset > UINT32_MAX)
		return um_event_fail(e, -EINVAL, ev->text, "an offset is a number of at most 32 bits");
	out->offset = (uint32_t)offset;
	return 0;
}

static int take_name(const struct um_imc_lists *l, const struct um_event *ev, struct event *out, struct um_error *e)
{
	const struct um_event_term *last = ev->pmu ? ev->terms : ev->parts;
	const char *text = ev->pmu ? ev->pmu : ev->text;
	const struct um_imc_name *n = um_imc_find(l, text, (size_t)(last->name + last->name_len - text));

	if (!n)
		return not_mine(ev, e);
	out->unit = n->unit;
	out->offset = n->event->offset;
	um_imc_amount(n->event, &out->scale, &out->measure);
	return 0;
}

static bool has_modifiers(const struct um_event *ev)
{
	size_t plain = ev->pmu ? 0 : 1;

	return ev->num_parts > plain && (ev->parts[plain].name_len || ev->num_parts > plain + 1);
}

static int claim_event(const struct um_imc_lists *l, const struct um_event *ev, struct event *out, struct um_error *e)
{
	int err;

	*out = (struct event){ .scale = 1 };
	if (!l->num || (ev->pmu && ev->num_terms != 1))
		return not_mine(ev, e);
	err = ev->pmu && ev->terms->value ? take_offset(l, ev, out, e) : take_name(l, ev, out, e);
	if (err)
		return err;
	if (has_modifiers(ev))
		return um_event_fail(e, -EINVAL, ev->text, "the route memory has no modifiers: it always counts "
				     "the whole chip");
	if (out->unit->level != UM_IMC_NEST)
		return um_event_fail(e, -ENOTSUP, ev->text, "the memory of %s counters belongs to the kernel, and "
				     "cannot be read", um_imc_level_name(out->unit->level));
	if (out->offset % 8 || (uint64_t)out->offset + 8 > out->unit->size)
		return um_event_fail(e, -EINVAL, ev->text, "the offset is not within the unit's memory, or not a "
				     "multiple of 8");
	out->name = strdup(ev->text);
	return out->name ? 0 : um_no_memory(e);
}

static int claim(void *state, const struct um_event *group, size_t num, bool asked,
		 enum um_answer *answer, struct um_error *e)
{
	struct state *s = state;
	struct um_names *names;
	int err;

	drop_claimed(s);
	*answer = UM_CLAIM_NOT_MINE;
	/*
	 * This route is never chosen automatically: a paused counter stands still, which looks like a machine without
	 * traffic.
	 */
	if (!asked)
		return um_event_fail(e, -ENOENT, group->text, "the route 'memory' was not requested");
	err = s->env->names(s->env, &names, e);
	s->claimed = err ? NULL : calloc(num, sizeof(*s->claimed));
	if (!err && !s->claimed)
		err = um_no_memory(e);
	for (size_t i = 0; i < num && !err; i++) {
		err = claim_event(&names->imc, &group[i], &s->claimed[i], e);
		s->num_claimed += !err;
	}
	*answer = um_answer_for(err, UNCOREMSR_ERROR_USAGE);
	if (err)
		drop_claimed(s);
	return err;
}

static int add_claimed(void *state, struct um_error *e)
{
	struct state *s = state;
	size_t num = s->num_claimed;

	if (ARRAY_ROOM(s->events, s->num, num)) {
		drop_claimed(s);
		return um_no_memory(e);
	}
	memcpy(s->events + s->num, s->claimed, num * sizeof(*s->events));
	s->num += num;
	FREE_AND_NULL(s->claimed);
	s->num_claimed = 0;
	return (int)num;
}

static void cut(void *state, size_t num)
{
	struct state *s = state;

	while (s->num > num)
		free(s->events[--s->num].name);
}

static void facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	const struct event *ev = &((const struct state *)state)->events[event];

	*f = (struct uncoremsr_counted){
		.name = ev->name, .pmu = ev->unit->pmu, .encoding = ev->offset, .measure = ev->measure,
		.scale = ev->scale, .uncore = true,
	};
}

/* ---- memory ---- */

static int read_words(struct um_access *a, const char *path, uint64_t at, uint64_t *words, size_t num)
{
	ssize_t got = a->ops->read_at ? a->ops->read_at(a, path, at, words, num * sizeof(*words)) : -ENOTSUP;

	if (got < 0)
		return (int)got;
	if ((size_t)got != num * sizeof(*words))
		return -ENODATA;
	for (size_t i = 0; i < num; i++)
		words[i] = be64toh(words[i]);
	return 0;
}

/* Set the error of a failed read of @path, and copy its message to @failed. Returns @err. */
static int explain(const struct state *s, const char *path, int err, char failed[UM_DETAIL], struct um_error *e)
{
	bool denied = um_lacks_permission(err);

	um_fail(e, err, denied ? UNCOREMSR_ERROR_ACCESS : UNCOREMSR_ERROR_UNSUPPORTED, "%s/%s: %s",
		s->env->m->access->root, path,
		err == -ENODATA ? "the file is shorter than the catalog says" : strerror(-err));
	um_message(failed, UM_DETAIL, "%s", e->msg);
	if (denied)
		um_hint(e, "only root may read this file: run as root");
	else if (err == -ENOENT)
		um_hint(e, "firmware of a POWER host without hypervisor (PowerNV) exports this file; the "
			"kernel's PMUs do not need it");
	return err;
}

/* ---- start ---- */

static int make_units(struct state *s)
{
	size_t places = s->env->choices->num_places, n = s->num * places;

	free_run(s);
	s->num_places = places;
	s->chips = calloc(places + 1, sizeof(*s->chips));
	s->counters = calloc(n + 1, sizeof(*s->counters));
	s->units = calloc(n + 1, sizeof(*s->units));
	if (!s->chips || !s->counters || !s->units)
		return -ENOMEM;
	for (size_t p = 0; p < places; p++) {
		const struct uncoremsr_package *package = s->env->choices->places[p].package;

		s->chips[p].no_cpu = package->cpu < 0;
		snprintf(s->chips[p].path, sizeof(s->chips[p].path), UM_CHIP_EXPORTS "/" UM_CHIP_EXPORT "%x",
			 (unsigned)package->id);
	}
	for (size_t i = 0; i < n; i++) {
		const struct um_place *place = &s->env->choices->places[i % places];

		s->counters[i].reading = s->counters[i].total = um_reading_none();
		s->units[i] = (struct um_front){
			.shown = {
				.size = sizeof(s->units[i].shown), .name = s->events[i / places].unit->pmu,
				.number = -1, .cpu = (int)place->cpu, .core = -1, .package = place->package,
			},
			.reading = &s->counters[i].reading,
			.total = &s->counters[i].total,
		};
	}
	return 0;
}

/* ---- reading ---- */

static void keep_first(int *first, int err, struct um_error *e, const struct um_error *each)
{
	if (!err || *first)
		return;
	*first = err;
	um_fail_as(e, each);
}

/*
 * Is the microcode paused, so that it does not write the counters? It runs only if the status is STATUS_RUNNING and the
 * command is not COMMAND_PAUSE. Units may have control blocks of their own (property cb_offset); if one of them is
 * paused, all units of the chip count as paused.
 */
static int check_control(const struct state *s, struct chip *c, struct um_error *e)
{
	uint64_t words[CONTROL_WORDS];
	int err = 0;

	for (size_t i = 0; i < s->num && !err; i++) {
		uint32_t at = s->events[i].unit->control;

		if (i && at == s->events[i - 1].unit->control)
			continue;
		err = read_words(s->env->m->access, c->path, at, words, CONTROL_WORDS);
		if (!err && (words[STATUS] != STATUS_RUNNING || words[COMMAND] == COMMAND_PAUSE))
			c->paused = c->paused_now = true;
	}
	return err ? explain(s, c->path, err, c->failed, e) : 0;
}

static int take_word(const struct state *s, const struct chip *chip, const struct event *ev,
		     struct counter *c, struct um_error *e)
{
	uint64_t word;
	int err = read_words(s->env->m->access, chip->path, ev->offset, &word, 1);

	c->failed[0] = '\0';
	c->reading.have_raw = !err;
	if (err)
		return explain(s, chip->path, err, c->failed, e);
	c->counted += c->have_last ? word - c->last : 0;
	c->have_last = true;
	c->last = word;
	c->reading.raw = word;
	return 0;
}

/* 0 or the first error. */
static int take_place(struct state *s, size_t place, struct um_error *e)
{
	struct chip *chip = &s->chips[place];
	struct um_error each;
	int first = 0;

	chip->failed[0] = '\0';
	chip->paused_now = false;
	keep_first(&first, check_control(s, chip, &each), e, &each);
	for (size_t i = 0; i < s->num; i++)
		keep_first(&first, take_word(s, chip, &s->events[i], &s->counters[i * s->num_places + place], &each),
			   e, &each);
	keep_first(&first, check_control(s, chip, &each), e, &each);
	return first;
}

static void spoil_paused(struct um_reading *r, const struct chip *chip)
{
	um_reading_spoil(r, UNCOREMSR_PAUSED, chip->no_cpu
	      ? "the microcode that writes the nest's counters is paused: the kernel starts it through a CPU of this chip, "
		"and none is online"
	      : "the microcode that writes the nest's counters is paused: hold a nest event open in the kernel, as "
		"uncore-read --route=perf -e EVENT -i 60 in another terminal does");
}

/*
 * The total is exact from the first to the last good read, even if reads in between failed. But counts during a pause
 * of the microcode are lost.
 */
static void close_total(struct counter *c, const struct chip *chip, uint64_t took_ns, const char *failed)
{
	struct um_reading *t = &c->total;

	t->have_raw = c->reading.have_raw;
	t->raw = c->reading.raw;
	t->counted += c->counted;
	t->value = t->counted;
	t->enabled_ns += c->reading.enabled_ns;
	t->running_ns = t->enabled_ns;
	t->time_ns = c->reading.time_ns;
	if (t->status == UNCOREMSR_PAUSED)
		return;
	t->status = UNCOREMSR_OK;
	if (chip->paused)
		spoil_paused(t, chip);
	else if (failed)
		um_reading_spoil(t, UNCOREMSR_FAILED, failed);
	else if (c->begun_late)
		um_reading_spoil(t, UNCOREMSR_FAILED, "the counter could not be read at the start");
	um_reading_judge_time(t, took_ns + chip->start_ns);
}

static void close_interval(struct counter *c, const struct chip *chip, uint64_t at, uint64_t took_ns)
{
	struct um_reading *r = &c->reading;
	const char *failed = *c->failed ? c->failed : um_or_null(chip->failed);

	r->status = UNCOREMSR_OK;
	r->counted = r->value = c->counted;
	r->enabled_ns = r->running_ns = at - chip->last_ns;
	r->time_ns = at;
	close_total(c, chip, took_ns, failed);
	if (failed)
		um_reading_spoil(r, UNCOREMSR_FAILED, failed);
	else if (chip->paused)
		spoil_paused(r, chip);
	else if (c->late)
		um_reading_spoil(r, UNCOREMSR_FAILED, um_reading_counted(&c->total) ? UM_LATE
			: "the counter could not be read at the beginning of this interval");
	um_reading_judge_time(r, took_ns + chip->took_ns);
	c->late = failed;
	c->counted = 0;
}

static void begin_next(struct chip *chip, uint64_t at, uint64_t took_ns)
{
	chip->last_ns = at;
	chip->took_ns = took_ns;
	chip->paused = chip->paused_now;
}

static int read_all(void *state, bool close, struct um_error *e)
{
	struct state *s = state;
	struct um_error each;
	int first = 0;

	for (size_t p = 0; p < s->num_places; p++) {
		struct chip *chip = &s->chips[p];
		uint64_t at = um_now(s->env->m), took;

		keep_first(&first, take_place(s, p, &each), e, &each);
		took = um_now(s->env->m) - at;
		if (!close)
			continue;
		for (size_t i = 0; i < s->num; i++)
			close_interval(&s->counters[i * s->num_places + p], chip, at, took);
		begin_next(chip, at, took);
	}
	return first;
}

static int begin(struct state *s, size_t place, struct um_error *e)
{
	struct chip *chip = &s->chips[place];
	uint64_t at = um_now(s->env->m);
	int err = take_place(s, place, e);

	for (size_t i = 0; i < s->num; i++) {
		struct counter *c = &s->counters[i * s->num_places + place];

		c->late = c->begun_late = *c->failed || *chip->failed;
		c->reading.have_raw = false;
	}
	chip->start_ns = um_now(s->env->m) - at;
	begin_next(chip, at, chip->start_ns);
	return err;
}

static int start(void *state, struct um_error *e)
{
	struct state *s = state;
	struct um_error each;
	int err = make_units(s), first = 0;
	size_t good = 0;

	if (err)
		return um_no_memory(e);
	for (size_t p = 0; p < s->num_places; p++) {
		err = begin(s, p, &each);
		good += !err;
		keep_first(&first, err, e, &each);
	}
	if (good && first)
		um_warn(s->env->m, "%s", e->msg);
	return good ? 0 : first;
}

/* Nothing to do: the counters run freely, so start() has programmed nothing. */
static int stop(void *state, struct um_error *e)
{
	(void)state;
	(void)e;
	return 0;
}

static const struct um_front *units(void *state, size_t event, size_t *num)
{
	const struct state *s = state;

	*num = s->units ? s->num_places : 0;
	return s->units ? &s->units[event * s->num_places] : NULL;
}

static enum uncoremsr_status no_units(const void *state, size_t event,
				      const struct uncoremsr_package *package, char *why, size_t size)
{
	(void)state;
	(void)event;
	(void)package;
	snprintf(why, size, "no memory of this chip is read");
	return UNCOREMSR_FAILED;
}

const struct um_route um_route_memory = {
	.name = "memory", .label = "memory", .id = UNCOREMSR_ROUTE_MEMORY,
	.open = open_state, .free = free_state, .claim = claim, .add = add_claimed, .cut = cut, .facts = facts,
	.start = start, .read = read_all, .stop = stop, .units = units, .no_units = no_units,
};
