/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's PMUs, event lists and the processor's identity, as the handle keeps them. */
#include "events/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/json_list.h"
#include "common/number.h"

struct um_names *um_names_made(struct uncoremsr *um)
{
	if (!um->names)
		um->names = calloc(1, sizeof(*um->names));
	if (!um->names)
		um_no_memory(&um->error);
	return um->names;
}

static void forget_kernel(struct um_names *n)
{
	if (n->kernel)
		um_kernel_pmus_free(n->kernel);
	free(n->kernel);
	n->kernel = NULL;
}

/* A kernel without perf has no PMUs; software events are not there either. */
static int read_kernel(struct uncoremsr *um, struct um_names *n)
{
	/* The machine was opened meanwhile: its tree is the one that stays. */
	if (n->kernel && n->kernel->access != n->access)
		forget_kernel(n);
	if (n->kernel)
		return 0;
	n->kernel = calloc(1, sizeof(*n->kernel));
	if (!n->kernel || um_kernel_pmus_read(n->kernel, n->access) == -ENOMEM) {
		forget_kernel(n);
		return um_no_memory(&um->error);
	}
	n->kernel->access = n->access;
	return 0;
}

/* The open machine, or the tree of one that could not be opened as a whole. */
int um_names_of(struct uncoremsr *um, struct um_names **out)
{
	struct um_names *n = um_names_made(um);
	int err = n ? 0 : -ENOMEM;

	if (!err && !um->m.access && !n->own)
		err = um->open_access(um, &n->own);
	if (err)
		return err;
	n->access = um->m.access ? um->m.access : n->own;
	*out = n;
	return read_kernel(um, n);
}

int um_perf_names(struct uncoremsr *um, struct um_perf_scope *scope)
{
	const struct um_uarch *u = um->m.model ? um->m.model->uarch : NULL;
	struct um_event_pmus pmus = { .num = 0 };
	struct um_names *n;
	int err = um_names_of(um, &n);

	if (u)
		pmus = um_event_pmus_of(u, NULL);
	if (!err)
		*scope = (struct um_perf_scope){
			.pmus = n->kernel, .lists = n->lists, .access = n->access,
			.uarch = u, .codes = um_event_plain_pmu(&pmus) != NULL,
		};
	return err;
}

void um_names_forget_machine(struct uncoremsr *um)
{
	struct um_names *n = um->names;

	if (!n)
		return;
	forget_kernel(n);
	um_json_free(n->lists);
	if (n->own)
		n->own->ops->close(n->own);
	*n = (struct um_names){ .tables = n->tables, .fixed = n->fixed };
}

void um_names_free(struct uncoremsr *um)
{
	um_names_forget_machine(um);
	if (um->names) {
		um_tables_free(um->names);
		um_fixed_free(um->names);
	}
	free(um->names);
	um->names = NULL;
}

/* ---- which processor ---- */

const struct um_identity *um_lists_identity(struct uncoremsr *um)
{
	struct um_names *n = um_names_made(um);

	if (!n)
		return NULL;
	if (n->id.source)
		return &n->id;
	if (!um->m.access && !um_names_of(um, &n))
		um_identity_read(&n->id, n->access, 0);
	if (n->id.source || (um->m.access && um->m.id.source))
		return n->id.source ? &n->id : &um->m.id;
	um_fail(&um->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
		"the processor is unknown: neither CPUID nor an x86 proc/cpuinfo can be read, so "
		"its event lists cannot be found");
	um_hint(&um->error, "say which one, as in GenuineIntel-6-55-4, or name the list's file");
	return NULL;
}

/* "GenuineIntel-6-55-4": family decimal, model and stepping hexadecimal, as in mapfile.csv. */
static bool parse_cpu(struct um_identity *id, const char *text)
{
	size_t vendor = strcspn(text, "-");
	const char *at = text + vendor;
	uint64_t v[3] = { 0 };

	for (size_t i = 0; i < 3; i++) {
		size_t len;

		if (!*at && i == 2)
			break;
		len = *at == '-' ? strcspn(at + 1, "-") : 0;
		if (!len)
			return false;
		if (!(i ? um_perf_hex(at + 1, len, &v[i]) : um_perf_number(at + 1, len, v)))
			return false;
		if (v[i] > 0xffff)
			return false;
		at += len + 1;
	}
	if (*at || !vendor || vendor >= sizeof(id->vendor))
		return false;
	*id = (struct um_identity){ .source = "chosen", .family = (int)v[0], .model = (int)v[1],
				    .stepping = (int)v[2], .hypervisor = -1 };
	memcpy(id->vendor, text, vendor);
	return true;
}

int uncoremsr_event_list_set_cpu(struct uncoremsr *um, const char *cpu)
{
	struct um_names *n;

	if (!um || !cpu)
		return -EINVAL;
	n = um_names_made(um);
	if (!n)
		return -ENOMEM;
	if (parse_cpu(&n->id, cpu))
		return 0;
	um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "processor '%s': not "
		"VENDOR-FAMILY-MODEL[-STEPPING]", cpu);
	um_hint(&um->error, "as in GenuineIntel-6-55-4: family decimal, model and stepping "
		"hexadecimal");
	return -EINVAL;
}

/* ---- lists ---- */

int uncoremsr_event_list_add(struct uncoremsr *um, const char *path)
{
	static const struct um_identity unknown = { .source = NULL };
	const char *from = path ? path : UNCOREMSR_EVENT_LISTS;
	const struct um_identity *id = &unknown;
	struct um_names *n;

	if (!um)
		return -EINVAL;
	n = um_names_made(um);
	if (!n || (!n->lists && um_json_new(&n->lists)))
		return um_no_memory(&um->error);
	/* A file is taken as it is; only a directory has lists of several processors. */
	if (um_is_directory(from)) {
		id = um_lists_identity(um);
		if (!id)
			return -ENODATA;
	}
	return um_json_add(n->lists, from, id, &um->error);
}

const char *uncoremsr_event_list_file(const struct uncoremsr *um, size_t index,
				      const char **version)
{
	return um && um->names && um->names->lists
		       ? um_json_file(um->names->lists, index, version) : NULL;
}
