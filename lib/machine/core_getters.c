/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything that can be asked about the kinds of cores, and about the kernel's own PMUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/handle.h"
#include "machine/core_kind.h"

#define CAPABILITY_FULL_WIDTH (1ull << 13) /* of register 0x345 */

/* What a counter's period is limited to when only 32 bits of it can be written (with sign). */
#define PERIOD_31_BITS 0x7fffffffull

int uncoremsr_cores_read(struct uncoremsr *um, struct uncoremsr_cores **cores)
{
	int err;

	*cores = calloc(1, sizeof(**cores));
	err = *cores ? um_cores_read(*cores, um->m.access, &um->m.topo.online) : -ENOMEM;
	if (!err)
		return 0;
	free(*cores);
	*cores = NULL;
	return um_fail(&um->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

int uncoremsr_cores_load(struct uncoremsr_cores **cores, const char *path, char *error,
			 size_t size)
{
	struct um_error e = { .msg = "out of memory" };
	int err;

	*cores = calloc(1, sizeof(**cores));
	err = *cores ? um_cores_load(*cores, path, &e) : -ENOMEM;
	if (!err)
		return 0;
	if (error && size)
		snprintf(error, size, "%s", e.msg);
	free(*cores);
	*cores = NULL;
	return err;
}

void uncoremsr_cores_free(struct uncoremsr_cores *cores)
{
	if (cores)
		um_cores_free(cores);
	free(cores);
}

size_t uncoremsr_cores_num_cpus(const struct uncoremsr_cores *cores)
{
	return cores->num_cpus;
}

const struct uncoremsr_core_kind *uncoremsr_core_kind(const struct uncoremsr_cores *cores,
						      size_t index)
{
	return index < cores->num ? &cores->kinds[index] : NULL;
}

const char *uncoremsr_core_cpus(const struct uncoremsr_core_kind *kind)
{
	return kind->cpus_text;
}

const char *uncoremsr_core_vendor(const struct uncoremsr_core_kind *kind)
{
	return kind->id.vendor;
}

const char *uncoremsr_core_brand(const struct uncoremsr_core_kind *kind)
{
	return kind->id.brand[0] ? kind->id.brand : NULL;
}

static const struct um_model *model_of(const struct uncoremsr_core_kind *k)
{
	return um_model_find(k->id.vendor, k->id.family, k->id.model);
}

const char *uncoremsr_core_uarch(const struct uncoremsr_core_kind *kind)
{
	const struct um_model *m = model_of(kind);

	return m ? m->name : NULL;
}

const char *uncoremsr_core_uarch_title(const struct uncoremsr_core_kind *kind)
{
	const struct um_model *m = model_of(kind);

	return m ? m->title : NULL;
}

int64_t uncoremsr_core_leaf_0xa(const struct uncoremsr_core_kind *kind,
				enum uncoremsr_leaf_0xa field)
{
	return um_leaf_0xa_field(&kind->id.leaf_0xa, field);
}

/* ---- facts: a value, or that it cannot be told ---- */

static int know(bool known, uint64_t value, uint64_t *v)
{
	if (!known)
		return -ENODATA;
	*v = value;
	return 0;
}

/* 1, 0, or -1: only the register tells. Where CPUID says there is no such register, it is no. */
static int full_width(const struct uncoremsr_core_kind *k)
{
	if (!k->has_capabilities)
		return 0;
	if (k->capabilities < 0)
		return -1;
	return ((uint64_t)k->capabilities & CAPABILITY_FULL_WIDTH) != 0;
}

static int identity_fact(const struct uncoremsr_core_kind *k, enum uncoremsr_core_fact fact,
			 uint64_t *v)
{
	bool typed = k->leaf_0x1a != 0;

	switch (fact) {
	case UNCOREMSR_CORE_FAMILY:
		return know(true, (uint64_t)k->id.family, v);
	case UNCOREMSR_CORE_MODEL:
		return know(true, (uint64_t)k->id.model, v);
	case UNCOREMSR_CORE_STEPPING:
		return know(true, (uint64_t)k->id.stepping, v);
	case UNCOREMSR_CORE_HYPERVISOR:
		return know(true, (uint64_t)k->id.hypervisor, v);
	case UNCOREMSR_CORE_HYBRID:
		return know(true, k->hybrid, v);
	case UNCOREMSR_CORE_TYPE:
		return know(typed, k->leaf_0x1a >> 24, v);
	case UNCOREMSR_CORE_NATIVE_MODEL:
		return know(typed, k->leaf_0x1a & 0xffffff, v);
	case UNCOREMSR_CORE_GENERAL_MASK:
		return know(k->counters_from != NULL, k->general_mask, v);
	case UNCOREMSR_CORE_FIXED_MASK:
		return know(k->counters_from != NULL, k->fixed_mask, v);
	default:
		return know(k->topology_leaf != 0, k->topology_leaf, v);
	}
}

static int leaf_0x23_fact(const struct um_leaf_0x23 *l, enum uncoremsr_core_fact fact, uint64_t *v)
{
	switch (fact) {
	case UNCOREMSR_CORE_0X23_SUBLEAVES:
		return know(l->present, l->subleaves, v);
	case UNCOREMSR_CORE_0X23_FLAGS:
		return know(l->present, l->flags, v);
	case UNCOREMSR_CORE_0X23_SLOTS:
		return know(l->present, l->slots, v);
	case UNCOREMSR_CORE_0X23_GENERAL:
		return know(l->has_counters, l->general_mask, v);
	case UNCOREMSR_CORE_0X23_FIXED:
		return know(l->has_counters, l->fixed_mask, v);
	default:
		return know(l->has_events, l->events, v);
	}
}

static int lbr_depth(const struct uncoremsr_core_kind *k, uint64_t *v)
{
	/* Bit n of leaf 0x1C EAX 7:0: a depth of 8 * (n + 1) can be chosen. */
	if (k->lbr_depths)
		return know(true, 8u * (32u - (unsigned)__builtin_clz(k->lbr_depths)), v);
	return know(k->caps_branches >= 0, (uint64_t)k->caps_branches, v);
}

static int feature_fact(const struct uncoremsr_core_kind *k, enum uncoremsr_core_fact fact,
			uint64_t *v)
{
	uint64_t capabilities = (uint64_t)k->capabilities;
	bool told = k->capabilities >= 0;

	switch (fact) {
	case UNCOREMSR_CORE_CAPABILITIES:
		return know(told, capabilities, v);
	case UNCOREMSR_CORE_FULL_WIDTH:
		return know(full_width(k) >= 0, (uint64_t)full_width(k), v);
	case UNCOREMSR_CORE_DEBUG_STORE:
		return know(true, k->debug_store, v);
	case UNCOREMSR_CORE_PEBS_FORMAT:
		return know(told && k->debug_store, capabilities >> 8 & 0xf, v);
	case UNCOREMSR_CORE_LBR_FORMAT:
		return know(told, capabilities & 0x3f, v);
	case UNCOREMSR_CORE_LBR_DEPTH:
		return lbr_depth(k, v);
	default:
		return know(k->caps_max_precise >= 0, (uint64_t)k->caps_max_precise, v);
	}
}

static int boot_fact(const struct uncoremsr_core_kind *k, enum uncoremsr_core_fact fact,
		     uint64_t *v)
{
	const struct um_boot_line *b = &k->boot;
	int wide = full_width(k);

	switch (fact) {
	case UNCOREMSR_CORE_BOOT_VERSION:
		return know(b->valid, b->version, v);
	case UNCOREMSR_CORE_BOOT_WIDTH:
		return know(b->valid, b->width, v);
	case UNCOREMSR_CORE_BOOT_GENERAL:
		return know(b->valid, b->general, v);
	case UNCOREMSR_CORE_BOOT_VALUE_MASK:
		return know(b->valid, b->value_mask, v);
	case UNCOREMSR_CORE_BOOT_MAX_PERIOD:
		return know(b->valid && wide >= 0, wide ? b->value_mask >> 1 : PERIOD_31_BITS, v);
	case UNCOREMSR_CORE_BOOT_FIXED:
		return know(b->valid, b->fixed, v);
	case UNCOREMSR_CORE_BOOT_EVENT_MASK:
		return know(b->valid, b->event_mask, v);
	default:
		return -ENODATA;
	}
}

int uncoremsr_core_fact(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_fact fact,
			uint64_t *v)
{
	if (fact >= UNCOREMSR_CORE_BOOT_VERSION)
		return boot_fact(kind, fact, v);
	if (fact >= UNCOREMSR_CORE_CAPABILITIES)
		return feature_fact(kind, fact, v);
	if (fact >= UNCOREMSR_CORE_0X23_SUBLEAVES && fact <= UNCOREMSR_CORE_0X23_EVENTS)
		return leaf_0x23_fact(&kind->leaf_0x23, fact, v);
	return identity_fact(kind, fact, v);
}

const char *uncoremsr_core_counters_from(const struct uncoremsr_core_kind *kind)
{
	return kind->counters_from;
}

const char *uncoremsr_core_level(const struct uncoremsr_core_kind *kind, size_t index,
				 unsigned *shift, unsigned *cpus)
{
	const char *name;

	if (index >= kind->num_levels)
		return NULL;
	*shift = kind->levels[index].shift;
	*cpus = kind->levels[index].cpus;
	name = um_core_level_name(kind->levels[index].type);
	return name ? name : "unknown";
}

enum uncoremsr_event_state uncoremsr_core_event(const struct uncoremsr_core_kind *kind,
						unsigned bit)
{
	const struct um_leaf_0xa *l = &kind->id.leaf_0xa;

	if (bit > 31)
		return UNCOREMSR_EVENT_NOT_LISTED;
	if (kind->leaf_0x23.has_events)
		return kind->leaf_0x23.events >> bit & 1 ? UNCOREMSR_EVENT_PRESENT
							 : UNCOREMSR_EVENT_ABSENT;
	if (!l->present || !l->version || bit >= l->event_bits)
		return UNCOREMSR_EVENT_NOT_LISTED;
	return l->events_absent >> bit & 1 ? UNCOREMSR_EVENT_ABSENT : UNCOREMSR_EVENT_PRESENT;
}

const char *uncoremsr_arch_event(unsigned bit, unsigned *event_select, unsigned *unit_mask)
{
	return um_arch_event(bit, event_select, unit_mask);
}

int uncoremsr_kernel_pmus(struct uncoremsr *um,
			  int (*fn)(void *user, const char *name, unsigned type,
				    const char *cpus), void *user)
{
	return um_kernel_pmus(um->m.access, fn, user);
}

int uncoremsr_nmi_watchdog(struct uncoremsr *um)
{
	return um_nmi_watchdog(um->m.access);
}
