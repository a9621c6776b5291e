/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names between slashes that the kernel's files do not have: perf's own, and those of event lists. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "common/text.h"
#include "events/event.h"
#include "events/json_list.h"
#include "events/source.h"
#include "perf/encoder.h"

static bool is_of(const struct um_json_event *ev, const struct um_kernel_pmu *pmu)
{
	if (um_kernel_pmu_is_core(pmu))
		return um_starts_with(ev->pmu, "cpu");
	return !strcmp(ev->pmu, pmu->name) || !strcmp(ev->pmu, pmu->family_name);
}

int um_perf_named_on(struct um_perf_encoder *s, const struct um_kernel_pmu *pmu, const char *name,
		     size_t len, const char **terms, uint32_t *kind, uint64_t *config)
{
	const struct um_lookup lookup = { .machine = true };
	const struct um_json_lists *lists = s->scope->lists;
	uint8_t type = um_core_type_of(pmu->name, strlen(pmu->name));
	const struct uncoremsr_event *generic =
		um_kernel_pmu_is_core(pmu) ? um_perf_source.find(&lookup, name, len) : NULL;
	const struct um_json_event *ev = NULL;
	struct um_meaning m;

	if (lists && type)
		ev = um_json_find_for(lists, name, len, type);
	if (lists && !ev)
		ev = um_json_find(lists, name, len);
	if (generic)
		um_name_encode(generic, &m);
	if (generic && m.type != PERF_TYPE_SOFTWARE) {
		*kind = m.type;
		*config |= m.config | (type ? (uint64_t)pmu->type << 32 : 0);
		return 0;
	}
	if (!ev || ev->impossible[0] || !is_of(ev, pmu) ||
	    (type && ev->core_type && ev->core_type != type))
		return -ENOENT;
	*terms = *ev->occ_terms && !um_kernel_format(pmu, UM_WORD("umask")) ? ev->occ_terms : ev->terms;
	return 0;
}
