/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The handle: made, told which machine, opened, freed. The only code that knows all back ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "counting/lease.h"
#include "events/catalogue.h"
#include "machine/handle.h"
#include "session/session.h"
#include "sim/sim.h"
#include "uncoremsr/sim.h"

const char *uncoremsr_version(void)
{
	return UM_VERSION;
}

const char *uncoremsr_errmsg(const struct uncoremsr *um)
{
	return um ? um->error.msg : "";
}

const char *uncoremsr_hint(const struct uncoremsr *um)
{
	return um ? um->error.hint : "";
}

enum uncoremsr_error_class uncoremsr_error_class(const struct uncoremsr *um)
{
	return um ? um->error.class : UNCOREMSR_ERROR_USAGE;
}

int uncoremsr_new(struct uncoremsr **um)
{
	*um = calloc(1, sizeof(**um));
	return *um ? 0 : -ENOMEM;
}

void uncoremsr_free(struct uncoremsr *um)
{
	if (!um)
		return;
	um_perf_kernel_free(um);
	um_names_free(um);
	um_topology_free(&um->m.topo);
	if (um->m.access)
		um->m.access->ops->close(um->m.access);
	um_register_lists_free(um);
	um_looked_at_free(um);
	free(um->m.pmus);
	for (size_t i = 0; i < UM_MACHINE_TEXTS; i++)
		free(um->texts[i]);
	free(um->what);
	free(um->name);
	free(um);
}

static int no_memory(struct uncoremsr *um)
{
	return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

static int already_open(struct uncoremsr *um)
{
	return um_fail(&um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the machine is already open");
}

static int known_form(const char *what)
{
	return !strcmp(what, "live") || (!strncmp(what, "root:", 5) && what[5]) ||
	       (!strncmp(what, "sim:", 4) && what[4]);
}

/*
 * With the capability of a program and a tree of his own, anybody could pass this processor off as
 * another one and have its registers written.
 */
static int refuse_foreign_tree(struct uncoremsr *um, const char *what)
{
	um_fail(&um->error, -EPERM, UNCOREMSR_ERROR_ACCESS,
		"machine '%s': not for a program with raised privileges", what);
	um_hint(&um->error, "what stands under that directory may be anybody's: use a copy of the "
		"program without capabilities");
	return -EPERM;
}

int uncoremsr_set_machine(struct uncoremsr *um, const char *what)
{
	char *copy;

	if (um->m.access)
		return already_open(um);
	if (what && !known_form(what)) {
		um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "machine '%s': unknown form",
			what);
		um_hint(&um->error, "use live, root:DIR or sim:NAME");
		return -EINVAL;
	}
	if (what && !strncmp(what, "root:", 5) && getauxval(AT_SECURE))
		return refuse_foreign_tree(um, what);
	copy = strdup(what ? what : "live");
	if (!copy)
		return no_memory(um);
	/* Those of another machine. */
	um_names_forget_machine(um);
	free(um->what);
	um->what = copy;
	return 0;
}

int uncoremsr_set_sim(struct uncoremsr *um, struct uncoremsr_sim *sim)
{
	char name[256];

	if (um->m.access)
		return already_open(um);
	snprintf(name, sizeof(name), "sim:%s", uncoremsr_sim_name(sim));
	um->sim = sim;
	return uncoremsr_set_machine(um, name);
}

int uncoremsr_set_trace(struct uncoremsr *um, enum uncoremsr_trace_style style,
			void (*fn)(void *user, const char *line), void *user)
{
	if ((unsigned)style > UNCOREMSR_TRACE_COMMANDS)
		return um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "unknown trace style");
	um->m.trace_style = fn ? style : UNCOREMSR_TRACE_NONE;
	um->m.trace = fn;
	um->m.trace_user = user;
	return 0;
}

