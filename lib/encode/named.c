/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode events by name: a single name, or a pattern for several. */
#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/names.h"
#include "names/pattern.h"
#include "encode/encoder.h"

/* More than anybody needs, but few enough to limit the memory that a malicious text can use. */
enum { MAX_ENCODINGS = 4096 };

/* Append an event. 0, or -EINVAL, -ENOMEM. */
static int append(struct um_encoder *s, struct um_encoding *ev)
{
	struct um_encodings *list = s->list;

	if (list->num >= MAX_ENCODINGS)
		return um_event_fail(s->e, -EINVAL, s->text, "more than %d events", MAX_ENCODINGS);
	ev->group = s->group;
	return ARRAY_APPEND(list->events, list->num, *ev) ? um_no_memory(s->e) : 0;
}

int um_encode_spec(struct um_encoder *s, const struct um_event_spec *spec)
{
	struct um_encoding ev;
	int err = um_event_encode(&ev, spec, s->text, s->e);

	s->list->no_effect |= ev.no_effect;
	return err ? err : append(s, &ev);
}

/* ---- fixed counters ---- */

/* SDM volume 3B, IA32_FIXED_CTR_CTRL: the first of a counter's four bits is OS, the second USR. */
static uint64_t fixed_word(int fixed, const struct um_event_spec *spec)
{
	const struct um_fixed *f = &spec->pmu->fixed[fixed];
	uint64_t lowest = f->control_mask & -f->control_mask, word = f->enable;

	if (!um_pmu_is_core(spec->pmu) || !(spec->user || spec->kernel))
		return word;
	word &= ~(lowest | lowest << 1);
	return word | (spec->kernel ? lowest : 0) | (spec->user ? lowest << 1 : 0);
}

int um_free_running(const struct um_pmu *pmu, uint64_t umask)
{
	for (unsigned i = 0; umask && i < pmu->num_fixed; i++)
		if (pmu->fixed[i].umask == umask)
			return (int)i;
	return -1;
}

/* ---- names ---- */

/* Does the specification change nothing? A fixed counter takes no modifiers, but "e=0:i=0:c=0" is harmless. */
static bool says_nothing(const struct um_event_spec *spec)
{
	for (unsigned i = 1; i < UM_WORDS; i++)
		if (spec->words.given[i])
			return false;
	return !(spec->words.given[0] & ~um_modifier_bits(spec->pmu)) && !spec->words.at[0] && !spec->more &&
	       !spec->raw && spec->port < 0 && spec->set < 0 && !spec->counters;
}

/*
 * Highest increment per clock: 1 for a fixed counter with a control register, because such counters count clocks,
 * unless the tables say otherwise. A free-running counter may count bytes.
 */
static unsigned most_per_clock(const struct um_pmu *pmu, const struct um_fixed *fixed)
{
	return fixed->max_increment ?: fixed->control.msr ? 1 : pmu->max_increment;
}

static int add_fixed(struct um_named *n, int fixed, const struct um_event_row *row)
{
	struct um_encoding ev = {
		.counter = -1, .pmu = n->spec.pmu, .unit = n->spec.unit, .row = row, .fixed = fixed,
		.core_type = n->spec.core_type, .mods = n->spec.mods,
		.max_per_clock = most_per_clock(n->spec.pmu, &n->spec.pmu->fixed[fixed]),
	};

	if (!says_nothing(&n->spec)) {
		um_event_fail(n->enc->e, -EINVAL, n->enc->text, "%s has a counter of its own, which takes no modifier",
			ev.pmu->fixed[fixed].event);
		return um_advise(n->enc->e, -EINVAL, "leave the modifier out");
	}
	if (n->spec.on_fixed && n->spec.fixed >= 0 && n->spec.fixed != fixed)
		return um_event_fail(n->enc->e, -EINVAL, n->enc->text, "fixed counter %d counts this event, not %d",
				     fixed, n->spec.fixed);
	ev.word = fixed_word(fixed, &n->spec);
	um_event_spell_fixed(&ev, ev.pmu->fixed[fixed].event, n->spec.plain);
	return append(n->enc, &ev);
}

