/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Steps for sessions, for the library's register accesses and for leases; see steps.h. */
#include "steps.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "uarch/uarch.h"

/* ---- register accesses of the library ---- */

struct range {
	uint32_t first, last;
};

enum { MOST_DENIED = 4 };

/*
 * Accesses to registers in @range: @after of them succeed, then @times fail (all if @times < 0). If @err is 0, accesses
 * succeed, but writes are ignored and reads return 0.
 */
static struct {
	struct range range;
	bool reads, writes;
	int err;
	long times, after;
} denied[MOST_DENIED];
static size_t num_denied;

static struct {
	struct range range;
	unsigned reads, writes;
	uint64_t written;
} watched;

static bool is_in(const struct range *r, uint32_t msr)
{
	return msr >= r->first && msr <= r->last;
}

/* Is the access denied? Sets @err to the error; 0 means that the write is ignored, or that 0 is read. */
static bool is_denied(uint32_t msr, bool writes, int *err)
{
	for (size_t i = 0; i < num_denied; i++) {
		if (!is_in(&denied[i].range, msr) || !(writes ? denied[i].writes : denied[i].reads) || !denied[i].times)
			continue;
		if (denied[i].after) {
			denied[i].after--;
			continue;
		}
		denied[i].times -= denied[i].times > 0;
		*err = denied[i].err;
		return true;
	}
	return false;
}

static int watch_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	int err = 0;
	bool is = is_denied(msr, false, &err);

	watched.reads += is_in(&watched.range, msr);
	if (err)
		return err;
	err = true_ops->read(a, cpu, msr, v);
	if (is)
		*v = 0;
	return err;
}

static int watch_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	int err = 0;

	if (is_in(&watched.range, msr)) {
		watched.writes++;
		watched.written = v;
	}
	return is_denied(msr, true, &err) ? err : true_ops->write(a, cpu, msr, v);
}

static void watch_accesses(void)
{
	struct um_access_ops *ops = spy_on();

	ops->read = watch_read;
	ops->write = watch_write;
	ops->batch_read = NULL;
}

static struct range step_range(const struct step *st, unsigned word)
{
	const char *last = strchr(st->word[word], '-');
	struct range r = { .last = (uint32_t)step_value_of(st, last ? last + 1 : st->word[word]) };
	char first[24];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(st->word[word], "-"), st->word[word]);
	r.first = (uint32_t)step_value_of(st, first);
	return r;
}

/* errno_of(): the negative errno with this name; 0 for "silent". */
static int errno_of(const struct step *st, unsigned word)
{
	if (!strcmp(st->word[word], "silent"))
		return 0;
	for (int err = 1; err < 134; err++)
		if (strerrorname_np(err) && !strcmp(strerrorname_np(err), st->word[word]))
			return -err;
	step_holds(st, false, "no such error");
	return 0;
}

static void step_deny(const struct step *st)
{
	static const char *const words[] = { "read", "write", "any", NULL };
	int what = step_choice(st, 0, words);

	step_got(st, num_denied < MOST_DENIED, num_denied);
	denied[num_denied].range = step_range(st, 1);
	denied[num_denied].reads = what != 1;
	denied[num_denied].writes = what != 0;
	denied[num_denied].err = errno_of(st, 2);
	denied[num_denied].times = st->num > 3 ? step_int(st, 3) : -1;
	denied[num_denied++].after = st->num > 4 ? step_int(st, 4) : 0;
	watch_accesses();
}

static void step_allow(const struct step *st)
{
	(void)st;
	num_denied = 0;
}

static void step_watch(const struct step *st)
{
	watched.range = step_range(st, 0);
	watched.reads = watched.writes = 0;
	watched.written = 0;
	watch_accesses();
}

static void step_reads(const struct step *st)
{
	step_is(st, 0, watched.reads);
}

static void step_writes(const struct step *st)
{
	step_is(st, 0, watched.writes);
	if (st->num > 1)
		step_is(st, 1, watched.written);
}

/* ---- steps of a session ---- */

static struct image images[2];

