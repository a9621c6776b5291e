/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of keys, and the setters of keys that describe the hardware. */
#include "sim/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/box.h"
#include "sim/kernel.h"
#include "sim/setters.h"

static int set_text(char **to, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

static int set_title(struct uncoremsr_sim *sim, const struct um_sim_source *s UM_SIM_UNUSED,
		     char *value)
{
	return set_text(&sim->title, value);
}

static int set_brand(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (strlen(value) > 47)
		return um_sim_bad(s, "'%s' is longer than the 47 characters that CPUID can hold",
				  value);
	return set_text(&sim->brand, value);
}

static int set_cpuid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	return um_sim_load_cpuid(sim, value, s->error);
}

/* Set the uncore. "client" is the older name of Sandy Bridge's. */
static int set_uncore(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (!strcmp(value, "none")) {
		sim->uncore = UM_SIM_NONE;
	} else if (!strcmp(value, "nehalem")) {
		sim->uncore = UM_SIM_NEHALEM;
	} else if (!strcmp(value, "westmere")) {
		sim->uncore = UM_SIM_WESTMERE;
	} else {
		sim->family = um_sim_family(strcmp(value, "client") ? value : "sandybridge");
		if (!sim->family)
			return um_sim_bad(s, "'%s' is neither 'none' nor the name of a processor "
					  "whose uncore can be simulated", value);
		sim->uncore = UM_SIM_BOXES;
	}
	return 0;
}

static int set_unit_rule(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_unit_rule r = { .absent = !strcmp(s->key, "absent"), .package = -1 };
	uint64_t number;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NAME, r.pmu, 0, sizeof(r.pmu), NULL },
		{ NULL, UM_SIM_NUMBER, &number, 0, 1023, NULL },
		{ "package", UM_SIM_ID, &r.package, 0, 255, NULL },
	};
	int err = um_sim_take_value(s, value, 2, items, ARRAY_SIZE(items));

	if (err)
		return err;
	r.number = (unsigned)number;
	return ARRAY_APPEND(sim->unit_rules, sim->num_unit_rules, r);
}

/* ---- topology ---- */

static int find_package(struct uncoremsr_sim *sim, int id, unsigned *index)
{
	for (*index = 0; *index < sim->num_packages; ++*index)
		if (sim->packages[*index].id == id)
			return 0;
	return ARRAY_APPEND(sim->packages, sim->num_packages, (struct um_sim_package) { id });
}

static int make_room(struct uncoremsr_sim *sim, const bool *cpus)
{
	unsigned num = UM_SIM_MAX_CPUS;

	while (num && !cpus[num - 1])
		num--;
	while (sim->num_cpus < num)
		if (ARRAY_APPEND(sim->cpus, sim->num_cpus, (struct um_sim_cpu){ .present = false }))
			return -ENOMEM;
	return 0;
}

/* CPUs are assigned to the cores in turn, as firmware numbers the threads of a core. */
static int add_cpus(struct uncoremsr_sim *sim, const struct um_sim_source *s,
		    struct um_sim_cpu cpu, const bool *cores, const bool *cpus)
{
	unsigned core = 0, nth = 0, ncores = 0;

	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		ncores += cores[i];
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		if (!cpus[i])
			continue;
		if (sim->cpus[i].present)
			return um_sim_bad(s, "CPU %u is already in a package", i);
		while (!cores[core])
			core = (core + 1) % UM_SIM_MAX_CPUS;
		cpu.core_id = core;
		cpu.core = sim->num_cores + nth % ncores;
		cpu.thread = nth / ncores;
		sim->cpus[i] = cpu;
		core = (core + 1) % UM_SIM_MAX_CPUS;
		nth++;
	}
	if (nth < ncores)
		return um_sim_bad(s, "%u cores have only %u CPUs", ncores, nth);
	sim->num_cores += ncores;
	return 0;
}

static int set_package(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	bool cores[UM_SIM_MAX_CPUS] = { false }, cpus[UM_SIM_MAX_CPUS] = { false };
	uint64_t id, die = 0, l3 = UM_SIM_AS_DIE, node = UM_SIM_AS_DIE;
	const struct um_sim_item items[] = {
		{ NULL, UM_SIM_NUMBER, &id, 0, 255, NULL },
		{ "cores", UM_SIM_LIST, cores, 0, UM_SIM_MAX_CPUS - 1, "cores" },
		{ "cpus", UM_SIM_LIST, cpus, 0, UM_SIM_MAX_CPUS - 1, "CPUs" },
		{ "die", UM_SIM_NUMBER, &die, 0, 255, NULL },
		{ "l3", UM_SIM_NUMBER, &l3, 0, 1023, NULL },
		{ "node", UM_SIM_NUMBER, &node, 0, 255, NULL },
	};
	struct um_sim_cpu cpu = { .present = true, .online = true };
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items));

	if (err)
		return err;
	if (!memchr(cores, true, sizeof(cores)) || !memchr(cpus, true, sizeof(cpus)))
		return um_sim_bad(s, "cores= or cpus= is missing; the form is %s", s->form);
	if (find_package(sim, (int)id, &cpu.package) < 0 || make_room(sim, cpus) < 0)
		return -ENOMEM;
	cpu.die = (unsigned)die;
	cpu.l3 = (unsigned)l3;
	cpu.node = (unsigned)node;
	return add_cpus(sim, s, cpu, cores, cpus);
}

