/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From "NAME[,KEY=VALUE...]" to a machine: the description (of a file, or a ready one, in the same
 * format), then the parameters, then the checks that need all of it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/perf.h"
#include "sim/thermal.h"
#include "uncoremsr/sim.h"

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

/* One line without its line end. 1: it was the last one ("end"); 0: go on. */
static int take_line(struct uncoremsr_sim *sim, struct um_sim_source *s, char *line)
{
	char *hash = strchr(line, '#'), *eq, *value;
	int err;

	if (hash)
		*hash = '\0';
	line = trim(line);
	if (!*line)
		return 0;
	if (!strcmp(line, "end"))
		return 1;
	eq = strchr(line, '=');
	if (!eq)
		return um_sim_bad(s, "'%.60s' is not KEY = VALUE", line);
	*eq = '\0';
	value = trim(eq + 1);
	s->key = trim(line);
	err = um_sim_set_key(sim, s, value);
	s->key = NULL;
	return err;
}

static int take_lines(struct uncoremsr_sim *sim, FILE *f, struct um_sim_source *s)
{
	char line[4096];
	bool ended = false;
	int err;

	while (fgets(line, sizeof(line), f)) {
		size_t len = strlen(line);

		s->line++;
		/* Also what a NUL byte in the file looks like. */
		if (!len || (line[len - 1] != '\n' && !feof(f)))
			return um_sim_bad(s, "the line is too long, or this is not a text file");
		if (ended && line[strspn(line, " \t\r\n")] && line[strspn(line, " \t")] != '#')
			return um_sim_bad(s, "text after the line 'end'");
		err = ended ? 0 : take_line(sim, s, line);
		if (err < 0)
			return err;
		ended |= err > 0;
	}
	if (ferror(f))
		return um_sim_bad(s, "reading failed: %s", strerror(errno));
	if (!ended)
		return um_sim_bad(s, "the description stops without a line 'end': truncated?");
	return 0;
}

static int no_such_machine(const char *name, struct um_error *e)
{
	char names[400] = "";
	const char *n;

	for (size_t i = 0; (n = uncoremsr_sim_machine(i, NULL)); i++) {
		strncat(names, i ? ", " : "", sizeof(names) - strlen(names) - 1);
		strncat(names, n, sizeof(names) - strlen(names) - 1);
	}
	return um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE,
		       "no simulated machine '%.60s'; there are: %s (a file's path has a slash)",
		       name, names);
}

static int load(struct uncoremsr_sim *sim, const char *name, struct um_error *e)
{
	struct um_sim_source s = { .file = name, .error = e };
	const char *title = NULL, *text = um_sim_ready(name, &title);
	FILE *f;
	int err;

	if (text)
		f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	else if (!strchr(name, '/'))
		return no_such_machine(name, e);
	else
		f = fopen(name, "re");
	if (!f)
		return um_fail(e, errno == ENOENT ? -ENOENT : -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s: cannot open the description: %s", name, strerror(errno));
	err = take_lines(sim, f, &s);
	fclose(f);
	if (!err && text && !(sim->title = strdup(title)))
		err = -ENOMEM;
	return err;
}

/* The end of one parameter: a comma that begins the next KEY=; other commas belong to the value. */
static char *end_of_parameter(char *text)
{
	for (; *text; text++) {
		size_t key = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");

		if (*text == ',' && !isdigit((unsigned char)text[1]) && key && text[1 + key] == '=')
			break;
	}
	return text;
}

static int take_parameters(struct uncoremsr_sim *sim, char *text, struct um_error *e)
{
	struct um_sim_source s = { .error = e };

	for (;;) {
		char *end = end_of_parameter(text), *eq;
		bool last = !*end;
		int err;

		*end = '\0';
		eq = strchr(text, '=');
		if (!eq)
			return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "parameter '%.60s' is not KEY=VALUE", text);
		*eq = '\0';
		s.key = text;
		err = um_sim_set_key(sim, &s, eq + 1);
		if (err < 0 || last)
			return err;
		text = end + 1;
	}
}

/* By event select and unit mask: which rate holds, as index + 1, and whether an event has it. */
struct rates {
	uint16_t last[0x10000];
	bool used[0x10000];
};

static unsigned code(const struct um_sim_event *e)
{
	return (unsigned)e->event << 8 | e->umask;
}

/* rate= replaces what the workload says, episodes included: so many per second, all the time. */
static void set_rate(struct um_sim_event *e, const struct um_sim_event *rate)
{
	e->rate = rate->rate;
	e->every = e->length = e->phase = 0;
	e->package = -1;
	if (!e->burst)
		e->burst = 1;
}

/* The first event of a pair gets its rate; the others of the pair go. */
static void replace_rates(struct uncoremsr_sim *sim, struct rates *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < sim->num_events; i++) {
		struct um_sim_event *e = &sim->events[i];
		unsigned c = code(e);

		if (r->used[c])
			continue;
		if (r->last[c]) {
			set_rate(e, &sim->rates[r->last[c] - 1]);
			r->used[c] = true;
		}
		sim->events[kept++] = *e;
	}
	sim->num_events = kept;
}

