/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode a text of the event language for registers and for the kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogue.h"
#include "encode/kernel_scale.h"
#include "encode/perf_tables.h"

/* What other programs call it, made when it is asked for. */
struct spelt {
	char perf[UM_EVENT_TEXT], likwid[UM_EVENT_TEXT], libpfm4[UM_EVENT_TEXT];
};

struct uncoremsr_encoding {
	const struct um_encoding *msr;       /* NULL: encoded for the kernel */
	const struct um_perf_event *perf;
	const struct um_perf_unit *unit;
	size_t event_index, unit_index;
	const struct uncoremsr_event *named; /* NULL: no name for these codes */
	char *cpus;                          /* NULL: the kernel's PMU has no file of CPUs */
	char mods[16], scale[32];
	/* For registers: */
	char terms[UM_EVENT_TEXT];           /* "": the kernel has no terms for it */
	const char *uarch;
	struct spelt *spelt;
};

/* Compare with the scale in the files of this machine's kernel, if there are any. */
static void look_at_scale(struct uncoremsr *um, struct um_encoding *ev)
{
	struct um_error before = um->error;
	struct um_perf_scope scope;

	if (um_is_free_running(ev) && !um_perf_names(um, &scope))
		um_kernel_look_at_scale(scope.pmus, ev);
	um_fail_as(&um->error, &before);
}

/* @done: the text was encoded, so a failure is that of @fn. */
static int encode_msr(struct uncoremsr *um, const char *uarch, const char *text,
		      int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user, bool *done)
{
	struct um_encodings list = { 0 };
	struct um_names *names = um_names_made(um);
	struct um_event_pmus pmus;
	int num = names ? um_pmus_of(um, uarch, &pmus) : -ENOMEM, err = 0;

	if (!num)
		num = um_events_parse(&list, text, &pmus, names->lists, &um->error);
	/* Once more with the names of the kernel, among which a similar one may be. */
	if (num == -ENOENT && !uarch && !names->kernel && !um_names_of(um, &names))
		num = um_events_parse(&list, text, &pmus, names->lists, &um->error);
	*done = num > 0;
	for (size_t i = 0; num > 0 && !err && fn && i < list.num; i++) {
		struct um_encoding *ev = &list.events[i];
		struct spelt spelt;
		struct uncoremsr_encoding encoding = { .msr = ev, .event_index = i, .uarch = pmus.uarch, .spelt = &spelt };

		if (ev->fixed >= 0 || !um_linux_keeps(ev) || !um_event_spell_for_kernel(ev, encoding.terms))
			encoding.terms[0] = '\0';
		if (!uarch)
			look_at_scale(um, ev);
		if (ev->listed)
			encoding.named = um_event_shown(um_list_named(names, ev->listed));
		else if (ev->row)
			encoding.named = um_event_shown(um_table_event(names, um_event_table_of(pmus.uarch, ev->pmu),
									ev->row));
		err = fn(user, &encoding);
	}
	um_events_free(&list);
	return err ? err : num;
}

/* The modifier letters for these bits, for building a string for perf. */
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

/* Find the name without the parts after colons; names in lists may contain colons themselves. */
static const struct uncoremsr_event *name_of(struct um_names *names, const char *text)
{
	struct um_lookup l = { .names = names, .machine = true };
	const struct uncoremsr_event *ev = um_name_find(&l, text, strlen(text), NULL);

	for (const char *at = text + strlen(text); !ev && at > text;) {
		while (at > text && *--at != ':')
			;
		ev = at > text ? um_name_find(&l, text, (size_t)(at - text), NULL) : NULL;
	}
	return ev;
}

/* The processor chosen for the lists, if the user named one; its filter defaults apply. */
static const char *named_processor(const struct um_names *names)
{
	const struct um_identity *id = &names->id;
	const struct um_model *model = id->source ? um_model_find(id->vendor, id->family, id->model) : NULL;

	return model ? model->name : NULL;
}