/* ---- CPUID ---- */

/* The number of leaves is limited, because a lookup is linear. */
#define MAX_LEAVES 16384

/* Add a leaf; it replaces an earlier one with the same number. */
static int add_leaf(struct uncoremsr_sim *sim, int cpu, const uint64_t v[6])
{
	struct um_sim_leaf leaf = { cpu, (uint32_t)v[0], (uint32_t)v[1],
		{ (uint32_t)v[2], (uint32_t)v[3], (uint32_t)v[4], (uint32_t)v[5] } };

	for (size_t i = 0; i < sim->num_leaves; i++) {
		struct um_sim_leaf *l = &sim->leaves[i];

		if (l->cpu == cpu && l->leaf == leaf.leaf && l->subleaf == leaf.subleaf) {
			*l = leaf;
			return 0;
		}
	}
	return ARRAY_APPEND(sim->leaves, sim->num_leaves, leaf);
}

static int set_leaf(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	bool cpus[UM_SIM_MAX_CPUS] = { false };
	uint64_t v[6];
#define WORD(n) { NULL, UM_SIM_NUMBER, &v[n], 0, UINT32_MAX, NULL }
	const struct um_sim_item items[] = {
		WORD(0), WORD(1), WORD(2), WORD(3), WORD(4), WORD(5),
		{ "cpus", UM_SIM_LIST, cpus, 0, UM_SIM_MAX_CPUS - 1, "CPUs" },
	};
	int err = um_sim_take_value(s, value, 6, items, ARRAY_SIZE(items));

	if (err)
		return err;
	if (!memchr(cpus, true, sizeof(cpus)))
		return add_leaf(sim, -1, v);
	/* A leaf for some CPUs must follow the leaves that hold for all CPUs. */
	if (!sim->num_leaves)
		return um_sim_bad(s, "a leaf without cpus= has to come first");
	if (sim->num_leaves > MAX_LEAVES)
		return um_sim_bad(s, "more than %d leaves", MAX_LEAVES);
	for (int cpu = 0; cpu < (int)UM_SIM_MAX_CPUS && !err; cpu++)
		if (cpus[cpu])
			err = add_leaf(sim, cpu, v);
	return err;
}

/* ---- the table ---- */

/* 100 GHz: faster than any processor, and small enough that all products fit into 128 bits. */
#define MAX_HZ (100 * UM_SIM_NS)
#define MAX_CPU (UM_SIM_MAX_CPUS - 1)

/* How a key is stored: by its setter, or as one item into a member of the machine or its kernel. */
static const struct key {
	const char *name, *form;
	um_sim_setter *set;
	struct um_sim_item item; /* the item; its @to is computed from @offset */
	size_t offset;
	bool of_kernel;
} keys[] = {
#define SET(name, set, form) { name, form, set, { NULL, 0, NULL, 0, 0, NULL }, 0, false }
#define ITEM(name, kind, field, min, max, words) { name, NULL, NULL, \
	{ NULL, kind, NULL, min, max, words }, offsetof(struct uncoremsr_sim, field), false }
