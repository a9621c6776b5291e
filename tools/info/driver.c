/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "common/properties.h"
#include "info/info.h"

static const char *const state_words[] = {
	[UNCOREMSR_DRIVER_READY] = "ready",
	[UNCOREMSR_DRIVER_MISSING] = "missing",
	[UNCOREMSR_DRIVER_NO_NODE] = "no-node",
	[UNCOREMSR_DRIVER_NO_PERMISSION] = "no-permission",
	[UNCOREMSR_DRIVER_NO_CAPABILITY] = "no-capability",
	[UNCOREMSR_DRIVER_OTHER] = "other",
};

enum { WHY_SIZE = 800 };

/* @why: why the driver is not ready, else "". */
static enum uncoremsr_driver_state get_state(struct uncoremsr *um, char why[WHY_SIZE])
{
	enum uncoremsr_driver_state state = uncoremsr_driver_state(um, 0);
	const struct uncoremsr_error *e = uncoremsr_error(um);

	*why = '\0';
	if (state != UNCOREMSR_DRIVER_READY)
		snprintf(why, WHY_SIZE, "%s%s%s", e->message, *e->hint ? "; " : "", e->hint);
	return state;
}

bool info_put_driver(struct info *i)
{
	const struct uncoremsr_surroundings *s;
	enum uncoremsr_driver_state state;
	char why[WHY_SIZE];

	/* POWER has no register driver, so do not report one as missing. */
	if (!i->um || machine_is_power(i->um)) {
		record_str(&i->w, "driver", NULL);
		return false;
	}
	s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_FILTER);
	state = get_state(i->um, why);
	record_open(&i->w, "driver");
	record_str(&i->w, "state", state_words[state]);
	record_str(&i->w, "writes", s->writes);
	record_str(&i->w, "lockdown", s->lockdown);
	record_str(&i->w, "why", *why ? why : NULL);
	record_close(&i->w);
	return state == UNCOREMSR_DRIVER_READY;
}

static const char *filter_sentence(const char *writes)
{
	if (!writes)
		return "unknown (kernels before 5.9 have none)";
	if (strcmp(writes, "off") == 0)
		return "off: the driver refuses every write; counting needs msr.allow_writes=on";
	if (strcmp(writes, "on") == 0)
		return "on: writes are allowed and not logged (msr.allow_writes)";
	return "default: the first raw write of a program makes the kernel log a line and set the "
	       "taint flag \"CPU out of spec\"; msr.allow_writes=on avoids the line";
}

bool info_show_driver(struct info *i)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_FILTER);
	char why[WHY_SIZE];
	enum uncoremsr_driver_state state = get_state(i->um, why);

	out_fmt(i->o, INFO_LABEL "%s%s%s\n", "driver", state_words[state], *why ? ": " : "", why);
	/* Both lockdown modes allow reading registers (Linux include/linux/security.h, LOCKDOWN_MSR). */
	if (s->lockdown && strcmp(s->lockdown, "none")) {
		out_fmt(i->o, INFO_LABEL "%s: the kernel refuses register writes\n", "lockdown", s->lockdown);
	} else {
		out_fmt(i->o, INFO_LABEL "%s\n", "write filter", filter_sentence(s->writes));
		out_fmt(i->o, INFO_LABEL "%s\n", "lockdown",
			s->lockdown ? "none" : "unknown (the kernel does not say)");
	}
	return state == UNCOREMSR_DRIVER_READY;
}
