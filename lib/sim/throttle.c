/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The key throttle=: what slows the machine down, and when. */
#include <errno.h>
#include <string.h>

#include "sim/keys.h"
#include "sim/thermal.h"

#define MAX_THROTTLES 256u

/* What a cause takes of the frequency, in 1/1000: plausible, and each of its own size. */
static const struct cause {
	const char *name;
	unsigned loss;
	bool on_cores; /* may hold on one core alone */
} causes[UM_SIM_CAUSES] = {
	[UM_SIM_CORE_THERMAL] = { "core-thermal", 300, true },
	[UM_SIM_PACKAGE_THERMAL] = { "package-thermal", 250, false },
	[UM_SIM_CRITICAL] = { "critical-temperature", 450, true },
	[UM_SIM_PROCHOT] = { "prochot-external", 400, false },
	[UM_SIM_POWER] = { "power-limit", 150, true },
	[UM_SIM_CURRENT] = { "current-limit", 100, true },
	[UM_SIM_VR] = { "vr-thermal", 200, false },
	[UM_SIM_CROSS] = { "cross-domain", 100, true },
	[UM_SIM_DIMM] = { "dimm-thermal", 0, false },
	[UM_SIM_MODULATION] = { "clock-modulation", 500, true },
	[UM_SIM_SMI] = { "smi", 0, false },
	[UM_SIM_FIRMWARE] = { "firmware", 350, false },
};

/* The hour of uncoremsr-sim(5). */
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

static bool is_throttling(const struct um_sim_event *e)
{
	return e->event == 0x67 || (e->event >= 0x80 && e->event <= 0x83);
}

/* No episodes, and no throttling events of the Westmere uncore either. */
static void drop_all(struct uncoremsr_sim *sim)
{
	size_t kept = 0;

	for (size_t i = 0; i < sim->num_events && sim->uncore == UM_SIM_WESTMERE; i++)
		if (!is_throttling(&sim->events[i]))
			sim->events[kept++] = sim->events[i];
	if (sim->uncore == UM_SIM_WESTMERE)
		sim->num_events = kept;
	sim->num_throttles = 0;
}

static int check(const struct um_sim_source *s, const struct um_sim_throttle *t, uint64_t rate)
{
	const struct um_sim_event *e = &t->when;

	if (t->core >= 0 && !causes[t->cause].on_cores)
		return um_sim_bad(s, "%s concerns whole packages, not one core",
				  causes[t->cause].name);
	if (rate && t->cause != UM_SIM_SMI)
		return um_sim_bad(s, "rate= is for smi only");
	if ((e->every || e->phase) && !e->length)
		return um_sim_bad(s, "every= and phase= need for=, and more than 0 of it");
	if (e->every && e->length > e->every)
		return um_sim_bad(s, "for= is the shorter one of every= and for=");
	return 0;
}

static int add(struct uncoremsr_sim *sim, const struct um_sim_source *s, struct um_sim_throttle t)
{
	struct um_sim_throttle *added;

	if (sim->num_throttles >= MAX_THROTTLES)
		return um_sim_bad(s, "more than %u of them", MAX_THROTTLES);
	if (t.when.length && !t.when.every)
		t.when.every = UINT64_MAX; /* once */
	added = UM_SIM_APPEND(sim->throttles, sim->num_throttles);
	if (!added)
		return -ENOMEM;
	*added = t;
	return 0;
}

static int set_options(const struct um_sim_source *s, char **words, int n,
		       struct um_sim_throttle *t)
{
	uint64_t package = UINT64_MAX, core = UINT64_MAX, rate = 0;
	const char *events = "yes";
	const struct um_sim_option opts[] = {
		{ .name = "package", .value = &package, .max = 255 },
		{ .name = "core", .value = &core, .max = UM_SIM_MAX_CPUS - 1 },
		{ .name = "every", .kind = UM_SIM_OPT_SECONDS, .value = &t->when.every },
		{ .name = "for", .kind = UM_SIM_OPT_SECONDS, .value = &t->when.length },
		{ .name = "phase", .kind = UM_SIM_OPT_SECONDS, .value = &t->when.phase },
		{ .name = "rate", .value = &rate, .min = 1, .max = 1000000 },
		{ .name = "events", .kind = UM_SIM_OPT_TEXT, .text = &events },
	};
	int err = um_sim_options(s, words, 1, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	if (strcmp(events, "yes") && strcmp(events, "no"))
		return um_sim_bad(s, "events='%s' is neither yes nor no", events);
	t->events = !strcmp(events, "yes");
	t->core = core == UINT64_MAX ? -1 : (int)core;
	t->when.package = package == UINT64_MAX ? -1 : (int)package;
	t->rate = rate ? rate : 10;
	t->loss = causes[t->cause].loss;
	return check(s, t, rate);
}

static int set_one(struct uncoremsr_sim *sim, const struct um_sim_source *s, char **words, int n)
{
	struct um_sim_throttle t = { .when = { .inc = 1 } };
	unsigned c = 0;
	int err;

	while (c < UM_SIM_CAUSES && strcmp(causes[c].name, words[0]))
		c++;
	if (c == UM_SIM_CAUSES)
		return um_sim_bad(s, "'%s' is no cause of throttling, and not none or hour",
				  words[0]);
	t.cause = (enum um_sim_cause)c;
	err = set_options(s, words, n, &t);
	return err < 0 ? err : add(sim, s, t);
}

static int set_hour(struct uncoremsr_sim *sim, const struct um_sim_source *s)
{
	int err = 0;

	drop_all(sim);
	for (size_t i = 0; i < ARRAY_SIZE(hour) && !err; i++) {
		char line[80], *words[8];

		memcpy(line, hour[i], strlen(hour[i]) + 1);
		err = set_one(sim, s, words, um_sim_words(line, true, words, 8));
	}
	return err;
}

int um_sim_set_throttle(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	char *words[8];
	int n = um_sim_split(s, value, words, 1, 8, "none|hour|CAUSE [package=ID] [core=N] "
			     "[every=S] [for=S] [phase=S] [rate=N] [events=yes|no]");

	if (n < 0)
		return n;
	if (n == 1 && !strcmp(words[0], "hour"))
		return set_hour(sim, s);
	if (n > 1 || strcmp(words[0], "none"))
		return set_one(sim, s, words, n);
	drop_all(sim);
	sim->calm = true;
	return 0;
}