static void open_story(const char *machine)
{
	size_t len = strcspn(machine, ",");
	char name[64];

	ck_assert_uint_lt(len, sizeof(name));
	memcpy(name, machine, len);
	name[len] = '\0';
	open_stepped(name, machine + len);
	images[0].num = 0;
	num_denied = 0;
}

static void step_machine(const struct step *st)
{
	open_story(step_rest(st, 0));
}

static int route_of(const struct step *st, unsigned word)
{
	static const char *const words[] = { "msr", "perf", "memory", NULL };
	static const int routes[] = { UNCOREMSR_ROUTE_MSR, UNCOREMSR_ROUTE_PERF, UNCOREMSR_ROUTE_MEMORY };

	return routes[step_choice(st, word, words)];
}

static void step_route(const struct step *st)
{
	step_error(st, uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, route_of(st, 0)), ANY);
}

static void step_only(const struct step *st)
{
	static const char *const words[] = { "cpus", "packages", "cores", NULL };
	static const enum uncoremsr_only what[] = {
		UNCOREMSR_ONLY_CPUS, UNCOREMSR_ONLY_PACKAGES, UNCOREMSR_ONLY_CORES,
	};
	int err = uncoremsr_session_only(s, what[step_choice(st, 0, words)], st->word[1]);

	step_error(st, err < 0 ? err : 0, 2);
}

static void step_force(const struct step *st)
{
	step_error(st, uncoremsr_session_set(s, UNCOREMSR_SESSION_FORCE, step_int(st, 0)), 1);
}

static void step_no_turns(const struct step *st)
{
	step_error(st, uncoremsr_session_set(s, UNCOREMSR_SESSION_MULTIPLEX, 0), ANY);
}

static void step_unverified(const struct step *st)
{
	step_error(st, uncoremsr_session_set(s, UNCOREMSR_SESSION_VERIFY, 0), ANY);
}

static void step_next(const struct step *st)
{
	(void)st;
	next_session();
}

static void step_add(const struct step *st)
{
	int num = uncoremsr_session_add(s, st->word[0]);

	step_error(st, num < 0 ? num : 0, ANY);
	step_holds(st, num > 0, "no event");
}

static void step_start(const struct step *st)
{
	if (st->num)
		step_add(st);
	step_error(st, uncoremsr_session_start(s), ANY);
}

static void step_counter(const struct step *st)
{
	step_error(st, uncoremsr_session_set_counter(s, step_number(st, 0), (unsigned)step_number(st, 1)), 2);
}

static void step_hints(const struct step *st)
{
	step_holds(st, strstr(uncoremsr_error(um)->hint, step_rest(st, 0)), uncoremsr_error(um)->hint);
}

static void step_no_event(const struct step *st)
{
	int err = uncoremsr_session_add(s, st->word[0]);
	const struct uncoremsr_error *e = uncoremsr_error(um);
	const char *text = step_rest(st, 2);

	step_error(st, err < 0 ? err : 0, 1);
	step_holds(st, strstr(e->message, text) || strstr(e->hint, text), e->message);
}

static void step_no_start(const struct step *st)
{
	step_error(st, uncoremsr_session_start(s), 0);
	step_holds(st, strstr(uncoremsr_error(um)->message, step_rest(st, 1)), uncoremsr_error(um)->message);
}

static void step_after(const struct step *st)
{
	step_let_pass(st, step_time(st, 0));
	step_error(st, uncoremsr_session_read(s), 1);
}

static void step_sample(const struct step *st)
{
	step_error(st, uncoremsr_session_sample(s), ANY);
}

static void step_rotate(const struct step *st)
{
	step_error(st, uncoremsr_session_rotate(s), ANY);
}

static void step_pause(const struct step *st)
{
	step_error(st, uncoremsr_session_pause(s), ANY);
}

static void step_stop(const struct step *st)
{
	step_error(st, uncoremsr_session_stop(s), 0);
}

/* Steps "total", "total-X" and "unit-total" use the total of all intervals; other steps use the last interval. */
static enum uncoremsr_span span_of(const struct step *st)
{
	return !strncmp(st->text, "total", 5) || !strncmp(st->text, "unit-total", 10) ? UNCOREMSR_TOTAL
									      : UNCOREMSR_INTERVAL;
}