void uncoremsr_set_log(struct uncoremsr *um,
		       void (*fn)(void *user, enum uncoremsr_log_level level, const char *line),
		       void *user)
{
	um->m.log = fn;
	um->m.log_user = user;
}

int uncoremsr_set_dry_run(struct uncoremsr *um, int on)
{
	if (um->m.access)
		return already_open(um);
	um->m.dry_run = on != 0;
	return 0;
}

static int open_sim(struct uncoremsr *um, struct um_access **out, const char *what)
{
	struct uncoremsr_sim *sim = um->sim;
	char why[384] = "";
	int err;

	um->sim_open = sim;
	if (sim)
		return um_sim_access(out, sim, false);
	err = uncoremsr_sim_new(&sim, what, why, sizeof(why));
	if (err)
		return um_fail(&um->error, err, err == -ENOTSUP ? UNCOREMSR_ERROR_UNSUPPORTED
							       : UNCOREMSR_ERROR_USAGE, "%s", why);
	err = um_sim_access(out, sim, true);
	if (err)
		uncoremsr_sim_free(sim);
	else
		um->sim_open = sim;
	return err;
}

int um_open_access(struct uncoremsr *um, struct um_access **out)
{
	if (um->what && !strncmp(um->what, "sim:", 4))
		return open_sim(um, out, um->what + 4);
	if (um->what && !strncmp(um->what, "root:", 5))
		return um_access_device(out, um->what + 5, &um->error);
	return um_access_device(out, NULL, &um->error);
}

static int wrap_dry_run(struct uncoremsr *um)
{
	struct um_access *dry;
	int err = um->m.dry_run ? um_access_dry_run(&dry, um->m.access) : 0;

	if (um->m.dry_run && !err)
		um->m.access = dry;
	return err;
}

/* Can any PMU of the tables be reached by MSRs? On some processors they are all elsewhere. */
static bool has_reach(const struct um_uarch *u)
{
	for (size_t i = 0; i < u->num_pmus; i++)
		if (u->pmus[i].reach == UM_REACH_MSR)
			return true;
	return false;
}

/* One sentence about why nothing can be counted here; empty when it can. */
static void judge(struct uncoremsr *um)
{
	const struct um_identity *id = &um->m.id;
	char *why = um->unsupported;
	size_t size = sizeof(um->unsupported);

	um->m.uarch = NULL;
	if (!id->source)
		snprintf(why, size, "the processor is unknown: neither CPUID nor an x86 "
			 "proc/cpuinfo can be read");
	else if (!um->m.model)
		snprintf(why, size, "%s family %d model 0x%x is in no table: which registers its "
			 "uncore has is not known, so nothing is touched", id->vendor, id->family,
			 (unsigned)id->model);
	else if (!um->m.model->uarch || !has_reach(um->m.model->uarch))
		snprintf(why, size, "%s (%s family %d model 0x%x) is not supported: no uncore counter "
			 "of it is known that can be reached by MSRs, so nothing is touched",
			 um->m.model->title, id->vendor, id->family, (unsigned)id->model);
	else if (id->hypervisor == 1)
		snprintf(why, size, "this is a virtual machine (CPUID hypervisor bit): uncore "
			 "registers fault or are silently ignored in a guest");
	else
		um->m.uarch = um->m.model->uarch;
}

/* Counters of AMD's data fabric where CPUID does not say. The selectors' layout is the model's. */
#define DF_COUNTERS_V1 4u

/* How many counters there are, where CPUID and not the table says so. */
static void adjust(struct uncoremsr *um, struct uncoremsr_pmu *pmu)
{
	const struct um_leaf_0xa *l = &um->m.id.leaf_0xa;
	unsigned num = pmu->num_general;
	struct um_amd_counters amd;

	if (pmu->counters_from == UM_COUNTERS_LEAF_0XA) {
		num = l->general;
		pmu->general_width = l->general_width;
	} else if (pmu->counters_from == UM_COUNTERS_AMD_DF) {
		um_amd_counters_read(&amd, um->m.access, um->m.topo.online.cpus[0]);
		num = amd.fabric ? amd.fabric : DF_COUNTERS_V1;
	}
	if (num < pmu->num_general)
		pmu->num_general = num;
}

