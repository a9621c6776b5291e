/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Convert register words into config words by the format files of the kernel's PMUs. An event with a bit that is in no
 * format is refused: without the bit, another event would be counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "names/json_list.h"
#include "encode/encoder.h"

int um_perf_of_tables(struct um_encodings *list, const struct um_event_pmus *pmus, const struct um_event *group,
		      size_t num, bool core)
{
	int encoded;
	bool is;

	list->for_kernel = !core && num == 1;
	encoded = pmus->num ? um_events_encode(list, group, num, pmus, NULL) : 0;
	is = encoded > 0;
	for (size_t i = 0; i < list->num && is; i++)
		is = core || !um_pmu_is_core(list->events[i].pmu);
	if (!is)
		list->num = 0;
	return encoded == -ENOMEM ? encoded : is;
}

static int inexpressible(struct um_encoder *s, const struct um_kernel_pmu *pmu)
{
	return UM_REFUSE(s, -ENOTSUP, "perf cannot express this event: the formats of '%s' have no room for all of "
			 "its bits", pmu->name);
}

static int refuse_change(struct um_encoder *s, const struct um_linux_change *c)
{
	const struct um_encoding *ev = s->draft.of;
	const struct um_term *t = um_term_of_bits(ev->pmu, c->word, c->bits);
	const char *term = t ? t->name : "a filter";
	char umasks[160] = "";

	for (const uint8_t *u = c->umasks; u && *u; u++)
		um_list_add(umasks, sizeof(umasks), "0x%02x", *u);
	if (c->does == UM_KERNEL_FORCES)
		UM_REFUSE(s, -ENOTSUP, "perf cannot express this event: Linux always sets %s for it, whatever value is "
			  "given", term);
	else if (c->does == UM_KERNEL_FILLS)
		UM_REFUSE(s, -ENOTSUP, "perf cannot express this event: if %s is 0, Linux sets all its bits", term);
	else if (*umasks)
		UM_REFUSE(s, -ENOTSUP, "Linux does not write %s for unit mask 0x%02x of this event, only for %s", term,
			  (unsigned)(ev->word >> 8 & 0xff), umasks);
	else if (c->word)
		UM_REFUSE(s, -ENOTSUP, "Linux does not write bits 0x%" PRIx64 " of the register of %s for this event",
			  c->bits, term);
	else
		UM_REFUSE(s, -ENOTSUP, "Linux does not write bits 0x%" PRIx64 " of the selector, and would count another "
			  "%s", c->bits, term);
	return um_advise(s->e, -ENOTSUP, "the route msr writes the register itself (--route=msr)");
}

/* Selector bits that tell Linux which counter to use, although the register lacks them (B-box of Nehalem-EX). */
static uint64_t choosing_bits(const struct um_encoding *ev)
{
	const struct um_pmu *pmu = ev->pmu;

	for (size_t i = 0; i < pmu->num_constraints; i++)
		if (pmu->constraints[i].mask == pmu->selector->not_written &&
		    pmu->constraints[i].counters == ev->counters)
			return pmu->constraints[i].value;
	return 0;
}

static int fill_words(struct um_encoder *s, struct um_kernel_pmu *pmu)
{
	const struct um_encoding *ev = s->draft.of;
	struct um_words config = { .at = { 0 } };
	uint64_t left[UM_WORDS], any = 0;
	struct um_linux_change change;
	int err = um_perf_add_words(s, pmu, pmu->type, 0, NULL);

	if (err)
		return err;
	memcpy(left, ev->words, sizeof(left));
	left[0] = (ev->word & ~um_control_bits(ev->pmu)) | choosing_bits(ev);
	for (size_t i = 0; i < pmu->base.num_terms; i++) {
		const struct um_term *format = &pmu->base.terms[i];
		const struct um_term *t = um_term_find(ev->pmu, format->name, strlen(format->name));

		if (!t)
			continue;
		if (!um_linux_place(ev, t, config.at) &&
		    um_term_put(format, um_term_get(t, left[t->word]), &config, ev->name, NULL))
			return inexpressible(s, pmu);
		left[t->word] &= ~t->mask;
	}
	memcpy(s->draft.ev.units[s->draft.ev.num_units - 1].attr.config, config.at, UM_CONFIGS * sizeof(uint64_t));
	if (um_linux_changes(ev, left, &change))
		return refuse_change(s, &change);
	for (size_t i = 0; i < UM_WORDS; i++)
		any |= left[i];
	return any ? inexpressible(s, pmu) : 0;
}

/* ---- fixed counters ---- */

/* The event in the PMU's folder events/ that counts the same as @f; NULL: none. The folder must have been read. */
static const struct um_kernel_alias *alias_of(const struct um_kernel_pmu *pmu, const struct um_fixed *f)
{
	const struct um_kernel_alias *alias = um_kernel_alias(pmu, f->event, strlen(f->event));

	for (size_t i = 0; !alias && *f->aliases[i]; i++)
		alias = um_kernel_alias(pmu, f->aliases[i], strlen(f->aliases[i]));
	return alias;
}

