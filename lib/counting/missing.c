/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What becomes of a session when some of its units cannot be counted. */
#include <errno.h>
#include <stdio.h>

#include "counting/run.h"

void um_site_fail(struct um_site *site, int err, const struct um_error *e)
{
	site->err = err;
	site->error = *e;
	snprintf(site->error_text, sizeof(site->error_text), "%s%s%s", e->msg,
		 e->hint[0] ? "; " : "", e->hint);
}

/* Another unit of the same kind beside @u that answers. */
static bool has_company(const struct um_msr *s, const struct um_unit *u)
{
	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *v = &s->units[i];

		if (v != u && v->site == u->site && v->box.pmu == u->box.pmu && !v->err)
			return true;
	}
	return false;
}

/*
 * A box that faults from the beginning has been fused off: the others of its kind are the whole.
 * One that has answered before is missing in a sum, which is unknown then.
 */
void um_drop_absent(struct um_msr *s)
{
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];

		if (u->err == -EIO && !u->answers && u->box.pmu->units.max > 1 && !u->gone &&
		    has_company(s, u) &&
		    (!u->num_slots || u->slots[0].event->unit < 0))
			u->gone = true;
	}
}

/* A site fails when none of its units is left; its error is that of the first one. */
static void judge_sites(struct um_msr *s)
{
	for (size_t i = 0; i < s->num_sites; i++) {
		struct um_site *site = &s->sites[i];
		const struct um_unit *failed = NULL;
		bool counts = site->err != 0;

		for (size_t k = 0; k < s->num_units; k++) {
			const struct um_unit *u = &s->units[k];

			if (u->site != site)
				continue;
			counts |= !u->err;
			failed = failed || !u->err ? failed : u;
		}
		if (!counts && failed)
			um_site_fail(site, failed->err, &failed->error);
	}
}

/* 0 when a unit counts; else the handle tells what the first one failed on. */
int um_any_left(struct um_msr *s)
{
	judge_sites(s);
	for (size_t i = 0; i < s->num_units; i++)
		if (!s->units[i].err)
			return 0;
	if (!s->num_sites)
		return um_fail(s->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
			       "sysfs shows no package, so there is nothing to count on");
	for (size_t i = 0; i < s->num_sites; i++)
		if (s->sites[i].err) {
			*s->error = s->sites[i].error;
			return s->sites[i].err;
		}
	return -ENODATA;
}

/* Once per PMU and package: which units do not answer, and which cannot be counted. */
void um_tell_missing(struct um_msr *s)
{
	char list[128];

	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *u = &s->units[i];
		size_t len = 0;

		if (u->err && !u->gone && !u->site->err)
			um_warn(s->m, "not counted: %s", u->error.msg);
		if (i && u[-1].site == u->site && u[-1].box.pmu == u->box.pmu)
			continue;
		for (const struct um_unit *v = u; v < s->units + s->num_units &&
		     v->site == u->site && v->box.pmu == u->box.pmu; v++)
			if (v->gone && len < sizeof(list))
				len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
							len ? ", " : "", v->name);
		if (len)
			um_warn(s->m, "package %d: not there, left out: %s", u->box.package, list);
	}
}
