/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about what happens on the machine: events, rates, throttling. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/box.h"
#include "sim/keys.h"
#include "sim/throttling.h"

#define AT UM_SIM_AT

/* Parse EVENT:UMASK, PMU:EVENT:UMASK or PMU:NAME. Returns the number of words that were parsed. */
static int take_code(const struct um_sim_source *s, char **words, int n, struct um_sim_event *e)
{
	const uint64_t max = isalpha((unsigned char)words[0][0]) ? UINT64_MAX : 255;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER32, AT(event, event), 0, max > UINT32_MAX ? UINT32_MAX : max, NULL },
		{ NULL, UM_SIM_NUMBER, AT(event, umask), 0, max, NULL },
	};
	static const struct um_sim_item pmu = UM_SIM_COPY(NULL, UM_SIM_NAME, event, pmu);
	static const struct um_sim_item name = UM_SIM_COPY(NULL, UM_SIM_NAME, event, name);
	int first = max > 255, err = first ? um_sim_take(s, &pmu, e, words[0]) : 0;

	if (!err && first && !isdigit((unsigned char)words[1][0])) {
		err = um_sim_take(s, &name, e, words[1]);
		return err ? err : 2;
	}
	if (!err && (n < first + 2 || strchr(words[first + 1], '=')))
		return um_sim_bad(s, "'%s' must be followed by an event and a unit mask", words[0]);
	if (!err)
		err = um_sim_take_words(s, words + first, 2, items, ARRAY_SIZE(items), e);
	return err ? err : first + 2;
}

static const struct um_sim_event usual = { .spread = UINT64_MAX, .inc = 1, .burst = 1, .when = { .package = -1 } };

static int add_event(struct um_sim_event **list, size_t *num, const struct um_sim_source *s, struct um_sim_event *e)
{
	/* By default units have different rates, so that units can be told apart; all cores have the same rate. */
	if (e->spread == UINT64_MAX)
		e->spread = *e->pmu && strcmp(e->pmu, "core") ? e->rate : 0;
	if (*num >= UM_SIM_MAX_EVENTS)
		return um_sim_bad(s, "more than %u events", UM_SIM_MAX_EVENTS);
	return ARRAY_APPEND(*list, *num, *e);
}

static int set_event(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct um_sim_item items[] = {
		{ "rate", UM_SIM_NUMBER, AT(event, rate), 0, UINT64_MAX, NULL },
		{ "inc", UM_SIM_NUMBER, AT(event, inc), 1, 255, NULL },
		{ "burst", UM_SIM_NUMBER, AT(event, burst), 1, UINT64_MAX, "episode" },
		{ "every", UM_SIM_SECONDS, AT(event, when.every), 0, 0, NULL },
		{ "for", UM_SIM_SECONDS, AT(event, when.length), 0, 0, NULL },
		{ "phase", UM_SIM_SECONDS, AT(event, when.phase), 0, 0, NULL },
		{ "package", UM_SIM_ID, AT(event, when.package), 0, 255, NULL },
		{ "spread", UM_SIM_NUMBER, AT(event, spread), 0, UINT64_MAX - 1, NULL },
		{ "opc", UM_SIM_NUMBER, AT(event, opcode), 0, UINT64_MAX, NULL },
	};
	struct um_sim_event e = usual;
	char *words[UM_SIM_MAX_WORDS];
	int n = um_sim_split(s, value, words, 3), first = n < 0 ? n : take_code(s, words, n, &e), err;

	if (first < 0)
		return first;
	err = um_sim_take_words(s, words + first, n - first, items, ARRAY_SIZE(items) - (*e.pmu ? 0 : 2), &e);
	if (err)
		return err;
	if (e.when.every ? e.when.length > e.when.every || !e.when.length : e.when.length || e.when.phase)
		return um_sim_bad(s, "every= and for= must be given together, with for= shorter than every=");
	if (!e.burst && !e.when.every)
		return um_sim_bad(s, "burst=episode needs every= and for=");
	return add_event(&sim->events, &sim->num_events, s, &e);
}

/* Keep a rate= until the whole description is read, because it also applies to events that follow it. */
static int set_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_event e = usual;
	static const struct um_sim_item rate = { NULL, UM_SIM_NUMBER, AT(event, rate), 0, UINT64_MAX, NULL };
	char *eq = strrchr(value, '='), *words[UM_SIM_MAX_WORDS];
	int n, used;

	if (!eq)
		return um_sim_bad(s, "'%s' is not %s", value, s->form);
	*eq = '\0';
	n = um_sim_take(s, &rate, &e, eq + 1);
	if (!n && sim->imc)
		return um_sim_set_imc_rate(sim, s, value, e.rate);
	if (!n)
		n = um_sim_split(s, value, words, 2);
	used = n < 0 ? n : take_code(s, words, n, &e);
	if (used >= 0 && used < n)
		return um_sim_bad(s, "too many words; the form is %s", s->form);
	return used < 0 ? used : add_event(&sim->rates, &sim->num_rates, s, &e);
}

/* ---- throttling ---- */

#define MAX_THROTTLES 256u