static int add_row(void *user, const struct um_event_row *row)
{
	struct um_named *n = user;
	struct um_event_spec spec = n->spec;
	int fixed = um_pmu_find_fixed(n->spec.pmu, row->name, strlen(row->name)), err;

	if (fixed >= 0)
		return add_fixed(n, fixed, row);
	err = um_spec_add_row(&spec, row, n->enc->text, n->enc->e);
	/*
	 * A combination of unit masks has no row of its own, so let um_encode_spec() look for a row with these codes.
	 */
	spec.row = n->masks.num ? NULL : spec.row;
	return err ? err : um_encode_spec(n->enc, &spec);
}

/* Find exactly this name or pattern on the PMU. Returns a positive number; 0 if there is none; or a negative errno. */
static int look(struct um_named *n)
{
	const char *text = n->name;
	size_t len = n->len;
	int err = 0;

	n->pattern = um_event_is_pattern(text, len);
	if (n->pattern)
		return n->spec.table ? um_event_expand(n->spec.table, text, len, NULL, NULL, n->enc->e) : 0;
	n->fixed = um_pmu_find_fixed(n->spec.pmu, text, len);
	n->row = n->spec.table ? um_event_find(n->spec.table, text, len) : NULL;
	n->masks.num = 0;
	if (n->fixed < 0)
		err = um_encode_masks(n);
	return err ? err : n->fixed >= 0 || n->row || n->masks.num;
}

/* Add the user's terms and modifiers to the specification. */
static int add_terms(struct um_named *n)
{
	struct um_term_list modifiers = um_terms_from(n->modifiers.at, n->modifiers.num, n->masks.num);

	return um_encode_terms(n->enc, n->terms, &n->spec) ?: um_encode_modifiers(n->enc, modifiers, &n->spec);
}

/* Append the events that look() found. */
static int add_found(struct um_named *n)
{
	const struct um_event_row masked = { .event = (uint8_t)n->masks.select, .umask = (uint8_t)n->masks.umask };
	const char *own;
	int err = add_terms(n);

	if (err)
		return err;
	if (n->pattern) {
		err = um_event_expand(n->spec.table, n->name, n->len, add_row, n, n->enc->e);
		return err < 0 ? err : 0;
	}
	if (n->fixed < 0)
		return add_row(n, n->masks.num ? &masked : n->row);
	/* The name may be an alias that the table lacks: look up the counter's own name. */
	own = n->spec.pmu->fixed[n->fixed].event;
	if (!n->row && n->spec.table)
		n->row = um_event_find(n->spec.table, own, strlen(own));
	return add_fixed(n, n->fixed, n->row);
}

/* Add the counters that match a pattern on a PMU that has no event table, only fixed counters. 0: there are none. */
static int add_fixed_pattern(struct um_named *n)
{
	const struct um_pmu *pmu = n->spec.pmu;
	struct um_pattern p;
	int num = 0, err = um_pattern_compile(&p, "event", n->name, n->len, false, n->enc->e);

	for (unsigned i = 0; i < pmu->num_fixed && !err; i++)
		if (um_pattern_matches(&p, pmu->fixed[i].event))
			err = (num++ ? 0 : add_terms(n)) ?: add_fixed(n, (int)i, NULL);
	return err || !num ? err : um_pattern_check(&p, n->enc->pmus->uarch, n->enc->e) ?: num;
}

/*
 * Find our PMU of the clock for the kernel's name. Up to Comet Lake the kernel counts the clock of client processors on
 * uncore_cbox_0; here it is a PMU of its own. NULL: the event is not that clock.
 */
static const struct um_pmu *kernels_pmu(const struct um_named *n)
{
	const struct um_event_pmus *pmus = n->enc->pmus;
	size_t len = strcspn(n->enc->text, "/");

	for (size_t i = 0; n->spec.unit == 0 && i < pmus->num; i++) {
		const struct um_pmu *p = pmus->pmus[i];

		if (um_is_word(n->enc->text, len, p->kernel) && um_pmu_find_fixed(p, n->name, n->len) >= 0)
			return p;
	}
	return NULL;
}

