/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "uarch/uarch.h"

/* counters of AMD's data fabric, if CPUID does not report the number */
#define DF_COUNTERS_V1 4u

/* Can any PMU of the tables be reached by MSRs? Some processors have all of them in PCI or memory space. */
static bool has_reach(const struct um_uarch *u)
{
	for (size_t i = 0; u && i < u->num_pmus; i++)
		if (u->pmus[i].reach == UM_REACH_MSR)
			return true;
	return false;
}

static enum um_unsupported judge(const struct um_machine *m)
{
	if (!m->id.source)
		return UM_UNSUPPORTED_NO_IDENTITY;
	if (m->id.pvr)
		return UM_UNSUPPORTED_POWER;
	if (!m->model)
		return UM_UNSUPPORTED_MODEL;
	if (!has_reach(m->model->uarch))
		return UM_UNSUPPORTED_NO_COUNTERS;
	return m->id.hypervisor == 1 ? UM_UNSUPPORTED_GUEST : UM_SUPPORTED;
}

bool um_machine_unsupported(const struct um_machine *m, char *why, size_t size)
{
	const struct um_identity *id = &m->id;

	switch (m->unsupported) {
	case UM_SUPPORTED:
		return false;
	case UM_UNSUPPORTED_NO_IDENTITY:
		snprintf(why, size, "the processor is unknown: neither CPUID nor proc/cpuinfo names it");
		break;
	case UM_UNSUPPORTED_POWER:
		snprintf(why, size, "POWER has no MSRs: only the kernel can read its counters");
		break;
	case UM_UNSUPPORTED_MODEL:
		snprintf(why, size, "%s family %d model 0x%x is in no table: its uncore registers are unknown, so "
				"nothing is touched", id->vendor, id->family,
			 (unsigned)id->model);
		break;
	case UM_UNSUPPORTED_NO_COUNTERS:
		snprintf(why, size, "%s (%s family %d model 0x%x) is not supported: it has no known uncore "
				"counters in MSRs, so nothing is touched",
			 m->model->title, id->vendor, id->family, (unsigned)id->model);
		break;
	case UM_UNSUPPORTED_GUEST:
		snprintf(why, size, "this is a virtual machine (CPUID hypervisor bit): uncore "
			 "registers fault or are silently ignored in a guest");
		break;
	}
	return true;
}

int um_machine_refuse(const struct um_machine *m, struct um_error *e)
{
	char why[UM_MESSAGE_SIZE] = "";

	um_machine_unsupported(m, why, sizeof(why));
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s", why);
	return um_advise(e, -ENOTSUP, "try a simulated machine: --machine=sim:westmere-2s");
}

/* If the table says so, use the number of counters (for the core PMU also their width) that CPUID reports. */
static void adjust(struct um_machine *m, struct um_pmu *pmu)
{
	unsigned num = pmu->num_general;
	struct um_amd_counters amd;

	if (pmu->counters_from == UM_COUNTERS_LEAF_0XA) {
		num = m->id.leaf_0xa.general;
		pmu->general_width = m->id.leaf_0xa.general_width;
	} else if (pmu->counters_from == UM_COUNTERS_AMD_DF) {
		um_amd_counters_read(&amd, m->access, m->topo.online.cpus[0]);
		num = amd.fabric ? amd.fabric : DF_COUNTERS_V1;
	}
	if (num < pmu->num_general)
		pmu->num_general = num;
}

/* Does the machine have a core PMU? False in a guest. It does not matter whether the uncore is supported. */
static bool has_core_pmu(const struct um_machine *m)
{
	return m->id.leaf_0xa.present && m->id.leaf_0xa.version && m->id.leaf_0xa.general &&
	       m->id.hypervisor != 1 && um_core_registers_of(m->id.vendor);
}

static int take_pmus(struct um_machine *m)
{
	size_t uncore = m->uarch ? m->uarch->num_pmus : 0;

	m->have_core = has_core_pmu(m);
	m->pmus = calloc(uncore + 2, sizeof(*m->pmus));
	if (!m->pmus)
		return -ENOMEM;
	for (size_t i = 0; i < uncore; i++)
		m->pmus[m->num_pmus++] = m->uarch->pmus[i];
	if (m->have_core)
		m->pmus[m->num_pmus++] = um_core_registers.pmus[0];
	for (size_t i = 0; i < m->num_pmus; i++)
		adjust(m, &m->pmus[i]);
	return 0;
}

static int read_machine(struct um_machine *m, struct um_error *e)
{
	int err = um_topology_read_online(&m->topo, m->access, e);

	if (err)
		return err;
	if (m->access->odd_online)
		um_warn(m, "%s/sys/devices/system/cpu/online contradicts cpuN/online, as in some containers: "
				"assuming that CPUs %s are online", m->access->root, m->topo.online_text);
	um_identity_read(&m->id, m->access, m->topo.online.cpus[0]);
	if (m->id.foreign) {
		um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, "%s/proc/cpuinfo: this is an %s machine, whose "
			"packages and counters are not known here", m->access->root, m->id.foreign);
		return um_advise(e, -ENODATA, "use this library on x86 or POWER");
	}
	if (m->id.source)
		m->model = um_model_find(m->id.vendor, m->id.family, m->id.model);
	m->unsupported = judge(m);
	m->uarch = m->unsupported ? NULL : m->model->uarch;
	err = um_topology_read_packages(&m->topo, m->access, m->uarch && m->uarch->scope == UM_SCOPE_DIE, e);
	if (err)
		return err;
	if (m->id.pvr && um_topology_add_chips(&m->topo, m->access))
		return um_no_memory(e);
	return take_pmus(m) ? um_no_memory(e) : 0;
}

/* Missing files are no error, but fail if a file could not be opened for lack of memory or descriptors. */
int um_machine_open(struct um_machine *m, struct um_error *e)
{
	int err;

	um_process_remember(&m->process);
	m->access->starved = 0;
	err = read_machine(m, e);
	return um_access_starved(m->access, e) ?: err;
}

void um_machine_close(struct um_machine *m)
{
	um_topology_free(&m->topo);
	FREE_AND_NULL(m->pmus);
	if (m->access)
		um_access_close(m->access);
	m->access = NULL;
	um_process_forget(&m->process);
	m->id = (struct um_identity){ 0 };
	m->model = NULL;
	m->uarch = NULL;
	m->unsupported = UM_SUPPORTED;
	m->num_pmus = 0;
	m->have_core = false;
	m->lease_dir[0] = '\0';
}
