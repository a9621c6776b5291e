/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about boxes: what happens in them, and which of them there are. See uncoremsr-sim(5). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/keys.h"

static int pmu_name(const struct um_sim_source *s, const char *word, char name[24])
{
	if (!isalpha((unsigned char)word[0]) || strlen(word) > 23)
		return um_sim_bad(s, "'%s' is not the name of a PMU", word);
	snprintf(name, 24, "%s", word);
	return 0;
}

/* "PMU:EVENT:UMASK" or "PMU:NAME". Returns how many words that takes. */
static int code(const struct um_sim_source *s, char **words, int n, struct um_sim_box_event *e)
{
	uint64_t event;

	if (pmu_name(s, words[0], e->pmu) < 0)
		return -EINVAL;
	if (!isdigit((unsigned char)words[1][0])) {
		if (strlen(words[1]) >= sizeof(e->name))
			return um_sim_bad(s, "'%s' is too long", words[1]);
		snprintf(e->name, sizeof(e->name), "%s", words[1]);
		return 2;
	}
	if (n < 3 || !um_sim_number(words[1], UINT32_MAX, &event) ||
	    !um_sim_number(words[2], UINT64_MAX, &e->umask))
		return um_sim_bad(s, "after '%s' come an event and a unit mask", words[0]);
	e->event = (uint32_t)event;
	return 3;
}

static int add(const struct um_sim_source *s, struct um_sim_box_event **list, size_t *num,
	       const struct um_sim_box_event *e)
{
	struct um_sim_box_event *added;

	if (*num >= UM_SIM_MAX_EVENTS)
		return um_sim_bad(s, "more than %u of them", UM_SIM_MAX_EVENTS);
	added = UM_SIM_APPEND(*list, *num);
	if (!added)
		return -ENOMEM;
	*added = *e;
	return 0;
}

/* Units differ, so that one can tell them apart; cores do not, unless the description says so. */
static void default_spread(struct um_sim_box_event *e)
{
	if (e->spread == UINT64_MAX)
		e->spread = strcmp(e->pmu, "core") ? e->when.rate : 0;
}

int um_sim_set_box_event(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_box_event e = { .spread = UINT64_MAX,
				      .when = { .inc = 1, .burst = 1, .package = -1 } };
	uint64_t package = UINT64_MAX;
	const struct um_sim_option opts[] = {
		{ .name = "rate", .value = &e.when.rate, .max = UINT64_MAX },
		{ .name = "spread", .value = &e.spread, .max = UINT64_MAX - 1 },
		{ .name = "opc", .value = &e.opc, .max = UINT64_MAX },
		{ .name = "inc", .value = &e.when.inc, .min = 1, .max = 255 },
		{ .name = "burst", .value = &e.when.burst, .min = 1, .max = UINT64_MAX },
		{ .name = "every", .kind = UM_SIM_OPT_SECONDS, .value = &e.when.every },
		{ .name = "for", .kind = UM_SIM_OPT_SECONDS, .value = &e.when.length },
		{ .name = "phase", .kind = UM_SIM_OPT_SECONDS, .value = &e.when.phase },
		{ .name = "package", .value = &package, .max = 255 },
	};
	char *words[12];
	int n = um_sim_split(s, value, words, 3, 12, "PMU:EVENT:UMASK|PMU:NAME rate=N [spread=N] "
			     "[opc=N] [inc=N] [burst=N] [every=S for=S [phase=S]] [package=ID]");
	int first = n < 0 ? n : code(s, words, n, &e);
	int err = first < 0 ? first : um_sim_options(s, words, first, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	if (e.when.every ? e.when.length > e.when.every || !e.when.length :
	    e.when.length || e.when.phase)
		return um_sim_bad(s, "every= and for= belong together, and for= is the shorter");
	if (package != UINT64_MAX)
		e.when.package = (int)package;
	default_spread(&e);
	return add(s, &sim->box_events, &sim->num_box_events, &e);
}

int um_sim_set_box_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_box_event e = { .spread = UINT64_MAX,
				      .when = { .inc = 1, .burst = 1, .package = -1 } };
	char *eq = strrchr(value, '='), *words[3];
	int n;

	if (!eq)
		return um_sim_bad(s, "'%s' is not PMU:EVENT:UMASK=NUMBER", value);
	*eq = '\0';
	if (!um_sim_number(eq + 1, UINT64_MAX, &e.when.rate))
		return um_sim_bad(s, "'%s' is not a number of 64 bits", eq + 1);
	n = um_sim_split(s, value, words, 2, 3, "PMU:EVENT:UMASK=NUMBER or PMU:NAME=NUMBER");
	if (n >= 0)
		n = code(s, words, n, &e);
	if (n < 0)
		return n;
	default_spread(&e);
	return add(s, &sim->box_rates, &sim->num_box_rates, &e);
}

static int set_units(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value,
		     bool absent)
{
	struct um_sim_units u = { .absent = absent, .package = -1 }, *added;
	uint64_t number, package = UINT64_MAX;
	const struct um_sim_option opts[] = {
		{ .name = "package", .value = &package, .max = 255 },
	};
	char *words[3];
	int n = um_sim_split(s, value, words, 2, 3, "PMU NUMBER [package=ID]");
	int err = n < 0 ? n : um_sim_options(s, words, 2, n, opts, ARRAY_SIZE(opts));

	if (err < 0 || pmu_name(s, words[0], u.pmu) < 0)
		return -EINVAL;
	if (!um_sim_number(words[1], 1023, &number))
		return um_sim_bad(s, "'%s' is not a number from 0 to 1023", words[1]);
	u.number = (unsigned)number;
	if (package != UINT64_MAX)
		u.package = (int)package;
	added = UM_SIM_APPEND(sim->units, sim->num_units);
	if (!added)
		return -ENOMEM;
	*added = u;
	return 0;
}

int um_sim_set_units(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_units(sim, s, value, false);
}

int um_sim_set_absent(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_units(sim, s, value, true);
}