/* Set @text to the scale in the kernel's files ("3.814697266e-06 MiB") if it differs from that of @f; else "". */
static void other_scale(const struct um_kernel_alias *alias, const struct um_fixed *f, char text[UM_SCALE_TEXT])
{
	const char *theirs = alias->base.pub.measure ? alias->base.pub.measure : "";

	text[0] = '\0';
	if (um_same_scale(alias->scale, theirs, *f->unit ? f->scale : 1, f->unit))
		return;
	snprintf(text, UM_SCALE_TEXT, "%.10g%s%.16s", alias->scale, *theirs ? " " : "", theirs);
}

void um_kernel_look_at_scale(struct um_kernel_pmus *pmus, struct um_encoding *ev)
{
	const struct um_fixed *fixed = &ev->pmu->fixed[ev->fixed];
	size_t i = 0;
	struct um_kernel_pmu *pmu = um_kernel_pmus_list(pmus) ? NULL : um_kernel_pmus_next(pmus, &i, ev->pmu->kernel);
	const struct um_kernel_alias *alias = pmu && !um_kernel_pmu_load(pmu) ? alias_of(pmu, fixed) : NULL;

	if (alias)
		other_scale(alias, fixed, ev->kernel_scale);
}

/*
 * Encode a fixed counter by the kernel's predefined event; else by the terms of the list entry, by the unit mask of a
 * free-running counter, or by the code for the only fixed counter (Linux arch/x86/events/intel/uncore.h,
 * UNCORE_FIXED_EVENT).
 */
static int fill_fixed(struct um_encoder *s, struct um_kernel_pmu *pmu)
{
	const struct um_encoding *ev = s->draft.of;
	const struct um_fixed *fixed = &ev->pmu->fixed[ev->fixed];
	bool only = ev->pmu->num_fixed == 1 && !um_pmu_is_core(ev->pmu);
	const struct um_kernel_alias *alias;
	char code[32];
	const char *terms;
	int err;

	if (um_kernel_pmu_load(pmu))
		return -ENOMEM;
	alias = alias_of(pmu, fixed);
	if (!alias && !only && !ev->listed && !fixed->umask)
		return inexpressible(s, pmu);
	snprintf(code, sizeof(code), "event=0xff,umask=0x%x", fixed->umask);
	terms = alias ? alias->name
		: ev->listed && !only ? ev->listed->terms
		: fixed->umask ? code
		: um_kernel_alias(pmu, UM_WORD("clockticks")) ? "clockticks" : "event=0xff";
	err = um_perf_add_unit(s, pmu, terms);
	if (alias && !err)
		other_scale(alias, fixed, s->draft.ev.kernel_scale);
	/* Use the scale of our tables: the scale in the kernel's files may be wrong (struct um_fixed). */
	s->draft.ev.scale = *fixed->unit ? fixed->scale : 1;
	s->draft.ev.measure = um_or_null(fixed->unit);
	return err;
}

static int fill_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct um_encoder *s = user;

	return s->draft.of->fixed >= 0 ? fill_fixed(s, pmu) : fill_words(s, pmu);
}

static int add_units(struct um_encoder *s, const struct um_encoding *ev)
{
	char name[64];
	int num;

	if (ev->unit >= 0 && ev->pmu->units.max > 1)
		snprintf(name, sizeof(name), "%s_%d", ev->pmu->kernel, ev->unit);
	else
		snprintf(name, sizeof(name), "%s", ev->core_type ? um_core_type_pmu(ev->core_type) : ev->pmu->kernel);
	num = um_kernel_pmus_match(&s->names->kernel, name, strlen(name), fill_unit, s);
	if (num)
		return num < 0 ? num : 0;
	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': this kernel has no PMU '%s'", ev->name, name);
	if (um_pmu_is_core(ev->pmu))
		um_hint(s->e, "virtual machines often have none");
	else
		um_hint(s->e, "the driver of this PMU is the module %s",
			um_starts_with(name, "amd_") ? "amd_uncore" : "intel_uncore");
	return -ENOENT;
}

int um_perf_add_encoding(struct um_encoder *s, const struct um_encoding *ev)
{
	struct um_perf_event *to = &s->draft.ev;
	int err;

	s->text = ev->name;
	s->draft.of = ev;
	to->mods = ev->mods;
	(void)um_encode_letters(s, um_event_rings(ev), strlen(um_event_rings(ev)), &to->mods);
	err = add_units(s, ev);
	if (!err && um_event_lacks_msr(ev, s->e))
		err = -ENOTSUP;
	to->notes = ev->notes;
	to->listed = ev->listed;
	return err;
}
