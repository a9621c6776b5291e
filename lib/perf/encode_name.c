/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode events written as a name alone: perf's generic ones, tracepoints, event lists, events of any kernel PMU. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/json_list.h"
#include "events/source.h"
#include "common/number.h"
#include "common/text.h"
#include "perf/encoder.h"

/*
 * Add one unit per core type on a hybrid processor, with the PMU's type in the upper half of the config word (Linux
 * PERF_HW_EVENT type extension); else one unit.
 */
static int core_units(struct um_perf_encoder *s, struct um_perf_draft *d, uint32_t type,
		      uint64_t config)
{
	struct um_kernel_pmus *p = s->scope->pmus;
	struct um_kernel_pmu *core = NULL;
	bool hybrid = false;
	int err = 0;

	for (size_t i = 0; i < p->num && !err; i++) {
		struct um_kernel_pmu *pmu = &p->pmus[i];
		uint64_t extended = type == PERF_TYPE_RAW ? config
							   : config | (uint64_t)pmu->type << 32;

		if (!um_kernel_pmu_is_core(pmu))
			continue;
		core = pmu;
		if (!strcmp(pmu->name, "cpu"))
			break;
		hybrid = true;
		if (um_kernel_pmu_load(p, pmu))
			return -ENOMEM;
		err = um_perf_add_plain(s, d, type == PERF_TYPE_RAW ? pmu->type : type, extended);
		if (!err)
			d->ev.units[d->ev.num_units - 1].pmu = pmu;
	}
	if (!err && !hybrid) {
		if (core && um_kernel_pmu_load(p, core))
			return -ENOMEM;
		err = um_perf_add_plain(s, d, type, config);
		if (!err)
			d->ev.units[d->ev.num_units - 1].pmu = core;
	}
	if (err)
		return err;
	return hybrid ? um_perf_name_units(s, d) : um_perf_name_pmu(s, d, "cpu");
}

int um_perf_raw(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t word)
{
	return core_units(s, d, PERF_TYPE_RAW, word);
}

static int generic(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	const struct um_lookup lookup = { .machine = true };
	const struct uncoremsr_event *ev = um_perf_source.find(&lookup, name, len);
	struct um_meaning m;
	int err;

	if (!ev)
		return -ENOENT;
	um_name_encode(ev, &m);
	if (m.type != PERF_TYPE_SOFTWARE)
		return core_units(s, d, m.type, m.config);
	err = um_perf_add_plain(s, d, m.type, m.config);
	if (err)
		return err;
	d->ev.scale = m.scale;
	d->ev.measure = m.measure ? strdup(m.measure) : NULL;
	return um_perf_name_pmu(s, d, "software");
}

/* Where tracefs is mounted (Linux Documentation/trace/ftrace.rst). */
static const char *const trace_roots[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

static int is_there(void *user, const char *name)
{
	(void)user, (void)name;
	return 1;
}

bool um_perf_lacks_tracefs(struct um_perf_encoder *s)
{
	struct um_access *a = s->scope->access;

	return a->ops->list(a, trace_roots[0], is_there, NULL) == 0;
}

/* "SYSTEM:EVENT", with the id from tracefs (Linux Documentation/trace/events.rst). */
static int tracepoint(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	const char *colon = memchr(name, ':', len);
	char path[400], line[32];
	uint64_t id;
	int err = -ENOENT;

	/* A name cannot contain a slash (it would be PMU/.../); a truncated path does not exist. */
	if (!colon || memchr(name, '=', len))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(trace_roots); i++) {
		ssize_t got;

		snprintf(path, sizeof(path), "%s/events/%.*s/%.*s/id", trace_roots[i],
			 (int)(colon - name), name, (int)(len - (size_t)(colon - name) - 1),
			 colon + 1);
		got = um_access_line(s->scope->access, path, line, sizeof(line));
		if (got > 0 && um_perf_number(line, (size_t)got, &id)) {
			err = um_perf_add_plain(s, d, PERF_TYPE_TRACEPOINT, id);
			return err ? err : um_perf_name_pmu(s, d, "tracepoint");
		}
		if (got == -EACCES || got == -EPERM)
			err = -EACCES;
	}
	if (err == -EACCES) {
		um_fail(s->e, -EACCES, UNCOREMSR_ERROR_ACCESS,
			"event '%s': the tracepoint's id cannot be read", s->text);
		um_hint(s->e, "tracefs (/sys/kernel/tracing) is root's: run as root, or let its "
			"group read it (mount -o remount,gid=..,mode=755)");
	}
	return err;
}

/* A ready-made event by its name alone ("mem-loads"), on any PMU of the kernel that has it. */
static int alias(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	struct um_kernel_pmus *p = s->scope->pmus;
	const struct um_kernel_pmu *first = NULL;

	for (size_t i = 0; i < p->num; i++) {
		struct um_kernel_pmu *pmu = &p->pmus[i];
		int err = um_kernel_pmu_load(p, pmu);

		if (err)
			return err;
		if (!um_kernel_alias(pmu, name, len))
			continue;
		/* Only units of one family: an equal name elsewhere may mean something else. */
		if (first && strcmp(first->family_name, pmu->family_name))
			continue;
		first = first ? first : pmu;
		err = um_perf_add_unit(s, d, pmu, name, len, (struct um_term_list){ NULL, 0 });
		if (err)
			return err;
	}
	return first ? um_perf_name_pmu(s, d, first->family_name) : -ENOENT;
}

int um_perf_typed(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t type, uint64_t config)
{
	static const char *const names[] = { "cpu", "software", "tracepoint", "cpu", "cpu" };
	struct um_kernel_pmus *p = s->scope->pmus;
	int err;

	for (size_t i = 0; i < p->num; i++) {
		if (p->pmus[i].type != type)
			continue;
		err = um_perf_add_unit(s, d, &p->pmus[i], "", 0, (struct um_term_list){ NULL, 0 });
		if (err)
			return err;
		d->ev.units[d->ev.num_units - 1].attr.config[0] = config;
		return um_perf_name_pmu(s, d, p->pmus[i].name);
	}
	if (type >= ARRAY_SIZE(names))
		return -ENOENT;
	err = um_perf_add_plain(s, d, (uint32_t)type, config);
	return err ? err : um_perf_name_pmu(s, d, names[type]);
}

int um_perf_symbol(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	int err = generic(s, d, name, len);

	if (err == -ENOENT)
		err = um_perf_listed(s, d, name, len, (struct um_term_list){ NULL, 0 });
	/* -ENOENT for a name in the lists: um_perf_listed() has already explained it. */
	if (err == -ENOENT && !(s->scope->lists && um_json_find(s->scope->lists, name, len)))
		err = tracepoint(s, d, name, len);
	if (err == -ENOENT && !memchr(name, ':', len) &&
	    !(s->scope->lists && um_json_find(s->scope->lists, name, len)))
		err = alias(s, d, name, len);
	return err == -ENOENT ? um_perf_catalog_name(s, d, name, len) : err;
}
