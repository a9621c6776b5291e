/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Open and free a watcher; uncoremsr_throttle_look() reads, judges and publishes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/thermal_gates.h"
#include "throttle/throttle.h"

/* CPUID leaf 0x16 EAX: the base frequency in MHz (Skylake and later), or 0. */
static double base_hz(struct uncoremsr_throttle *t)
{
	const struct um_identity *id = &t->um->m.id;
	uint32_t regs[4] = { 0 };

	if (strcmp(id->vendor, "GenuineIntel") == 0)
		um_machine_leaf(&t->um->m, t->um->m.topo.online.cpus[0], 0x16, regs);
	if (regs[0] & 0xffff)
		return (regs[0] & 0xffff) * 1e6;
	return um_thermal_brand_hz(id->brand);
}

static void identify(struct uncoremsr_throttle *t)
{
	const struct um_identity *id = &t->um->m.id;

	t->guest = id->hypervisor == 1;
	if (!id->source || t->guest)
		return;
	t->model = um_thermal_find(id->vendor, id->family, id->model);
	t->base_hz = base_hz(t);
	if (!t->model)
		return;
	/* /proc/cpuinfo is read only once, for its first CPU. CPUID is read for each package or core (subjects.c). */
	if (!um_machine_has_cpuid(&t->um->m))
		t->flag_gates = um_cpuinfo_gates(&t->um->m, t->model);
}

int uncoremsr_throttle_new(struct uncoremsr *um, struct uncoremsr_throttle **out)
{
	struct uncoremsr_throttle *t;
	int err = um_check_open(um);

	if (!out)
		return um_check_given(um, out, "t");
	*out = NULL;
	if (err)
		return err;
	t = calloc(1, sizeof(*t));
	if (!t)
		return um_no_memory(&um->error);
	t->um = um;
	t->online_file = -1;
	t->state = (struct uncoremsr_throttle_state){
		.size = sizeof(t->state), .time = UM_ABSENT, .interval = UM_ABSENT, .cleared_at = UM_ABSENT,
		.verdict = UNCOREMSR_VERDICT_UNKNOWN,
	};
	identify(t);
	um_cleared_load(t);
	*out = t;
	return 0;
}

int uncoremsr_throttle_free(struct uncoremsr_throttle *t)
{
	int err;

	if (!t)
		return 0;
	um_uncore_end(t);
	err = t->not_put_back;
	um_subjects_free(t);
	free(t);
	return err;
}

int uncoremsr_throttle_set(struct uncoremsr_throttle *t, enum uncoremsr_throttle_option option, int value)
{
	if (!t)
		return -EINVAL;
	if (t->looked)
		return um_fail(&t->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE,
			       "set the options of a watcher before the first uncoremsr_throttle_look()");
	switch (option) {
	case UNCOREMSR_THROTTLE_KERNEL_ONLY:
		t->kernel_only = value != 0;
		return 0;
	case UNCOREMSR_THROTTLE_COUNTING:
		t->counting = value != 0;
		return 0;
	case UNCOREMSR_THROTTLE_WITHOUT:
		if (value < 0 || value >> UM_NUM_CAUSES)
			break;
		t->without = (unsigned)value;
		return 0;
	}
	return um_fail(&t->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no such option or value: %d, %d",
		       (int)option, value);
}

/* Is the value plausible? A read of missing hardware returns all ones. */
static bool is_plausible(const struct um_subject *s, const struct um_gauge *r)
{
	enum um_thermal_role role = r->row->role;
	uint64_t nonzero = um_sources[role].nonzero;

	/* If the processor has no digital readout, the thermal status may be 0. */
	if ((role == UM_ROLE_CORE_STATUS || role == UM_ROLE_PACKAGE_STATUS) && !(s->gates & UM_GATE_DTS))
		nonzero = 0;
	return r->value != UINT64_MAX && (!nonzero || (r->value & nonzero));
}

static void read_register(struct uncoremsr_throttle *t, struct um_subject *s, struct um_gauge *r)
{
	struct um_error why;
	int err;

	r->before = r->value;
	r->had = r->known;
	r->known = false;
	if ((r->err && !r->worked) || s->lost)
		return;
	err = t->um->m.registers->read(&t->um->m, s->cpu, r->row->reg.msr, &r->value, &why);
	if (!err && !is_plausible(s, r))
		err = -ENODATA;
	r->known = !err;
	r->worked |= r->known;
	/* An offline CPU may come back, so do not store its error. */
	if (err == -ENXIO || err == -ENODEV)
		s->lost = true;
	else
		r->err = err;
}

