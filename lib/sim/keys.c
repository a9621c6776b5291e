/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of a description: what the machine is and how it behaves. See uncoremsr-sim(5). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/keys.h"
#include "uarch/uarch.h"

static int set_number(uint64_t *to, const struct um_sim_source *s, const char *value, uint64_t min,
		      uint64_t max)
{
	if (!um_sim_number(value, max, to) || *to < min)
		return um_sim_bad(s, "'%s' is not a number from %llu to %llu (decimal, or 0x "
				  "hexadecimal)", value, (unsigned long long)min,
				  (unsigned long long)max);
	return 0;
}

/* 100 GHz: beyond any processor, and small enough that no product below leaves 128 bits. */
#define MAX_HZ (100 * UM_SIM_NS)

static int set_uncore_hz(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_number(&sim->uncore_hz, s, value, 1, MAX_HZ);
}

static int set_tsc_hz(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_number(&sim->tsc_hz, s, value, 1, MAX_HZ);
}

static int set_start(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_number(&sim->start, s, value, 0, UM_SIM_COUNTER_MASK);
}

static int set_seed(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_number(&sim->seed, s, value, 0, UINT64_MAX);
}

static int set_slow(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (!um_sim_seconds(value, &sim->slow))
		return um_sim_bad(s, "'%s' is not a time in seconds", value);
	return 0;
}

