/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info for programs. */
#include "fields.h"
#include "info.h"

static void write_leaf_0xa(struct uncoremsr *um, struct fields *f)
{
	static const struct {
		const char *name;
		enum uncoremsr_leaf_0xa field;
	} rows[] = {
		{ "version", UNCOREMSR_0XA_VERSION },
		{ "general_counters", UNCOREMSR_0XA_GENERAL_COUNTERS },
		{ "general_width", UNCOREMSR_0XA_GENERAL_WIDTH },
		{ "fixed_counters", UNCOREMSR_0XA_FIXED_COUNTERS },
		{ "fixed_width", UNCOREMSR_0XA_FIXED_WIDTH },
		{ "event_bits", UNCOREMSR_0XA_EVENT_BITS },
	};

	if (uncoremsr_leaf_0xa(um, UNCOREMSR_0XA_VERSION) < 0) {
		fields_str(f, "leaf_0xa", NULL);
		return;
	}
	fields_open(f, "leaf_0xa");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fields_int(f, rows[i].name, uncoremsr_leaf_0xa(um, rows[i].field));
	fields_word(f, "events_absent", (uint64_t)uncoremsr_leaf_0xa(um, UNCOREMSR_0XA_EVENTS_ABSENT));
	fields_word(f, "fixed_mask", (uint64_t)uncoremsr_leaf_0xa(um, UNCOREMSR_0XA_FIXED_MASK));
	fields_close(f);
}

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

static void write_counter(struct uncoremsr *um, struct fields *f, const struct uncoremsr_package *p,
			  unsigned counter)
{
	uint64_t selector;
	enum uncoremsr_counter_state state = uncoremsr_counter_state(um, p, counter, &selector);

	fields_open(f, NULL);
	fields_int(f, "package", uncoremsr_package_id(p));
	fields_int(f, "counter", counter);
	fields_str(f, "state", info_counter_word(state));
	if (state == UNCOREMSR_COUNTER_UNKNOWN)
		fields_str(f, "selector", NULL);
	else
		fields_word(f, "selector", selector);
	fields_close(f);
}

/* Unknown as a whole (null) where the registers cannot be reached. */
static void write_counters(struct uncoremsr *um, struct fields *f, bool ready)
{
	const struct uncoremsr_pmu *pmu = info_pmu(um);
	const struct uncoremsr_package *p;
	unsigned num;

	if (!pmu || !ready) {
		fields_str(f, "counters", NULL);
		return;
	}
	num = uncoremsr_pmu_general_counters(pmu) + uncoremsr_pmu_fixed_counters(pmu);
	fields_open_list(f, "counters");
	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++)
		for (unsigned c = 0; c < num; c++)
			write_counter(um, f, p, c);
	fields_close(f);
}

static bool write_driver(struct uncoremsr *um, struct fields *f)
{
	const char *why;
	enum uncoremsr_driver_state state = uncoremsr_driver_state(um, &why);

	fields_open(f, "driver");
	fields_str(f, "state", info_driver_word(state));
	fields_str(f, "writes", uncoremsr_driver_writes(um));
	fields_str(f, "lockdown", uncoremsr_lockdown(um));
	fields_str(f, "why", *why ? why : NULL);
	fields_close(f);
	return state == UNCOREMSR_DRIVER_READY;
}

void info_write_fields(struct uncoremsr *um, struct out *o, bool json)
{
	struct fields f;

	fields_begin(&f, o, json);
	fields_str(&f, "vendor", uncoremsr_vendor(um));
	fields_int(&f, "family", uncoremsr_family(um));
	fields_int(&f, "model", uncoremsr_model(um));
	fields_int(&f, "stepping", uncoremsr_stepping(um));
	fields_str(&f, "uarch", uncoremsr_uarch(um));
	fields_bool(&f, "supported", uncoremsr_supported(um));
	fields_bool(&f, "hypervisor", uncoremsr_hypervisor(um));
	write_leaf_0xa(um, &f);
	write_packages(um, &f);
	write_pmu(um, &f);
	fields_str(&f, "machine", uncoremsr_machine(um));
	fields_bool(&f, "simulated", uncoremsr_is_simulated(um));
	fields_str(&f, "identity_source", uncoremsr_identity_source(um));
	fields_str(&f, "uarch_title", uncoremsr_uarch_title(um));
	fields_str(&f, "reason", uncoremsr_unsupported_reason(um));
	fields_str(&f, "online", uncoremsr_online_cpus(um));
	write_counters(um, &f, write_driver(um, &f));
	fields_end(&f);
}