/* After a suspend, registers have reset values or firmware's values; only the kernel's counts can be compared. */
static void forget(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++) {
		for (int r = 0; r < UM_NUM_ROLES; r++)
			t->subjects[i].sources[r].known = false;
		t->subjects[i].plr.known = false;
	}
}

static void look_for_suspend(struct uncoremsr_throttle *t)
{
	uint64_t before = t->slept_ns;

	t->slept_ns = um_access_slept(t->um->m.access);
	t->suspended = t->looked && t->slept_ns >= before + UM_LEAST_SLEEP_NS;
	if (!t->suspended)
		return;
	if (!um_uncore_counts(t)) /* a session would have logged the suspend */
		um_tell_suspended(&t->um->m, t->slept_ns - before);
	forget(t);
}

static void read_subject(struct uncoremsr_throttle *t, struct um_subject *s)
{
	s->read = true;
	s->lost = false;
	um_files_read(t, s);
	if (t->kernel_only || s->access.class != UNCOREMSR_ERROR_NONE)
		return;
	for (int r = 0; r < UM_NUM_ROLES; r++) {
		struct um_gauge *reading = &s->sources[r];

		if (!reading->row || (reading->known && um_sources[r].constant))
			continue;
		read_register(t, s, reading);
	}
}

/* Read the subjects that this look() has not read yet. Returns whether the CPU of one went offline. */
static bool read_unread(struct uncoremsr_throttle *t)
{
	bool lost = false;

	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_subject *s = &t->subjects[i];

		if (s->read)
			continue;
		read_subject(t, s);
		lost |= s->lost;
	}
	return lost;
}

/* Read all subjects. If a CPU goes offline meanwhile, list them again: its core may have another CPU. */
static int read_subjects(struct uncoremsr_throttle *t)
{
	int err = 0;

	for (int tries = 0; tries < 4 && !err && read_unread(t); tries++)
		err = um_subjects_update(t);
	return err;
}

/* The result of look(). Returns an error if nothing about any package or core could be read. */
static int result(struct uncoremsr_throttle *t)
{
	struct um_error *e = &t->um->error;
	const char *why = "the registers and files that show throttling cannot be read here";

	for (size_t i = 0; i < t->num_listed; i++)
		if (t->subjects[i].pub.verdict != UNCOREMSR_VERDICT_UNKNOWN || t->subjects[i].pub.could_show)
			return 0;
	if (t->guest)
		return um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, UM_GUEST);
	for (size_t i = 0; i < t->num_subjects; i++) {
		if (t->subjects[i].access.class == UNCOREMSR_ERROR_NONE)
			continue;
		um_fail_as(e, &t->subjects[i].access);
		return t->subjects[i].access.code;
	}
	if (!t->num_subjects)
		why = "sysfs shows no package";
	else if (t->kernel_only)
		why = "registers may not be read, and the kernel's files do not show throttling";
	else if (!t->model)
		why = t->um->m.id.source ? "no register that shows throttling is known for this processor"
				: "CPUID cannot be read, so the processor is unknown";
	return um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
		       "nothing on this machine shows whether it is slowed down: %s", why);
}

static int look(struct uncoremsr_throttle *t)
{
	uint64_t now = uncoremsr_now(t->um);
	int err;

	t->round++;
	for (size_t i = 0; i < t->num_subjects; i++)
		t->subjects[i].read = false;
	t->device_opened = false;
	err = um_subjects_update(t);
	if (!err) {
		t->state.interval = t->looked ? now - t->state.time : 0;
		t->state.time = now;
		look_for_suspend(t);
		err = read_subjects(t);
	}
	if (err && !t->looked)
		t->state.time = t->state.interval = UM_ABSENT;
	if (err == -ENOMEM)
		return um_no_memory(&t->um->error);
	if (err)
		return err;
	um_tpmi_read(t);
	um_policies_read(t);
	err = um_uncore_read(t);
	t->looked = true;
	um_judge_all(t);
	um_policies_judge(t);
	return err ? err : result(t);
}

int uncoremsr_throttle_look(struct uncoremsr_throttle *t)
{
	int err = t ? um_check_process(&t->um->m, &t->um->error) : -EINVAL;

	if (err)
		return err;
	err = look(t);
	um_publish(t);
	return err;
}
