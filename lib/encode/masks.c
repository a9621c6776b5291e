/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unit masks of the same event are or-ed: UNC_DRAM_OPEN:CH0:CH1. A number is a whole unit mask:
 * UNC_PROCHOT_ASSERTION:0x1.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "encode/encoder.h"
#include "names/listed.h"
#include "names/names.h"
#include "names/spellings.h"

static const struct um_event_row *find_masked(const struct um_event_table *t, const char *event,
					      size_t len, const struct um_event_term *mask)
{
	char name[UM_EVENT_FOLDED];
	int n = snprintf(name, sizeof(name), "%.*s:%.*s", (int)len, event, (int)mask->name_len,
			 mask->name);

	return (size_t)n < sizeof(name) ? um_event_find(t, name, (size_t)n) : NULL;
}

static bool is_plain(const struct um_event_row *row)
{
	return !row->more && !um_row_has_extras(row);
}

/*
 * Find the event select that all events named @event.UNIT_MASK share. -1: there are no such events, their event selects
 * differ, or one of them needs more than event select and unit mask.
 */
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

/* Parse the modifier @at as one more unit mask. False: it is not a unit mask. */
static bool parse_mask(const struct um_event_table *t, const char *event, size_t len,
		 const struct um_event_row *row, const struct um_event_term *at, unsigned *select,
		 unsigned *umask)
{
	const struct um_event_row *found = find_masked(t, event, len, at);

	if (!found && row)
		found = find_masked(t, row->name, um_without_mask(row->name, strlen(row->name)), at);
	if (!found || !is_plain(found))
		return um_libpfm4_mask(event, len, at->name, at->name_len, select, umask) &&
		       select_of(t, event, len) == (int)*select;
	*select = found->event;
	*umask = found->umask;
	return true;
}

int um_encode_masks(struct um_named *n)
{
	const struct um_event_table *t = n->spec.table;
	const struct um_event_row *row = n->row;
	size_t event_len = row ? um_without_mask(n->name, n->len) : n->len;
	int select = row ? row->event : -1;
	struct um_masks *m = &n->masks;

	*m = (struct um_masks){ .umask = row ? row->umask : 0 };
	if (!t || (row && !is_plain(row)))
		return 0;
	for (; m->num < n->modifiers.num; m->num++) {
		const struct um_event_term *at = &n->modifiers.at[m->num];
		bool number = isdigit((unsigned char)*at->name) &&
			      !find_masked(t, n->name, event_len, at); /* a name may begin with a digit: "2WAY" */
		unsigned its_select, umask;
		uint64_t value;

		if (at->value || !at->name_len || (!number && um_is_modifier(n->spec.pmu, at)))
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
			m->umask = (unsigned)value;
			continue;
		}
		if (!parse_mask(t, n->name, event_len, row, at, &its_select, &umask))
			break;
		if (select >= 0 && (int)its_select != select)
			return um_encode_bad(n->enc, "a unit mask of another event:", at->name, at->name_len);
		select = (int)its_select;
		m->umask |= umask;
	}
	m->select = (unsigned)select;
	return 0;
}