static int add_rates(struct uncoremsr_sim *sim, struct rates *r)
{
	for (size_t i = 0; i < sim->num_rates; i++) {
		unsigned c = code(&sim->rates[i]);
		struct um_sim_event *e;

		if (r->used[c])
			continue;
		e = UM_SIM_APPEND(sim->events, sim->num_events);
		if (!e)
			return -ENOMEM;
		*e = sim->rates[i];
		set_rate(e, &sim->rates[r->last[c] - 1]);
		r->used[c] = true;
	}
	return 0;
}

static int apply_rates(struct uncoremsr_sim *sim)
{
	struct rates *r = sim->num_rates ? calloc(1, sizeof(*r)) : NULL;
	int err;

	if (!r)
		return sim->num_rates ? -ENOMEM : 0;
	/* UM_SIM_MAX_EVENTS keeps them within 16 bits. */
	for (size_t i = 0; i < sim->num_rates; i++)
		r->last[code(&sim->rates[i])] = (uint16_t)(i + 1);
	replace_rates(sim, r);
	err = add_rates(sim, r);
	free(r);
	return err;
}

static bool has_package(const struct uncoremsr_sim *sim, int id)
{
	for (size_t i = 0; i < sim->num_packages; i++)
		if (sim->packages[i].id == id)
			return true;
	return id < 0;
}

static int wrong(const struct uncoremsr_sim *sim, struct um_error *e, const char *key,
		 const char *what, unsigned long number)
{
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "%s: %s: %s %lu does not exist",
		       sim->name, key, what, number);
}

static bool has_cpu(const struct uncoremsr_sim *sim, uint64_t cpu)
{
	return cpu == UINT64_MAX || (cpu < sim->num_cpus && sim->cpus[cpu].present);
}

static int check_happenings(const struct uncoremsr_sim *sim, struct um_error *e)
{
	for (size_t i = 0; i < sim->num_happenings; i++) {
		const struct um_sim_happening *h = &sim->happenings[i];

		if (h->kind == UM_SIM_HOTPLUG && !has_cpu(sim, h->cpu))
			return wrong(sim, e, "hotplug", "CPU", h->cpu);
		if (!has_package(sim, h->package))
			return wrong(sim, e, "foreign", "package", (unsigned long)h->package);
		if (h->kind == UM_SIM_FOREIGN && !um_sim_register_exists(sim, h->msr))
			return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "%s: foreign: register 0x%x does not exist", sim->name,
				       h->msr);
	}
	return 0;
}

static int check_references(const struct uncoremsr_sim *sim, struct um_error *e)
{
	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		if (sim->offline[i] && !has_cpu(sim, i))
			return wrong(sim, e, "offline", "CPU", i);
	for (size_t i = 0; i < sim->num_events; i++)
		if (!has_package(sim, sim->events[i].package))
			return wrong(sim, e, "event", "package",
				     (unsigned long)sim->events[i].package);
	for (size_t i = 0; i < sim->num_box_events; i++)
		if (!has_package(sim, sim->box_events[i].when.package))
			return wrong(sim, e, "event", "package",
				     (unsigned long)sim->box_events[i].when.package);
	for (size_t i = 0; i < sim->num_units; i++)
		if (!has_package(sim, sim->units[i].package))
			return wrong(sim, e, "units", "package",
				     (unsigned long)sim->units[i].package);
	for (size_t i = 0; i < sim->num_fails; i++)
		if (!has_cpu(sim, sim->fails[i].cpu))
			return wrong(sim, e, "fail", "CPU", (unsigned long)sim->fails[i].cpu);
	for (size_t i = 0; i < sim->num_presets; i++)
		if (!has_cpu(sim, sim->presets[i].cpu))
			return wrong(sim, e, "set", "CPU", (unsigned long)sim->presets[i].cpu);
	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++)
		if (sim->busy[i] && !(sim->uncore & (UM_SIM_NEHALEM | UM_SIM_WESTMERE)))
			return wrong(sim, e, "busy", "counter", i);
	return check_happenings(sim, e);
}

static int finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err;

	if (!sim->num_packages)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s: the description has no package", sim->name);
	err = um_sim_thermal_new(sim);
	if (!err)
		err = um_sim_finish_throttles(sim, e); /* adds events; rate= may replace them */
	if (!err)
		err = apply_rates(sim);
	if (!err)
		err = um_sim_boxes_build(sim, e);
	if (!err)
		err = um_sim_box_rates(sim);
	if (!err)
		err = um_sim_box_resolve(sim, e);
	if (!err)
		err = um_sim_cores_build(sim);
	if (!err)
		err = check_references(sim, e);
	if (!err)
		err = um_sim_perf_finish(sim, e);
	for (unsigned i = 0; i < sim->num_cpus && !err; i++)
		if (sim->offline[i])
			sim->cpus[i].online = false;
	if (!err)
		um_sim_perf_speakers(sim);
	return err;
}

int um_sim_describe(struct uncoremsr_sim *sim, const char *what, struct um_error *e)
{
	char *copy = strdup(what), *comma;
	int err;

	if (!copy)
		return -ENOMEM;
	comma = strchr(copy, ',');
	if (comma)
		*comma = '\0';
	sim->name = strdup(copy);
	err = sim->name ? load(sim, copy, e) : -ENOMEM;
	if (!err && comma)
		err = take_parameters(sim, comma + 1, e);
	if (!err)
		err = finish(sim, e);
	free(copy);
	return err;
}
