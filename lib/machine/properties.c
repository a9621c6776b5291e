/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Public getters for a handle, its machine and its packages. Nothing here accesses a register. */
#include <errno.h>
#include <stdlib.h>

#include "common/text.h"
#include "machine/handle.h"

const struct uncoremsr_machine *uncoremsr_machine(struct uncoremsr *um)
{
	const struct um_identity *id;

	if (!um || !um->m.access)
		return NULL;
	id = &um->m.id;
	if (!um->info.size)
		um->info = (struct uncoremsr_machine){
			.size = sizeof(um->info), .name = um->name, .vendor = um_or_null(id->vendor),
			.brand = um_or_null(id->brand), .identity_source = id->source,
			.family = id->family, .model = id->model, .stepping = id->stepping,
			.hypervisor = id->hypervisor, .uarch = um->m.model ? um->m.model->name : NULL,
			.uarch_title = um->m.model ? um->m.model->title : NULL, .supported = um->m.uarch != NULL,
			.tables = um->m.model && um->m.model->uarch,
			.reason = um_machine_unsupported(&um->m, um->reason, sizeof(um->reason)) ? um->reason : NULL,
			.simulated = um->m.access->simulated, .pvr = id->pvr ? id->pvr : UINT64_MAX,
			.online_cpus = um->m.topo.online_text,
		};
	return &um->info;
}

/* Replace *text by the list of the CPUs that @read finds, and return it. NULL: unknown, or no memory. */
static const char *list_cpus(struct uncoremsr *um, char **text,
			     int (*read)(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online))
{
	struct um_cpuset set;
	int err = read(&set, um->m.access, &um->m.topo.online);

	FREE_AND_NULL(*text);
	if (!err) {
		*text = um_cpuset_format(&set);
		um_cpuset_free(&set);
		err = *text ? 0 : -ENOMEM;
	}
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	return *text;
}

const struct uncoremsr_surroundings *uncoremsr_surroundings(struct uncoremsr *um, unsigned what)
{
	struct uncoremsr_surroundings *s = um ? &um->surroundings : NULL;
	struct um_access *a = um ? um->m.access : NULL;

	if (!a)
		return NULL;
	if (!s->size)
		*s = (struct uncoremsr_surroundings){
			.size = sizeof(*s), .container = -1, .nmi_watchdog = -1, .max_precise = -1, .branches = -1,
		};
	if (what & UNCOREMSR_LOOK_AT_CPUS) {
		s->offline_cpus = list_cpus(um, &um->offline_text, um_cpus_offline);
		s->forbidden_cpus = list_cpus(um, &um->forbidden_text, um_cpus_forbidden);
	}
	if (what & UNCOREMSR_LOOK_AT_NEIGHBOURS) {
		s->container = um_access_in_container(a);
		s->likwid_lock = um_likwid_lock(a);
	}
	if (what & UNCOREMSR_LOOK_AT_WATCHDOG)
		s->nmi_watchdog = um_nmi_watchdog(a);
	if (what & UNCOREMSR_LOOK_AT_SAMPLING) {
		s->max_precise = um_core_pmu_cap(a, "max_precise");
		s->branches = um_core_pmu_cap(a, "branches");
	}
	if (what & UNCOREMSR_LOOK_AT_FILTER) {
		s->writes = um_access_write_filter(a, um->writes, sizeof(um->writes)) ? um->writes : NULL;
		s->lockdown = um_access_lockdown(a, um->lockdown, sizeof(um->lockdown)) ? um->lockdown : NULL;
	}
	if (what & UNCOREMSR_LOOK_AT_DEVICE)
		s->device = um_access_node(a, um_first_cpu(um));
	return s;
}

/* ---- the handle ---- */

static int starved(const struct uncoremsr *um)
{
	if (um->error.lacked_memory)
		return ENOMEM;
	return um->m.access && um->m.access->starved && *um->m.access->starved ? *um->m.access->starved : um->starved;
}

const struct uncoremsr_error *uncoremsr_error(const struct uncoremsr *um)
{
	static const struct uncoremsr_error no_handle = {
		.size = sizeof(no_handle), .code = -EINVAL, .error_class = UNCOREMSR_ERROR_USAGE,
		.message = "there is no handle", .hint = "",
	};
	/* One thread at a time uses a handle, so writing into it is safe. */
	struct uncoremsr_error *shown = um ? &((struct uncoremsr *)(uintptr_t)um)->shown_error : NULL;

	if (!um)
		return &no_handle;
	*shown = (struct uncoremsr_error){ sizeof(*shown), um->error.code, um->error.class, um->error.msg,
					   um->error.hint, starved(um) };
	return shown;
}

uint64_t uncoremsr_now(const struct uncoremsr *um)
{
	return um && um->m.access ? um->m.access->ops->now(um->m.access) : 0;
}

/* ---- packages ---- */

const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index)
{
	return um && index < um->m.topo.num_packages ? &um->m.topo.packages[index].shown : NULL;
}