static int set_text(char **to, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

static int set_title(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	(void)s;
	return set_text(&sim->title, value);
}

static int set_brand(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (strlen(value) > 47)
		return um_sim_bad(s, "'%s' is longer than the 47 characters that CPUID can hold",
				  value);
	return set_text(&sim->brand, value);
}

/* Words and what they stand for; a row without a word ends the list. */
struct choice {
	const char *word;
	int value;
};

static int choose(const struct um_sim_source *s, const struct choice *c, const char *value,
		  const struct choice **chosen)
{
	char words[96] = "";

	for (; c->word; c++) {
		if (!strcmp(c->word, value)) {
			*chosen = c;
			return 0;
		}
		strncat(words, words[0] ? " " : "", sizeof(words) - strlen(words) - 1);
		strncat(words, c->word, sizeof(words) - strlen(words) - 1);
	}
	return um_sim_bad(s, "'%s' is none of: %s", value, words);
}

static const struct choice yes_no[] = { { "no", 0 }, { "yes", 1 }, { NULL, 0 } };

static int set_clock(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct choice c[] = { { "real", 0 }, { "stepped", 1 }, { NULL, 0 } };
	const struct choice *chosen;
	int err = choose(s, c, value, &chosen);

	if (!err)
		sim->stepped = chosen->value;
	return err;
}

/* "client" is the older name of Sandy Bridge. */
static int set_uncore(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct choice c[] = {
		{ "none", UM_SIM_NONE }, { "nehalem", UM_SIM_NEHALEM },
		{ "westmere", UM_SIM_WESTMERE }, { NULL, 0 },
	};

	for (size_t i = 0; c[i].word; i++) {
		if (!strcmp(c[i].word, value)) {
			sim->uncore = (unsigned)c[i].value;
			return 0;
		}
	}
	sim->uarch = um_uarch_find(strcmp(value, "client") ? value : "sandybridge");
	if (!sim->uarch)
		return um_sim_bad(s, "'%s' is neither 'none' nor the name of a processor whose "
				  "uncore the library knows", value);
	sim->uncore = UM_SIM_BOXES;
	return 0;
}

static int set_yes_no(bool *to, const struct um_sim_source *s, const char *value)
{
	const struct choice *chosen;
	int err = choose(s, yes_no, value, &chosen);

	if (!err)
		*to = chosen->value;
	return err;
}

static int set_kernel_thermal(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_yes_no(&sim->kernel_thermal, s, value);
}

static int set_kernel_clears(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_yes_no(&sim->kernel_clears, s, value);
}

static int set_hsmp(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_yes_no(&sim->hsmp, s, value);
}

static int set_hypervisor(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	const struct choice *chosen;
	int err = choose(s, yes_no, value, &chosen);

	if (!err)
		sim->hypervisor = chosen->value;
	return err;
}

static int set_cpu0_hotplug(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return set_yes_no(&sim->cpu0_hotplug, s, value);
}

static int set_driver(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct choice c[] = {
		{ "ready", UM_SIM_DRIVER_READY }, { "missing", UM_SIM_DRIVER_MISSING },
		{ "nonode", UM_SIM_DRIVER_NO_NODE }, { NULL, 0 },
	};
	const struct choice *chosen;
	int err = choose(s, c, value, &chosen);

	if (!err)
		sim->driver = (enum um_sim_driver)chosen->value;
	return err;
}

static int set_allow_writes(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct choice c[] = {
		{ "default", 0 }, { "on", 0 }, { "off", 0 }, { NULL, 0 },
	};
	const struct choice *chosen;
	int err = choose(s, c, value, &chosen);

	if (!err)
		sim->allow_writes = chosen->word;
	return err;
}

static int set_lockdown(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct choice c[] = {
		{ "none", 0 }, { "integrity", 0 }, { "confidentiality", 0 }, { NULL, 0 },
	};
	const struct choice *chosen;
	int err = choose(s, c, value, &chosen);

	if (!err)
		sim->lockdown = chosen->word;
	return err;
}

static int set_busy(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (!um_sim_list(value, sim->busy, UM_SIM_COUNTERS - 1))
		return um_sim_bad(s, "'%s' is not a list of counters (0 to 7, and 8 for the fixed "
				  "one)", value);
	return 0;
}

static int set_offline(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (!um_sim_list(value, sim->offline, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "'%s' is not a list of CPUs", value);
	return 0;
}

static int set_cpuid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return um_sim_load_cpuid(sim, value, s->error);
}

static const struct um_sim_key keys[] = {
	{ "title", set_title },
	{ "brand", set_brand },
	{ "leaf", um_sim_set_leaf },
	{ "cpuid", set_cpuid },
	{ "hypervisor", set_hypervisor },
	{ "package", um_sim_set_package },
	{ "offline", set_offline },
	{ "cpu0_hotplug", set_cpu0_hotplug },
	{ "uncore", set_uncore },
	{ "units", um_sim_set_units },
	{ "absent", um_sim_set_absent },
	{ "uncore_hz", set_uncore_hz },
	{ "tsc_hz", set_tsc_hz },
	{ "clock", set_clock },
	{ "start", set_start },
	{ "seed", set_seed },
	{ "busy", set_busy },
	{ "event", um_sim_set_event },
	{ "rate", um_sim_set_rate },
	{ "throttle", um_sim_set_throttle },
	{ "kernel_thermal", set_kernel_thermal },
	{ "kernel_clears", set_kernel_clears },
	{ "hsmp", set_hsmp },
	{ "set", um_sim_set_preset },
	{ "silent", um_sim_set_silent },
	{ "fail", um_sim_set_fail },
	{ "open", um_sim_set_open },
	{ "hotplug", um_sim_set_hotplug },
	{ "foreign", um_sim_set_foreign },
	{ "slow", set_slow },
	{ "driver", set_driver },
	{ "allow_writes", set_allow_writes },
	{ "lockdown", set_lockdown },
	{ "kernel_pmu", um_sim_set_kernel_pmu },
	{ "kernel_format", um_sim_set_kernel_format },
	{ "kernel_event", um_sim_set_kernel_event },
	{ "kernel_rate", um_sim_set_kernel_rate },
	{ "kernel_uncore", um_sim_set_kernel_uncore },
	{ "perf_paranoid", um_sim_set_perf_paranoid },
	{ "perf_user", um_sim_set_perf_user },
	{ "perf_limit", um_sim_set_perf_limit },
	{ "perf_fail", um_sim_set_perf_fail },
};

int um_sim_set_key(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, s->key))
			return *value ? keys[i].set(sim, s, value)
				      : um_sim_bad(s, "the value is missing");
	return um_sim_bad(s, "there is no such key");
}