/* The core PMU stands beside the uncore, also where that is not supported; never in a guest. */
static bool find_core(const struct uncoremsr *um)
{
	return um->m.id.leaf_0xa.present && um->m.id.leaf_0xa.version && um->m.id.leaf_0xa.general &&
	       um->m.id.hypervisor != 1 && um_core_registers.num_pmus &&
	       !strcmp(um->m.id.vendor, "GenuineIntel");
}

static int take_pmus(struct uncoremsr *um)
{
	size_t uncore = um->m.uarch ? um->m.uarch->num_pmus : 0;

	um->m.have_core = find_core(um);
	um->m.pmus = calloc(uncore + 2, sizeof(*um->m.pmus));
	if (!um->m.pmus)
		return -ENOMEM;
	for (size_t i = 0; i < uncore; i++)
		um->m.pmus[um->m.num_pmus++] = um->m.uarch->pmus[i];
	if (um->m.have_core)
		um->m.pmus[um->m.num_pmus++] = um_core_registers.pmus[0];
	for (size_t i = 0; i < um->m.num_pmus; i++)
		adjust(um, &um->m.pmus[i]);
	return 0;
}

static int find_out(struct uncoremsr *um)
{
	int err = um_topology_read(&um->m.topo, um->m.access, false, &um->error);

	if (err)
		return err;
	um_identity_read(&um->m.id, um->m.access, um->m.topo.online.cpus[0]);
	if (um->m.id.source)
		um->m.model = um_model_find(um->m.id.vendor, um->m.id.family, um->m.id.model);
	judge(um);
	err = take_pmus(um);
	if (err || !um->m.uarch || um->m.uarch->scope != UM_SCOPE_DIE)
		return err;
	um_topology_free(&um->m.topo);
	return um_topology_read(&um->m.topo, um->m.access, true, &um->error);
}

/* "sim:NAME" without parameters; everything else as it was given. */
static char *short_name(const char *what)
{
	return strndup(what, strncmp(what, "sim:", 4) ? strlen(what) : strcspn(what, ","));
}

int uncoremsr_open(struct uncoremsr *um)
{
	int err = um->m.access ? already_open(um) : 0;

	if (!err && !um->what)
		err = uncoremsr_set_machine(um, NULL);
	if (err)
		return err;
	um->name = short_name(um->what);
	err = um->name ? um_open_access(um, &um->m.access) : -ENOMEM;
	if (!err)
		err = wrap_dry_run(um);
	if (!err)
		err = find_out(um);
	if (!err && !um_lease_dir(um, um->m.lease_dir, sizeof(um->m.lease_dir)))
		um->m.lease_dir[0] = '\0';
	if (err == -ENOMEM)
		no_memory(um);
	if (err && um->m.access) {
		free(um->m.pmus);
		um->m.pmus = NULL;
		um->m.num_pmus = 0;
		um_topology_free(&um->m.topo);
		um->m.access->ops->close(um->m.access);
		um->m.access = NULL;
	}
	if (err) {
		free(um->name);
		um->name = NULL;
	}
	return err;
}

uint64_t uncoremsr_now(const struct uncoremsr *um)
{
	return um->m.access->ops->now(um->m.access);
}

int uncoremsr_advance(struct uncoremsr *um, uint64_t ns)
{
	char line[64];

	if (!um->m.access->ops->advance(um->m.access, ns))
		return 0;
	if (um->m.trace_style == UNCOREMSR_TRACE_COMMANDS && um->m.dry_run) {
		snprintf(line, sizeof(line), "sleep %g", (double)ns / 1e9);
		um->m.trace(um->m.trace_user, line);
	}
	return 1;
}
