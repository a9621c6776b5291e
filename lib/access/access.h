/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a machine is reached: one interface with several back ends. They are the devices of this machine, those of a tree
 * under another root, and the simulated machine. Each can do a dry run. Callers do not know which back end they use.
 * lib/access includes only headers of common/.
 *
 * Paths are relative to the machine's root and have no leading slash ("sys/devices/system/cpu").
 * Functions return 0 (or a length) or a negative errno; machine/driver.c makes the message about an error.
 */
#ifndef UM_ACCESS_H
#define UM_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct um_op {
	unsigned cpu;
	uint32_t msr;
	uint64_t value;
	int err;
	uint64_t begin_ns, ns; /* the machine's clock right before and after the operation, in nanoseconds */
};

struct um_access;

struct um_access_ops {
	/* Read a text file: at most size - 1 bytes, and a terminating NUL. Returns the length of the text. */
	ssize_t (*read_text)(struct um_access *a, const char *path, char *buf, size_t size);
	/*
	 * Optional (NULL: call read_text() each time). Open a text file that is read repeatedly; returns a handle >= 0
	 * or a negative errno.
	 */
	int (*open_text)(struct um_access *a, const char *path);
	ssize_t (*reread_text)(struct um_access *a, int handle, char *buf, size_t size);
	void (*close_text)(struct um_access *a, int handle);
	/*
	 * Optional (NULL: binary files cannot be read). Read up to @size bytes of a file at offset @at. Returns the
	 * number of bytes read, which is smaller than @size at the end of the file.
	 */
	ssize_t (*read_at)(struct um_access *a, const char *path, uint64_t at, void *buf, size_t size);
	/* Call @fn for each name in a directory, in any order. If @fn returns a nonzero value, stop and return it. */
	int (*list)(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user);
	/* Execute CPUID; @regs gets eax, ebx, ecx and edx. -ENOENT: CPUID cannot be read here. */
	int (*cpuid)(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);
	/*
	 * Called only by um_access_open_cpu() and um_access_close_cpu(), which count the users. open_cpu() may
	 * also be called for a CPU that is open already.
	 */
	int (*open_cpu)(struct um_access *a, unsigned cpu, bool for_writing);
	void (*close_cpu)(struct um_access *a, unsigned cpu);
	/*
	 * Optional (NULL: there is nothing to check). Is the open file of a CPU really the device of a register driver?
	 * 0: yes; -EPROTO: no, it may be a plain file.
	 */
	int (*check_cpu)(struct um_access *a, unsigned cpu);
	int (*read)(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value);
	/* Only um_reg_write() calls this, after it has checked that the processor tables allow the write. */
	int (*write)(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t value);
	/* Optional (NULL: registers are read one by one). Read many registers in one call. Each op has its own err. */
	void (*batch_read)(struct um_access *a, struct um_op *ops, size_t n);
	/* The machine's monotonic clock, in nanoseconds. */
	uint64_t (*now)(struct um_access *a);
	/*
	 * Optional (NULL: the machine is never suspended). How long the machine has been suspended since boot, in
	 * nanoseconds, accurate to a millisecond. now() does not count that time.
	 */
	uint64_t (*slept)(struct um_access *a);
	/* Advance a simulated clock by @ns. False: the clock is real and cannot be advanced. */
	bool (*advance)(struct um_access *a, uint64_t ns);
	void (*close)(struct um_access *a); /* frees @a; only um_access_close() calls it */
};

struct um_access {
	const struct um_access_ops *ops;
	const char *root; /* root directory: "" for this machine, DIR for root:DIR */
	int tree;         /* descriptor of @root plus 1, if links are kept inside that tree; else 0 */
	bool live;        /* this process runs on the machine, so facts about the process and its kernel apply */
	bool simulated;
	bool odd_online;  /* the list of online CPUs contradicts cpuN/online; see um_sysfs_online() */
	signed char in_container; /* 1 yes, -1 no, 0 unknown: call um_access_in_container() */
	bool has_files;   /* other processes see the same machine through files under root */
	int starved;      /* the last ENOMEM, EMFILE or ENFILE, which made an existing file look missing, so that
			   * um_machine_open() has to fail; 0: none */
	unsigned *users;  /* number of users of each CPU's device; see um_access_open_cpu() */
	unsigned num_users;
	struct um_dry_run *dry; /* values "written" in a dry run; NULL: writes are real */
};

/*
 * Open a CPU's register device. It must be open while registers of the CPU are read or written. Several users share a
 * device: each closes what it has opened, and the device is closed with the last of them. 0 or a negative errno.
 */
int um_access_open_cpu(struct um_access *a, unsigned cpu, bool for_writing) UM_MUST_CHECK;
void um_access_close_cpu(struct um_access *a, unsigned cpu);
/* Close every CPU that is still open, and free @a. */
void um_access_close(struct um_access *a);

/*
 * Did lack of memory or descriptors make something look missing since @starved was last set to 0? Returns the negative
 * errno, or 0.
 */
int um_access_starved(const struct um_access *a, struct um_error *e);

