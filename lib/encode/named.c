/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "encode/encoder.h"
#include "names/listed.h"
#include "names/names.h"
#include "names/synonyms.h"

/* A name that is looked up on one PMU. */
struct named {
	struct um_encoder *enc;
	const struct um_pmu *pmu;
	const struct um_event_table *table;
	int unit;
	const char *name;
	size_t len;                   /* length of the name without modifiers */
	struct um_term_list terms, modifiers;
	/* Set by look(): */
	int fixed;                    /* -1: none */
	const struct um_event_row *row; /* row of exactly this name; NULL: none */
	size_t num_masks;             /* number of modifiers that are unit masks, as libpfm4 writes them */
	struct um_event_row masked;   /* if @num_masks > 0: codes with the masks, used in place of @row */
};

/* ---- unit masks ---- */

/* Unit masks are or-ed (UNC_DRAM_OPEN:CH0:CH1). A number is a whole unit mask (UNC_PROCHOT_ASSERTION:0x1). */

static const struct um_event_row *find_masked(const struct um_event_table *t, const char *event,
					      size_t len, const struct um_event_term *mask)
{
	char name[UM_EVENT_FOLDED];
	int n = snprintf(name, sizeof(name), "%.*s:%.*s", (int)len, event, (int)mask->name_len, mask->name);

	return (size_t)n < sizeof(name) ? um_event_find(t, name, (size_t)n) : NULL;
}

static bool is_plain(const struct um_event_row *row)
{
	return !row->more && !um_row_has_extras(row);
}

/* The event select of all events EVENT.UNIT_MASK; -1: no such event, several event selects, or other bits needed. */
static int select_of(const struct um_event_table *t, const char *event, size_t len)
{
	char name[UM_EVENT_FOLDED], other[UM_EVENT_FOLDED];
	size_t n = um_name_fold(event, len, name);
	const struct um_event_row *row = NULL;
	int select = -1;

	while (n && (row = um_event_next(t, row))) {
		um_name_fold_row(row->name, other);
		if (strncmp(name, other, n) || other[n] != '_')
			continue;
		if (!is_plain(row) || (select >= 0 && select != row->event))
			return -1;
		select = row->event;
	}
	return select;
}

/* If @at is a unit mask of the event, return its event select << 8 | unit mask; -1: it is none. */
static int codes_of(const struct named *n, size_t event_len, const struct um_event_term *at)
{
	const struct um_event_table *t = n->table;
	const struct um_event_row *row = n->row, *found = find_masked(t, n->name, event_len, at);

	if (!found && row)
		found = find_masked(t, row->name, um_without_mask(row->name, strlen(row->name)), at);
	if (found && is_plain(found))
		return found->event << 8 | found->umask;
	UM_EACH_SYNONYM(w, UM_LIBPFM4_MASK)
		if (um_is_word(n->name, event_len, w->theirs) && um_is_word(at->name, at->name_len, w->ours) &&
		    select_of(t, n->name, event_len) == (int)(w->value >> 8))
			return (int)w->value;
	return -1;
}

/* Combine the row's unit mask with those at the start of the modifiers. -EINVAL: a mask belongs to another event. */
static int find_masks(struct named *n)
{
	const struct um_event_table *t = n->table;
	const struct um_event_row *row = n->row;
	size_t event_len = row ? um_without_mask(n->name, n->len) : n->len;
	int select = row ? row->event : -1, umask = row ? row->umask : 0, codes;

	if (!t || (row && !is_plain(row)))
		return 0;
	for (; n->num_masks < n->modifiers.num; n->num_masks++) {
		const struct um_event_term *at = &n->modifiers.at[n->num_masks];
		bool number = isdigit((unsigned char)*at->name) &&
			      !find_masked(t, n->name, event_len, at); /* a name may begin with a digit: "2WAY" */
		uint64_t value;

		if (at->value || !at->name_len || (!number && um_is_modifier(n->pmu, at)))
			break;
		if (number) {
			int err;

			select = select < 0 ? select_of(t, n->name, n->len) : select;
			if (select < 0)
				break;
			err = um_encode_number(n->enc, at->name, at->name_len, &value);
			if (err)
				return err;
			if (value > 0xff)
				return um_encode_bad(n->enc, "too large for a unit mask:", at->name, at->name_len);
			umask = (int)value;
			continue;
		}
		codes = codes_of(n, event_len, at);
		if (codes < 0)
			break;
		if (select >= 0 && codes >> 8 != select)
			return um_encode_bad(n->enc, "a unit mask of another event:", at->name, at->name_len);
		select = codes >> 8;
		umask |= codes & 0xff;
	}
	n->masked = (struct um_event_row){ .event = (uint8_t)select, .umask = (uint8_t)umask };
	return 0;
}

