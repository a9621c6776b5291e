/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values of several words: topology, CPUID leaves, the workload. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/keys.h"

int um_sim_split(const struct um_sim_source *s, char *value, char **words, int min, int max,
		 const char *form)
{
	int n = um_sim_words(value, true, words, max);

	if (n < min)
		return um_sim_bad(s, "too %s words; the form is %s", n < 0 ? "many" : "few", form);
	return n;
}

static int set_option(const struct um_sim_source *s, const struct um_sim_option *o,
		      const char *word, const char *value)
{
	if (o->kind == UM_SIM_OPT_TEXT) {
		*o->text = value;
		return 0;
	}
	if (o->kind == UM_SIM_OPT_SECONDS ? um_sim_seconds(value, o->value)
					  : um_sim_number(value, o->max, o->value) &&
					    *o->value >= o->min)
		return 0;
	return um_sim_bad(s, "'%s': %s", word, o->kind == UM_SIM_OPT_SECONDS ?
			  "not a time in seconds" : "not a number, or out of range");
}

int um_sim_options(const struct um_sim_source *s, char **words, int first, int num,
		   const struct um_sim_option *opts, size_t num_opts)
{
	for (int i = first; i < num; i++) {
		char *eq = strchr(words[i], '=');
		size_t k = 0, len = eq ? (size_t)(eq - words[i]) : 0;
		int err;

		while (k < num_opts && (strncmp(words[i], opts[k].name, len) || opts[k].name[len]))
			k++;
		if (!eq || k == num_opts)
			return um_sim_bad(s, "'%s' is not understood", words[i]);
		err = set_option(s, &opts[k], words[i], eq + 1);
		if (err < 0)
			return err;
	}
	return 0;
}

/* ---- topology ---- */

static int find_package(struct uncoremsr_sim *sim, int id, unsigned *index)
{
	struct um_sim_package *p;

	for (*index = 0; *index < sim->num_packages; ++*index)
		if (sim->packages[*index].id == id)
			return 0;
	p = UM_SIM_APPEND(sim->packages, sim->num_packages);
	if (!p)
		return -ENOMEM;
	p->id = id;
	return 0;
}

static int make_room(struct uncoremsr_sim *sim, unsigned num)
{
	struct um_sim_cpu *cpus;

	if (num <= sim->num_cpus)
		return 0;
	cpus = realloc(sim->cpus, num * sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	memset(cpus + sim->num_cpus, 0, (num - sim->num_cpus) * sizeof(*cpus));
	sim->cpus = cpus;
	sim->num_cpus = num;
	return 0;
}

static unsigned flags_above(const bool *flags)
{
	unsigned n = UM_SIM_MAX_CPUS;

	while (n && !flags[n - 1])
		n--;
	return n;
}

/* CPUs are dealt out to the cores in turn, as firmware numbers the threads of a core. */
static int add_cpus(struct uncoremsr_sim *sim, const struct um_sim_source *s,
		    const struct um_sim_cpu *like, const bool *cores, const bool *cpus)
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
		sim->cpus[i] = (struct um_sim_cpu) {
			.present = true, .online = true, .package = like->package,
			.core_id = core, .core = sim->num_cores + nth % ncores,
			.thread = nth / ncores, .die = like->die, .l3 = like->l3,
			.node = like->node,
		};
		core = (core + 1) % UM_SIM_MAX_CPUS;
		nth++;
	}
	if (nth < ncores)
		return um_sim_bad(s, "%u cores have only %u CPUs", ncores, nth);
	sim->num_cores += ncores;
	return 0;
}

