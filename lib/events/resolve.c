/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events by name: one name, or a pattern that stands for several. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/names.h"
#include "events/scan.h"

/*
 * A colon separates a modifier from the name, and for libpfm4 also a unit mask ("wsm_unc::A:B").
 * So a name ends at one of the first four colons, or at the end.
 */
enum { MAX_HEADS = 4 };

struct heads {
	const char *ends[MAX_HEADS];
	size_t num;
};

static struct heads find_heads(const char *text, const char *end)
{
	struct heads h = { .num = 0 };

	for (const char *at = text; h.num < MAX_HEADS; at = h.ends[h.num - 1] + 1) {
		const char *colon = memchr(at, ':', (size_t)(end - at));

		h.ends[h.num++] = colon ? colon : end;
		if (!colon)
			break;
	}
	return h;
}

static bool is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncasecmp(text, word, len);
}

static bool is_fixed_name(const struct uncoremsr_pmu *pmu, const char *text, size_t len)
{
	if (!pmu->num_fixed)
		return false;
	if (is(text, len, pmu->fixed_event))
		return true;
	for (const char *const *alias = pmu->fixed_aliases; *alias; alias++)
		if (is(text, len, *alias))
			return true;
	return false;
}

/* What the rows that a name or pattern stands for become events with. */
struct named {
	struct um_scan *scan;
	const struct uncoremsr_pmu *pmu;
	const struct um_event_table *table;
	struct um_event_spec spec;
	const char *rest, *end;       /* the modifiers as text */
};

static int add_fixed(struct named *n, const struct um_event_row *row)
{
	struct um_event ev = {
		.counter = -1, .pmu = n->pmu, .row = row, .fixed = true,
		.word = n->pmu->fixed_enable, .max_per_clock = 1,
	};

	if (n->rest < n->end)
		return um_scan_bad(n->scan, "the uncore clock takes no modifier", n->rest,
				   (size_t)(n->end - n->rest));
	snprintf(ev.name, sizeof(ev.name), "%s", n->pmu->fixed_event);
	return um_scan_add(n->scan, &ev);
}

static int add_row(void *user, const struct um_event_row *row)
{
	struct named *n = user;
	struct um_event_spec spec = n->spec;
	struct um_event ev = { .counter = -1 };
	int err;

	if (um_event_kind(n->table, row) == UM_KIND_CLOCK)
		return add_fixed(n, row);
	spec.event = row->event;
	spec.umask = row->umask;
	spec.row = row;
	err = um_event_encode(&ev, n->pmu, &spec, n->scan->text, n->scan->e);
	return err ? err : um_scan_add(n->scan, &ev);
}

/* Events of exactly this name or pattern. Returns how many; 0: there are none (no sentence yet). */
static int take(struct named *n, const char *text, size_t len)
{
	bool pattern = um_event_is_pattern(text, len);
	const struct um_event_row *row = NULL;
	int err, num = 0;

	if (is_fixed_name(n->pmu, text, len)) {
		err = add_fixed(n, n->table ? um_event_find(n->table, text, len) : NULL);
		return err ? err : 1;
	}
	if (!n->table)
		return 0;
	if (pattern)
		num = um_event_expand(n->table, text, len, NULL, NULL, n->scan->e);
	else
		num = (row = um_event_find(n->table, text, len)) ? 1 : 0;
	if (num <= 0)
		return num;
	err = um_scan_modifiers(n->scan, n->rest, n->end, &n->spec);
	if (err)
		return err;
	err = pattern ? um_event_expand(n->table, text, len, add_row, n, n->scan->e)
		      : add_row(n, row);
	return err < 0 ? err : num;
}

/* The first other processor that knows the name, or has something that the pattern matches. */
static const struct um_event_table *who_has(const struct um_event_table *t, const char *text,
					    size_t len, const struct um_event_row **row)
{
	struct um_error ignored;

	*row = NULL;
	if (!um_event_is_pattern(text, len))
		return um_event_elsewhere(t, text, len, row);
	for (size_t i = 0; i < um_num_event_tables; i++)
		if (&um_event_tables[i] != t &&
		    um_event_expand(&um_event_tables[i], text, len, NULL, NULL, &ignored) > 0)
			return &um_event_tables[i];
	return NULL;
}

static int not_here(struct um_scan *s, const struct um_event_table *other,
		    const struct um_event_row *row)
{
	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE,
		"event '%s': not defined for %s; %s has it", s->text, s->uarch->name, other->uarch);
	if (row)
		um_hint(s->e, "on %s it is 0x%x:0x%x; no source says what that counts on %s, but "
			"it can be counted in this form", other->uarch, row->event, row->umask,
			s->uarch->name);
	else
		um_hint(s->e, "no source says whether these codes count anything on %s; any code "
			"can be counted as EVENT:UMASK", s->uarch->name);
	return -ENOENT;
}

static int nowhere(struct um_scan *s, const struct um_event_row *const near[UM_NEAR], size_t num)
{
	char names[UM_NEAR * (UM_EVENT_NAME + 4)] = "";
	size_t at = 0;

	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': no event of that name on %s",
		s->text, s->uarch->name);
	for (size_t i = 0; i < num; i++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				       !i ? "" : i + 1 < num ? ", " : " or ", near[i]->name);
	um_hint(s->e, "%s%s%sany code can be counted as EVENT:UMASK, such as 0x82:0x1",
		num ? "did you mean " : "see uncoremsr-events(7); ", names,
		num ? "? Or else: " : "");
	return -ENOENT;
}

static int unknown(struct um_scan *s, const struct um_event_table *t, const char *text,
		   const struct heads *h)
{
	const struct um_event_row *near[UM_NEAR], *row;
	size_t num = 0;

	for (size_t i = h->num; i-- > 0;) {
		size_t len = (size_t)(h->ends[i] - text);
		const struct um_event_table *other = who_has(t, text, len, &row);

		if (other)
			return not_here(s, other, row);
	}
	for (size_t i = h->num; t && !num && i-- > 0;)
		num = um_event_near(t, text, (size_t)(h->ends[i] - text), near);
	return nowhere(s, near, num);
}

int um_scan_name_in(struct um_scan *s, const struct uncoremsr_pmu *pmu, const char *text,
		    const char *head_end, const char *rest, const char *end)
{
	struct named n = {
		.scan = s, .pmu = pmu, .table = um_event_table_of(s->uarch, pmu),
		.rest = rest, .end = end,
	};
	struct heads h = { { head_end }, 1 };
	int num = take(&n, text, (size_t)(head_end - text));

	if (num)
		return num < 0 ? num : 0;
	return unknown(s, n.table, text, &h);
}

int um_scan_name(struct um_scan *s, const char *text, const char *end)
{
	const struct uncoremsr_pmu *pmu = &s->uarch->pmus[0];
	struct heads h = find_heads(text, end);
	struct named n = {
		.scan = s, .pmu = pmu, .table = um_event_table_of(s->uarch, pmu), .end = end,
	};

	for (size_t i = h.num; i-- > 0;) {
		int num;

		n.rest = h.ends[i];
		num = take(&n, text, (size_t)(h.ends[i] - text));
		if (num)
			return num < 0 ? num : 0;
	}
	return unknown(s, n.table, text, &h);
}
