/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "common/text.h"
#include "names/json_list.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"

/*
 * Set *terms to the terms for this machine, which depend on whether the kernel's PMU has a term "umask". False: that is
 * unknown, because memory ran out or the kernel's PMUs are not known yet.
 */
static bool set_terms(const struct um_json_event *ev, const char **terms)
{
	struct um_kernel_pmus *p = &ev->names->kernel;
	struct um_kernel_pmu *pmu;

	*terms = ev->terms;
	if (!*ev->occ_terms)
		return true;
	if (!p->access || um_kernel_pmus_list(p) == -ENOMEM)
		return false;
	for (size_t i = 0; (pmu = um_kernel_pmus_next(p, &i, ev->pmu));) {
		if (um_kernel_pmu_load(pmu))
			return false;
		if (!um_term_find(&pmu->base, UM_WORD("umask")))
			*terms = ev->occ_terms;
	}
	return true;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_json_lists *lists = l->names->lists;
	int err = 0;

	for (size_t i = 0; lists && i < lists->num_events && !err; i++)
		err = fn(user, &lists->events[i]->base.pub);
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_json_lists *lists = l->names->lists;
	const struct um_json_event *ev = lists ? um_json_find(lists, text, len, 0) : NULL;

	return ev ? &ev->base.pub : NULL;
}

static void describe(struct um_name *name)
{
	struct uncoremsr_event *pub = &name->pub;
	const struct um_json_event *ev = um_json_read((struct um_json_event *)name);

	if (!ev) {
		um_name_make(name, UM_FROM_LIST, pub->name);
		return;
	}
	/* If the right terms are unknown, the next call describes the event again. */
	name->described = set_terms(ev, &pub->terms);
	pub->pmu = um_json_pmu(ev);
	um_terms_value(pub->terms, "event", &pub->event_select);
	um_terms_value(pub->terms, "umask", &pub->unit_mask);
	if (ev->core_type)
		pub->core_type = ev->core_type;
}

const struct um_name_source um_list_source = { each, find, describe };
