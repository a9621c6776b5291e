/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* State of the register driver. */
#include <stdio.h>
#include <string.h>

#include "common/properties.h"
#include "info/info.h"

struct driver {
	enum uncoremsr_driver_state state;
	char why[800];
	const char *writes, *lockdown;
};

static const char *const state_words[] = {
	[UNCOREMSR_DRIVER_READY] = "ready",
	[UNCOREMSR_DRIVER_MISSING] = "missing",
	[UNCOREMSR_DRIVER_NO_NODE] = "no-node",
	[UNCOREMSR_DRIVER_NO_PERMISSION] = "no-permission",
	[UNCOREMSR_DRIVER_NO_CAPABILITY] = "no-capability",
	[UNCOREMSR_DRIVER_OTHER] = "other",
};

static struct driver look(struct uncoremsr *um)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(um, UNCOREMSR_LOOK_AT_FILTER);
	struct driver d = {
		.state = uncoremsr_driver_state(um, 0), .writes = s->writes, .lockdown = s->lockdown,
	};
	const char *hint = uncoremsr_error(um)->hint;

	if (d.state != UNCOREMSR_DRIVER_READY)
		snprintf(d.why, sizeof(d.why), "%s%s%s", uncoremsr_error(um)->message, *hint ? "; " : "",
			 hint);
	return d;
}

bool info_put_driver(struct info *i)
{
	struct driver d;

	/* POWER has no register driver, so do not report one as missing. */
	if (!i->um || machine_is_power(i->um)) {
		record_str(&i->w, "driver", NULL);
		return false;
	}
	d = look(i->um);
	record_open(&i->w, "driver");
	record_str(&i->w, "state", state_words[d.state]);
	record_str(&i->w, "writes", d.writes);
	record_str(&i->w, "lockdown", d.lockdown);
	record_str(&i->w, "why", d.why[0] ? d.why : NULL);
	record_close(&i->w);
	return d.state == UNCOREMSR_DRIVER_READY;
}

/* What the driver's write filter does when a program writes a register. */
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
	struct driver d = look(i->um);

	out_fmt(i->o, INFO_LABEL "%s%s%s\n", "driver", state_words[d.state], d.why[0] ? ": " : "",
		d.why);
	if (!d.lockdown || !strcmp(d.lockdown, "none"))
		out_fmt(i->o, INFO_LABEL "%s\n", "write filter", filter_sentence(d.writes));
	/* Both lockdown modes allow reading registers (Linux include/linux/security.h, LOCKDOWN_MSR). */
	if (d.lockdown && strcmp(d.lockdown, "none"))
		out_fmt(i->o, INFO_LABEL "%s: the kernel refuses register writes\n", "lockdown",
			d.lockdown);
	else
		out_fmt(i->o, INFO_LABEL "%s\n", "lockdown",
			d.lockdown ? "none" : "unknown (the kernel does not say)");
	return d.state == UNCOREMSR_DRIVER_READY;
}
