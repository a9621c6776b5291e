/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-doctor --grant: print a script for the administrator. Nothing is executed; the script's comments say what it
 * does, and how to undo it. Sources: udev(7), tmpfiles.d(5), modules-load.d(5), setcap(8),
 * msr-safe's README.md (allow list) and msr_entry.c (names of its devices), Linux
 * Documentation/admin-guide/perf-security.rst (groups of users with CAP_PERFMON).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

#define RULES "/etc/udev/rules.d/70-uncoremsr.rules"
#define MODULES "/etc/modules-load.d/uncoremsr.conf"
#define TMPFILES "/etc/tmpfiles.d/uncoremsr.conf"
#define ALLOW_LIST "/etc/uncoremsr-msr-safe.allowlist"
#define UNITS "/etc/systemd/system"
#define LEASES "/run/uncoremsr"
#define COPIES "/usr/local/libexec/uncoremsr"

/* Core registers of this processor, which members of the group may write only with --core. */
struct of_cores {
	/*
	 * Counters of any kind of core, as bits: general ones, and fixed ones from bit
	 * UNCOREMSR_FIXED_COUNTERS. 0: this processor has no such core PMU.
	 */
	uint64_t counters;
	bool full_width; /* counters may have a second address (full width): no kind of core excludes it */
	bool logs;       /* the processor has logs of throttling */
};

static struct of_cores of_cores(struct doctor *d)
{
	struct of_cores here = { .counters = 0 };
	const struct uncoremsr_core_kind *kind;
	const struct uncoremsr_register *reg;
	const struct uncoremsr_cores *cores;

	for (size_t i = 0; (reg = uncoremsr_register(d->um, "thermal", i)); i++)
		here.logs |= reg->write_mask != 0;
	cores = uncoremsr_cores(d->um, NULL);
	if (!cores)
		return here;
	for (size_t i = 0; (kind = cores->kinds[i]); i++) {
		if (kind->counters_from >= 0)
			here.counters |= kind->general_mask | kind->fixed_mask << UNCOREMSR_FIXED_COUNTERS;
		here.full_width |= kind->full_width != 0; /* -1 (unknown) counts as yes */
	}
	return here;
}

static void write_group(struct out *o, const char *group)
{
	out_fmt(o, "# 1. The group. Then, for each user: usermod -aG %s USER\n"
		"getent group %s >/dev/null || groupadd --system %s\n\n", group, group, group);
}

/* Write a script that only lets the kernel count, because no register is known here (@why). */
static void write_kernel_only(struct out *o, const char *group, const char *why)
{
	out_fmt(o, "#!/bin/sh\n"
		"# Lets the members of the group %s count through the kernel without root. Made by\n"
		"# uncore-doctor %s. Read it, then run it as root.\n"
		"#\n"
		"# No registers are granted: %s.\n"
		"# With the copies of section 7 a member can observe the processes of all other users,\n"
		"# and the kernel.\n"
		"#\n"
		"# To undo it: rm -rf " COPIES "; groupdel %s\n"
		"set -eu\n\n", group, uncoremsr_version(), why, group);
	write_group(o, group);
}

/*
 * Everything that the group can write lies on a file system of its own, so that members cannot fill the space of root's
 * journals or of /run. The lock is there, too: locking a file needs write permission, which allows filling it.
 */
