/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode a text of the event language for registers and for the kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "machine/core_kind.h"
#include "machine/handle.h"
#include "names/catalogue.h"
#include "names/json_list.h"
#include "encode/perf_event.h"

/* An event fills at most this many register fields besides its selector: its extra words and the gates of its PMU. */
enum { MAX_REGISTERS = UM_MAX_EXTRAS + UM_MAX_GATES };

enum { PERF, LIKWID, LIBPFM4, NUM_PROGRAMS };

/* A public encoding, with the storage that its pointers refer to. */
struct shown {
	struct uncoremsr_encoding pub;
	/* Members for events that are encoded for the kernel. */
	char mods[16], scale[32];
	/* Members for events that are encoded for registers. */
	const struct um_encoding *msr;
	const char *uarch;
	char terms[UM_EVENT_TEXT];
	struct uncoremsr_register_bits bits[MAX_REGISTERS];
	const struct uncoremsr_register_bits *registers[MAX_REGISTERS + 1];
	char spelt[NUM_PROGRAMS][UM_EVENT_TEXT];
	struct uncoremsr_spelling spellings[NUM_PROGRAMS];
	const struct uncoremsr_spelling *spelling_list[NUM_PROGRAMS + 1];
};

/* Compare the scale of a free-running counter with that in the files of this machine's kernel, if there are any. */
static void look_at_scale(struct uncoremsr *um, struct um_encoding *ev)
{
	if (um_is_free_running(ev) && !um_names_of(um))
		um_kernel_look_at_scale(&um->names->kernel, ev);
}

/* If all CPUs have the event's core type, or none has a type, perf has only one core PMU: hide the type. */
static void look_at_core_type(struct uncoremsr *um, struct um_encoding *ev)
{
	struct um_core_kind kind;

	if (!ev->core_type || um_core_kind_read(&kind, um->m.access, um_first_cpu(um)))
		return;
	if (kind.pub.core_type < 0 || (!kind.pub.hybrid && kind.pub.core_type == ev->core_type))
		ev->core_type = 0;
}

static unsigned shown_unit(const struct um_encoding *ev)
{
	return ev->unit > 0 ? (unsigned)ev->unit : 0;
}

/* Address of @reg for the event's first counter; 0: none (a free-running counter has no selector). */
static uint32_t msr_of(const struct um_encoding *ev, const struct um_reg *reg)
{
	return reg->msr ? um_pmu_msr(ev->pmu, reg, shown_unit(ev),
				     ev->counters ? (unsigned)__builtin_ctz(ev->counters) : 0) : 0;
}

/* Combine all rows for the register of @row. False unless @row is the first of them. */
static bool extra_at(const struct um_encoding *ev, size_t row, uint64_t *mask, uint64_t *value)
{
	const struct um_extra *extras = ev->pmu->extras;

	*mask = *value = 0;
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &extras[i];

		if (!(ev->extras >> i & 1) || x->reg.msr != extras[row].reg.msr)
			continue;
		if (i < row)
			return false;
		*mask |= x->mask ? x->mask : UINT64_MAX;
		*value |= (x->after ? x->after : ev->words[x->word]) &
			  (x->mask ? x->mask : UINT64_MAX);
	}
	return ev->extras >> row & 1;
}

static void put_register(struct shown *x, enum uncoremsr_register_use use, uint32_t address, uint64_t mask,
			 uint64_t value)
{
	size_t num = 0;

	while (x->registers[num])
		num++;
	if (num == MAX_REGISTERS)
		return;
	x->bits[num] = (struct uncoremsr_register_bits){ sizeof(x->bits[0]), use, address, mask, value };
	x->registers[num] = &x->bits[num];
}

static void put_registers(struct shown *x)
{
	const struct um_encoding *ev = x->msr;
	uint64_t mask, value;

	x->pub.registers = x->registers;
	if (ev->needs_msr)
		put_register(x, UNCOREMSR_USE_EVENT, ev->needs_msr, UINT64_MAX, ev->needs_value);
	for (size_t i = 0; !ev->needs_msr && i < ev->pmu->num_extras; i++)
		if (extra_at(ev, i, &mask, &value))
			put_register(x, UNCOREMSR_USE_EVENT, um_pmu_msr(ev->pmu, &ev->pmu->extras[i].reg, shown_unit(ev), 0),
				     mask, value);
	for (unsigned i = 0; x->pub.selector != UINT64_MAX && i < ev->pmu->num_gates; i++) {
		const struct um_gate *g = &ev->pmu->gates[i];
		uint32_t msr = um_pmu_msr(ev->pmu, &g->reg, shown_unit(ev), 0);

		/* Skip gates without writable bits: they are only checked. */
		if (!g->reg.write_mask)
			continue;
		if (!g->per_counter) {
			put_register(x, UNCOREMSR_USE_SHARED, msr, g->mask, g->value);
			continue;
		}
		value = UINT64_C(1) << (ev->fixed >= 0 ? g->fixed_bit0 + ev->fixed
						       : g->bit0 + __builtin_ctz(ev->counters));
		put_register(x, UNCOREMSR_USE_SWITCH, msr, value, value);
	}
}

