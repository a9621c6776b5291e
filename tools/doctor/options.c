/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of uncore-doctor. */
#include "doctor/doctor.h"

static const struct tool_option options[] = {
	{ DOCTOR_REPAIR, "repair", NULL,
	  "restore registers that sessions changed before they died" },
	{ DOCTOR_LEASES, "leases", NULL, "show who holds which counter, for which event, since when" },
	{ DOCTOR_GRANT, "grant", "GROUP",
	  "print (but do not run) a shell script that lets the\n"
	  "members of GROUP count without root" },
	{ 0, NULL, NULL, NULL },
};

const struct tool doctor_tool = {
	.name = "uncore-doctor",
	.synopsis = "[OPTION]...\n--repair | --leases | --grant=GROUP [OPTION]...",
	.about = "Report what stands in the way of counting uncore events here, worst first, each with\n"
		 "the command to run next. Without --repair nothing is changed.\n",
	.options = options,
	.statuses =
		"  0   nothing stands in the way (apart from remarks); --repair: nothing is left over\n"
		"  1   our sessions left something behind, or the output failed\n"
		"  2   usage error: invalid command line, or no such machine\n"
		"  3   not supported here, or no counter is free\n"
		"  4   no access: driver, permission, lockdown, lease directory\n",
	.examples =
		"  uncore-doctor\n"
		"  uncore-doctor --machine=sim:westmere-2s,lockdown=integrity --format=json\n"
		"  uncore-doctor --grant=uncore >grant.sh\n",
};