static void write_lease_directory(struct out *o, const char *group)
{
	out_str(o, "# 4. The lease directory, by which sessions of several users share the counters. Only\n"
		"# root writes there; the group may lock counters (lock), and each member has a folder for\n"
		"# journals below user, which root never restores registers from. These two are on a file\n"
		"# system of 16 MB, so that members cannot take more, and nothing of root's; 4 MB each where the\n"
		"# kernel has quotas for tmpfs (Linux 6.6). Run this when nobody counts.\n");
	out_fmt(o, "cat >" TMPFILES " <<'EOF'\n"
		"d " LEASES " 0755 root root -\n"
		"f " LEASES "/root.lock 0600 root root -\n"
		"f " LEASES "/lock 0660 root %s -\n"
		"d " LEASES "/user 1770 root %s -\n"
		"f " LEASES "/user/lock 0660 root %s -\n"
		"EOF\n"
		"room=size=16m,nr_inodes=4096,mode=0700,nosuid,nodev,noexec\n"
		"quota=,usrquota,usrquota_block_hardlimit=4m,usrquota_inode_hardlimit=256\n"
		"install -d -m 0755 -o root -g root " LEASES "\n"
		"install -d -m 0700 -o root -g root " LEASES "/user\n"
		"if ! mountpoint -q " LEASES "/user; then\n"
		"\tmount -t tmpfs -o \"$room$quota\" uncoremsr " LEASES "/user 2>/dev/null || {\n"
		"\t\tquota=\n"
		"\t\tmount -t tmpfs -o \"$room\" uncoremsr " LEASES "/user\n"
		"\t}\n"
		"\tfor file in root.lock lock user/lock; do\n"
		"\t\t[ -e " LEASES "/$file ] || install -m 0600 /dev/null " LEASES "/$file\n"
		"\tdone\n"
		"\tmount --bind " LEASES "/user/lock " LEASES "/lock\n"
		"\tcat >" UNITS "/run-uncoremsr-user.mount <<EOF\n"
		"[Mount]\n"
		"What=uncoremsr\n"
		"Where=" LEASES "/user\n"
		"Type=tmpfs\n"
		"Options=$room$quota\n"
		"[Install]\n"
		"WantedBy=local-fs.target\n"
		"EOF\n"
		"\tcat >" UNITS "/run-uncoremsr-lock.mount <<'EOF'\n"
		"[Unit]\n"
		"DefaultDependencies=no\n"
		"After=systemd-tmpfiles-setup.service\n"
		"Before=sysinit.target\n"
		"[Mount]\n"
		"What=" LEASES "/user/lock\n"
		"Where=" LEASES "/lock\n"
		"Type=none\n"
		"Options=bind\n"
		"[Install]\n"
		"WantedBy=sysinit.target\n"
		"EOF\n"
		"\tsystemctl daemon-reload\n"
		"\tsystemctl enable run-uncoremsr-user.mount run-uncoremsr-lock.mount\n"
		"fi\n"
		"chown root:%s " LEASES "/user/lock " LEASES "/lock " LEASES "/user\n"
		"chmod 0660 " LEASES "/user/lock " LEASES "/lock\n"
		"chmod 1770 " LEASES "/user\n\n", group, group, group, group);
}

/* Write the part about the group, the driver, the device nodes and the lease directory. */
static void write_setup(struct doctor *d, struct out *o, const char *group, const struct of_cores *here)
{
	out_fmt(o, "#!/bin/sh\n"
		"# Lets the members of the group %s count uncore events without root. Made by\n"
		"# uncore-doctor %s for %s. Read it, then run it as root.\n"
		"#\n"
		"# What this grants: the msr driver asks for the capability CAP_SYS_RAWIO on top of\n"
		"# the node's permission. Only the tools of sections 5, 7 get it, and write only what\n"
		"# section 6 lists; the group cannot write registers with any other program. A program\n"
		"# that has the capability for another reason can: keep it from members of the group.\n"
		"#\n"
		"# What a member can do with it: take every free counter and keep it, which can keep root and other members from\n"
		"# counting; and lock bytes of /run/uncoremsr/lock without counting, which can keep other members from\n"
		"# counting, but not root. If section 5 is what lets members write registers, no tool puts back what\n"
		"# a killed session of a member left: uncore-doctor(1), LEAST PRIVILEGE.\n",
		group, uncoremsr_version(),
		uncoremsr_machine(d->um)->uarch_title);
	if (here->counters || here->logs)
		out_fmt(o, "# The tools of section 5 can also %s%s%s\n"
			"# (register %s and its like); with msr-safe that takes the list of --core.\n",
			here->counters ? "count in cores" : "",
			here->counters && here->logs ? " and " : "",
			here->logs ? "clear the logs of throttling" : "",
			here->logs ? "0x19c" : "0x186");
	out_fmt(o, "# With the copies of section 7 a member can observe the processes of all other users,\n"
		"# and the kernel. Leave that section out where only registers are to be counted.\n"
		"#\n"
		"# To undo it: rm -f " RULES " " MODULES "\n"
		"#   rm -f " TMPFILES " " ALLOW_LIST "\n"
		"#   systemctl disable run-uncoremsr-user.mount run-uncoremsr-lock.mount\n"
		"#   rm -f " UNITS "/run-uncoremsr-user.mount " UNITS "/run-uncoremsr-lock.mount\n"
		"#   rm -rf " COPIES "\n"
		"#   setcap -r TOOL (for each tool of section 5), groupdel %s, and reboot\n"
		"set -eu\n\n", group);
	write_group(o, group);
	out_fmt(o, "# 2. The driver, at every boot: without root nobody can load it later.\n"
		"echo msr >" MODULES "\n"
		"modprobe msr || echo 'msr: not loaded; is it built into the kernel?' >&2\n\n");
	out_fmt(o, "# 3. The device nodes /dev/cpu/N/msr, and those of msr-safe where it is loaded.\n"
		"cat >" RULES " <<'EOF'\n"
		"KERNEL==\"msr[0-9]*\", SUBSYSTEM==\"msr\", GROUP=\"%s\", MODE=\"0660\"\n"
		"KERNEL==\"msr_safe[0-9]*\", GROUP=\"%s\", MODE=\"0660\"\n"
		"EOF\n"
		"udevadm control --reload\n"
		"udevadm trigger --subsystem-match=msr\n"
		"udevadm trigger --subsystem-match=msr_safe\n\n", group, group);
	write_lease_directory(o, group);
}

