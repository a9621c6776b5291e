/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info for people. */
#include <string.h>

#include "info/info.h"

#define LABEL INFO_LABEL

static const char *or_unknown(const char *text)
{
	return text ? text : "unknown";
}

static void write_head(struct uncoremsr *um, struct out *o)
{
	const char *machine = uncoremsr_machine(um);

	if (!uncoremsr_is_simulated(um))
		return;
	out_fmt(o, "SIMULATED machine %s: nothing here is hardware\n",
		strncmp(machine, "sim:", 4) == 0 ? machine + 4 : machine);
}

static void write_number(struct out *o, const char *name, int v, bool hex)
{
	if (v < 0)
		out_fmt(o, " %s unknown", name);
	else if (hex)
		out_fmt(o, " %s %d (0x%x)", name, v, (unsigned)v);
	else
		out_fmt(o, " %s %d", name, v);
}

static void write_identity(struct uncoremsr *um, struct out *o)
{
	static const char *const hypervisor[] = { "unknown", "no",
						  "yes, this is a virtual machine" };
	const char *source = uncoremsr_machine_text(um, UNCOREMSR_MACHINE_IDENTITY_SOURCE);

	out_fmt(o, LABEL "%s", "processor", or_unknown(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_VENDOR)));
	write_number(o, "family", info_machine_number(um, UNCOREMSR_MACHINE_FAMILY), false);
	write_number(o, "model", info_machine_number(um, UNCOREMSR_MACHINE_MODEL), true);
	write_number(o, "stepping", info_machine_number(um, UNCOREMSR_MACHINE_STEPPING), false);
	if (!source)
		out_str(o, " (neither CPUID nor proc/cpuinfo is there)\n");
	else if (strcmp(source, "cpuinfo") == 0)
		out_str(o, " (from proc/cpuinfo: there is no CPUID here)\n");
	else
		out_str(o, " (from CPUID)\n");
	if (uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH))
		out_fmt(o, LABEL "%s: %s\n", "uarch", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH),
			or_unknown(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH_TITLE)));
	else
		out_fmt(o, LABEL "unknown: the model is in no table\n", "uarch");
	out_fmt(o, LABEL "%s\n", "hypervisor", hypervisor[info_machine_number(um, UNCOREMSR_MACHINE_HYPERVISOR) + 1]);
}

static void write_pmu(struct uncoremsr *um, struct out *o)
{
	const struct uncoremsr_pmu *pmu = info_pmu(um);

	if (!info_machine_number(um, UNCOREMSR_MACHINE_SUPPORTED))
		out_fmt(o, LABEL "not supported: %s\n", "uncore",
			or_unknown(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_REASON)));
	if (pmu && uncoremsr_num_pmus(um) == 1)
		out_fmt(o, LABEL "PMU %s: %u general counters of %u bits, %u fixed\n", "uncore",
			uncoremsr_pmu_name(pmu), uncoremsr_pmu_general_counters(pmu),
			uncoremsr_pmu_general_width(pmu), uncoremsr_pmu_fixed_counters(pmu));
	else if (uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH))
		info_write_pmus_text(o, uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH));
}

static void write_package_label(struct out *o, const struct uncoremsr_package *p)
{
	out_fmt(o, "package %d", uncoremsr_package_id(p));
	if (uncoremsr_package_die(p) >= 0)
		out_fmt(o, " die %d", uncoremsr_package_die(p));
}

static void write_packages(struct uncoremsr *um, struct out *o)
{
	const struct uncoremsr_package *p;

	out_fmt(o, LABEL "%s\n", "online CPUs", or_unknown(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_ONLINE_CPUS)));
	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++) {
		size_t start = o->len;

		write_package_label(o, p);
		out_pad(o, start, uncoremsr_package_die(p) < 0 ? 13 : 17, true);
		out_fmt(o, "reached through CPU %d; %zu cores, CPUs %s\n", uncoremsr_package_cpu(p),
			uncoremsr_package_num_cores(p), uncoremsr_package_cpus(p));
	}
}

/* What the driver's own filter means for somebody who is about to write a register. */
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

static const char *lockdown_sentence(const char *lockdown)
{
	if (!lockdown)
		return "unknown (the kernel does not tell)";
	if (strcmp(lockdown, "none") == 0)
		return "none";
	/* Both modes leave reading alone (Linux include/linux/security.h, LOCKDOWN_MSR). */
	return strcmp(lockdown, "integrity") == 0
		       ? "integrity: the kernel refuses register writes"
		       : "confidentiality: the kernel refuses register writes";
}

static bool write_driver(struct uncoremsr *um, struct out *o)
{
	enum uncoremsr_driver_state state = uncoremsr_driver_state(um, 0);
	char why[800] = "";

	if (state != UNCOREMSR_DRIVER_READY)
		info_driver_why(um, why, sizeof(why));

	out_fmt(o, LABEL "%s%s%s\n", "driver", info_driver_word(state), *why ? ": " : "", why);
	out_fmt(o, LABEL "%s\n", "write filter", filter_sentence(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_DRIVER_WRITES)));
	out_fmt(o, LABEL "%s\n", "lockdown", lockdown_sentence(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_LOCKDOWN)));
	return state == UNCOREMSR_DRIVER_READY;
}

/* ---- a recorded CPUID ---- */

static void write_recorded(const struct info *i, struct out *o)
{
	const struct uncoremsr_core_kind *kind = uncoremsr_core_kind(i->cores, 0);
	const char *uarch = uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH);

	out_fmt(o, "recorded CPUID of %zu logical CPUs from %s: this is not a machine\n",
		info_num_cpus(i->cores), i->file);
	out_fmt(o, LABEL "%s", "processor", uncoremsr_core_text(kind, UNCOREMSR_CORE_VENDOR));
	write_number(o, "family", (int)info_fact(kind, UNCOREMSR_CORE_FAMILY), false);
	write_number(o, "model", (int)info_fact(kind, UNCOREMSR_CORE_MODEL), true);
	write_number(o, "stepping", (int)info_fact(kind, UNCOREMSR_CORE_STEPPING), false);
	out_char(o, '\n');
	if (uncoremsr_core_text(kind, UNCOREMSR_CORE_BRAND))
		out_fmt(o, LABEL "%s\n", "name", uncoremsr_core_text(kind, UNCOREMSR_CORE_BRAND));
	if (uarch)
		out_fmt(o, LABEL "%s: %s\n", "uarch", uarch, uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH_TITLE));
	else
		out_fmt(o, LABEL "unknown: the model is in no table\n", "uarch");
	out_fmt(o, LABEL "%s\n", "hypervisor",
		info_fact(kind, UNCOREMSR_CORE_HYPERVISOR) ? "yes, this was a virtual machine" : "no");
	if (uarch && !uncoremsr_uarch_supported(uarch))
		out_fmt(o, LABEL "none that this version knows how to reach\n", "uncore");
	else if (uarch)
		info_write_pmus_text(o, uarch);
}

void info_write_text(const struct info *i, struct out *o)
{
	struct uncoremsr *um = i->um;

	if (!um) {
		write_recorded(i, o);
		info_write_core_text(i, o);
		info_write_kernel_text(i, o);
		return;
	}
	write_head(um, o);
	write_identity(um, o);
	write_pmu(um, o);
	info_write_core_text(i, o);
	write_packages(um, o);
	info_write_kernel_text(i, o);
	if (write_driver(um, o))
		info_write_counters_text(um, o);
	else if (info_pmu(um))
		out_fmt(o, LABEL "unknown: the registers cannot be read\n", "counters");
}