/* The episodes of throttle=hour, see uncoremsr-sim(5). */
static const char *const hour[] = {
	"core-thermal core=0 every=3600 for=60 phase=300",
	"package-thermal every=3600 for=60 phase=600",
	"prochot-external every=3600 for=120 phase=900",
	"power-limit every=3600 for=120 phase=1200",
	"current-limit every=3600 for=60 phase=1500",
	"vr-thermal every=3600 for=60 phase=1800",
	"dimm-thermal every=3600 for=60 phase=2100",
	"clock-modulation every=3600 for=60 phase=2400",
	"smi every=3600 for=60 phase=2700",
	"firmware every=3600 for=60 phase=3000",
	"critical-temperature core=0 every=3600 for=30 phase=3300",
	"cross-domain every=3600 for=60 phase=3480",
};

/* Remove all episodes, and with them the throttling events of the Westmere uncore. */
static void drop_all(struct uncoremsr_sim *sim)
{
	size_t kept = 0;

	for (size_t i = 0; i < sim->num_events; i++) {
		const struct um_sim_event *e = &sim->events[i];

		if (!um_sim_is_of(sim, UM_SIM_WSM) || *e->pmu ||
		    (e->event != 0x67 && (e->event < 0x80 || e->event > 0x83)))
			sim->events[kept++] = *e;
	}
	sim->num_events = kept;
	sim->num_throttles = 0;
}

static int set_cause(struct uncoremsr_sim *sim, const struct um_sim_source *s, char **words, int n)
{
	struct um_sim_throttle t = { .when = { .package = -1 }, .core = -1, .die = -1, .events = true };
	struct um_sim_episodes *e = &t.when;
	static const struct um_sim_item items[] = {
		{ "package", UM_SIM_ID, AT(throttle, when.package), 0, 255, NULL },
		{ "core", UM_SIM_ID, AT(throttle, core), 0, UM_SIM_MAX_CPUS - 1, NULL },
		{ "die", UM_SIM_ID, AT(throttle, die), 0, 255, NULL },
		{ "every", UM_SIM_SECONDS, AT(throttle, when.every), 0, 0, NULL },
		{ "for", UM_SIM_SECONDS, AT(throttle, when.length), 0, 0, NULL },
		{ "phase", UM_SIM_SECONDS, AT(throttle, when.phase), 0, 0, NULL },
		{ "rate", UM_SIM_NUMBER, AT(throttle, rate), 1, 1000000, NULL },
		{ "events", UM_SIM_CHOICE, AT(throttle, events), 0, 0, NULL },
	};
	int err;

	while (t.cause < UM_SIM_CAUSES && strcmp(um_sim_cause_kinds[t.cause].name, words[0]))
		t.cause++;
	if (t.cause == UM_SIM_CAUSES)
		return um_sim_bad(s, "'%s' is neither a cause of throttling nor 'none' or 'hour'", words[0]);
	err = um_sim_take_words(s, words + 1, n - 1, items, ARRAY_SIZE(items), &t);
	if (err)
		return err;
	if (t.core >= 0 && !um_sim_cause_kinds[t.cause].on_cores)
		return um_sim_bad(s, "%s concerns whole packages, not one core", um_sim_cause_kinds[t.cause].name);
	if (t.rate && t.cause != UM_SIM_SMI)
		return um_sim_bad(s, "rate= is for smi only");
	if ((e->every || e->phase) && !e->length)
		return um_sim_bad(s, "every= and phase= need a for= above 0");
	if (e->every && e->length > e->every)
		return um_sim_bad(s, "for= must be shorter than every=");
	if (sim->num_throttles >= MAX_THROTTLES)
		return um_sim_bad(s, "more than %u episodes of throttling", MAX_THROTTLES);
	if (!t.rate)
		t.rate = 10;
	if (e->length && !e->every)
		e->every = UINT64_MAX; /* active only once */
	return ARRAY_APPEND(sim->throttles, sim->num_throttles, t);
}

static int set_throttle(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	char *words[UM_SIM_MAX_WORDS], line[80];
	int n = um_sim_split(s, value, words, 1), err = 0;

	if (n < 0)
		return n;
	if (n > 1 || (strcmp(words[0], "none") && strcmp(words[0], "hour")))
		return set_cause(sim, s, words, n);
	drop_all(sim);
	if (!strcmp(words[0], "none")) {
		sim->calm = true;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(hour) && !err; i++) {
		snprintf(line, sizeof(line), "%s", hour[i]);
		n = um_sim_split(s, line, words, 1);
		err = n < 0 ? n : set_cause(sim, s, words, n);
	}
	return err;
}

const struct um_sim_key um_sim_workload_keys[] = {
	{ "event", "[PMU:]EVENT:UMASK|PMU:NAME rate=N [inc=N] [burst=N|episode] [every=S for=S [phase=S]] "
	  "[package=ID]; of a PMU also [spread=N] [opc=N]", .set = set_event },
	{ "rate", "[PMU:]EVENT:UMASK=NUMBER or PMU:NAME=NUMBER; POWER: NAME=NUMBER", .set = set_rate },
	{ "throttle", "none|hour|CAUSE [package=ID] [die=N] [core=N] [every=S] [for=S] [phase=S] [rate=N] "
	  "[events=yes|no]", .set = set_throttle },
	{ .name = NULL },
};
