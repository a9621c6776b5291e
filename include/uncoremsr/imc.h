/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/imc.h
 * POWER: the registers and the trace buffers of in-memory collection (IMC), as numbers. Works on any
 * machine: nothing is read but what it is given. Where the sources differ, each is told and none is
 * preferred.
 *
 * Rules about errors, threads and ownership: uncoremsr.h. Every function accepts NULL.
 */
#ifndef UNCOREMSR_IMC_H
#define UNCOREMSR_IMC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* -------------------------------------------------------------- registers */

/** Words of 64 bits that have fields. */
enum uncoremsr_imc_word {
	UNCOREMSR_IMC_LDBAR,        /* SPR 850: where a hardware thread's counters go */
	UNCOREMSR_IMC_SCOM,         /* TRACE_IMC_SCOM: what trace mode samples, and how often */
	UNCOREMSR_IMC_TRACE_CONFIG, /* perf's config of the PMU trace_imc, which is another layout */
};

/** A field of such a word. Bits are counted as IBM does: 0 is the most significant. */
struct uncoremsr_imc_field {
	const char *name;     /* "enable", "address", "cpmc1sel" */
	unsigned first, last; /* its bits */
	unsigned low;         /* so many low bits of the number are 0 and not in the word */
	uint64_t most;        /* the largest number that is defined */
	const char *source;   /* where these bits are written down */
	/* Who has other bits for it, and which; NULL: all agree. */
	const char *other;
	unsigned other_first, other_last;
};

/** @return a field, from the most significant on; NULL past the last one: no such word. */
const struct uncoremsr_imc_field *uncoremsr_imc_field(enum uncoremsr_imc_word which, size_t index);
/**
 * The number in a field; of an address all of it, with the low bits that are not in the word.
 * @return 0; -EINVAL no such word or field, and @p number is left alone.
 */
int uncoremsr_imc_get(enum uncoremsr_imc_word which, size_t index, uint64_t word, uint64_t *number);
/**
 * Put a number into a field of a word.
 * @return 0; -ERANGE it does not fit, its low bits are not 0, or it is not defined, and @p word is left
 *   alone; -EINVAL no such word or field.
 */
int uncoremsr_imc_set(enum uncoremsr_imc_word which, size_t index, uint64_t number, uint64_t *word);
/** The bits of a word that no field has. */
uint64_t uncoremsr_imc_reserved(enum uncoremsr_imc_word which, uint64_t word);

/* ----------------------------------------------------------- trace buffers */

/** Bytes of a record (Linux struct trace_imc_data): a buffer has slots of that size. */
#define UNCOREMSR_IMC_RECORD_SIZE 64
/** Bytes of the largest image of buffers that is read. The largest buffer itself has 4 MiB. */
#define UNCOREMSR_IMC_TRACE_MOST ((size_t)64 << 20)

struct uncoremsr_imc_trace; /* an image of a trace buffer */

/**
 * Look at an image of a trace buffer in either byte order, which is found by itself.
 * @param image @p size bytes, a multiple of UNCOREMSR_IMC_RECORD_SIZE; used until the trace is freed.
 * @param trace is freed with uncoremsr_imc_trace_free(). NULL on failure.
 * @return 0; -EINVAL NULL, empty, or not a whole number of records; -EFBIG; -ENOMEM.
 */
int uncoremsr_imc_trace_new(const void *image, size_t size, struct uncoremsr_imc_trace **trace);
void uncoremsr_imc_trace_free(struct uncoremsr_imc_trace *trace);

/** What can be asked about an image. */
enum uncoremsr_imc_trace_number {
	UNCOREMSR_IMC_TRACE_SLOTS,
	UNCOREMSR_IMC_TRACE_RECORDS, /* slots whose two time bases agree and are not 0 */
	UNCOREMSR_IMC_TRACE_DROPPED, /* the other slots with any byte set */
	UNCOREMSR_IMC_TRACE_KERNEL,  /* records that the kernel takes */
	UNCOREMSR_IMC_TRACE_STEP,    /* the median step between the records' time bases */
	UNCOREMSR_IMC_TRACE_LOST,    /* records missing between them, if each were such a step behind
				      * the one before; unknown below three records */
	UNCOREMSR_IMC_TRACE_LITTLE,  /* 1: the bytes are in little-endian order, 0: in big-endian order
				      * as hardware writes them; unknown where no record tells */
};
/** @return 0; -ENODATA unknown, and @p v is left alone; -EINVAL. */
int uncoremsr_imc_trace_number(const struct uncoremsr_imc_trace *trace,
			       enum uncoremsr_imc_trace_number what, uint64_t *v);
/** The records in the order of their time base. @return the slot; SIZE_MAX past the last one. */
size_t uncoremsr_imc_trace_slot(const struct uncoremsr_imc_trace *trace, size_t index);

/** What can be asked about a slot. Without a byte order that a record tells, it is read as big-endian. */
enum uncoremsr_imc_record_number {
	UNCOREMSR_IMC_RECORD_TB1,   /* time base */
	UNCOREMSR_IMC_RECORD_IP,    /* program counter */
	UNCOREMSR_IMC_RECORD_VAL,   /* "PIDR information" */
	UNCOREMSR_IMC_RECORD_CPMC1, /* counts */
	UNCOREMSR_IMC_RECORD_CPMC2,
	UNCOREMSR_IMC_RECORD_CPMC3,
	UNCOREMSR_IMC_RECORD_CPMC4,
	UNCOREMSR_IMC_RECORD_TB2,   /* time base again, its low 42 bits */
	UNCOREMSR_IMC_RECORD_EMPTY, /* 1: no byte is set */
	UNCOREMSR_IMC_RECORD_TB_OK, /* 1: the time bases agree, and are not 0 (the kernel clears the first
				     * one of slot 0 after it has read the buffer) */
	UNCOREMSR_IMC_RECORD_BY_KERNEL, /* 1: the kernel takes it: it ends at the first slot whose time base
					 * is not behind that of the slot before, or whose two disagree */
};
/** @return 0; -ENODATA no such slot, and @p v is left alone; -EINVAL. */
int uncoremsr_imc_record_number(const struct uncoremsr_imc_trace *trace, size_t slot,
				enum uncoremsr_imc_record_number what, uint64_t *v);
/**
 * Who was running: "kernel", "user", "guest_kernel" or "guest_user", as the kernel judges it on a
 * processor with this version register (PVR): POWER9 by the program counter, POWER10 and POWER11 by
 * bits 0 and 1 (HV, PR) of "PIDR information".
 * @return NULL: no such slot, or no processor that is known to have trace mode.
 */
const char *uncoremsr_imc_record_mode(const struct uncoremsr_imc_trace *trace, size_t slot,
				      uint32_t pvr);

/**
 * Write the records of an image, in the order of their time base, as samples into a perf.data file, which
 * perf report opens. A record does not tell which thread it is of: all have the ids -1. Kernel
 * addresses stay numbers: the file's build id is that of no kernel.
 * @param pvr as for uncoremsr_imc_record_mode(). @param cpu whose buffer it was.
 * @param fd open for writing, empty, and such that it can be sought in; it stays the caller's.
 * @return 0; -EINVAL NULL or no descriptor; -ENOMEM; or what write(2) says.
 */
int uncoremsr_imc_trace_perf_data(const struct uncoremsr_imc_trace *trace, uint32_t pvr, unsigned cpu,
				  int fd);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
