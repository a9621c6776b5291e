/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "events/event.h"
#include "events/names.h"

static uint64_t field_max(const struct um_field *f)
{
	return (UINT64_C(1) << f->width) - 1;
}

static uint64_t field_get(const struct um_field *f, uint64_t word)
{
	return word >> f->shift & field_max(f);
}

static int check_field(const struct um_field *f, uint64_t value, const char *what,
		       const char *text, struct um_error *e)
{
	if (value <= field_max(f))
		return 0;
	return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
		       "event '%s': %s 0x%" PRIx64 " is out of range 0..0x%" PRIx64, text, what,
		       value, field_max(f));
}

static int check_word(const struct um_selector *sel, uint64_t word, const char *text,
		      struct um_error *e)
{
	if (word & sel->pmi) {
		um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': bit 20 would raise an "
			"interrupt at each overflow", text);
		um_hint(e, "nobody handles it (it arrives as an unknown NMI): leave the bit out");
		return -EINVAL;
	}
	if (word & ~sel->settable)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "event '%s': reserved bits 0x%" PRIx64 " are set", text,
			       word & ~sel->settable);
	return 0;
}

static uint64_t build_word(const struct um_selector *sel, const struct um_event_spec *spec)
{
	return spec->event << sel->event.shift | spec->umask << sel->umask.shift |
	       spec->cmask << sel->cmask.shift | (spec->edge ? sel->edge : 0) |
	       (spec->invert ? sel->invert : 0) | sel->occ_reset;
}

/* The row that the word counts. Asked for by name, it may need another register as well. */
static const struct um_event_row *find_row(const struct um_event *ev,
					   const struct um_event_spec *spec)
{
	const struct um_selector *sel = &ev->pmu->selector;
	unsigned event = (unsigned)field_get(&sel->event, ev->word);
	unsigned umask = (unsigned)field_get(&sel->umask, ev->word);

	if (spec->row && spec->row->event == event && spec->row->umask == umask)
		return spec->row;
	return spec->table ? um_event_named(spec->table, event, umask) : NULL;
}

static void make_name(struct um_event *ev, const struct um_selector *sel)
{
	unsigned cmask = (unsigned)field_get(&sel->cmask, ev->word);
	char head[UM_EVENT_NAME], threshold[24] = "";

	if (ev->row)
		memcpy(head, ev->row->name, sizeof(head));
	else
		snprintf(head, sizeof(head), "0x%x:0x%x",
			 (unsigned)field_get(&sel->event, ev->word),
			 (unsigned)field_get(&sel->umask, ev->word));
	if (cmask)
		snprintf(threshold, sizeof(threshold), ":cmask=%u", cmask);
	snprintf(ev->name, sizeof(ev->name), "%s%s%s%s", head, ev->word & sel->edge ? ":edge" : "",
		 ev->word & sel->invert ? ":inv" : "", threshold);
}

int um_event_encode(struct um_event *ev, const struct uncoremsr_pmu *pmu,
		    const struct um_event_spec *spec, const char *text, struct um_error *e)
{
	const struct um_selector *sel = &pmu->selector;
	int err = check_field(&sel->event, spec->event, "event select", text, e);

	if (!err)
		err = check_field(&sel->umask, spec->umask, "unit mask", text, e);
	if (!err)
		err = check_field(&sel->cmask, spec->cmask, "cmask", text, e);
	if (err)
		return err;
	/* A word given as a whole keeps its own bits; modifiers add to it. */
	if (spec->raw && spec->cmask && field_get(&sel->cmask, spec->word))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "event '%s': the word has a threshold already, 0x%" PRIx64, text,
			       field_get(&sel->cmask, spec->word));
	ev->word = spec->raw ? spec->word | (spec->edge ? sel->edge : 0) |
				       (spec->invert ? sel->invert : 0) |
				       spec->cmask << sel->cmask.shift
			     : build_word(sel, spec);
	ev->word |= spec->more;
	err = check_word(sel, ev->word, text, e);
	if (err)
		return err;
	ev->word |= sel->enable;
	ev->pmu = pmu;
	/* With a threshold or edge detection a counter adds at most 1 per clock. */
	ev->max_per_clock = (ev->word & sel->edge) || field_get(&sel->cmask, ev->word)
				    ? 1 : pmu->max_increment;
	ev->row = find_row(ev, spec);
	make_name(ev, sel);
	return 0;
}