static int encode_perf(struct uncoremsr *um, const char *uarch, const char *text,
		       int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_perf_events events = { .num = 0 };
	struct um_perf_scope scope;
	struct um_event_pmus pmus = { .num = 0 };
	struct um_error none = um->error;
	int num = um_perf_names(um, &scope), err = 0;

	/* Without tables of ours, only the kernel's words are left. */
	if (!num && um_pmus_of(um, uarch ? uarch : named_processor(um->names), &pmus))
		um_fail_as(&um->error, &none);
	if (!num)
		num = um_perf_parse(&events, &scope, &pmus, text, &um->error);
	for (size_t i = 0; num > 0 && !err && fn && i < events.num; i++) {
		const struct um_perf_event *ev = &events.events[i];

		for (size_t k = 0; !err && k < ev->num_units; k++) {
			const struct um_perf_unit *unit = &ev->units[k];
			struct uncoremsr_encoding encoding = {
				.perf = ev, .unit = unit, .event_index = i, .unit_index = k,
				.named = um_event_shown(ev->unnamed ? NULL
							: ev->listed ? um_list_named(um->names, ev->listed)
								     : name_of(um->names, ev->name)),
			};

			spell_mods(encoding.mods, &unit->attr);
			snprintf(encoding.scale, sizeof(encoding.scale), "%.15g", ev->scale);
			if (unit->pmu && unit->pmu->cpus_are != UM_CPUS_ANY) {
				encoding.cpus = um_cpuset_format(&unit->pmu->cpus);
				err = encoding.cpus ? 0 : um_no_memory(&um->error);
			}
			err = err ? err : fn(user, &encoding);
			free(encoding.cpus);
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
	/* Our tables can suggest similar names; for PMUs that only the kernel reaches, the kernel can. */
	known = um->m.model && um->m.model->uarch && num != -ENOTSUP;
	num = encode_perf(um, uarch, text, fn, user);
	if ((num == -ENOENT || num == -EINVAL) && known)
		um_fail_as(&um->error, &refusal);
	return num;
}

int uncoremsr_encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch,
		     const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	char *names;
	int num;

	if (!um || !text || (unsigned)route > UNCOREMSR_ROUTE_PERF)
		return -EINVAL;
	num = um_names_expand(um, uarch, text, &names);
	if (!num)
		num = encode(um, route, uarch, names ? names : text, fn, user);
	free(names);
	return num;
}

/* ---- properties ---- */

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static const char *perf_text(const struct uncoremsr_encoding *enc, enum uncoremsr_encoding_property p)
{
	const char *const texts[] = {
		[UNCOREMSR_ENCODING_NAME] = enc->perf->name,
		[UNCOREMSR_ENCODING_PMU] = enc->unit->pmu ? enc->unit->pmu->name : enc->perf->pmu,
		[UNCOREMSR_ENCODING_FAMILY] = enc->perf->pmu,
		[UNCOREMSR_ENCODING_DESCRIPTION] = enc->perf->description,
		[UNCOREMSR_ENCODING_MODIFIERS] = enc->mods,
		[UNCOREMSR_ENCODING_CPUS] = enc->cpus,
		[UNCOREMSR_ENCODING_SCALE] = enc->scale,
		[UNCOREMSR_ENCODING_MEASURE] = enc->perf->measure,
		[UNCOREMSR_ENCODING_KERNEL_SCALE] = or_null(enc->perf->kernel_scale),
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

const char *uncoremsr_encoding_text(const struct uncoremsr_encoding *enc,
				    enum uncoremsr_encoding_property p)
{
	if (!enc)
		return NULL;
	if (p == UNCOREMSR_ENCODING_ROUTE)
		return enc->msr ? "msr" : "perf";
	if (p == UNCOREMSR_ENCODING_FROM)
		return enc->named ? enc->named->from : NULL;
	if (!enc->msr)
		return perf_text(enc, p);
	switch (p) {
	case UNCOREMSR_ENCODING_NAME:
		return enc->msr->name;
	case UNCOREMSR_ENCODING_KERNEL_SCALE:
		return or_null(enc->msr->kernel_scale);
	case UNCOREMSR_ENCODING_PMU:
		return enc->msr->pmu->name;
	case UNCOREMSR_ENCODING_TERMS:
		return or_null(enc->terms);
	case UNCOREMSR_ENCODING_IN_PERF:
		um_event_spell_perf(enc->msr, enc->terms, enc->spelt->perf);
		return or_null(enc->spelt->perf);
	case UNCOREMSR_ENCODING_IN_LIKWID:
		um_event_spell_likwid(enc->msr, enc->uarch, enc->spelt->likwid);
		return or_null(enc->spelt->likwid);
	case UNCOREMSR_ENCODING_IN_LIBPFM4:
		um_event_spell_libpfm4(enc->msr, enc->uarch, enc->spelt->libpfm4);
		return or_null(enc->spelt->libpfm4);
	case UNCOREMSR_ENCODING_DESCRIPTION:
		return enc->named ? enc->named->description : NULL;
	default:
		return NULL;
	}
}

/* The unit for the register addresses: the one asked for, else the first. */
static unsigned first_unit(const struct um_encoding *ev)
{
	return ev->unit > 0 ? (unsigned)ev->unit : 0;
}

/* 0: a free-running counter has no control register. */
static uint32_t msr_of(const struct um_encoding *ev, const struct um_reg *reg)
{
	return reg->msr ? um_pmu_msr(ev->pmu, reg, first_unit(ev),
				     ev->counters ? (unsigned)__builtin_ctz(ev->counters) : 0) : 0;
}

static int msr_number(const struct um_encoding *ev, enum uncoremsr_encoding_property p, uint64_t *v)
{
	const struct um_fixed *f = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed] : NULL;

	switch (p) {
	case UNCOREMSR_ENCODING_GROUP:
		*v = ev->group;
		return 0;
	case UNCOREMSR_ENCODING_WORD:
		*v = ev->word;
		return 0;
	case UNCOREMSR_ENCODING_FIXED:
		*v = f != NULL;
		return 0;
	case UNCOREMSR_ENCODING_COUNTERS:
		*v = ev->counters;
		return f ? -ENODATA : 0;
	case UNCOREMSR_ENCODING_UNIT:
		*v = (uint64_t)ev->unit;
		return ev->unit < 0 ? -ENODATA : 0;
	case UNCOREMSR_ENCODING_SELECTOR:
		*v = msr_of(ev, f ? &f->control : &ev->pmu->selector.reg);
		return *v ? 0 : -ENODATA;
	case UNCOREMSR_ENCODING_SELECTOR_MASK:
		*v = !f ? ev->pmu->selector.reg.valid : f->control_mask ? f->control_mask : f->control.valid;
		return 0;
	case UNCOREMSR_ENCODING_ENABLE:
		*v = f ? f->enable : ev->pmu->selector.enable;
		return *v ? 0 : -ENODATA;
	case UNCOREMSR_ENCODING_COUNTER:
		*v = msr_of(ev, f ? &f->counter : &ev->pmu->counter);
		return 0;
	default:
		return -ENODATA;
	}
}

static int perf_number(const struct uncoremsr_encoding *enc, enum uncoremsr_encoding_property p,
		       uint64_t *v)
{
	switch (p) {
	case UNCOREMSR_ENCODING_GROUP:
		*v = enc->perf->group;
		return 0;
	case UNCOREMSR_ENCODING_UNIT:
		*v = enc->unit_index;
		return 0;
	case UNCOREMSR_ENCODING_UNITS:
		*v = enc->perf->num_units;
		return 0;
	case UNCOREMSR_ENCODING_TYPE:
		*v = enc->unit->attr.type;
		return enc->perf->absent ? -ENODATA : 0;
	case UNCOREMSR_ENCODING_CONFIG:
	case UNCOREMSR_ENCODING_CONFIG1:
	case UNCOREMSR_ENCODING_CONFIG2:
	case UNCOREMSR_ENCODING_CONFIG3:
		*v = enc->unit->attr.config[p - UNCOREMSR_ENCODING_CONFIG];
		return 0;
	default:
		return -ENODATA;
	}
}

int uncoremsr_encoding_number(const struct uncoremsr_encoding *enc,
			      enum uncoremsr_encoding_property p, uint64_t *v)
{
	uint64_t found = enc ? enc->event_index : 0;
	int err;

	if (!enc || !v)
		return -EINVAL;
	err = p == UNCOREMSR_ENCODING_EVENT ? 0 : enc->msr ? msr_number(enc->msr, p, &found)
							    : perf_number(enc, p, &found);
	if (!err)
		*v = found;
	return err;
}

const char *uncoremsr_encoding_remark(const struct uncoremsr_encoding *enc, size_t index)
{
	if (!enc)
		return NULL;
	if (enc->msr)
		return um_event_remark(enc->msr->remarks, enc->msr->num_remarks, enc->msr->no_filter,
				       index);
	return um_event_remark(enc->perf->remarks, enc->perf->num_remarks, enc->perf->no_filter,
			       index);
}

const struct uncoremsr_event *uncoremsr_encoding_event(const struct uncoremsr_encoding *enc)
{
	return enc ? enc->named : NULL;
}

/* Rows that fill parts of the same register are combined: the register is listed once. */
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

uint32_t uncoremsr_encoding_register(const struct uncoremsr_encoding *enc, size_t index,
				     enum uncoremsr_register_use *use, uint64_t *mask,
				     uint64_t *value)
{
	const struct um_encoding *ev = enc ? enc->msr : NULL;

	if (!ev || !use || !mask || !value)
		return 0;
	*use = UNCOREMSR_USE_EVENT;
	*mask = UINT64_MAX;
	*value = ev->needs_value;
	if (ev->needs_msr && !index--)
		return ev->needs_msr;
	for (size_t i = 0; !ev->needs_msr && i < ev->pmu->num_extras; i++)
		if (extra_at(ev, i, mask, value) && !index--)
			return um_pmu_msr(ev->pmu, &ev->pmu->extras[i].reg, first_unit(ev), 0);
	if (!msr_of(ev, ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed].control
				       : &ev->pmu->selector.reg))
		return 0;
	for (unsigned i = 0; i < ev->pmu->num_gates; i++) {
		const struct um_gate *g = &ev->pmu->gates[i];

		/* Skip gates that we only watch and never write. */
		if (!g->reg.write_mask || index--)
			continue;
		*use = g->per_counter ? UNCOREMSR_USE_SWITCH : UNCOREMSR_USE_SHARED;
		*mask = g->mask;
		*value = g->value;
		if (g->per_counter)
			*mask = *value = UINT64_C(1) << (ev->fixed >= 0
				? g->fixed_bit0 + ev->fixed
				: g->bit0 + __builtin_ctz(ev->counters));
		return um_pmu_msr(ev->pmu, &g->reg, first_unit(ev), 0);
	}
	return 0;
}
