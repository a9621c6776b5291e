/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sources: ld.so(8); getauxval(3) for AT_SECURE, which is set for set-user-id and for file capabilities;
 * capabilities(7); capset(2).
 */
#include "common/privileges.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers from before Linux 5.8 do not define CAP_PERFMON. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define BIT(n) (UINT64_C(1) << (n))
/* perf_event_open(2) needs CAP_PERFMON, before Linux 5.8 CAP_SYS_ADMIN; short-lived tools keep both. */
#define FOR_PERF (BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN))
/* For all ways to count; the msr driver needs CAP_SYS_RAWIO. */
#define NEEDED (BIT(CAP_SYS_RAWIO) | FOR_PERF)

/* Did file capabilities give us rights that the user does not have? (Root has them all.) */
static bool has_file_capabilities(void)
{
	return getauxval(AT_SECURE) && getuid() != 0;
}

static int keep(uint64_t wanted)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];

	if (syscall(SYS_capget, &head, sets) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		sets[i].permitted &= (uint32_t)(wanted >> 32 * i);
		sets[i].effective &= (uint32_t)(wanted >> 32 * i);
	}
	return (int)syscall(SYS_capset, &head, sets);
}

static uint64_t held(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];

	return syscall(SYS_capget, &head, sets) < 0 ? 0 : sets[0].effective | (uint64_t)sets[1].effective << 32;
}

int privileges_limit(void)
{
	bool user = getuid() != geteuid();

	if (user || getgid() != getegid())
		return tool_say(TOOL_NO_ACCESS, "refuses to run set-%s-id: files would not be opened with "
				"the rights of the user who runs it; use file capabilities instead "
				"(uncore-doctor --grant)",
				user ? "user" : "group");
	if (has_file_capabilities() && keep(NEEDED) < 0)
		return tool_say(TOOL_NO_ACCESS, "cannot drop capabilities: %m");
	return 0;
}

int privileges_none(void)
{
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return keep(0);
}

/* Ask the kernel instead of comparing releases: distributions backport CAP_PERFMON. */
static bool has_no_perfmon(void)
{
	return prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) < 0;
}

bool privileges_are_for_old_kernel(void)
{
	return has_no_perfmon() && (held() & BIT(CAP_SYS_ADMIN));
}

int privileges_for_service(unsigned counting, unsigned *given_up)
{
	const uint64_t registers = BIT(CAP_SYS_RAWIO);
	const uint64_t kernel = BIT(has_no_perfmon() ? CAP_SYS_ADMIN : CAP_PERFMON);
	uint64_t wanted = BIT(CAP_SETUID) | BIT(CAP_SETGID) | BIT(CAP_KILL), had = held();

	*given_up = (had & registers ? PRIVILEGES_REGISTERS : 0) | (had & kernel ? PRIVILEGES_KERNEL : 0);
	*given_up &= ~counting;
	wanted |= counting & PRIVILEGES_REGISTERS ? registers : 0;
	wanted |= counting & PRIVILEGES_KERNEL ? kernel : 0;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 : keep(wanted);
}

void privileges_drop(void)
{
	if (has_file_capabilities() && privileges_none() < 0)
		_exit(126);
}