static const struct uncoremsr_reading *reading_at(const struct step *st)
{
	static const struct { const char *name; enum uncoremsr_place place; } places[] = {
		{ "all", UNCOREMSR_PLACE_EVERYWHERE }, { "cores", UNCOREMSR_PLACE_CORES },
		{ "core", UNCOREMSR_PLACE_CORE }, { "", UNCOREMSR_PLACE_PACKAGE },
	};
	const char *word = st->word[0];
	size_t i = 0, len;

	while (strncmp(word, places[i].name, len = strlen(places[i].name)))
		i++;
	return uncoremsr_session_reading(s, step_number(st, 1), places[i].place,
					 word[len] ? step_value_of(st, word + len) : 0, span_of(st));
}

static const struct uncoremsr_reading *step_reading(const struct step *st)
{
	const struct uncoremsr_reading *r = reading_at(st);

	step_holds(st, r != NULL, "no reading");
	return r;
}

static void step_no_reading(const struct step *st)
{
	step_holds(st, !reading_at(st), "there is one");
}

static void step_value(const struct step *st)
{
	const struct uncoremsr_reading *r = step_reading(st);

	step_holds(st, r->value != UINT64_MAX, r->detail);
	step_is(st, 2, r->value);
}

static void step_unit(const struct step *st)
{
	const struct uncoremsr_reading *r = NULL;
	const struct uncoremsr_unit *u;
	size_t event = step_number(st, 0);

	for (size_t i = 0; !r && (u = uncoremsr_session_unit(s, event, i)); i++)
		if (!strcmp(u->name, st->word[1]))
			r = uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_UNIT, i, span_of(st));
	step_holds(st, r != NULL, "no such unit");
	if (isdigit((unsigned char)*st->word[2])) {
		step_holds(st, st->num == 3, "too many words");
		step_is(st, 2, r->value);
	} else {
		step_holds(st, !strcmp(r->word, st->word[2]), r->word);
		step_holds(st, strstr(r->detail, step_rest(st, 3)), r->detail);
		step_got(st, !strcmp(r->word, "ok") || !strcmp(r->word, "spread") || r->value == UINT64_MAX, r->value);
	}
}

static void step_raw(const struct step *st)
{
	step_is(st, 2, step_reading(st)->raw);
}

static void step_counted(const struct step *st)
{
	step_is(st, 2, step_reading(st)->counted);
}

static void step_status(const struct step *st)
{
	const char *word = step_reading(st)->word;

	step_holds(st, !strcmp(word, st->word[2]), word);
}

static void step_ran(const struct step *st)
{
	const struct uncoremsr_reading *r = step_reading(st);
	uint64_t ns = step_time(st, 2);

	step_holds(st, r->status == UNCOREMSR_OK && r->value == r->counted, r->word);
	step_got(st, r->running_ns == ns && r->enabled_ns == ns, r->running_ns);
}

static void step_detail(const struct step *st)
{
	const char *detail = step_reading(st)->detail;

	step_holds(st, strstr(detail, step_rest(st, 2)), detail);
}

static void step_unknown(const struct step *st)
{
	const struct uncoremsr_reading *r = step_reading(st);

	step_holds(st, !strcmp(r->word, st->word[2]), r->word);
	step_got(st, r->value == UINT64_MAX, r->value);
	step_holds(st, strstr(r->detail, step_rest(st, 3)), r->detail);
}

/* Status of a reading in the form that users see, for example "ok, 7 of 8". */
static void step_known(const struct step *st)
{
	const struct uncoremsr_reading *r = step_reading(st);
	const char *want = step_rest(st, 2);
	char text[64];

	snprintf(text, sizeof(text), "%s, %u of %u", r->word, r->units_known, r->units);
	if (!strchr(want, ',') && (!r->units_known || r->units_known == r->units))
		*strchr(text, ',') = '\0';
	step_holds(st, !strcmp(text, want), text);
}

static void step_of(const struct step *st)
{
	step_is(st, 2, step_reading(st)->units);
}

