/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Public getters for a handle, its machine and its packages. Nothing here accesses a register. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"

/*
 * Keep a text that was made on demand; the handle frees it. Takes over @text. NULL if the text is not @there, or for lack
 * of memory.
 */
static const char *keep(struct uncoremsr *um, enum uncoremsr_machine_text what, bool there, char *text)
{
	if (there && !text)
		um_no_memory(&um->error);
	free(um->texts[what]);
	um->texts[what] = text;
	return text;
}

static const char *keep_cpus(struct uncoremsr *um, enum uncoremsr_machine_text what,
			     int (*read)(struct um_cpuset *set, struct um_access *a,
					 const struct um_cpuset *online))
{
	struct um_cpuset set;
	int err = read(&set, um->m.access, &um->m.topo.online);
	char *text = err ? NULL : um_cpuset_format(&set);

	if (!err)
		um_cpuset_free(&set);
	return keep(um, what, !err || err == -ENOMEM, text);
}

const char *uncoremsr_machine_text(struct uncoremsr *um, enum uncoremsr_machine_text what)
{
	char word[24], sentence[UM_SENTENCE];
	bool there;

	if (!um || !um->m.access)
		return NULL;
	switch (what) {
	case UNCOREMSR_MACHINE_VENDOR:
		return um->m.id.vendor[0] ? um->m.id.vendor : NULL;
	case UNCOREMSR_MACHINE_BRAND:
		return um->m.id.brand[0] ? um->m.id.brand : NULL;
	case UNCOREMSR_MACHINE_IDENTITY_SOURCE:
		return um->m.id.source;
	case UNCOREMSR_MACHINE_UARCH:
		return um->m.model ? um->m.model->name : NULL;
	case UNCOREMSR_MACHINE_UARCH_TITLE:
		return um->m.model ? um->m.model->title : NULL;
	case UNCOREMSR_MACHINE_REASON:
		there = um_machine_unsupported(&um->m, sentence, sizeof(sentence));
		return keep(um, what, there, there ? strdup(sentence) : NULL);
	case UNCOREMSR_MACHINE_ONLINE_CPUS:
		return um->m.topo.online_text;
	case UNCOREMSR_MACHINE_OFFLINE_CPUS:
		return keep_cpus(um, what, um_cpus_offline);
	case UNCOREMSR_MACHINE_FORBIDDEN_CPUS:
		return keep_cpus(um, what, um_cpus_forbidden);
	case UNCOREMSR_MACHINE_LIKWID_LOCK:
		return um_likwid_lock(um->m.access);
	case UNCOREMSR_MACHINE_DRIVER_DEVICE:
		return um_access_node(um->m.access, um_first_cpu(um));
	case UNCOREMSR_MACHINE_DRIVER_WRITES:
		there = um_access_write_filter(um->m.access, word, sizeof(word));
		return keep(um, what, there, there ? strdup(word) : NULL);
	case UNCOREMSR_MACHINE_LOCKDOWN:
		there = um_access_lockdown(um->m.access, word, sizeof(word));
		return keep(um, what, there, there ? strdup(word) : NULL);
	}
	return NULL;
}

static int starved(const struct uncoremsr *um)
{
	if (um->error.lacked_memory)
		return ENOMEM;
	return um->m.access && um->m.access->starved ? *um->m.access->starved : 0;
}

int uncoremsr_machine_number(struct uncoremsr *um, enum uncoremsr_machine_number what, uint64_t *v)
{
	int number = -1; /* unknown */

	if (!um || !v || (!um->m.access && what != UNCOREMSR_MACHINE_STARVED && what != UNCOREMSR_MACHINE_NO_MEMORY))
		return -ENODATA;
	switch (what) {
	case UNCOREMSR_MACHINE_PVR:
		*v = um->m.id.pvr;
		return um->m.id.pvr ? 0 : -ENODATA;
	case UNCOREMSR_MACHINE_FAMILY:
		number = um->m.id.family;
		break;
	case UNCOREMSR_MACHINE_MODEL:
		number = um->m.id.model;
		break;
	case UNCOREMSR_MACHINE_STEPPING:
		number = um->m.id.stepping;
		break;
	case UNCOREMSR_MACHINE_HYPERVISOR:
		number = um->m.id.hypervisor;
		break;
	case UNCOREMSR_MACHINE_SUPPORTED:
		number = um->m.uarch != NULL;
		break;
	case UNCOREMSR_MACHINE_CONTAINER:
		number = um_access_in_container(um->m.access);
		break;
	case UNCOREMSR_MACHINE_NMI_WATCHDOG:
		number = um_nmi_watchdog(um->m.access);
		break;
	case UNCOREMSR_MACHINE_MAX_PRECISE:
		number = um_core_pmu_cap(um->m.access, "max_precise");
		break;
	case UNCOREMSR_MACHINE_BRANCHES:
		number = um_core_pmu_cap(um->m.access, "branches");
		break;
	case UNCOREMSR_MACHINE_SIMULATED:
		number = um->m.access->simulated;
		break;
	case UNCOREMSR_MACHINE_STARVED:
		number = starved(um);
		break;
	case UNCOREMSR_MACHINE_NO_MEMORY:
		number = um->error.no_memory;
		break;
	}
	if (number < 0)
		return -ENODATA;
	*v = (uint64_t)number;
	return 0;
}

int uncoremsr_kernel_pmus(struct uncoremsr *um,
			  int (*fn)(void *user, const char *name, unsigned type,
				    const char *cpus), void *user)
{
	int err = um_check_open(um);

	if (err || !fn)
		return -EINVAL;
	return um_kernel_pmus(um->m.access, fn, user);
}

/* ---- the handle ---- */

const struct uncoremsr_error *uncoremsr_error(const struct uncoremsr *um)
{
	static const struct uncoremsr_error no_handle = { sizeof(no_handle), -EINVAL, UNCOREMSR_ERROR_USAGE, "", "" };
	/* One thread at a time uses a handle, so writing into it is safe. */
	struct uncoremsr_error *shown = um ? &((struct uncoremsr *)(uintptr_t)um)->shown_error : NULL;

	if (!um)
		return &no_handle;
	*shown = (struct uncoremsr_error){ sizeof(*shown), um->error.code, um->error.class, um->error.msg,
					   um->error.hint };
	return shown;
}

const char *uncoremsr_machine(const struct uncoremsr *um)
{
	return um ? um->name : NULL;
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

size_t uncoremsr_package_num_cores(const struct uncoremsr_package *p)
{
	size_t num = 0;

	return p && !um_package_num_cores(p, &num) ? num : 0;
}