/* ---- names ---- */

/* Look up the name on the PMU. Returns a positive number; 0: the PMU does not have it; or a negative errno. */
static int look(struct named *n)
{
	int err = 0;

	n->num_masks = 0;
	n->row = n->table ? um_event_find(n->table, n->name, n->len) : NULL;
	n->fixed = um_pmu_find_fixed(n->pmu, n->name, n->len);
	if (n->fixed < 0 && n->row)
		n->fixed = um_pmu_find_fixed(n->pmu, n->row->name, strlen(n->row->name));
	if (n->fixed < 0)
		err = find_masks(n);
	return err ? err : n->fixed >= 0 || n->row || n->num_masks;
}

static int add_found(struct named *n)
{
	struct um_draft d = um_draft_for(n->enc, n->pmu, n->unit);

	d.ev.fixed = n->fixed;
	d.codes = n->num_masks ? &n->masked : n->row;
	/* A combination of unit masks has no row of its own, so its row is found by the codes. */
	d.ev.row = n->num_masks ? NULL : n->row;
	return um_encode_draft(&d, n->terms, um_terms_from(n->modifiers.at, n->modifiers.num, n->num_masks));
}

static int ambiguous(const struct named *n, const struct um_pmu *const *pmus, size_t num)
{
	struct um_encoder *s = n->enc;
	char forms[UM_MESSAGE_LIST_SIZE] = "";

	for (size_t i = 0; i < num; i++)
		um_list_add(forms, sizeof(forms), "%s/%.*s/", pmus[i]->name, (int)n->len, n->name);
	UM_REFUSE(s, -EINVAL, "several PMUs of %s have this event", s->pmus->uarch);
	return um_advise(s->e, -EINVAL, "write one of %s", forms);
}

/* Add the event named by the first @num parts. 1; 0 without a message: no PMU has it; or a negative errno. */
static int add_named(const struct named *wanted, const struct um_pmu *only, struct um_term_list parts, size_t num)
{
	const struct um_event_pmus *pmus = wanted->enc->pmus;
	const struct um_pmu *found[UM_EVENT_PMUS];
	struct named here = *wanted, first = here;
	size_t num_found = 0;
	int bad = 0;

	here.len = (size_t)(parts.at[num - 1].end - here.name);
	if (num < parts.num)
		here.modifiers = um_terms_from(parts.at, parts.num, num);
	for (size_t i = 0; i < pmus->num; i++) {
		int is;

		here.pmu = pmus->pmus[i];
		if (here.pmu->reach != UM_REACH_MSR || (only && only != here.pmu))
			continue;
		here.table = um_event_table_of(pmus->uarch, here.pmu);
		is = look(&here);
		bad = is < 0 ? is : bad;
		if (is <= 0)
			continue;
		first = num_found ? first : here;
		found[num_found++] = here.pmu;
	}
	if (num_found > 1)
		return ambiguous(&first, found, num_found);
	return num_found ? add_found(&first) ?: 1 : bad;
}

/* Our PMU of the clock for the kernel's name: up to Comet Lake the kernel counts the clock on uncore_cbox_0. */
static const struct um_pmu *kernels_pmu(const struct um_encoder *s, int unit, const struct um_event_term *name)
{
	size_t len = strcspn(s->text, "/");

	for (size_t i = 0; unit == 0 && i < s->pmus->num; i++) {
		const struct um_pmu *p = s->pmus->pmus[i];

		if (um_is_word(s->text, len, p->kernel) &&
		    um_pmu_find_fixed(p, name->name, (size_t)(name->end - name->name)) >= 0)
			return p;
	}
	return NULL;
}

int um_encode_name(struct um_encoder *s, const struct um_pmu *only, int unit, struct um_term_list parts,
		   struct um_term_list terms, struct um_term_list modifiers)
{
	/* A colon may precede a modifier or unit mask (libpfm4), so the name ends after one of the first four parts. */
	const struct um_term_list heads = { parts.at, parts.num < 4 ? parts.num : 4 };
	const struct um_pmu *kernels = kernels_pmu(s, unit, parts.at);
	const struct named n = {
		.enc = s, .unit = kernels ? -1 : unit, .name = parts.at->name, .terms = terms, .modifiers = modifiers,
	};
	int num = 0;

	for (size_t i = heads.num; i > 0 && !num; i--)
		num = add_named(&n, kernels ? kernels : only, parts, i);
	return num ? (num < 0 ? num : 0) : um_unknown_name(s, only, heads);
}
