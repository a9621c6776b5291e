/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/imc_lists.h"
#include "names/index.h"
#include "names/json_list.h"
#include "common/file.h"
#include "common/number.h"
#include "common/text.h"

int um_names_new(struct uncoremsr *um, const struct um_metric_names *metrics)
{
	um->names = calloc(1, sizeof(*um->names));
	if (!um->names)
		return -ENOMEM;
	um->names->no_memory = &um->error.lacked_memory;
	um->names->metric_names = metrics;
	return 0;
}

int um_names_of(struct uncoremsr *um)
{
	struct um_names *n = um->names;
	int err = !um->m.access && !n->own ? um->open_access(um, &n->own) : 0;

	if (err)
		return err;
	n->access = um->m.access ? um->m.access : n->own;
	n->uarch = um->m.model ? um->m.model->uarch : NULL;
	/* If the machine was opened after the last call, read the PMUs again, from the machine's own sysfs. */
	if (n->kernel.access != n->access) {
		um_index_forget(n);
		um_kernel_pmus_free(&n->kernel);
		um_imc_forget_own(&n->imc);
		n->kernel.access = n->access;
	}
	/* Read the machine's own catalog of in-memory counters, because the kernel exports only a part of it. */
	return !n->ignores_own && um_imc_add_own(&n->imc, n->access) ? um_no_memory(&um->error) : 0;
}

void um_names_forget_machine(struct uncoremsr *um)
{
	struct um_names *n = um->names;

	um_index_forget(n);
	um_kernel_pmus_free(&n->kernel);
	um_json_free(n->lists);
	um_imc_free(&n->imc);
	if (n->own)
		um_access_close(n->own);
	*n = (struct um_names){ .records = n->records, .metric_names = n->metric_names, .no_memory = n->no_memory };
}

void um_names_free(struct uncoremsr *um)
{
	um_names_forget_machine(um);
	um_records_free(um->names);
	free(um->names);
}

/* The processor for which event lists are chosen. NULL: unknown, with a message in the handle. */
static const struct um_identity *identity_of(struct uncoremsr *um)
{
	struct um_names *n = um->names;

	if (n->id.source)
		return &n->id;
	if (!um->m.access && !um_names_of(um))
		um_identity_read(&n->id, n->access, 0);
	if (n->id.source || (um->m.access && um->m.id.source))
		return n->id.source ? &n->id : &um->m.id;
	um_fail(&um->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
		"the processor is unknown, because neither CPUID nor proc/cpuinfo names it; so its event lists "
		"cannot be found");
	um_hint(&um->error, "name the processor, as in uncore-events --cpu=GenuineIntel-6-55-4 or "
		"--cpu=0x004e1202, or the list's file");
	return NULL;
}

/* Parse POWER's processor version register: "0x004e1202". */
static bool parse_pvr(struct um_identity *id, const char *text)
{
	uint64_t pvr;

	if (!um_starts_with(text, "0x") || !um_perf_hex(text + 2, strlen(text + 2), &pvr) || !pvr || pvr > UINT32_MAX)
		return false;
	*id = (struct um_identity){ .source = "chosen", .vendor = "IBM", .family = -1, .model = -1,
				    .stepping = -1, .hypervisor = -1, .pvr = (uint32_t)pvr };
	return true;
}

/* Parse "GenuineIntel-6-55-4": family decimal, model and stepping hexadecimal, as in mapfile.csv. */
static bool parse_cpu(struct um_identity *id, const char *text)
{
	size_t vendor = strcspn(text, "-");
	const char *at = text + vendor;
	uint64_t v[3] = { 0 };
	size_t num = 0;

	for (; num < ARRAY_SIZE(v) && *at == '-'; num++) {
		size_t len = strcspn(++at, "-");

		if (!(num ? um_perf_hex(at, len, &v[num]) : um_perf_number(at, len, v)) || v[num] > 0xffff)
			return false;
		at += len;
	}
	if (*at || num < 2 || !vendor || vendor >= sizeof(id->vendor))
		return false;
	*id = (struct um_identity){ .source = "chosen", .family = (int)v[0], .model = (int)v[1],
				    .stepping = (int)v[2], .hypervisor = -1 };
	memcpy(id->vendor, text, vendor);
	return true;
}

