/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Make a machine from "NAME[,KEY=VALUE...]": read the description (a file, or a built-in text in the same form), then
 * the parameters; then do the checks that need the whole description.
 */
#include "sim/description.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "sim/box.h"
#include "sim/imc.h"
#include "sim/kernel.h"
#include "sim/keys.h"
#include "sim/machines.h"
#include "sim/registers.h"
#include "sim/throttling.h"
#include "sim/trouble.h"

enum { MOST_BYTES = 16 << 20, MOST_INCLUDED = 32 };

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

static int include(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name);

static int set_key(struct uncoremsr_sim *sim, struct um_sim_source *s, char *value)
{
	return strcmp(s->key, "include") ? um_sim_set_key(sim, s, value) : include(sim, s, value);
}

/* Handle one line, without its newline. 1: it is "end", the last line. 0: more lines follow. */
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
		return um_sim_bad(s, "'%s' is not KEY = VALUE", line);
	*eq = '\0';
	value = trim(eq + 1);
	s->key = trim(line);
	err = set_key(sim, s, value);
	s->key = NULL;
	return err;
}

static int take_lines(struct uncoremsr_sim *sim, const char *text, size_t left, struct um_sim_source *s)
{
	char line[4096];
	bool ended = false;
	int err;

	for (size_t len; left; text += len, left -= len) {
		const char *end = memchr(text, '\n', left);

		len = end ? (size_t)(end - text) + 1 : left;
		s->line++;
		if (len >= sizeof(line) || memchr(text, '\0', len))
			return um_sim_bad(s, "the line is too long, or this is not a text file");
		memcpy(line, text, len);
		line[len] = '\0';
		if (ended && line[strspn(line, " \t\r\n")] && line[strspn(line, " \t")] != '#')
			return um_sim_bad(s, "text after the line 'end'");
		err = ended ? 0 : take_line(sim, s, line);
		if (err < 0)
			return err;
		ended |= err > 0;
	}
	if (!ended)
		return um_sim_bad(s, "the description stops without a line 'end': truncated?");
	return 0;
}

/* Read a built-in text, or a file if the name contains a slash. Returns 1 if there is no such text. */
static int take_text(struct uncoremsr_sim *sim, const char *name, bool as_machine, struct um_error *e)
{
	const struct um_sim_builtin *builtin = um_sim_find_builtin(name);
	struct um_sim_source s = { .file = name, .error = e };
	char *text;
	size_t len;
	int err;

	if (builtin && (builtin->title || !as_machine))
		return take_lines(sim, builtin->text, strlen(builtin->text), &s);
	if (!strchr(name, '/'))
		return 1;
	err = um_file_read("machine file", name, MOST_BYTES, 0, &text, &len, e);
	if (err)
		return err == -ENOENT || err == -ENOMEM || um_lacks_permission(err) ? err : -EINVAL;
	err = take_lines(sim, text, len, &s);
	free(text);
	return err;
}

/* Read an included text. The number of inclusions is limited, because a text may include itself. */
static int include(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name)
{
	int err;

	if (!*name)
		return um_sim_bad(s, "the value is missing");
	if (sim->num_included++ == MOST_INCLUDED)
		return um_sim_bad(s, "more than %d texts are included; does a file include itself?", MOST_INCLUDED);
	err = take_text(sim, name, false, s->error);
	return err <= 0 ? err : um_sim_bad(s, "there is no machine or part '%s'; write a file as ./FILE", name);
}

static int no_such_machine(const char *name, struct um_error *e)
{
	const struct um_sim_builtin *m;
	char names[UM_MESSAGE_SIZE] = "";

	for (size_t i = 0; (m = um_sim_builtin_at(i)); i++)
		um_list_add(names, sizeof(names), "%s", m->name);
	return um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE,
		       "no simulated machine '%s'; there are: %s; write a file as ./FILE", name, names);
}

/* The end of a parameter: the comma before the next KEY=. Other commas belong to the value. */
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
			return UM_USAGE(e, "parameter '%s' is not KEY=VALUE", text);
		*eq = '\0';
		s.key = text;
		err = set_key(sim, &s, eq + 1);
		if (err < 0 || last)
			return err;
		text = end + 1;
	}
}