int um_sim_set_package(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	const char *core_list = "", *cpu_list = "";
	uint64_t id, die = 0, l3 = UM_SIM_AS_DIE, node = UM_SIM_AS_DIE;
	const struct um_sim_option opts[] = {
		{ .name = "cores", .kind = UM_SIM_OPT_TEXT, .text = &core_list },
		{ .name = "cpus", .kind = UM_SIM_OPT_TEXT, .text = &cpu_list },
		{ .name = "die", .value = &die, .max = 255 },
		{ .name = "l3", .value = &l3, .max = 1023 },
		{ .name = "node", .value = &node, .max = 255 },
	};
	bool cores[UM_SIM_MAX_CPUS] = { false }, cpus[UM_SIM_MAX_CPUS] = { false };
	struct um_sim_cpu like = { .present = true };
	char *words[10];
	int n = um_sim_split(s, value, words, 3, 10,
			     "ID cores=LIST cpus=LIST [die=N] [l3=N] [node=N]");
	int err = n < 0 ? n : um_sim_options(s, words, 1, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	if (!um_sim_number(words[0], 255, &id))
		return um_sim_bad(s, "'%s' is not a package id from 0 to 255", words[0]);
	if (!um_sim_list(core_list, cores, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cores='%s' is not a list of cores", core_list);
	if (!um_sim_list(cpu_list, cpus, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cpus='%s' is not a list of CPUs (0 to %u)", cpu_list,
				  UM_SIM_MAX_CPUS - 1);
	if (find_package(sim, (int)id, &like.package) < 0 || make_room(sim, flags_above(cpus)) < 0)
		return -ENOMEM;
	like.die = (unsigned)die;
	like.l3 = (unsigned)l3;
	like.node = (unsigned)node;
	return add_cpus(sim, s, &like, cores, cpus);
}

/* ---- CPUID ---- */

/* Looking one up goes through all of them. */
#define MAX_LEAVES 16384

/* The place of a leaf: the one that it replaces, or a new one. */
static struct um_sim_leaf *leaf_at(struct uncoremsr_sim *sim, int cpu, uint64_t leaf,
				   uint64_t subleaf)
{
	for (size_t i = 0; i < sim->num_leaves; i++) {
		struct um_sim_leaf *l = &sim->leaves[i];

		if (l->cpu == cpu && l->leaf == leaf && l->subleaf == subleaf)
			return l;
	}
	return UM_SIM_APPEND(sim->leaves, sim->num_leaves);
}

static int add_leaf(struct uncoremsr_sim *sim, int cpu, const uint64_t v[6])
{
	struct um_sim_leaf *leaf = leaf_at(sim, cpu, v[0], v[1]);

	if (!leaf)
		return -ENOMEM;
	*leaf = (struct um_sim_leaf) { cpu, (uint32_t)v[0], (uint32_t)v[1],
		{ (uint32_t)v[2], (uint32_t)v[3], (uint32_t)v[4], (uint32_t)v[5] } };
	return 0;
}

/* A leaf that differs between kinds of core. It follows one that holds for all. */
static int add_leaf_of(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *list,
		       const uint64_t v[6])
{
	bool cpus[UM_SIM_MAX_CPUS] = { false };
	int err = 0;

	if (!um_sim_list(list, cpus, UM_SIM_MAX_CPUS - 1))
		return um_sim_bad(s, "cpus='%s' is not a list of CPUs", list);
	if (!sim->num_leaves)
		return um_sim_bad(s, "a leaf without cpus= has to come first");
	if (sim->num_leaves > MAX_LEAVES)
		return um_sim_bad(s, "more than %d leaves", MAX_LEAVES);
	for (int cpu = 0; cpu < (int)UM_SIM_MAX_CPUS && !err; cpu++)
		if (cpus[cpu])
			err = add_leaf(sim, cpu, v);
	return err;
}

int um_sim_set_leaf(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	const char *cpus = NULL;
	const struct um_sim_option opts[] = {
		{ .name = "cpus", .kind = UM_SIM_OPT_TEXT, .text = &cpus },
	};
	uint64_t v[6];
	char *words[7];
	int n = um_sim_split(s, value, words, 6, 7, "LEAF SUBLEAF EAX EBX ECX EDX [cpus=LIST]");
	int err = n < 0 ? n : um_sim_options(s, words, 6, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	for (int i = 0; i < 6; i++)
		if (!um_sim_number(words[i], UINT32_MAX, &v[i]))
			return um_sim_bad(s, "'%s' is not a number of 32 bits", words[i]);
	return cpus ? add_leaf_of(sim, s, cpus, v) : add_leaf(sim, -1, v);
}

/* ---- workload ---- */

static int event_code(const struct um_sim_source *s, char **words, struct um_sim_event *e)
{
	uint64_t v[2];

	for (int i = 0; i < 2; i++)
		if (!um_sim_number(words[i], 255, &v[i]))
			return um_sim_bad(s, "'%s' is not an event or unit mask (0 to 0xff)",
					  words[i]);
	e->event = (uint8_t)v[0];
	e->umask = (uint8_t)v[1];
	return 0;
}

static int check_event(const struct um_sim_source *s, const struct um_sim_event *e,
		       const char *burst)
{
	if (e->every ? e->length > e->every || !e->length : e->length || e->phase)
		return um_sim_bad(s, "every= and for= belong together, and for= is the shorter");
	if (burst && !e->burst && !e->every)
		return um_sim_bad(s, "burst=episode needs every= and for=");
	return 0;
}

/* One more in a list of events. */
static int add_event(struct um_sim_event **list, size_t *num, const struct um_sim_source *s,
		     const struct um_sim_event *e)
{
	struct um_sim_event *added;

	if (*num >= UM_SIM_MAX_EVENTS)
		return um_sim_bad(s, "more than %u of them", UM_SIM_MAX_EVENTS);
	added = UM_SIM_APPEND(*list, *num);
	if (!added)
		return -ENOMEM;
	*added = *e;
	return 0;
}

int um_sim_set_event(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_event e = { .inc = 1, .burst = 1, .package = -1 };
	uint64_t package = UINT64_MAX;
	const char *burst = NULL;
	const struct um_sim_option opts[] = {
		{ .name = "rate", .value = &e.rate, .max = UINT64_MAX },
		{ .name = "inc", .value = &e.inc, .min = 1, .max = 255 },
		{ .name = "burst", .kind = UM_SIM_OPT_TEXT, .text = &burst },
		{ .name = "every", .kind = UM_SIM_OPT_SECONDS, .value = &e.every },
		{ .name = "for", .kind = UM_SIM_OPT_SECONDS, .value = &e.length },
		{ .name = "phase", .kind = UM_SIM_OPT_SECONDS, .value = &e.phase },
		{ .name = "package", .value = &package, .max = 255 },
	};
	char *words[12];
	int n, err;

	if (isalpha((unsigned char)value[0]))
		return um_sim_set_box_event(sim, s, value);
	n = um_sim_split(s, value, words, 3, 12, "EVENT:UMASK rate=N [inc=N] [burst=N|episode] "
			 "[every=S for=S [phase=S]] [package=ID]");
	err = n < 0 ? n : event_code(s, words, &e);
	if (!err)
		err = um_sim_options(s, words, 2, n, opts, ARRAY_SIZE(opts));
	if (err < 0)
		return err;
	if (burst && !strcmp(burst, "episode"))
		e.burst = 0;
	else if (burst && (!um_sim_number(burst, UINT64_MAX, &e.burst) || !e.burst))
		return um_sim_bad(s, "burst='%s' is neither a number from 1 nor 'episode'", burst);
	err = check_event(s, &e, burst);
	if (err < 0)
		return err;
	if (package != UINT64_MAX)
		e.package = (int)package;
	return add_event(&sim->events, &sim->num_events, s, &e);
}

/* Kept apart until everything has been read, because it also holds for events that follow. */
int um_sim_set_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_event e = { .inc = 1, .burst = 1, .package = -1 };
	char *eq = strrchr(value, '='), *words[2];
	int n;

	if (isalpha((unsigned char)value[0]))
		return um_sim_set_box_rate(sim, s, value);
	if (!eq)
		return um_sim_bad(s, "'%s' is not EVENT:UMASK=NUMBER", value);
	*eq = '\0';
	if (!um_sim_number(eq + 1, UINT64_MAX, &e.rate))
		return um_sim_bad(s, "'%s' is not a number of 64 bits", eq + 1);
	n = um_sim_split(s, value, words, 2, 2, "EVENT:UMASK=NUMBER");
	if (n >= 0)
		n = event_code(s, words, &e);
	if (n < 0)
		return n;
	return add_event(&sim->rates, &sim->num_rates, s, &e);
}