static void step_some(const struct step *st)
{
	const struct uncoremsr_reading *r = step_reading(st);

	step_holds(st, r->value && r->value != UINT64_MAX, r->word);
}

static void step_each(const struct step *st)
{
	for (const char *want = st->word[0]; *want; want++) {
		const struct uncoremsr_reading *r;

		step_let_pass(st, SECOND);
		step_error(st, uncoremsr_session_read(s), ANY);
		r = reading(0, 0);
		step_holds(st, *want == 'o' || *want == 'd', want);
		if (*want == 'd')
			step_holds(st, r->status == UNCOREMSR_DISTURBED && r->value == UINT64_MAX, want);
		else
			ck_assert_msg(r->value == step_number(st, 1), "%s: %s: at \"%s\": %" PRIu64 " %s",
				      st->row, st->text, want, r->value, r->detail);
	}
}

static void step_on(const struct step *st)
{
	step_is(st, 2, (uint64_t)step_reading(st)->counter);
}

static void step_disturbed(const struct step *st)
{
	step_is(st, 0, num_disturbed(s));
}

static void step_units(const struct step *st)
{
	step_is(st, 1, num_units(s, step_number(st, 0)));
}

static void step_unit_on(const struct step *st)
{
	const struct uncoremsr_unit *u = uncoremsr_session_unit(s, step_number(st, 0), step_number(st, 1));

	step_holds(st, u != NULL, "no such unit");
	step_is(st, 2, (uint64_t)u->cpu);
	if (st->num > 3)
		step_is(st, 3, (uint64_t)u->core);
}

static void step_events(const struct step *st)
{
	step_is(st, 0, num_events(s));
}

static void step_event(const struct step *st)
{
	const struct uncoremsr_counted *e = uncoremsr_session_event(s, step_number(st, 0));

	step_holds(st, e != NULL, "no such event");
	step_got(st, (int)e->route == route_of(st, 1), (uint64_t)e->route);
	step_holds(st, st->num < 3 || !strcmp(e->name, st->word[2]), e->name);
}

static void step_package_error(const struct step *st)
{
	const char *error = uncoremsr_session_package(s, step_number(st, 0))->error;

	step_holds(st, st->num > 1 ? error && strstr(error, step_rest(st, 1)) : !error, error ? error : "no error");
}

static void step_turns(const struct step *st)
{
	step_is(st, 0, uncoremsr_session_state(s)->turns);
}

static void step_packages(const struct step *st)
{
	step_is(st, 0, uncoremsr_session_state(s)->packages);
}

static void step_through(const struct step *st)
{
	step_is(st, 1, (uint64_t)uncoremsr_session_package(s, step_number(st, 0))->cpu);
}

static void step_logged(const struct step *st)
{
	unsigned num = times(step_rest(st, 1));

	step_holds(st, !strcmp(st->word[0], "some") ? num > 0 : num == step_number(st, 0), logged);
}

static void step_root(const struct step *st)
{
	(void)st;
	if (!*root)
		make_root();
	use_root();
}

static void step_leases(const struct step *st)
{
	static const char *const words[] = { "held", "leftover", "invalid", "locked", NULL };
	static const int states[] = { UNCOREMSR_LEASE_HELD, UNCOREMSR_LEASE_LEFTOVER, UNCOREMSR_LEASE_INVALID,
				      UNCOREMSR_LEASE_LOCKED };
	const struct uncoremsr_leases *leases = leases_of(um);
	int state = st->num < 2 ? -1 : states[step_choice(st, 1, words)];
	size_t num = 0;

	for (const struct uncoremsr_lease *l; (l = leases->list[num]); num++)
		step_got(st, state < 0 || (int)l->state == state, l->state);
	step_is(st, 0, num);
}

static void step_leased(const struct step *st)
{
	const struct uncoremsr_lease *l = leases_of(um)->list[0];

	step_holds(st, l != NULL, "no lease");
	step_is(st, 0, (uint64_t)l->counter);
}

