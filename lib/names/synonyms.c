/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/synonyms.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "common/text.h"

/* Read a number; -1: there is none. INT_MAX stands for numbers that are too large; no unit or counter has it. */
static int take_number(const char **at)
{
	unsigned n = INT_MAX;

	if (!isdigit((unsigned char)**at))
		return -1;
	if (!um_read_decimal(at, INT_MAX, &n))
		*at += strspn(*at, "0123456789");
	return (int)n;
}

bool um_counter_word(const struct um_pmu *pmu, const char *text, size_t len, struct um_counter_word *w)
{
	const char *end = text + len;

	UM_EACH_SYNONYM(known, UM_LIKWID_COUNTER) {
		size_t n = strlen(known->theirs);
		const char *at = text + n;

		if (n >= len || strncasecmp(text, known->theirs, n) || strcmp(known->ours, pmu->name))
			continue;
		*w = (struct um_counter_word){ -1, -1, known->value };
		w->counter = take_number(&at);
		if (at < end && toupper((unsigned char)*at) == 'C' && w->counter >= 0) {
			w->unit = w->counter;
			at++;
			w->counter = take_number(&at);
			if (w->counter < 0)
				continue;
		}
		if (um_is_word(at, (size_t)(end - at), "FIX")) {
			w->unit = w->unit < 0 ? w->counter : w->unit;
			w->counter = -1;
			w->fixed = true;
			return true;
		}
		if (at == end && w->counter >= 0)
			return true;
	}
	return false;
}

const char *um_libpfm4_event(const struct um_event *ev, const char **pmu, size_t *pmu_len)
{
	const char *text = ev->parts[0].name;
	size_t len = ev->parts[0].name_len;

	if (ev->pmu || ev->num_parts < 3 || ev->parts[1].name_len || ev->parts[1].value)
		return NULL;
	UM_EACH_SYNONYM(w, UM_LIBPFM4_PROCESSOR) {
		size_t n = strlen(w->theirs);
		const struct um_synonym *box;

		if (n > len || strncasecmp(text, w->theirs, n) || (n < len && text[n] != '_'))
			continue;
		*pmu = text + n + (n < len);
		*pmu_len = len - n - (n < len);
		box = um_synonym_find(UM_LIBPFM4_BOX, *pmu, *pmu_len);
		if (box) {
			*pmu = box->ours;
			*pmu_len = strlen(*pmu);
		}
		return w->ours;
	}
	return NULL;
}
