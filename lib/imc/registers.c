/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bit fields of LDBAR, TRACE_IMC_SCOM and perf's config of trace_imc, for one decoder and one encoder. */
#include <errno.h>

#include "common/error.h"
#include "uncoremsr/imc.h"

#define LINUX_TEXT "Linux Documentation/powerpc/imc.rst"
#define LDBAR_SOURCE LINUX_TEXT ", comment in arch/powerpc/perf/imc-pmu.c"
#define SCOM_SOURCE LINUX_TEXT ", skiboot include/imc.h"
#define CONFIG_SOURCE "Linux arch/powerpc/perf/imc-pmu.c, trace_imc_format_attrs"

#define FULL(first, last) (UINT64_MAX >> (63 - ((last) - (first))))
#define SIZE sizeof(struct uncoremsr_imc_field)
#define FIELD(name, first, last, source) { SIZE, name, first, last, 0, FULL(first, last), source, NULL, 0, 0 }

static const struct uncoremsr_imc_field ldbar[] = {
	FIELD("enable", 0, 0, LDBAR_SOURCE),
	FIELD("mode", 1, 1, LDBAR_SOURCE),
	FIELD("scope", 4, 6, LDBAR_SOURCE),
	{ SIZE, "address", 8, 50, 13, FULL(8, 50) << 13, LDBAR_SOURCE,
	  "Linux asm/imc-pmu.h THREAD_IMC_LDBAR_MASK, skiboot hw/imc.c", 14, 50 },
};

static const struct uncoremsr_imc_field scom[] = {
	FIELD("sampsel", 0, 1, SCOM_SOURCE),
	FIELD("load", 2, 33, SCOM_SOURCE),
	FIELD("cpmc1sel", 34, 40, SCOM_SOURCE),
	FIELD("cpmc2sel", 41, 47, SCOM_SOURCE),
	{ SIZE, "buffersize", 48, 50, 0, 4, SCOM_SOURCE, NULL, 0, 0 },
};

static const struct uncoremsr_imc_field trace_config[] = {
	FIELD("cpmc_load", 2, 33, CONFIG_SOURCE),
	FIELD("cpmc_samplesel", 34, 35, CONFIG_SOURCE),
	FIELD("cpmc_event", 36, 43, CONFIG_SOURCE),
	FIELD("cpmc_reserved", 44, 63, CONFIG_SOURCE),
};

static const struct {
	const struct uncoremsr_imc_field *fields;
	size_t num;
} words[] = {
	[UNCOREMSR_IMC_LDBAR] = { ldbar, ARRAY_SIZE(ldbar) },
	[UNCOREMSR_IMC_SCOM] = { scom, ARRAY_SIZE(scom) },
	[UNCOREMSR_IMC_TRACE_CONFIG] = { trace_config, ARRAY_SIZE(trace_config) },
};

const struct uncoremsr_imc_field *uncoremsr_imc_field(enum uncoremsr_imc_word which, size_t index)
{
	if ((size_t)which >= ARRAY_SIZE(words) || index >= words[which].num)
		return NULL;
	return &words[which].fields[index];
}

static unsigned shift_of(const struct uncoremsr_imc_field *f)
{
	return 63 - f->last;
}

static uint64_t mask_of(const struct uncoremsr_imc_field *f)
{
	return FULL(f->first, f->last) << shift_of(f);
}

int uncoremsr_imc_get(enum uncoremsr_imc_word which, size_t index, uint64_t word, uint64_t *number)
{
	const struct uncoremsr_imc_field *f = uncoremsr_imc_field(which, index);

	if (!f || !number)
		return -EINVAL;
	*number = (word & mask_of(f)) >> shift_of(f) << f->low;
	return 0;
}

int uncoremsr_imc_set(enum uncoremsr_imc_word which, size_t index, uint64_t number, uint64_t *word)
{
	const struct uncoremsr_imc_field *f = uncoremsr_imc_field(which, index);

	if (!f || !word)
		return -EINVAL;
	if (number > f->most || number >> f->low << f->low != number)
		return -ERANGE;
	*word = (*word & ~mask_of(f)) | number >> f->low << shift_of(f);
	return 0;
}

uint64_t uncoremsr_imc_reserved(enum uncoremsr_imc_word which, uint64_t word)
{
	const struct uncoremsr_imc_field *f;

	for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++)
		word &= ~mask_of(f);
	return word;
}