static void step_repair(const struct step *st)
{
	int num = uncoremsr_repair(um, NULL, NULL);

	step_error(st, num < 0 ? num : 0, 1);
	step_got(st, num < 0 || (!strcmp(st->word[0], "some") ? num > 0 : num == step_int(st, 0)), (uint64_t)num);
}

static void take_all(struct image *image)
{
	uint32_t regs[4];

	image->num = 0;
	for (unsigned cpu = 0; !uncoremsr_sim_cpuid(sim, cpu, 0, 0, regs); cpu++) {
		take_image(image, uarch_of(um), cpu);
		take_image(image, &um_core_registers, cpu);
	}
}

static void step_image(const struct step *st)
{
	(void)st;
	take_all(&images[0]);
}

static void step_same(const struct step *st)
{
	step_holds(st, images[0].num > 0, "no image");
	take_all(&images[1]);
	expect_image(&images[0], &images[1], st->row);
}

static const struct step_kind session_kinds[] = {
	{ "machine", 1, ANY, step_machine }, { "route", 1, 1, step_route },
	{ "only", 2, 3, step_only }, { "unverified", 0, 0, step_unverified }, { "force", 1, 2, step_force },
	{ "no-turns", 0, 0, step_no_turns }, { "next", 0, 0, step_next }, { "add", 1, 1, step_add },
	{ "start", 0, 1, step_start }, { "counter", 2, 3, step_counter },
	{ "hints", 1, ANY, step_hints }, { "no-event", 2, ANY, step_no_event }, { "no-start", 1, ANY, step_no_start },
	{ "after", 1, 2, step_after }, { "each", 2, 2, step_each }, { "sample", 0, 0, step_sample },
	{ "rotate", 0, 0, step_rotate }, { "pause", 0, 0, step_pause }, { "stop", 0, 1, step_stop },
	{ "value", 3, 3, step_value }, { "unit", 3, ANY, step_unit }, { "unit-total", 3, ANY, step_unit },
	{ "total", 3, 3, step_value }, { "raw", 3, 3, step_raw }, { "counted", 3, 3, step_counted },
	{ "status", 3, 3, step_status }, { "total-status", 3, 3, step_status },
	{ "total-detail", 3, ANY, step_detail }, { "deny", 3, 5, step_deny }, { "allow", 0, 0, step_allow },
	{ "watch", 1, 1, step_watch }, { "reads", 1, 1, step_reads }, { "writes", 1, 2, step_writes },
	{ "root", 0, 0, step_root }, { "leases", 1, 2, step_leases }, { "leased", 1, 1, step_leased },
	{ "repair", 1, 2, step_repair },
	{ "ran", 3, 3, step_ran }, { "detail", 3, ANY, step_detail }, { "unknown", 3, ANY, step_unknown },
	{ "total-unknown", 3, ANY, step_unknown }, { "on", 3, 3, step_on },
	{ "disturbed", 1, 1, step_disturbed }, { "units", 2, 2, step_units }, { "turns", 1, 1, step_turns },
	{ "packages", 1, 1, step_packages }, { "through", 2, 2, step_through }, { "logged", 2, ANY, step_logged },
	{ "known", 3, ANY, step_known }, { "no-reading", 2, 2, step_no_reading }, { "of", 3, 3, step_of },
	{ "some", 2, 2, step_some }, { "events", 1, 1, step_events }, { "event", 2, 3, step_event },
	{ "package-error", 1, ANY, step_package_error },
	{ "unit-on", 3, 4, step_unit_on },
	{ "image", 0, 0, step_image }, { "same", 0, 0, step_same }, { .name = NULL },
};
const struct vocabulary session_steps = { .kinds = session_kinds, .base = &handle_steps };

void play_on(const char *row, const char *format, ...)
{
	char steps[1024];
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(steps, sizeof(steps), format, ap);
	va_end(ap);
	ck_assert_uint_lt((size_t)len, sizeof(steps));
	play_steps(&session_steps, row, steps);
}

void play_story(const struct vocabulary *v, const struct story *story)
{
	open_story(story->machine);
	play_steps(v, story->name, story->steps);
}

void play_session(const struct story *story)
{
	play_story(&session_steps, story);
}