static void put_spellings(struct shown *x)
{
	static const char programs[][8] = { [PERF] = "perf", [LIKWID] = "likwid", [LIBPFM4] = "libpfm4" };
	size_t num = 0;

	um_event_spell_perf(x->msr, x->terms, x->spelt[PERF]);
	um_event_spell_likwid(x->msr, x->uarch, x->spelt[LIKWID]);
	um_event_spell_libpfm4(x->msr, x->uarch, x->spelt[LIBPFM4]);
	for (size_t i = 0; i < NUM_PROGRAMS; i++) {
		if (!*x->spelt[i])
			continue;
		x->spellings[i] = (struct uncoremsr_spelling){ sizeof(x->spellings[i]), programs[i], x->spelt[i] };
		x->spelling_list[num++] = &x->spellings[i];
	}
	x->pub.spellings = x->spelling_list;
}

static void show_msr(struct shown *x, const struct um_encoding *ev)
{
	const struct um_fixed *f = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed] : NULL;
	uint32_t selector = msr_of(ev, f ? &f->control : &ev->pmu->selector->reg);

	x->pub = (struct uncoremsr_encoding){
		.size = sizeof(x->pub), .route = UNCOREMSR_ROUTE_MSR, .index = x->pub.index, .group = ev->group,
		.name = ev->name, .pmu = ev->pmu->name, .event = x->pub.event,
		.description = x->pub.event ? x->pub.event->description : NULL,
		.kernel_scale = um_or_null(ev->kernel_scale), .terms = um_or_null(x->terms),
		.unit = ev->unit, .units = -1, .core_type = ev->core_type, .fixed = f != NULL,
		.word = ev->word, .counters = f ? 0 : ev->counters, .selector = selector ? selector : UINT64_MAX,
		.selector_mask = !f ? ev->pmu->selector->reg.valid
				 : f->control_mask ? f->control_mask : f->control.valid,
		.enable = f ? f->enable : ev->pmu->selector->enable,
		.counter = msr_of(ev, f ? &f->counter : ev->pmu->counter), .type = UINT64_MAX,
	};
	memset(x->pub.config, 0xff, sizeof(x->pub.config));
	x->pub.remarks = ev->notes.remarks;
	put_spellings(x);
	put_registers(x);
}

/* Encode for registers. *done becomes true if the text was encoded: an error then comes from the callback @fn. */
static int encode_msr(struct uncoremsr *um, const char *uarch, const char *text,
		      int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user, bool *done)
{
	struct um_encodings list = { 0 };
	struct um_event_pmus pmus;
	int num = um_pmus_of(um, uarch, &pmus), err = 0;

	if (!num)
		num = um_events_parse(&list, text, &pmus, &um->error);
	/* With the names of the kernel's PMUs loaded, the error can suggest a similar name among them. */
	if (num == -ENOENT && !uarch && !um->names->kernel.access && !um_names_of(um))
		num = um_events_parse(&list, text, &pmus, &um->error);
	*done = num > 0;
	for (size_t i = 0; num > 0 && !err && fn && i < list.num; i++) {
		struct um_encoding *ev = &list.events[i];
		struct shown x = { .pub.index = i, .msr = ev, .uarch = pmus.uarch };

		if (ev->fixed >= 0 || !um_linux_keeps(ev) || !um_event_spell_for_kernel(ev, x.terms))
			x.terms[0] = '\0';
		if (!uarch) {
			look_at_scale(um, ev);
			look_at_core_type(um, ev);
		}
		if (ev->listed)
			x.pub.event = um_event_shown(&ev->listed->base.pub);
		else if (ev->row)
			x.pub.event = um_event_shown(um_table_event(um->names, um_event_table_of(pmus.uarch, ev->pmu), ev->row));
		show_msr(&x, ev);
		err = fn(user, &x.pub);
	}
	um_events_free(&list);
	return err ? err : num;
}

static void spell_mods(char mods[16], const struct um_perf_attr *a)
{
	bool levels = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	const struct {
		bool is;
		char letter;
	} letters[] = {
		{ levels && !a->exclude_user, 'u' }, { levels && !a->exclude_kernel, 'k' },
		{ levels && !a->exclude_hv, 'h' }, { a->precise > 0, 'p' }, { a->precise > 1, 'p' },
		{ a->precise > 2, 'p' }, { a->exclude_host, 'G' },
		{ a->exclude_guest && !a->guest_by_default, 'H' }, { a->exclude_idle, 'I' },
		{ a->pinned, 'D' }, { a->exclusive, 'e' },
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].is)
			mods[n++] = letters[i].letter;
	mods[n] = '\0';
}