static int missing(const struct uncoremsr_sim *sim, struct um_error *e, const char *key, const char *what,
		   uint64_t number)
{
	return UM_USAGE(e, "%s: %s: %s %llu does not exist", sim->name, key, what, (unsigned long long)number);
}

/* UINT64_MAX and -1 stand for all CPUs and packages. */
static int check_cpu(const struct uncoremsr_sim *sim, struct um_error *e, const char *key, uint64_t cpu)
{
	if (cpu == UINT64_MAX || (cpu < sim->num_cpus && sim->cpus[cpu].present))
		return 0;
	return missing(sim, e, key, "CPU", cpu);
}

static int check_package(const struct uncoremsr_sim *sim, struct um_error *e, const char *key, int id)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus && id >= 0; cpu++)
		if (sim->cpus[cpu].present && sim->cpus[cpu].package == id)
			return 0;
	return id < 0 ? 0 : missing(sim, e, key, "package", (uint64_t)id);
}

static int check_happening(struct uncoremsr_sim *sim, struct um_error *e, const struct um_sim_happening *h)
{
	if (h->kind == UM_SIM_HOTPLUG)
		return check_cpu(sim, e, "hotplug", h->cpu);
	if (h->kind == UM_SIM_FOREIGN_WRITE && !um_sim_register_exists(sim, h->msr))
		return UM_USAGE(e, "%s: foreign: register 0x%x does not exist", sim->name, h->msr);
	return check_package(sim, e, "foreign", h->package);
}

static int check_references(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err = 0;

	for (unsigned i = 0; i < UM_SIM_MAX_CPUS && !err; i++)
		err = sim->offline[i] ? check_cpu(sim, e, "offline", i) : 0;
	for (size_t i = 0; i < sim->num_events && !err; i++)
		err = check_package(sim, e, "event", sim->events[i].when.package);
	for (size_t i = 0; i < sim->num_unit_rules && !err; i++)
		err = check_package(sim, e, "units", sim->unit_rules[i].package);
	for (size_t i = 0; i < sim->num_failures && !err; i++)
		err = check_cpu(sim, e, "fail", sim->failures[i].cpu);
	for (size_t i = 0; i < sim->num_presets && !err; i++)
		err = check_cpu(sim, e, "set", sim->presets[i].cpu);
	for (size_t i = 0; i < sim->num_happenings && !err; i++)
		err = check_happening(sim, e, &sim->happenings[i]);
	if (!err && memchr(sim->busy, true, sizeof(sim->busy)) && !um_sim_is_of(sim, UM_SIM_NHM | UM_SIM_WSM))
		err = UM_USAGE(e, "%s: busy: only for Nehalem and Westmere; elsewhere "
			      "set=SELECTOR VALUE makes a counter busy", sim->name);
	return err;
}

static int finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err;

	if (!sim->num_cpus)
		return UM_USAGE(e, "%s: the description has no package", sim->name);
	/* Apply throttling before rates, because throttling adds events that rate= may replace. */
	err = um_sim_find_copies(sim) ?: um_sim_processor_new(sim) ?: um_sim_finish_throttles(sim, e) ?:
	      um_sim_apply_rates(sim) ?: um_sim_registers_create(sim, e) ?: check_references(sim, e) ?:
	      (sim->imc ? um_sim_imc_finish(sim, e) : 0) ?: um_sim_kernel_finish(sim, e);
	if (err)
		return err;
	for (unsigned i = 0; i < sim->num_cpus; i++)
		sim->cpus[i].online &= !sim->offline[i];
	um_sim_kernel_move_masks(sim);
	return um_sim_registers_reset(sim, e);
}

int um_sim_describe(struct uncoremsr_sim *sim, const char *what, struct um_error *e)
{
	char *comma;
	int err;

	sim->name = strdup(what);
	if (!sim->name)
		return -ENOMEM;
	comma = strchr(sim->name, ',');
	if (comma)
		*comma = '\0';
	err = take_text(sim, sim->name, true, e);
	if (err > 0)
		err = no_such_machine(sim->name, e);
	if (!err && comma)
		err = take_parameters(sim, comma + 1, e);
	return err ? err : finish(sim, e);
}
