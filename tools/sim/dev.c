/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The register devices, as Linux's drivers serve them (arch/x86/kernel/msr.c and cpuid.c), and the log of accesses. */
#include "sim/dev.h"
#include "uncoremsr/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int errno_of(const char *word)
{
	for (int err = 1; err <= EHWPOISON; err++) {
		const char *name = strerrorname_np(err);

		if (name && !strcmp(name, word))
			return err;
	}
	return -1;
}

void simdev_trouble(const struct simdev_trouble *t, char text[SIMDEV_TROUBLE_TEXT])
{
	const char *what = t->err ? strerrorname_np(t->err) : "kill";

	if (!t->left)
		snprintf(text, SIMDEV_TROUBLE_TEXT, "none");
	else if (t->pid)
		snprintf(text, SIMDEV_TROUBLE_TEXT, "%s %lu %d", what, t->left, (int)t->pid);
	else
		snprintf(text, SIMDEV_TROUBLE_TEXT, "%s %lu", what, t->left);
}

/* sscanf() accepts too much. So format the parsed values, and accept @text only if the result equals it. */
int simdev_set_trouble(struct simdev *d, const char *text, size_t size)
{
	char line[SIMDEV_TROUBLE_TEXT] = "", what[SIMDEV_TROUBLE_TEXT] = "", shown[SIMDEV_TROUBLE_TEXT];
	struct simdev_trouble t = { 0, 0, 0 };

	if (size && text[size - 1] == '\n')
		size--;
	if (size >= sizeof(line) || memchr(text, '\0', size))
		return -EINVAL;
	memcpy(line, text, size);
	if (sscanf(line, "%47s %lu %d", what, &t.left, &t.pid) > 1 && strcmp(what, "kill"))
		t.err = errno_of(what);
	if (t.err < 0 || t.pid < 0)
		return -EINVAL;
	simdev_trouble(&t, shown);
	if (strcmp(shown, line))
		return -EINVAL;
	d->trouble = t;
	return 0;
}

/* If a failure is set up for this access, return its error: the access must not be carried out. 0: no failure. */
static int meet_trouble(struct simdev *d, pid_t pid)
{
	struct simdev_trouble *t = &d->trouble;

	if (!t->left || (t->pid && t->pid != pid) || --t->left)
		return 0;
	if (t->err)
		return -t->err;
	if (pid > 1) /* pid 0: a process in a namespace that we cannot see */
		kill(pid, SIGKILL);
	return -EINTR;
}

/* Write a line for each access, and flush it, because the file may be read while it grows. */
static void log_access(struct simdev *d, pid_t pid, unsigned cpu, const char *what, uint32_t msr,
		       const uint64_t *value, int err)
{
	/* Log the time of the access: until the line is written, this process may have waited for a CPU. */
	char hex[24] = "-";
	uint64_t at;

	if (!d->log)
		return;
	at = uncoremsr_sim_state(d->sim)->last_access;
	if (value)
		snprintf(hex, sizeof(hex), "0x%" PRIx64, *value);
	fprintf(d->log, "%" PRIu64 ".%09" PRIu64 " %d %u %s 0x%" PRIx32 " %s %s\n", at / 1000000000, at % 1000000000,
		(int)pid, cpu, what, msr, hex, err ? strerrorname_np(-err) : "ok");
	fflush(d->log);
}

/* As in Linux, msr_read() and msr_write(): bits 31:0 of the position are the register, accessed once per 8 bytes. */
int simdev_access_msr(struct simdev *d, pid_t pid, unsigned cpu, char *in, const char *from, size_t size, off_t pos)
{
	uint32_t msr = (uint32_t)pos;
	uint64_t value = 0;
	size_t done;
	int err;

	if (size % sizeof(value))
		return -EINVAL;
	for (done = 0; done < size; done += sizeof(value)) {
		if (from)
			memcpy(&value, from + done, sizeof(value));
		err = meet_trouble(d, pid);
		if (!err)
			err = from ? uncoremsr_sim_wrmsr(d->sim, cpu, msr, value)
				   : uncoremsr_sim_rdmsr(d->sim, cpu, msr, &value);
		log_access(d, pid, cpu, from ? "wr" : "rd", msr, err && !from ? NULL : &value, err);
		if (err)
			return done ? (int)done : err;
		if (!from)
			memcpy(in + done, &value, sizeof(value));
	}
	return (int)done;
}

/* Like cpuid_read() in Linux: position bits 31:0 are EAX, 63:32 ECX; the position grows by one for each 16 bytes. */
int simdev_read_cpuid(struct simdev *d, unsigned cpu, char *buf, size_t size, off_t pos)
{
	uint64_t at = (uint64_t)pos;
	uint32_t regs[4];
	size_t done;
	int err;

	if (size % sizeof(regs))
		return -EINVAL;
	for (done = 0; done < size; done += sizeof(regs), at++) {
		err = uncoremsr_sim_cpuid(d->sim, cpu, (uint32_t)at, (uint32_t)(at >> 32), regs);
		if (err)
			return done ? (int)done : err;
		memcpy(buf + done, regs, sizeof(regs));
	}
	return (int)done;
}

/* Does the process have CAP_SYS_RAWIO? True if unknown; pid 0 is a process in a namespace that we cannot see. */
static bool has_rawio(pid_t pid)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3, .pid = pid };
	struct __user_cap_data_struct sets[2];

	return !pid || syscall(SYS_capget, &head, sets) < 0 || sets[0].effective >> CAP_SYS_RAWIO & 1;
}

/* As in Linux, msr_open(): the capability is checked before the CPU. */
int simdev_open_msr(struct simdev *d, pid_t pid, unsigned cpu, int flags)
{
	if (d->ask_rawio && !has_rawio(pid))
		return -EPERM;
	return uncoremsr_sim_open_cpu(d->sim, cpu, (flags & O_ACCMODE) != O_RDONLY);
}

bool simdev_has_cpuid(struct simdev *d, unsigned cpu)
{
	uint32_t regs[4];

	return uncoremsr_sim_cpuid(d->sim, cpu, 0, 0, regs) != -ENXIO;
}

bool simdev_has_msr(struct simdev *d, unsigned cpu)
{
	return d->has_driver && simdev_has_cpuid(d, cpu);
}

int simdev_start(struct simdev *d, struct uncoremsr_sim *sim, const char *log)
{
	d->sim = sim;
	/* Open a CPU that cannot exist: the error is ENOENT only if the driver is missing. */
	d->has_driver = uncoremsr_sim_open_cpu(sim, UINT_MAX, 0) != -ENOENT;
	/* Require the capability only if we have it ourselves; otherwise nobody could use the mount. */
	d->ask_rawio = has_rawio(getpid());
	d->log = log ? fopen(log, "we") : NULL;
	return log && !d->log ? -errno : 0;
}

int simdev_stop(struct simdev *d)
{
	int err = 0;

	if (d->log) {
		err = ferror(d->log) ? -EIO : 0;
		if (fclose(d->log))
			err = -errno;
	}
	return err;
}
