/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys about failing accesses, hotplug, writes by other programs, and unusual registers. */
#include <errno.h>

#include "sim/keys.h"
#include "sim/registers.h"
#include "sim/trouble.h"

#define AT UM_SIM_AT
#define MAX_CPU (UM_SIM_MAX_CPUS - 1)

/* ---- failing accesses ---- */

#define FAILURE_OPTIONS(type, of) \
	{ "cpu", UM_SIM_NUMBER, AT(type, of cpu), 0, MAX_CPU, NULL }, \
	{ "after", UM_SIM_NUMBER, AT(type, of after), 0, UINT64_MAX, NULL }, \
	{ "times", UM_SIM_NUMBER, AT(type, of times), 0, UINT64_MAX, NULL }

static const struct um_sim_failure usual_failure = { .cpu = UINT64_MAX, .times = UINT64_MAX };
static const struct um_sim_item failure[] = {
	{ NULL, UM_SIM_WORD, AT(failure, steps), UM_SIM_FAIL_READ, 0, "read write any" },
	{ NULL, UM_SIM_RANGE, AT(failure, registers), 0, 0, NULL },
	{ NULL, UM_SIM_ERRNO, AT(failure, err), 0, 0, NULL },
	FAILURE_OPTIONS(failure,),
};

static const struct um_sim_delay usual_delay = {
	.of = { .steps = UM_SIM_FAIL_READ, .cpu = UINT64_MAX, .times = UINT64_MAX },
};
static const struct um_sim_item delay[] = {
	{ NULL, UM_SIM_RANGE, AT(delay, of.registers), 0, 0, NULL },
	{ NULL, UM_SIM_SECONDS, AT(delay, ns), 0, 0, NULL },
	FAILURE_OPTIONS(delay, of.),
};

static const struct um_sim_failure usual_open = {
	.steps = UM_SIM_FAIL_OPEN, .cpu = UINT64_MAX, .times = UINT64_MAX,
};
static const struct um_sim_item opening[] = {
	{ NULL, UM_SIM_ERRNO, AT(failure, err), 0, 0, NULL },
	FAILURE_OPTIONS(failure,),
};

/* If no CPU has a device, the machine looks like one without the driver. */
static int check_open(struct uncoremsr_sim *sim, const struct um_sim_source *s UM_SIM_UNUSED, void *row)
{
	const struct um_sim_failure *f = row;

	if (f->err == -ENOENT && f->cpu == UINT64_MAX && !f->after && f->times == UINT64_MAX)
		sim->driver = UM_SIM_DRIVER_MISSING;
	return 0;
}

/* ---- registers ---- */

static const struct um_sim_item silent[] = { { NULL, UM_SIM_RANGE, 0, 0, 0, NULL } };

static const struct um_sim_item keeping[] = {
	{ NULL, UM_SIM_RANGE, AT(keeping, registers), 0, 0, NULL },
	{ NULL, UM_SIM_NUMBER, AT(keeping, bits), 0, UINT64_MAX, NULL },
};

static const struct um_sim_item allowed[] = {
	{ NULL, UM_SIM_NUMBER32, AT(allowed, msr), 0, UINT32_MAX, NULL },
	{ NULL, UM_SIM_NUMBER, AT(allowed, mask), 0, UINT64_MAX, NULL },
};

static const struct um_sim_preset usual_preset = { .cpu = UINT64_MAX };
static const struct um_sim_item preset[] = {
	{ NULL, UM_SIM_NUMBER32, AT(preset, msr), 0, UINT32_MAX, NULL },
	{ NULL, UM_SIM_NUMBER, AT(preset, value), 0, UINT64_MAX, NULL },
	{ "cpu", UM_SIM_NUMBER, AT(preset, cpu), 0, MAX_CPU, NULL },
};

/* ---- what happens once ---- */

#define HAPPENING(what) { .kind = what, .at = UINT64_MAX, .after = UINT64_MAX, .package = -1 }
#define MOMENT_OPTIONS \
	{ "at", UM_SIM_SECONDS, AT(happening, at), 0, 0, NULL }, \
	{ "after", UM_SIM_NUMBER, AT(happening, after), 0, UINT64_MAX - 1, NULL }

static int check_moment(struct uncoremsr_sim *sim UM_SIM_UNUSED, const struct um_sim_source *s, void *row)
{
	const struct um_sim_happening *h = row;

	return (h->at == UINT64_MAX) != (h->after == UINT64_MAX) ? 0 :
		um_sim_bad(s, "exactly one of at=SECONDS and after=ACCESSES is needed");
}

static const struct um_sim_happening usual_hotplug = HAPPENING(UM_SIM_HOTPLUG);
static const struct um_sim_item hotplug[] = {
	{ NULL, UM_SIM_NUMBER, AT(happening, cpu), 0, MAX_CPU, NULL },
	{ NULL, UM_SIM_CHOICE, AT(happening, online), 0, 0, "off on" },
	MOMENT_OPTIONS,
};

static const struct um_sim_happening usual_write = HAPPENING(UM_SIM_FOREIGN_WRITE);
static const struct um_sim_item foreign[] = {
	{ NULL, UM_SIM_NUMBER32, AT(happening, msr), 0, UINT32_MAX, NULL },
	{ NULL, UM_SIM_NUMBER, AT(happening, value), 0, UINT64_MAX, NULL },
	MOMENT_OPTIONS,
	{ "package", UM_SIM_ID, AT(happening, package), 0, 255, NULL },
};

static const struct um_sim_happening usual_suspend = HAPPENING(UM_SIM_SUSPEND);
static const struct um_sim_item suspend[] = {
	{ NULL, UM_SIM_SECONDS, AT(happening, ns), 0, 0, NULL },
	MOMENT_OPTIONS,
	{ "registers", UM_SIM_CHOICE, AT(happening, keeps), 0, 0, "cleared kept" },
};

#define ROWS(key, form, list, type, items, ...) UM_SIM_ROWS(key, form, uncoremsr_sim, list, type, items, __VA_ARGS__)

const struct um_sim_key um_sim_trouble_keys[] = {
	ROWS("set", "REGISTER VALUE [cpu=N]", presets, preset, preset, 2, .usual = &usual_preset),
	ROWS("allow", "REGISTER MASK", allowed, allowed, allowed, 2),
	ROWS("silent", "REGISTERS", silent, range, silent, 1),
	ROWS("keeps", "REGISTERS MASK", keepings, keeping, keeping, 2),
	ROWS("fail", "read|write|any REGISTERS ERRNO [cpu=N] [after=N] [times=N]", failures, failure, failure, 3,
	     .usual = &usual_failure),
	ROWS("delay", "REGISTERS SECONDS [cpu=N] [after=N] [times=N]", delays, delay, delay, 2, .usual = &usual_delay),
	ROWS("open", "ERRNO [cpu=N] [after=N] [times=N]", failures, failure, opening, 1, .usual = &usual_open,
	     .check = check_open),
	ROWS("hotplug", "CPU on|off at=SECONDS|after=ACCESSES", happenings, happening, hotplug, 3,
	     .usual = &usual_hotplug, .check = check_moment),
	ROWS("foreign", "REGISTER VALUE at=SECONDS|after=ACCESSES [package=ID]", happenings, happening, foreign, 3,
	     .usual = &usual_write, .check = check_moment),
	ROWS("suspend", "SECONDS at=SECONDS|after=ACCESSES [registers=cleared|kept]", happenings, happening, suspend, 1,
	     .usual = &usual_suspend, .check = check_moment),
	{ .name = NULL },
};
