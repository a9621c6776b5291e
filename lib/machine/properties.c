/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

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

static int starved(const struct uncoremsr *um)
{
	if (um->error.lacked_memory)
		return ENOMEM;
	return um->m.access && um->m.access->starved ? um->m.access->starved : um->starved;
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
	return um && um->m.access ? um_now(&um->m) : 0;
}

const struct uncoremsr_package *uncoremsr_package(const struct uncoremsr *um, size_t index)
{
	return um && index < um->m.topo.num_packages ? &um->m.topo.packages[index].shown : NULL;
}