/* Names may contain colons, so the parts after colons are removed one by one, from the end. */
static const struct uncoremsr_event *name_of(struct um_names *names, const char *text)
{
	struct um_lookup l = { .names = names, .machine = true };
	const struct uncoremsr_event *ev = um_name_find(&l, text, strlen(text));

	for (const char *at = text + strlen(text); !ev && at > text;) {
		while (at > text && *--at != ':')
			;
		ev = at > text ? um_name_find(&l, text, (size_t)(at - text)) : NULL;
	}
	return ev;
}

static void show_perf(struct shown *x, const struct um_perf_event *ev, const struct um_perf_unit *unit)
{
	spell_mods(x->mods, &unit->attr);
	snprintf(x->scale, sizeof(x->scale), "%.15g", ev->scale);
	x->pub = (struct uncoremsr_encoding){
		.size = sizeof(x->pub), .route = UNCOREMSR_ROUTE_PERF, .index = x->pub.index, .group = ev->group,
		.name = ev->name, .pmu = unit->pmu ? unit->pmu->name : ev->pmu, .event = x->pub.event,
		.description = x->pub.event ? x->pub.event->description : NULL,
		.kernel_scale = um_or_null(ev->kernel_scale),
		.unit = x->pub.unit, .units = (int)ev->num_units, .cpus = x->pub.cpus, .core_type = -1, .fixed = -1,
		.word = UINT64_MAX, .counters = UINT64_MAX, .selector = UINT64_MAX, .selector_mask = UINT64_MAX,
		.enable = UINT64_MAX, .counter = UINT64_MAX, .spellings = x->spelling_list, .registers = x->registers,
		.family = ev->pmu, .modifiers = x->mods, .scale = x->scale, .measure = ev->measure,
		.type = ev->absent ? UINT64_MAX : unit->attr.type,
	};
	memcpy(x->pub.config, unit->attr.config, sizeof(x->pub.config));
	x->pub.remarks = ev->notes.remarks;
}

static int encode_perf(struct uncoremsr *um, const char *uarch, const char *text,
		       int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_perf_events events = { .num = 0 };
	struct um_event_pmus pmus = { .num = 0 };
	int num = um_names_of(um), err = 0;

	/* If our tables do not know the processor, encode only what the kernel's files name. */
	if (!num && um_pmus_of(um, uarch ? uarch : uncoremsr_event_list_uarch(um), &pmus))
		pmus.num = 0;
	pmus.names = um->names;
	if (!num)
		num = um_perf_parse(&events, &pmus, text, &um->error);
	for (size_t i = 0; num > 0 && !err && fn && i < events.num; i++) {
		const struct um_perf_event *ev = &events.events[i];

		for (size_t k = 0; !err && k < ev->num_units; k++) {
			const struct um_perf_unit *unit = &ev->units[k];
			char *cpus = NULL;
			struct shown x = { .pub = {
				.index = i, .unit = (int)k,
				.event = um_event_shown(ev->unnamed ? NULL
							: ev->listed ? &ev->listed->base.pub
								     : name_of(um->names, ev->name)),
			} };

			if (unit->pmu && unit->pmu->cpus_are != UM_CPUS_ANY) {
				cpus = um_cpuset_format(&unit->pmu->cpus);
				err = cpus ? 0 : um_no_memory(&um->error);
			}
			x.pub.cpus = cpus;
			show_perf(&x, ev, unit);
			err = err ? err : fn(user, &x.pub);
			free(cpus);
		}
	}
	um_perf_events_free(&events);
	return err ? err : num;
}

static int encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch, const char *text,
		  int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_error refusal;
	bool known, done;
	int num;

	if (route == UNCOREMSR_ROUTE_PERF)
		return encode_perf(um, uarch, text, fn, user);
	num = encode_msr(um, uarch, text, fn, user, &done);
	if (done || route == UNCOREMSR_ROUTE_MSR || uarch || num == -ENOMEM)
		return num;
	um_fail_as(&refusal, &um->error);
	/* An error from our tables can suggest similar names, so prefer it unless only the kernel has the PMU. */
	known = um->m.model && um->m.model->uarch && num != -ENOTSUP;
	num = encode_perf(um, uarch, text, fn, user);
	if ((num == -ENOENT || num == -EINVAL) && known)
		um_fail_as(&um->error, &refusal);
	return num;
}

int uncoremsr_encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch, const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_error before;
	char *names;
	int num = um_check_given(um, text, "text");

	if (num)
		return num;
	if ((unsigned)route > UNCOREMSR_ROUTE_PERF)
		return UM_USAGE(&um->error, "events are encoded for the routes msr and perf only");
	before = um->error;
	num = um_names_expand(um, uarch, text, &names);
	if (!num)
		num = encode(um, route, uarch, names ? names : text, fn, user);
	free(names);
	if (num >= 0)
		um_fail_as(&um->error, &before);
	return num;
}
