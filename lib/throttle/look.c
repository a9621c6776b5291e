/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A watcher: made, told what to ask, looks, freed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counting/registers.h"
#include "throttle/throttle.h"

int uncoremsr_throttle_new(struct uncoremsr *um, struct uncoremsr_throttle **out)
{
	struct uncoremsr_throttle *t = calloc(1, sizeof(*t));

	*out = NULL;
	if (t)
		t->names = calloc(UM_NUM_ROLES, sizeof(*t->names));
	if (!t || !t->names) {
		free(t);
		return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	}
	t->um = um;
	t->online_file = -1;
	um_throttle_identify(t);
	um_cleared_load(t);
	*out = t;
	return 0;
}

void uncoremsr_throttle_free(struct uncoremsr_throttle *t)
{
	if (!t)
		return;
	um_uncore_free(t);
	um_subjects_free(t);
	free(t->names);
	free(t);
}

void uncoremsr_throttle_set_kernel_only(struct uncoremsr_throttle *t, int on)
{
	t->kernel_only = on != 0;
}

void uncoremsr_throttle_set_counting(struct uncoremsr_throttle *t, int on)
{
	t->counting = on != 0;
}

/* ---- reading ---- */

/* What firmware sets once: read at the first look only. */
static bool never_changes(enum um_thermal_role role)
{
	return role == UM_ROLE_TARGET || role == UM_ROLE_UNITS || role == UM_ROLE_PLATFORM_INFO;
}

/*
 * Every sensor tells its resolution: a status of zeros is what a hypervisor in hiding answers. No
 * register of these has all bits: that is what a part answers that is not there.
 */
static bool is_plausible(const struct uncoremsr_throttle_subject *s, const struct um_reading *r)
{
	bool is_status = r->row->role == UM_ROLE_CORE_STATUS ||
			 r->row->role == UM_ROLE_PACKAGE_STATUS;

	return r->value != UINT64_MAX && (!is_status || r->value || !(s->gates & UM_GATE_DTS));
}

static void read_register(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s,
			  struct um_reading *r)
{
	struct um_error why;
	int err;

	r->before = r->value;
	r->had = r->known;
	r->known = false;
	if ((r->err && !r->worked) || s->lost)
		return;
	err = um_reg_read(&t->um->m, s->cpu, r->row->reg.msr, &r->value, &why);
	if (!err && !is_plausible(s, r))
		err = -ENODATA;
	r->known = !err;
	r->worked |= r->known;
	/* An offline CPU may come back; what has never worked faults or is denied every time. */
	if (err == -ENXIO || err == -ENODEV)
		s->lost = true;
	else
		r->err = err;
}

static void read_subject(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	s->lost = false;
	um_files_read(t, s);
	if (t->kernel_only || s->access.class != UNCOREMSR_ERROR_NONE)
		return;
	for (int r = 0; r < UM_NUM_ROLES; r++) {
		struct um_reading *reading = &s->regs[r];

		if (!reading->row || (reading->known && never_changes((enum um_thermal_role)r)))
			continue;
		read_register(t, s, reading);
	}
}

/* ---- what came of it ---- */

/* One reason for the whole machine when nothing could be told of a package. */
static int nothing_told(struct uncoremsr_throttle *t)
{
	struct uncoremsr *um = t->um;

	if (t->guest)
		return um_fail(&um->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, "%s", t->guest);
	for (size_t i = 0; i < t->num_subjects; i++) {
		if (t->subjects[i].access.class == UNCOREMSR_ERROR_NONE)
			continue;
		um->error = t->subjects[i].access;
		return t->subjects[i].access_err;
	}
	um_fail(&um->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, "nothing on this machine tells "
		"whether it is slowed down: %s", t->num_subjects && t->subjects[0].num_unknown
		? t->subjects[0].unknown[0] : "sysfs shows no package");
	return -ENODATA;
}

static bool package_told(const struct uncoremsr_throttle_subject *p)
{
	for (size_t i = 0; i <= p->num; i++)
		if (p[i].verdict != UNCOREMSR_VERDICT_UNKNOWN)
			return true;
	return false;
}

static int result(struct uncoremsr_throttle *t)
{
	bool any = false;

	for (size_t i = 0; i < t->num_subjects; i += t->subjects[i].num + 1)
		any |= package_told(&t->subjects[i]);
	return any ? 0 : nothing_told(t);
}

/* Packages first: what slows a package down explains why its cores are slow. */
static void judge_all(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++)
		if (t->subjects[i].core < 0)
			um_judge(t, &t->subjects[i]);
	for (size_t i = 0; i < t->num_subjects; i++)
		if (t->subjects[i].core >= 0)
			um_judge(t, &t->subjects[i]);
	for (size_t i = 0; i < t->num_subjects; i++) {
		um_judge_cores(&t->subjects[i]);
		um_subject_words(t, &t->subjects[i]);
	}
}

int uncoremsr_throttle_look(struct uncoremsr_throttle *t)
{
	uint64_t now = uncoremsr_now(t->um);
	bool opened;
	int err = um_subjects_update(t, &opened);

	if (err == -ENOMEM)
		return um_fail(&t->um->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	if (err)
		return err;
	t->interval_ns = t->looked ? now - t->time_ns : 0;
	t->time_ns = now;
	for (size_t i = 0; i < t->num_subjects; i++)
		read_subject(t, &t->subjects[i]);
	um_tpmi_read(t);
	if (t->counting && (!t->looked || opened))
		err = um_uncore_start(t);
	else
		um_uncore_read(t);
	t->looked = true;
	judge_all(t);
	return err ? err : result(t);
}