/* Write the path of tool @name (beside this program), quoted for the shell, between @before and @after. */
static void write_tool(struct out *o, const char *before, const char *name, const char *after)
{
	char path[PATH_MAX + 32];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	/* @path is now the path of this program, or "" if unknown. */
	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	slash = slash ? slash : path;
	snprintf(slash, sizeof(path) - (size_t)(slash - path), "/%s", name);
	if (access(path, X_OK) < 0)
		return;
	out_str(o, before);
	out_shell_str(o, path);
	out_str(o, after);
}

/* Write setcap commands, only for tools that open registers. These do not pass capabilities on to a COMMAND. */
static void write_capabilities(struct out *o)
{
	static const char *const tools[] = { "uncore-read", "uncore-info", "uncore-doctor",
					     "uncore-throttle", "uncore-top" };

	out_str(o, "# 5. The capability that the msr driver asks for (not needed with msr-safe). The\n"
		"# loader ignores LD_LIBRARY_PATH and relative paths for such programs: install the\n"
		"# library first (make install), tools in a build directory do not find it.\n");
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		write_tool(o, "setcap cap_sys_rawio+ep ", tools[i], "\n");
	out_char(o, '\n');
}

/*
 * For registers the msr driver also checks the node's permissions. For events of the kernel the capability is enough,
 * so everyone who may run the file could count. Therefore copies of the tools are made that only the group may run.
 */
static void write_copies(struct out *o, const char *group, bool registers)
{
	static const struct {
		const char *name;
		bool both; /* the tool needs both capabilities, because metrics have events of both routes */
	} tools[] = { { "uncore-read", true }, { "uncore-top", true }, { "uncore-record", false } };

	out_fmt(o, "# 7. The kernel's counters (--route=perf, metrics, uncore-record): copies of the tools with\n"
		"# the capability CAP_PERFMON (Linux 5.8), which only root and the group can run. On\n"
		"# tools that everybody may run it would give every user of this machine what a member gets: to\n"
		"# count and sample the processes of all users and the kernel, with addresses and\n"
		"# stacks, and so to learn about the data that they work on. After an update of the\n"
		"# tools run this section again. Members call the copies by their path, or by\n"
		"#   PATH=" COPIES ":$PATH\n"
		"copy() {\n"
		"\tinstall -m 0750 -o root -g %s \"$1\" \"" COPIES "/${1##*/}\"\n"
		"\tsetcap \"$2\" \"" COPIES "/${1##*/}\" && return\n"
		"\trm -f \"" COPIES "/${1##*/}\"\n"
		"\techo \"${1##*/}: no copy for the kernel's counters: no CAP_PERFMON here\" >&2\n"
		"}\n"
		"install -d -m 0750 -o root -g %s " COPIES "\n", group, group);
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		write_tool(o, "copy ", tools[i].name, tools[i].both && registers
			   ? " cap_sys_rawio,cap_perfmon+ep\n" : " cap_perfmon+ep\n");
}

static bool is_here(const struct of_cores *here, const struct uncoremsr_register *reg)
{
	return reg->counter < 0 ||
	       (here->counters >> reg->counter & 1 && (here->full_width || !reg->full_width));
}

/* The first register of this core PMU from *index on that exists here; *index becomes its number. */
static const struct uncoremsr_register *core_register(struct doctor *d, size_t *index,
						      const struct of_cores *here)
{
	const struct uncoremsr_register *reg;

	while (here->counters && (reg = uncoremsr_register(d->um, "core", *index))) {
		if (is_here(here, reg))
			return reg;
		++*index;
	}
	return NULL;
}

/* The bits of a core register, without those of counters that this processor does not have. */
static uint64_t bits_here(const struct uncoremsr_register *reg, uint64_t counters)
{
	unsigned each = (unsigned)reg->counter_bits;
	uint64_t bits = 0;

	if (!each)
		return ~UINT64_C(0);
	if (each == 1)
		return counters;
	for (unsigned n = 0; n * each < 64; n++)
		if (counters >> UNCOREMSR_FIXED_COUNTERS >> n & 1)
			bits |= ((UINT64_C(1) << each) - 1) << n * each;
	return bits;
}

/* Write a line of the allow list, unless the register is neither readable nor ever written. */
static void write_line(struct out *o, const struct uncoremsr_register *reg, uint64_t mask)
{
	if (mask || strcmp(reg->access, "write only") != 0)
		out_fmt(o, "0x%08X 0x%016llX # %s\n", reg->address, (unsigned long long)mask, reg->name);
}

/*
 * Write all registers in the order of addresses. If the uncore and the core have different registers at one address, it
 * is the uncore's. Core registers, and logs that all users read, become writable only on request.
 */
