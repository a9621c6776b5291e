/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info for programs. */
#include "info/info.h"

static void write_packages(struct uncoremsr *um, struct fields *f)
{
	const struct uncoremsr_package *p;

	fields_open_list(f, "packages");
	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++) {
		fields_open(f, NULL);
		fields_int(f, "package", uncoremsr_package_id(p));
		fields_int(f, "die", uncoremsr_package_die(p));
		fields_int(f, "cpu", uncoremsr_package_cpu(p));
		fields_str(f, "cpus", uncoremsr_package_cpus(p));
		fields_int(f, "cores", (int64_t)uncoremsr_package_num_cores(p));
		fields_close(f);
	}
	fields_close(f);
}

static void write_pmu(struct uncoremsr *um, struct fields *f)
{
	const struct uncoremsr_pmu *pmu = info_pmu(um);

	if (!pmu) {
		fields_str(f, "uncore", NULL);
		return;
	}
	fields_open(f, "uncore");
	fields_int(f, "general_counters", uncoremsr_pmu_general_counters(pmu));
	fields_int(f, "general_width", uncoremsr_pmu_general_width(pmu));
	fields_int(f, "fixed_counters", uncoremsr_pmu_fixed_counters(pmu));
	fields_str(f, "name", uncoremsr_pmu_name(pmu));
	fields_close(f);
}

static bool write_driver(struct uncoremsr *um, struct fields *f)
{
	enum uncoremsr_driver_state state = uncoremsr_driver_state(um, 0);
	char why[800] = "";

	if (state != UNCOREMSR_DRIVER_READY)
		info_driver_why(um, why, sizeof(why));

	fields_open(f, "driver");
	fields_str(f, "state", info_driver_word(state));
	fields_str(f, "writes", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_DRIVER_WRITES));
	fields_str(f, "lockdown", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_LOCKDOWN));
	fields_str(f, "why", *why ? why : NULL);
	fields_close(f);
	return state == UNCOREMSR_DRIVER_READY;
}

/* ---- cores and kernel ---- */

static void write_kinds(struct fields *f, const struct info *i)
{
	const struct uncoremsr_core_kind *kind;

	fields_open_list(f, "core_kinds");
	for (size_t k = 0; (kind = uncoremsr_core_kind(i->cores, k)); k++) {
		fields_open(f, NULL);
		info_write_core(f, kind);
		info_write_leaf_0xa(f, kind);
		fields_close(f);
	}
	fields_close(f);
}

static int write_kernel_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct fields *f = user;

	fields_open(f, NULL);
	fields_str(f, "name", name);
	fields_int(f, "type", type);
	fields_str(f, "cpus", cpus);
	fields_close(f);
	return 0;
}

static int no_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	(void)user, (void)name, (void)type, (void)cpus;
	return 0;
}

/* Unknown (null) without that part of sysfs. */
static void write_kernel_pmus(struct fields *f, struct uncoremsr *um)
{
	if (!um || uncoremsr_kernel_pmus(um, no_pmu, NULL) < 0) {
		fields_str(f, "kernel_pmus", NULL);
		return;
	}
	fields_open_list(f, "kernel_pmus");
	uncoremsr_kernel_pmus(um, write_kernel_pmu, f);
	fields_close(f);
}

/* ---- a machine ---- */

static void write_identity(struct fields *f, struct uncoremsr *um)
{
	fields_str(f, "vendor", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_VENDOR));
	fields_int(f, "family", info_machine_number(um, UNCOREMSR_MACHINE_FAMILY));
	fields_int(f, "model", info_machine_number(um, UNCOREMSR_MACHINE_MODEL));
	fields_int(f, "stepping", info_machine_number(um, UNCOREMSR_MACHINE_STEPPING));
	fields_str(f, "uarch", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH));
	fields_bool(f, "supported", info_machine_number(um, UNCOREMSR_MACHINE_SUPPORTED));
	fields_bool(f, "hypervisor", info_machine_number(um, UNCOREMSR_MACHINE_HYPERVISOR));
}

