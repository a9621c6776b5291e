/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encode in-memory counters of POWER that are in a catalog, but not in this kernel: the catalog is for another machine,
 * or firmware removed the unit. Messages can then say that the event exists.
 */
#include <errno.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "names/imc_lists.h"
#include "encode/encoder.h"

static int absent(struct um_encoder *s, const struct um_imc_unit *unit, uint64_t offset)
{
	s->draft.ev.absent = true;
	s->draft.ev.is_uncore = unit->level == UM_IMC_NEST || unit->level == UM_IMC_CORE;
	return um_perf_add_words(s, NULL, 0, offset, unit->pmu) ?: 1;
}

int um_perf_absent_event(struct um_encoder *s, const struct um_imc_name *n)
{
	um_imc_amount(n->event, &s->draft.ev.scale, &s->draft.ev.measure);
	return absent(s, n->unit, n->event->offset);
}

/* Refuse configs other than those in the catalog: firmware fixes what trace mode samples. */
static int check_trace(struct um_encoder *s, const struct um_imc_unit *unit, uint64_t config)
{
	const struct um_imc_lists *l = &s->names->imc;

	for (size_t i = 0; unit && i < l->num; i++) {
		const struct um_imc_catalog *c = l->lists[i]->catalog;

		for (size_t k = 0; k < c->num_events; k++)
			if (&c->units[c->events[k].unit] == unit && c->events[k].offset == config)
				return 0;
	}
	if (!unit)
		return 0;
	UM_REFUSE(s, -EINVAL, "trace mode samples cycles and nothing else");
	return um_advise(s->e, -EINVAL, "use the event trace_imc/trace_cycles/");
}

static int check_offset(struct um_encoder *s, const struct um_imc_unit *unit, const char *pmu, uint32_t offset)
{
	if (offset % 8 == 0 && (!unit || (uint64_t)offset + 8 <= unit->size))
		return 0;
	UM_REFUSE(s, -EINVAL, "there is no counter of %s at offset 0x%x", pmu, (unsigned)offset);
	if (unit)
		um_hint(s->e, "offsets are multiples of 8 below 0x%x", (unsigned)unit->size);
	else
		um_hint(s->e, "offsets are multiples of 8");
	return -EINVAL;
}

int um_perf_check_imc(struct um_encoder *s)
{
	const struct um_perf_event *ev = &s->draft.ev;
	int err = 0;

	for (size_t i = 0; i < ev->num_units && !err; i++) {
		const struct um_kernel_pmu *pmu = ev->units[i].pmu;
		uint64_t config = ev->units[i].attr.config[0];
		const struct um_imc_unit *unit;

		if (!pmu || !pmu->imc)
			continue;
		unit = um_imc_find_unit(&s->names->imc, pmu->name, strlen(pmu->name));
		err = pmu->imc == UM_IMC_TRACE ? check_trace(s, unit, config)
						: check_offset(s, unit, pmu->name, (uint32_t)config);
	}
	return err;
}

int um_perf_catalog_pmu(struct um_encoder *s, const struct um_event *ev)
{
	const struct um_imc_lists *l = &s->names->imc;
	const struct um_imc_unit *unit = um_imc_find_unit(l, ev->pmu, ev->pmu_len);
	const struct um_event_term *t = ev->terms;
	const struct um_imc_name *n;
	uint64_t offset;

	if (!unit)
		return 0;
	if (ev->num_terms != 1)
		return um_encode_bad(s, "only one event or offset may stand between the slashes of",
				   s->text, strlen(s->text));
	if (t->value) {
		if (!um_is_word(t->name, t->name_len, "event") && !um_is_word(t->name, t->name_len, "offset"))
			return um_encode_bad(s, "unknown term", t->name, t->name_len);
		return um_perf_number(t->value, t->value_len, &offset) && offset <= UINT32_MAX
			       ? absent(s, unit, offset)
			       : um_encode_bad(s, "bad offset", t->value, t->value_len);
	}
	/* "PMU/NAME" is contiguous in the text, so pass it as one name. */
	n = um_imc_find(l, ev->pmu, (size_t)(t->name + t->name_len - ev->pmu));
	if (n)
		return um_perf_absent_event(s, n);
	UM_REFUSE(s, -ENOENT, "%s has no event of that name", unit->pmu);
	um_perf_suggest(s, t->name, t->name_len);
	return -ENOENT;
}