static void write_registers(struct doctor *d, struct out *o, const struct of_cores *here, bool core)
{
	size_t at[] = { 0, 0, 0 };

	for (;;) {
		const struct uncoremsr_register *regs[] = {
			uncoremsr_register(d->um, NULL, at[0]), core_register(d, &at[1], here),
			uncoremsr_register(d->um, "thermal", at[2]),
		};
		const struct uncoremsr_register *next = NULL;
		uint64_t mask, allowed;

		for (size_t i = 0; i < 3; i++)
			if (regs[i] && (!next || regs[i]->address < next->address))
				next = regs[i];
		if (!next)
			return;
		mask = allowed = next->write_mask;
		if (next != regs[0])
			allowed &= core ? ~next->interrupts : 0;
		if (next == regs[1])
			allowed &= bits_here(next, here->counters);
		/* Leave out core registers that members may not write: they have no use for reading them. */
		if (core || next != regs[1] || !mask)
			write_line(o, next, allowed);
		for (size_t i = 0; i < 3; i++)
			at[i] += regs[i] && regs[i]->address == next->address;
	}
}

static void write_allowed(struct out *o, const struct of_cores *here, bool core)
{
	bool any = here->counters || here->logs;

	out_str(o, "# 6. What msr-safe has to allow: address, bits that may be written (0: read only).\n");
	if (!core || !any) {
		out_fmt(o, "# What shows throttling is read only%s%s.%s\n",
			here->counters ? "; core counters are left out" : "", any ? " (--core)" : "",
			core ? " On this processor --core adds nothing." : "");
		return;
	}
	out_str(o, "# With --core may be written, too:\n");
	if (here->counters)
		out_str(o, "#   core counters, without their interrupt bits\n");
	if (here->logs)
		out_str(o, "#   log bits of throttling (uncore-throttle --clear)\n");
}

static void write_allow_list(struct doctor *d, struct out *o, const struct of_cores *here, bool core)
{
	write_allowed(o, here, core);
	out_str(o, "cat >" ALLOW_LIST " <<'EOF'\n");
	write_registers(d, o, here, core);
	out_str(o, "EOF\n"
		"# Writing the list replaces the current one; if there is one, merging them is left to you.\n"
		"if [ ! -e /dev/cpu/msr_allowlist ]; then\n"
		"\t:\n"
		"elif grep -q '^0x' /dev/cpu/msr_allowlist; then\n"
		"\techo 'merge " ALLOW_LIST " into your list for /dev/cpu/msr_allowlist' >&2\n"
		"else\n"
		"\tcat " ALLOW_LIST " >/dev/cpu/msr_allowlist\n"
		"fi\n");
}

/* Write the service. systemd gives capabilities to its ordinary user, so no file capabilities are needed. */
static void write_service(struct out *o, const char *group, bool registers)
{
	const char *needs = registers ? "CAP_SYS_RAWIO CAP_PERFMON" : "CAP_PERFMON";

	out_fmt(o, "\n# 8. A service that counts all the time as an ordinary user, as an example (not installed):\n"
		"# save it as /etc/systemd/system/uncore-read.service and choose events (-e, -M; without\n"
		"# them the metrics of this machine are counted) and interval.\n"
		"#   [Unit]\n"
		"#   Description=uncore counts, one JSON object per line\n"
		"#   After=systemd-modules-load.service systemd-tmpfiles-setup.service\n"
		"#   [Service]\n"
		"#   DynamicUser=yes\n"
		"#   SupplementaryGroups=%s\n"
		"#   AmbientCapabilities=%s\n"
		"#   CapabilityBoundingSet=%s\n"
		"#   NoNewPrivileges=yes\n"
		"#   ProtectSystem=strict\n", group, needs, needs);
	if (registers)
		out_str(o, "#   ReadWritePaths=/run/uncoremsr\n");
	out_str(o, "#   LogsDirectory=uncoremsr\n"
		"#   StandardOutput=append:/var/log/uncoremsr/counts.json\n"
		"#   ExecStart=/usr/local/bin/uncore-read -i 60 --format=json\n"
		"#   [Install]\n"
		"#   WantedBy=multi-user.target\n");
}

int doctor_grant(struct doctor *d, const char *group, bool core)
{
	struct out *o = d->records.out;
	bool registers = uncoremsr_machine(d->um)->tables;

	if (registers) {
		struct of_cores here = of_cores(d);

		write_setup(d, o, group, &here);
		write_capabilities(o);
		write_allow_list(d, o, &here, core);
		out_char(o, '\n');
	} else {
		write_kernel_only(o, group, doctor_why_unsupported(d));
	}
	write_copies(o, group, registers);
	write_service(o, group, registers);
	return TOOL_DONE;
}