static void write_machine(struct fields *f, const struct info *i)
{
	struct uncoremsr *um = i->um;

	write_identity(f, um);
	info_write_leaf_0xa(f, uncoremsr_core_kind(i->cores, 0));
	write_packages(um, f);
	write_pmu(um, f);
	info_write_pmus(f, uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH));
	fields_str(f, "machine", uncoremsr_machine(um));
	fields_bool(f, "simulated", uncoremsr_is_simulated(um));
	fields_str(f, "identity_source", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_IDENTITY_SOURCE));
	fields_str(f, "uarch_title", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH_TITLE));
	fields_str(f, "reason", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_REASON));
	fields_str(f, "online", uncoremsr_machine_text(um, UNCOREMSR_MACHINE_ONLINE_CPUS));
	info_write_counters(um, f, write_driver(um, f));
	write_kinds(f, i);
	write_kernel_pmus(f, um);
	fields_bool(f, "nmi_watchdog", info_machine_number(um, UNCOREMSR_MACHINE_NMI_WATCHDOG));
	info_write_boot_log(f, i);
}

/* ---- a recorded CPUID: the same fields, and null for all that needs a machine ---- */

static void write_recorded_head(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	const char *uarch = uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH);
	int64_t hypervisor = info_fact(kind, UNCOREMSR_CORE_HYPERVISOR);

	fields_str(f, "vendor", uncoremsr_core_text(kind, UNCOREMSR_CORE_VENDOR));
	fields_int(f, "family", info_fact(kind, UNCOREMSR_CORE_FAMILY));
	fields_int(f, "model", info_fact(kind, UNCOREMSR_CORE_MODEL));
	fields_int(f, "stepping", info_fact(kind, UNCOREMSR_CORE_STEPPING));
	fields_str(f, "uarch", uarch);
	fields_bool(f, "supported", uarch && !hypervisor && uncoremsr_uarch_supported(uarch));
	fields_bool(f, "hypervisor", (int)hypervisor);
}

static void write_recorded(struct fields *f, const struct info *i,
			   const struct uncoremsr_core_kind *kind)
{
	static const char *const nothing[] = {
		"online", "driver", "counters", "units", "core_kinds", "kernel_pmus", "nmi_watchdog",
	};

	write_recorded_head(f, kind);
	info_write_leaf_0xa(f, kind);
	fields_str(f, "packages", NULL);
	fields_str(f, "uncore", NULL);
	info_write_pmus(f, uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH));
	fields_str(f, "machine", NULL);
	fields_bool(f, "simulated", false);
	fields_str(f, "identity_source", "file");
	fields_str(f, "uarch_title", uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH_TITLE));
	fields_str(f, "reason", "a recorded CPUID: there is no machine to count on");
	for (size_t n = 0; n < sizeof(nothing) / sizeof(nothing[0]); n++)
		fields_str(f, nothing[n], NULL);
	info_write_boot_log(f, i);
	fields_str(f, "file", i->file);
	fields_int(f, "logical_cpus", (int64_t)info_num_cpus(i->cores));
	info_write_core(f, kind);
}

static void write_file(const struct info *i, struct out *o, bool json)
{
	const struct uncoremsr_core_kind *kind;
	struct fields f;

	if (!json) {
		fields_begin(&f, o, false);
		fields_open_list(&f, "core_kinds");
	}
	for (size_t k = 0; (kind = uncoremsr_core_kind(i->cores, k)); k++) {
		if (json)
			fields_begin(&f, o, true);
		else
			fields_open(&f, NULL);
		write_recorded(&f, i, kind);
		if (json)
			fields_end(&f);
		else
			fields_close(&f);
	}
}

void info_write_fields(const struct info *i, struct out *o, bool json)
{
	struct fields f;

	if (!i->um) {
		write_file(i, o, json);
		return;
	}
	fields_begin(&f, o, json);
	write_machine(&f, i);
	fields_end(&f);
}