#define YES_NO(name, field) ITEM(name, UM_SIM_YES_NO, field, 0, 0, NULL)
#define WORDS(name, field, words) ITEM(name, UM_SIM_WORD, field, 0, 0, words)
#define OF_KERNEL(name, kind, field, words) { name, NULL, NULL, \
	{ NULL, kind, NULL, 0, 0, words }, offsetof(struct um_sim_kernel, field), true }
	SET("title", set_title, "TEXT"),
	SET("brand", set_brand, "TEXT"),
	SET("leaf", set_leaf, "LEAF SUBLEAF EAX EBX ECX EDX [cpus=LIST]"),
	SET("cpuid", set_cpuid, "FILE"),
	WORDS("hypervisor", hypervisor, "no yes"),
	SET("power", um_sim_set_power, "PVR"),
	SET("catalog", um_sim_set_catalog, "FILE"),
	SET("nest", um_sim_set_nest, "running|paused [at=SECONDS]"),
	SET("package", set_package, "ID cores=LIST cpus=LIST [die=N] [l3=N] [node=N]"),
	ITEM("offline", UM_SIM_LIST, offline, 0, MAX_CPU, "CPUs"),
	YES_NO("cpu0_hotplug", cpu0_hotplug),
	SET("uncore", set_uncore, "NAME|none"),
	SET("units", set_unit_rule, "PMU NUMBER [package=ID]"),
	SET("absent", set_unit_rule, "PMU NUMBER [package=ID]"),
	ITEM("uncore_hz", UM_SIM_NUMBER, uncore_hz, 1, MAX_HZ, NULL),
	ITEM("tsc_hz", UM_SIM_NUMBER, tsc_hz, 1, MAX_HZ, NULL),
	ITEM("max_khz", UM_SIM_NUMBER, max_khz, 1, MAX_HZ / 1000, NULL),
	WORDS("clock", stepped, "real stepped"),
	ITEM("start", UM_SIM_NUMBER, start, 0, UM_SIM_BITS(47, 0), NULL),
	ITEM("seed", UM_SIM_NUMBER, seed, 0, UINT64_MAX, NULL),
	ITEM("busy", UM_SIM_LIST, busy, 0, UM_SIM_FIXED, "counters"),
	SET("event", um_sim_set_event, "[PMU:]EVENT:UMASK|PMU:NAME rate=N [inc=N] "
	    "[burst=N|episode] [every=S for=S [phase=S]] [package=ID]; of a PMU also [spread=N] "
	    "[opc=N]"),
	SET("rate", um_sim_set_rate, "[PMU:]EVENT:UMASK=NUMBER or PMU:NAME=NUMBER; POWER: NAME=NUMBER"),
	SET("throttle", um_sim_set_throttle, "none|hour|CAUSE [package=ID] [die=N] [core=N] "
	    "[every=S] [for=S] [phase=S] [rate=N] [events=yes|no]"),
	YES_NO("kernel_thermal", kernel_thermal),
	YES_NO("kernel_clears", kernel_clears),
	YES_NO("hsmp", hsmp),
	YES_NO("plr", plr),
	SET("set", um_sim_set_preset, "REGISTER VALUE [cpu=N]"),
	SET("allow", um_sim_set_allow, "REGISTER MASK"),
	SET("silent", um_sim_set_silent, "REGISTERS"),
	SET("keeps", um_sim_set_keeps, "REGISTERS MASK"),
	SET("fail", um_sim_set_fail,
	    "read|write|any REGISTERS ERRNO [cpu=N] [after=N] [times=N]"),
	SET("delay", um_sim_set_delay, "REGISTERS SECONDS [cpu=N] [after=N] [times=N]"),
	SET("open", um_sim_set_open, "ERRNO [cpu=N] [after=N] [times=N]"),
	SET("hotplug", um_sim_set_hotplug, "CPU on|off at=SECONDS|after=ACCESSES"),
	SET("foreign", um_sim_set_foreign,
	    "REGISTER VALUE at=SECONDS|after=ACCESSES [package=ID]"),
	SET("suspend", um_sim_set_suspend,
	    "SECONDS at=SECONDS|after=ACCESSES [registers=cleared|kept]"),
	ITEM("slow", UM_SIM_SECONDS, slow, 0, 0, NULL),
	WORDS("driver", driver, "ready missing nonode"),
	WORDS("allow_writes", writes_allowed, "default on off"),
	WORDS("lockdown", lockdown, "none integrity confidentiality"),
	SET("kernel_pmu", um_sim_set_kernel_pmu, "NAME type=N [counters=N] "
	    "[cpumask=package|LIST] [free_running=yes] [no_exclude=no]"),
	SET("kernel_format", um_sim_set_kernel_format, "PMU NAME config:BITS"),
	SET("kernel_event", um_sim_set_kernel_event,
	    "PMU NAME TERMS [scale=N] [unit=TEXT] [snapshot=yes] [per_pkg=yes]"),
	SET("kernel_rate", um_sim_set_kernel_rate, "PMU CONFIG RATE"),
	SET("kernel_filter", um_sim_set_kernel_filter, "PMU CODE|any config:BITS [all=N]"),
	OF_KERNEL("kernel_uncore", UM_SIM_YES_NO, kernel_uncore, NULL),
	SET("perf_paranoid", um_sim_set_perf_paranoid, "-1 to 4"),
	OF_KERNEL("perf_user", UM_SIM_WORD, unprivileged, "root nobody"),
	SET("perf_limit", um_sim_set_perf_limit, "SOFT,HARD"),
	SET("perf_fail", um_sim_set_perf_fail,
	    "PMU ERRNO [cpu=N] [times=N] [step=open|read]"),
};

int um_sim_set_key(struct uncoremsr_sim *sim, struct um_sim_source *s, char *value)
{
	for (const struct key *k = keys; k < keys + ARRAY_SIZE(keys); k++) {
		struct um_sim_item item = k->item;

		if (strcmp(k->name, s->key))
			continue;
		if (!*value)
			return um_sim_bad(s, "the value is missing");
		s->form = k->form;
		item.to = (k->of_kernel ? (char *)sim->kernel : (char *)sim) + k->offset;
		return k->set ? k->set(sim, s, value) : um_sim_take(s, &item, value);
	}
	return um_sim_bad(s, "there is no such key; uncoremsr-sim(5) lists them");
}
