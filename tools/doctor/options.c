/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of uncore-doctor. */
#include "doctor/doctor.h"

static const struct tool_option options[] = {
	{ DOCTOR_REPAIR, "repair", NULL,
	  "put back what sessions that died left in the registers" },
	{ DOCTOR_LEASES, "leases", NULL, "who holds which counter, what for, and since when" },
	{ DOCTOR_GRANT, "grant", "GROUP",
	  "print a shell script that lets the members of GROUP\n"
	  "count without root; it is printed, not run" },
	{ 0, NULL, NULL, NULL },
};

const struct tool doctor_tool = {
	.name = "uncore-doctor",
	.synopsis = "[OPTION]...\n--repair | --leases | --grant=GROUP [OPTION]...",
	.about = "Say what stands in the way of counting uncore events here, worst first, each with\n"
		 "the next command. Nothing is changed without --repair.\n",
	.options = options,
	.statuses =
		"  0   nothing stands in the way (there may be remarks); --repair: nothing is left\n"
		"  1   sessions of ours left something behind, or the output failed\n"
		"  2   usage: the command line makes no sense, or there is no such machine\n"
		"  3   not supported here, or no counter is free\n"
		"  4   no access: driver, permission, lockdown, lease directory\n",
	.examples =
		"  uncore-doctor\n"
		"  uncore-doctor --machine=sim:westmere-2s,lockdown=integrity --format=json\n"
		"  uncore-doctor --grant=uncore >grant.sh\n",
};