int uncoremsr_event_list_set_cpu(struct uncoremsr *um, const char *cpu)
{
	int err = um_check_given(um, cpu, "cpu");

	if (err)
		return err;
	if (parse_pvr(&um->names->id, cpu) || parse_cpu(&um->names->id, cpu))
		return 0;
	UM_USAGE(&um->error, "processor '%s': neither VENDOR-FAMILY-MODEL[-STEPPING] nor the value of a processor "
		"version register", cpu);
	return um_advise(&um->error, -EINVAL, "write GenuineIntel-6-55-4 (family decimal, model and stepping "
		"hexadecimal) or, for POWER, 0x004e1202");
}

const char *uncoremsr_event_list_uarch(const struct uncoremsr *um)
{
	const struct um_identity *id = um ? &um->names->id : NULL;
	const struct um_model *model = id && id->source ? um_model_find(id->vendor, id->family, id->model) : NULL;

	return model ? model->name : NULL;
}

static const char *why_skipped(const struct um_imc_skipped *s, char *buf, size_t size)
{
	if (s->why == UM_IMC_UNKNOWN_TYPE)
		snprintf(buf, size, "unknown type 0x%x", (unsigned)s->type);
	else
		snprintf(buf, size, "no property %s", s->why == UM_IMC_NO_TYPE ? "type" : "size");
	return buf;
}

static int add_catalog(struct uncoremsr *um, struct um_names *n, const char *path)
{
	const struct um_error before = um->error;
	const struct um_identity *id = NULL;
	char why[64];
	int num;

	if (um_is_directory(path)) {
		id = identity_of(um);
		/* Ignore the error: only a folder of catalogs needs the processor, and um_imc_add() reports that. */
		um_fail_as(&um->error, &before);
	}
	num = um_imc_add(&n->imc, path, id ? id->pvr : 0, &um->error);
	if (num > 0) {
		const struct um_imc_catalog *c = n->imc.lists[n->imc.num - 1]->catalog;

		for (size_t i = 0; i < c->num_skipped; i++)
			um_warn(&um->m, "catalog %s: unit %s is left out: %s", UM_QUOTED(path),
				c->skipped[i].node, why_skipped(&c->skipped[i], why, sizeof(why)));
	}
	return num;
}

int uncoremsr_event_list_add(struct uncoremsr *um, const char *path)
{
	static const struct um_identity unknown = { .source = NULL };
	const char *from = path ? path : UNCOREMSR_EVENT_LISTS;
	const struct um_identity *id = &unknown;
	struct um_names *n;
	int num;

	if (!um)
		return -EINVAL;
	n = um->names;
	um_index_forget(n);
	if (path && um_imc_is_list(path))
		return add_catalog(um, n, path);
	if (!n->lists)
		n->lists = calloc(1, sizeof(*n->lists));
	if (!n->lists)
		return um_no_memory(&um->error);
	n->lists->names = n;
	/* A file is used as it is; only a directory has lists for several processors. */
	if (um_is_directory(from)) {
		id = identity_of(um);
		if (!id)
			return -ENODATA;
	}
	num = um_json_add(n->lists, from, id, &um->error);
	if (num > 0 && *n->lists->missing)
		um_log(&um->m, "event lists in %s: %s is missing, which mapfile.csv names for this processor",
		       UM_QUOTED(from), UM_QUOTED(n->lists->missing));
	return num;
}

void um_names_set_own_catalog(struct uncoremsr *um, bool on)
{
	um_index_forget(um->names);
	um_imc_forget_own(&um->names->imc);
	um->names->ignores_own = !on;
}

const struct uncoremsr_event_list *uncoremsr_event_list(const struct uncoremsr *um, size_t index)
{
	const struct um_names *n = um ? um->names : NULL;
	size_t num = n && n->lists ? n->lists->num_files : 0;

	if (index < num)
		return &n->lists->files[index].shown;
	return n && index - num < n->imc.num ? &n->imc.lists[index - num]->shown : NULL;
}
