/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything the handle can be asked without touching the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"

const char *uncoremsr_errmsg(const struct uncoremsr *um)
{
	return um->error.msg;
}

const char *uncoremsr_hint(const struct uncoremsr *um)
{
	return um->error.hint;
}

enum uncoremsr_error_class uncoremsr_error_class(const struct uncoremsr *um)
{
	return um->error.class;
}

const char *uncoremsr_machine(const struct uncoremsr *um)
{
	return um->name;
}

int uncoremsr_is_simulated(const struct uncoremsr *um)
{
	return um->m.access && um->m.access->simulated;
}

const char *uncoremsr_vendor(const struct uncoremsr *um)
{
	return um->m.id.vendor[0] ? um->m.id.vendor : NULL;
}

int uncoremsr_family(const struct uncoremsr *um)
{
	return um->m.id.family;
}

int uncoremsr_model(const struct uncoremsr *um)
{
	return um->m.id.model;
}

int uncoremsr_stepping(const struct uncoremsr *um)
{
	return um->m.id.stepping;
}

int uncoremsr_hypervisor(const struct uncoremsr *um)
{
	return um->m.id.hypervisor;
}

const char *uncoremsr_identity_source(const struct uncoremsr *um)
{
	return um->m.id.source;
}

const char *uncoremsr_brand(const struct uncoremsr *um)
{
	return um->m.id.brand[0] ? um->m.id.brand : NULL;
}

const char *uncoremsr_uarch(const struct uncoremsr *um)
{
	return um->m.model ? um->m.model->name : NULL;
}

const char *uncoremsr_uarch_title(const struct uncoremsr *um)
{
	return um->m.model ? um->m.model->title : NULL;
}

int uncoremsr_supported(const struct uncoremsr *um)
{
	return um->m.uarch != NULL;
}

const char *uncoremsr_unsupported_reason(const struct uncoremsr *um)
{
	return um->unsupported[0] ? um->unsupported : NULL;
}

int64_t uncoremsr_leaf_0xa(const struct uncoremsr *um, enum uncoremsr_leaf_0xa field)
{
	return um_leaf_0xa_field(&um->m.id.leaf_0xa, field);
}

const char *uncoremsr_online_cpus(const struct uncoremsr *um)
{
	return um->m.topo.online_text;
}

size_t uncoremsr_num_packages(const struct uncoremsr *um)
{
	return um->m.topo.num_packages;
}

const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index)
{
	return index < um->m.topo.num_packages ? &um->m.topo.packages[index] : NULL;
}

int uncoremsr_package_id(const struct uncoremsr_package *p)
{
	return p->id;
}

int uncoremsr_package_die(const struct uncoremsr_package *p)
{
	return p->die;
}

int uncoremsr_package_cpu(const struct uncoremsr_package *p)
{
	return p->cpu;
}

const char *uncoremsr_package_cpus(const struct uncoremsr_package *p)
{
	return p->cpus_text;
}

size_t uncoremsr_package_num_cores(const struct uncoremsr_package *p)
{
	return um_package_num_cores(p);
}

size_t uncoremsr_num_pmus(const struct uncoremsr *um)
{
	return um->m.uarch ? um->m.uarch->num_pmus : 0;
}

const struct uncoremsr_pmu *uncoremsr_pmu(const struct uncoremsr *um, size_t index)
{
	return index < uncoremsr_num_pmus(um) ? &um->m.pmus[index] : NULL;
}

const struct uncoremsr_pmu *uncoremsr_core_pmu(const struct uncoremsr *um)
{
	return um->m.have_core ? &um->m.pmus[um->m.num_pmus - 1] : NULL;
}