/* Make an access to this machine (@root NULL) or to the tree under @root. */
int um_access_device(struct um_access **out, const char *root, struct um_error *e) UM_MUST_CHECK;

/* From now on, written values are only remembered, and later reads return them. 0 or -ENOMEM. */
int um_access_dry_run(struct um_access *a) UM_MUST_CHECK;

/*
 * Execute CPUID on @cpu. The calling thread moves to @cpu and back. If its CPU affinity does not allow @cpu, CPUID is
 * executed on the CPU where the thread runs. -ENOENT: not an x86.
 */
int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/*
 * Name of the device file of a CPU's registers: "msr_safe" where the driver msr-safe is loaded (its access control is
 * an allow list, not a capability), else "msr".
 */
const char *um_access_node(struct um_access *a, unsigned cpu);
bool um_access_in_container(struct um_access *a);

/* Write the state of the driver's write filter or the kernel's lockdown mode into @buf. False: unknown. */
bool um_access_write_filter(struct um_access *a, char *buf, size_t size);
bool um_access_lockdown(struct um_access *a, char *buf, size_t size);

/*
 * Open a file below the machine's root, with O_CLOEXEC. Another user may have made the tree of root:DIR, so links in it
 * cannot lead out of it, except where openat2(2) is not available. Returns a descriptor or a negative errno.
 */
int um_access_open_file(const struct um_access *a, const char *path, int flags);
/* Does a link on @path lead out of the tree of root:DIR? Such links are not followed. If so, set the hint. */
bool um_access_hint_outside(const struct um_access *a, const char *path, struct um_error *e);
/* Open a file as if @dir were the root directory. -ENOSYS and -EPERM can also mean that openat2(2) is not available. */
int um_access_open_in_tree(int dir, const char *path, int flags);

/*
 * Open the directory that has the leases, the journals and the file that notes which throttling logs were cleared. The
 * directory must not be a link. @make: create it if it is missing. Returns a descriptor or a negative errno.
 */
#define UM_LEASES "run/uncoremsr"
int um_access_open_leases(const struct um_access *a, bool make);
/*
 * Is it safe to keep leases and journals in this directory? Anyone who can write there can make us write registers
 * (those that the processor tables allow), or hide that the machine was throttled. So the directory must belong to root
 * or to us, and nobody else may write to it. @fd: the open directory. 0: it is safe; -EPERM: it is not; or another
 * negative errno.
 */
int um_access_check_dir(int fd, const char *path, struct um_error *e) UM_MUST_CHECK;

/*
 * How long the machine has been suspended so far. Use only the difference of two calls, and ignore small differences:
 * the time is computed from two clocks, which cannot be read at the same moment.
 */
enum { UM_LEAST_SLEEP_NS = 10000000 };
uint64_t um_access_slept(struct um_access *a);

/*
 * Write the path of a CPU's file, which is @before, the number, @after and @name. This function does not use printf(),
 * because a large machine has thousands of these files. A path that is too long is cut. Returns @buf.
 */
enum { UM_CPU_PATH_SIZE = 128 };
const char *um_cpu_path(char buf[UM_CPU_PATH_SIZE], const char *before, unsigned cpu, const char *after,
			const char *name);
/* Read a text file and remove its line end and trailing blanks. Length or negative errno. */
ssize_t um_access_line(struct um_access *a, const char *path, char *buf, size_t size) UM_CROSSES;
/* Read a file with one decimal number of at most @max. False: there is no such number. */
bool um_access_number(struct um_access *a, const char *path, unsigned max, unsigned *value);

struct um_cpuid_leaf {
	unsigned cpu;
	uint32_t leaf, subleaf, regs[4];
	unsigned line;
};

struct um_cpuid_dump {
	struct um_cpuid_leaf *leaves; /* sorted by CPU, leaf and sub-leaf */
	size_t num;
};

/*
 * Read a dump. The file may have any size and content. 0; -ENOENT: there is no such file; -EINVAL: it is not a dump
 * (the message names file and line); -ENOMEM. After an error @d is empty. um_cpuid_dump_parse() uses @path for messages
 * only.
 */
int um_cpuid_dump_load(struct um_cpuid_dump *d, const char *path, struct um_error *e) UM_MUST_CHECK UM_CROSSES;
int um_cpuid_dump_parse(struct um_cpuid_dump *d, const char *path, const char *text, size_t len,
			struct um_error *e) UM_MUST_CHECK;
/* Does each CPU have the leaves that identify it? 0 or -EINVAL. Loading a dump checks only its first CPU. */
int um_cpuid_dump_check(struct um_cpuid_dump *d, const char *path, struct um_error *e)
	UM_MUST_CHECK;
void um_cpuid_dump_free(struct um_cpuid_dump *d) UM_CROSSES;
/* NULL: the file does not have the leaf. */
const struct um_cpuid_leaf *um_cpuid_dump_find(const struct um_cpuid_dump *d, unsigned cpu,
					       uint32_t leaf, uint32_t subleaf);

#endif
