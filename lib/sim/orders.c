/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values of several words: errors and events to order, and registers that behave oddly. */
#include <errno.h>
#include <string.h>

#include "sim/keys.h"

static const struct { const char *name; int number; } errnos[] = {
	{ "EIO", EIO }, { "ENXIO", ENXIO }, { "EPERM", EPERM }, { "EACCES", EACCES },
	{ "ENOENT", ENOENT }, { "ENODEV", ENODEV }, { "EBUSY", EBUSY }, { "EINTR", EINTR },
	{ "EAGAIN", EAGAIN }, { "EINVAL", EINVAL }, { "ENOMEM", ENOMEM }, { "EMFILE", EMFILE },
	{ "ESRCH", ESRCH }, { "ENOSYS", ENOSYS }, { "EOPNOTSUPP", EOPNOTSUPP },
};

int um_sim_errno(const struct um_sim_source *s, const char *name, int *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(errnos); i++) {
		if (!strcmp(errnos[i].name, name)) {
			*err = -errnos[i].number;
			return 0;
		}
	}
	return um_sim_bad(s, "'%s' is no known errno (EIO, EPERM, ...)", name);
}

static int add_fail(struct uncoremsr_sim *sim, const struct um_sim_source *s, char **words,
		    int first, int num, struct um_sim_fail f)
{
	const struct um_sim_option opts[] = {
		{ .name = "cpu", .value = &f.cpu, .max = UM_SIM_MAX_CPUS - 1 },
		{ .name = "after", .value = &f.after, .max = UINT64_MAX },
		{ .name = "times", .value = &f.times, .max = UINT64_MAX },
	};
	struct um_sim_fail *added;
	int err;

	f.cpu = f.times = UINT64_MAX;
	err = um_sim_options(s, words, first, num, opts, ARRAY_SIZE(opts));
	if (err < 0)
		return err;
	added = UM_SIM_APPEND(sim->fails, sim->num_fails);
	if (!added)
		return -ENOMEM;
	*added = f;
	return 0;
}

int um_sim_set_fail(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_fail f = { .steps = 0 };
	char *words[6];
	int n = um_sim_split(s, value, words, 3, 6,
			     "read|write|any REGISTERS ERRNO [cpu=N] [after=N] [times=N]");

	if (n < 0)
		return n;
	if (!strcmp(words[0], "read") || !strcmp(words[0], "any"))
		f.steps |= UM_SIM_FAIL_READ;
	if (!strcmp(words[0], "write") || !strcmp(words[0], "any"))
		f.steps |= UM_SIM_FAIL_WRITE;
	if (!f.steps)
		return um_sim_bad(s, "'%s' is none of: read write any", words[0]);
	if (!um_sim_registers(words[1], &f.first, &f.last))
		return um_sim_bad(s, "'%s' is not a register or a range of them", words[1]);
	if (um_sim_errno(s, words[2], &f.err) < 0)
		return -EINVAL;
	return add_fail(sim, s, words, 3, n, f);
}

int um_sim_set_open(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_fail f = { .steps = UM_SIM_FAIL_OPEN };
	char *words[4];
	int n = um_sim_split(s, value, words, 1, 4, "ERRNO [cpu=N] [after=N] [times=N]");

	if (n < 0)
		return n;
	if (um_sim_errno(s, words[0], &f.err) < 0)
		return -EINVAL;
	/* No device of any CPU: that is what a machine without the driver looks like. */
	if (f.err == -ENOENT && n == 1)
		sim->driver = UM_SIM_DRIVER_MISSING;
	return add_fail(sim, s, words, 1, n, f);
}

int um_sim_set_silent(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_range *r, range;

	if (!um_sim_registers(value, &range.first, &range.last))
		return um_sim_bad(s, "'%s' is not a register or a range of them", value);
	r = UM_SIM_APPEND(sim->silent, sim->num_silent);
	if (!r)
		return -ENOMEM;
	*r = range;
	return 0;
}

int um_sim_set_preset(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_preset p = { .cpu = UINT64_MAX }, *added;
	const struct um_sim_option opts[] = {
		{ .name = "cpu", .value = &p.cpu, .max = UM_SIM_MAX_CPUS - 1 },
	};
	char *words[3];
	uint64_t msr;
	int n = um_sim_split(s, value, words, 2, 3, "REGISTER VALUE [cpu=N]");
	int err = n < 0 ? n : um_sim_options(s, words, 2, n, opts, ARRAY_SIZE(opts));

	if (err < 0)
		return err;
	if (!um_sim_number(words[0], UINT32_MAX, &msr) ||
	    !um_sim_number(words[1], UINT64_MAX, &p.value))
		return um_sim_bad(s, "'%s' and '%s' are not a register and a value", words[0],
				  words[1]);
	p.msr = (uint32_t)msr;
	added = UM_SIM_APPEND(sim->presets, sim->num_presets);
	if (!added)
		return -ENOMEM;
	*added = p;
	return 0;
}

static int add_happening(struct uncoremsr_sim *sim, const struct um_sim_source *s, char **words,
			 int num, struct um_sim_happening h)
{
	uint64_t package = UINT64_MAX;
	const struct um_sim_option opts[] = {
		{ .name = "at", .kind = UM_SIM_OPT_SECONDS, .value = &h.at },
		{ .name = "after", .value = &h.after, .max = UINT64_MAX - 1 },
		{ .name = "package", .value = &package, .max = 255 },
	};
	struct um_sim_happening *added;
	int err;

	h.at = h.after = UINT64_MAX;
	err = um_sim_options(s, words, 2, num, opts,
			     ARRAY_SIZE(opts) - (h.kind == UM_SIM_HOTPLUG));
	if (err < 0)
		return err;
	if ((h.at == UINT64_MAX) == (h.after == UINT64_MAX))
		return um_sim_bad(s, "one of at=SECONDS and after=ACCESSES is needed");
	h.package = package == UINT64_MAX ? -1 : (int)package;
	added = UM_SIM_APPEND(sim->happenings, sim->num_happenings);
	if (!added)
		return -ENOMEM;
	*added = h;
	return 0;
}

int um_sim_set_hotplug(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_happening h = { .kind = UM_SIM_HOTPLUG };
	char *words[4];
	uint64_t cpu;
	int n = um_sim_split(s, value, words, 3, 4, "CPU on|off at=SECONDS|after=ACCESSES");

	if (n < 0)
		return n;
	if (!um_sim_number(words[0], UM_SIM_MAX_CPUS - 1, &cpu))
		return um_sim_bad(s, "'%s' is not a CPU", words[0]);
	h.cpu = (unsigned)cpu;
	h.online = !strcmp(words[1], "on");
	if (!h.online && strcmp(words[1], "off"))
		return um_sim_bad(s, "'%s' is none of: on off", words[1]);
	return add_happening(sim, s, words, n, h);
}

int um_sim_set_foreign(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_sim_happening h = { .kind = UM_SIM_FOREIGN };
	char *words[5];
	uint64_t msr;
	int n = um_sim_split(s, value, words, 3, 5,
			     "REGISTER VALUE at=SECONDS|after=ACCESSES [package=ID]");

	if (n < 0)
		return n;
	if (!um_sim_number(words[0], UINT32_MAX, &msr))
		return um_sim_bad(s, "'%s' is not a register", words[0]);
	if (!um_sim_number(words[1], UINT64_MAX, &h.value))
		return um_sim_bad(s, "'%s' is not a value of 64 bits", words[1]);
	h.msr = (uint32_t)msr;
	return add_happening(sim, s, words, n, h);
}
