/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/imc.h
 * POWER: decode the registers and trace buffers of in-memory collection (IMC). Works on any machine,
 * because it reads only what the caller passes. Where sources differ, all of them are given and none is
 * preferred.
 *
 * Rules about errors, threads, ownership and structs: uncoremsr.h. Every function accepts NULL.
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

/** A field of a word of enum uncoremsr_imc_word. Bits are counted as IBM does: 0 is the most significant. */
struct uncoremsr_imc_field {
	size_t size;
	const char *name;     /* "enable", "address", "cpmc1sel" */
	unsigned first, last; /* first and last bit of the field */
	unsigned low;         /* number of low bits that are 0 and not stored in the word */
	uint64_t most;        /* largest number that is defined for the field */
	const char *source;   /* document that defines these bits */
	/* Another source that gives other bits, and these other bits; NULL: all sources agree. */
	const char *other;
	unsigned other_first, other_last;
};

/** @return a field by index, the most significant field first; NULL past the last one, or if there is no such word. */
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

/** An image of a trace buffer. */
struct uncoremsr_imc_trace {
	size_t size;
	uint64_t slots;
	uint64_t records; /* number of slots whose two time bases agree and are not 0 */
	uint64_t dropped; /* number of other slots that are not all zeros */
	uint64_t kernel;  /* number of records that the kernel would use */
	uint64_t step;    /* median difference between successive time bases; unknown with fewer than three records */
	uint64_t lost;    /* number of missing records, one expected per "step"; unknown with fewer than 3 records */
	int little;       /* 1: little-endian; 0: big-endian, as hardware writes them; -1 if no record shows it */
	const uint64_t *order; /* slot numbers of the records, sorted by time base; an array of "records" elements */
};

/**
 * Decode an image of a trace buffer. Its byte order is detected.
 * @param image @p size bytes, a multiple of UNCOREMSR_IMC_RECORD_SIZE; used until the trace is freed.
 * @param trace gets the decoded image; free it with uncoremsr_imc_trace_free(). NULL after a failure.
 * @return 0; -EINVAL the image is NULL, empty, or not a whole number of records; -EFBIG; -ENOMEM.
 */
int uncoremsr_imc_trace_new(const void *image, size_t size, struct uncoremsr_imc_trace **trace);
/** Free a decoded trace. The image is not freed. NULL is accepted. */
void uncoremsr_imc_trace_free(struct uncoremsr_imc_trace *trace);

/** A slot. If no record shows the byte order, slots are read as big-endian. UINT64_MAX is a valid number here. */
struct uncoremsr_imc_record {
	size_t size;
	uint64_t tb1;     /* time base */
	uint64_t ip;      /* program counter */
	uint64_t val;     /* "PIDR information" */
	uint64_t cpmc[4]; /* counts of the four counters */
	uint64_t tb2;     /* copy of the low 42 bits of the time base */
	int empty;        /* 1: all bytes are 0 */
	int tb_ok;        /* 1: the time bases agree, and are not 0 (the kernel clears the first one of slot 0 after it
			   * has read the buffer) */
	int by_kernel;    /* 1: the kernel would use this record. The kernel stops at the first slot whose time base is
			   * not later than that of the slot before, or whose two time bases disagree */
	/*
	 * What was running: "kernel", "user", "guest_kernel" or "guest_user", by the rules of the kernel on a processor
	 * with this version register (PVR): POWER9 by the program counter, POWER10 and POWER11 by bits 0 and 1 (HV, PR)
	 * of "PIDR information". NULL: the processor is not known to have trace mode.
	 */
	const char *mode;
};
/** A slot, as a processor with version register @p pvr writes it. Valid until the next call; NULL: no such slot. */
const struct uncoremsr_imc_record *uncoremsr_imc_record(struct uncoremsr_imc_trace *trace, size_t slot,
							uint32_t pvr);

/**
 * Write the records of an image as samples to a perf.data file for perf report, sorted by time base.
 * Records do not name a thread, so all samples have the ids -1. Kernel addresses stay numbers, because the
 * build id in the file matches no kernel. Link libuncoremsr-sampling.
 * @param pvr as for uncoremsr_imc_record(). @param cpu CPU that the buffer belongs to.
 * @param fd an empty file, open for writing, that supports lseek(2); the caller closes it.
 * @return 0; -EINVAL @p trace is NULL; -ENOMEM; or the errno of write(2).
 */
int uncoremsr_imc_trace_perf_data(struct uncoremsr_imc_trace *trace, uint32_t pvr, unsigned cpu, int fd);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
