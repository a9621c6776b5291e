/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/imc.h
 * POWER: decode the registers and trace buffers of in-memory collection (IMC). Works on any machine,
 * because it reads only what the caller passes. Where sources differ, all of them are given and none is
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

/** 64-bit words that have fields. */
enum uncoremsr_imc_word {
	UNCOREMSR_IMC_LDBAR,        /* SPR 850: the memory address for a hardware thread's counters */
	UNCOREMSR_IMC_SCOM,         /* TRACE_IMC_SCOM: event and period of trace mode */
	UNCOREMSR_IMC_TRACE_CONFIG, /* config of perf's PMU trace_imc: another layout of the same fields */
};

/** A field of such a word. Bits are counted as IBM does: 0 is the most significant. */
struct uncoremsr_imc_field {
	const char *name;     /* "enable", "address", "cpmc1sel" */
	unsigned first, last; /* its bits */
	unsigned low;         /* number of low bits that are 0 and not stored in the word */
	uint64_t most;        /* the largest defined number */
	const char *source;   /* document that defines these bits */
	/* A source that says other bits, and these bits; NULL: all sources agree. */
	const char *other;
	unsigned other_first, other_last;
};

/** @return a field, the most significant one first; NULL past the last one, or no such word. */
const struct uncoremsr_imc_field *uncoremsr_imc_field(enum uncoremsr_imc_word which, size_t index);
/**
 * The number in a field. For an address, the low bits that are not stored are added.
 * @return 0; -EINVAL no such word or field (@p number is unchanged).
 */
int uncoremsr_imc_get(enum uncoremsr_imc_word which, size_t index, uint64_t word, uint64_t *number);
/**
 * Put a number into a field of a word.
 * @return 0; -ERANGE the number does not fit, has low bits that cannot be stored, or is not defined (@p
 *   word is unchanged); -EINVAL no such word or field.
 */
int uncoremsr_imc_set(enum uncoremsr_imc_word which, size_t index, uint64_t number, uint64_t *word);
/** The bits of a word that belong to no field. */
uint64_t uncoremsr_imc_reserved(enum uncoremsr_imc_word which, uint64_t word);

/* ----------------------------------------------------------- trace buffers */

/** Size of a record in bytes (Linux struct trace_imc_data). A buffer is an array of slots of this size. */
#define UNCOREMSR_IMC_RECORD_SIZE 64
/** Largest accepted image of trace buffers, in bytes. A single buffer has at most 4 MiB. */
#define UNCOREMSR_IMC_TRACE_MOST ((size_t)64 << 20)

struct uncoremsr_imc_trace; /* an image of a trace buffer */

/**
 * Decode an image of a trace buffer. Its byte order is detected.
 * @param image @p size bytes, a multiple of UNCOREMSR_IMC_RECORD_SIZE; used until the trace is freed.
 * @param trace gets the decoded image; free it with uncoremsr_imc_trace_free(). NULL after a failure.
 * @return 0; -EINVAL the image is NULL, empty, or not a whole number of records; -EFBIG; -ENOMEM.
 */
int uncoremsr_imc_trace_new(const void *image, size_t size, struct uncoremsr_imc_trace **trace);
void uncoremsr_imc_trace_free(struct uncoremsr_imc_trace *trace);

/** Numbers about an image. */
enum uncoremsr_imc_trace_number {
	UNCOREMSR_IMC_TRACE_SLOTS,
	UNCOREMSR_IMC_TRACE_RECORDS, /* slots whose two time bases agree and are not 0 */
	UNCOREMSR_IMC_TRACE_DROPPED, /* other slots that are not all zeros */
	UNCOREMSR_IMC_TRACE_KERNEL,  /* records that the kernel would use */
	UNCOREMSR_IMC_TRACE_STEP,    /* median difference of the time bases of successive records */
	UNCOREMSR_IMC_TRACE_LOST,    /* records that are missing if the regular distance is this median;
				      * unknown with fewer than three records */
	UNCOREMSR_IMC_TRACE_LITTLE,  /* 1: little-endian; 0: big-endian, as hardware writes them; unknown if
				      * no record shows it */
};
/** @return 0; -ENODATA unknown (@p v is unchanged); -EINVAL. */
int uncoremsr_imc_trace_number(const struct uncoremsr_imc_trace *trace,
			       enum uncoremsr_imc_trace_number what, uint64_t *v);
/** The records in the order of their time base. @return the slot; SIZE_MAX past the last one. */
size_t uncoremsr_imc_trace_slot(const struct uncoremsr_imc_trace *trace, size_t index);

/** Numbers about a slot. If no record shows the byte order, slots are read as big-endian. */
enum uncoremsr_imc_record_number {
	UNCOREMSR_IMC_RECORD_TB1,   /* time base */
	UNCOREMSR_IMC_RECORD_IP,    /* program counter */
	UNCOREMSR_IMC_RECORD_VAL,   /* "PIDR information" */
	UNCOREMSR_IMC_RECORD_CPMC1, /* counts of the four counters */
	UNCOREMSR_IMC_RECORD_CPMC2,
	UNCOREMSR_IMC_RECORD_CPMC3,
	UNCOREMSR_IMC_RECORD_CPMC4,
	UNCOREMSR_IMC_RECORD_TB2,   /* time base again, its low 42 bits */
	UNCOREMSR_IMC_RECORD_EMPTY, /* 1: all bytes are 0 */
	UNCOREMSR_IMC_RECORD_TB_OK, /* 1: the time bases agree, and are not 0 (the kernel clears the first
				     * one of slot 0 after it has read the buffer) */
	UNCOREMSR_IMC_RECORD_BY_KERNEL, /* 1: the kernel would use this record. It stops at the first slot
					 * whose time base is not later than that of the slot before, or
					 * whose two time bases disagree */
};
/** @return 0; -ENODATA no such slot (@p v is unchanged); -EINVAL. */
int uncoremsr_imc_record_number(const struct uncoremsr_imc_trace *trace, size_t slot,
				enum uncoremsr_imc_record_number what, uint64_t *v);
/**
 * What was running: "kernel", "user", "guest_kernel" or "guest_user", by the rules of the kernel on a
 * processor with this version register (PVR): POWER9 by the program counter, POWER10 and POWER11 by bits 0
 * and 1 (HV, PR) of "PIDR information".
 * @return NULL if there is no such slot, or the processor is not known to have trace mode.
 */
const char *uncoremsr_imc_record_mode(const struct uncoremsr_imc_trace *trace, size_t slot,
				      uint32_t pvr);

/**
 * Write the records of an image as samples to a perf.data file for perf report, sorted by time base.
 * Records do not name a thread, so all samples have the ids -1. Kernel addresses stay numbers, because the
 * build id in the file matches no kernel. Link libuncoremsr-sampling.
 * @param pvr as for uncoremsr_imc_record_mode(). @param cpu CPU that the buffer belongs to.
 * @param fd an empty file, open for writing, that supports lseek(2); the caller closes it.
 * @return 0; -EINVAL @p trace is NULL or @p fd is no descriptor; -ENOMEM; or the errno of write(2).
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