int um_encode_name_on(struct um_encoder *s, struct um_named n)
{
	const struct um_pmu *asked = n.spec.pmu, *kernels;
	struct um_event_term name = { .end = n.name + n.len };
	int num;

	n.enc = s;
	kernels = kernels_pmu(&n);
	if (kernels)
		n.spec = um_spec_for(s, kernels, -1);
	num = look(&n);
	if (num > 0)
		return add_found(&n);
	if (n.pattern && !n.spec.table)
		num = add_fixed_pattern(&n);
	return num ? (num < 0 ? num : 0) : um_unknown_name(s, asked, n.name, (struct um_term_list){ &name, 1 });
}

int um_encode_fixed(struct um_encoder *s, const struct um_event_spec *spec, int fixed, struct um_term_list terms,
		    struct um_term_list modifiers)
{
	struct um_named n = { .enc = s, .spec = *spec, .fixed = fixed, .terms = terms, .modifiers = modifiers };

	return add_found(&n);
}

/* ---- names without a PMU ---- */

/* Look up a name that was written without a PMU on the PMU @pmu. A pattern never includes core events. */
static int look_on(struct um_encoder *s, const struct um_event *ev, size_t parts, const struct um_pmu *pmu,
		   int unit, struct um_named *n)
{
	*n = (struct um_named){
		.enc = s, .spec = um_spec_for(s, pmu, unit), .name = ev->text,
		.len = (size_t)(ev->parts[parts - 1].end - ev->text),
		.modifiers = um_terms_from(ev->parts, ev->num_parts, parts),
	};
	if (pmu->reach != UM_REACH_MSR || (um_pmu_is_core(pmu) && um_event_is_pattern(n->name, n->len)))
		return 0;
	return look(n);
}

static int ambiguous(struct um_encoder *s, const char *name, size_t len, const struct um_pmu *const *pmus, size_t num)
{
	char forms[UM_MESSAGE_LIST_SIZE] = "";

	for (size_t i = 0; i < num; i++)
		um_list_add(forms, sizeof(forms), "%s/%.*s/", pmus[i]->name, (int)len, name);
	um_event_fail(s->e, -EINVAL, s->text, "several PMUs of %s have that name", s->pmus->uarch);
	return um_advise(s->e, -EINVAL, "write one of %s", forms);
}

/*
 * Add the event whose name is the first @parts parts, on the PMU that has an event of that name. @only, @unit: as in
 * um_encode_name(). Returns 1; 0 without a message if no PMU has it; or a negative errno.
 */
static int add_on(struct um_encoder *s, const struct um_event *ev, size_t parts, const struct um_pmu *only, int unit)
{
	const struct um_pmu *found[UM_EVENT_PMUS];
	size_t num_found = 0;
	struct um_named n = { .pattern = false };
	int bad = 0;

	for (size_t i = 0; i < s->pmus->num; i++) {
		const struct um_pmu *pmu = s->pmus->pmus[i];
		int num = !only || only == pmu ? look_on(s, ev, parts, pmu, unit, &n) : 0;

		bad = num < 0 ? num : bad;
		if (num > 0)
			found[num_found++] = pmu;
	}
	if (!num_found)
		return bad;
	if (num_found > 1 && !um_event_is_pattern(n.name, n.len))
		return ambiguous(s, n.name, n.len, found, num_found);
	for (size_t i = 0; i < num_found; i++) {
		bad = look_on(s, ev, parts, found[i], unit, &n);
		bad = bad > 0 ? add_found(&n) : bad;
		if (bad < 0)
			return bad;
	}
	return 1;
}

int um_encode_name(struct um_encoder *s, const struct um_event *ev, const struct um_pmu *only,
		   int unit)
{
	/*
	 * A colon precedes a modifier, but in libpfm4's names also a unit mask ("wsm_unc::A:B"). So the name may end
	 * after any of the first four parts.
	 */
	struct um_term_list heads = { ev->parts, ev->num_parts < 4 ? ev->num_parts : 4 };

	for (size_t i = heads.num; i > 0; i--) {
		int num = add_on(s, ev, i, only, unit);

		if (num)
			return num < 0 ? num : 0;
	}
	return um_unknown_name(s, only, ev->text, heads);
}
