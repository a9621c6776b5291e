/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Create a handle, choose its machine, open it, free it. This is the only code that knows all back ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "names/catalogue.h"
#include "machine/handle.h"
#include "metrics/metrics.h"
#include "counting/route.h"
#include "perf/kernel.h"
#include "nest/route.h"
#include "perf/route.h"
#include "handle/simulated.h"

const char *uncoremsr_version(void)
{
	return UM_VERSION;
}

static void close_machine(struct uncoremsr *um)
{
	if (um->kernel)
		um->kernel->ops->destroy(um->kernel);
	um->kernel = NULL;
	um_handle_leases_free(um->m.handle_leases);
	um->m.handle_leases = NULL;
	um_machine_close(&um->m);
	um->info.size = um->surroundings.size = 0;
	um->sim_open = NULL;
	FREE_AND_NULL(um->name);
}

void uncoremsr_free(struct uncoremsr *um)
{
	if (!um)
		return;
	um_names_free(um);
	um_counters_forget(um);
	um_leases_forget(um);
	um_cores_forget(um);
	um_traced_free(um->m.traced);
	close_machine(um);
	free(um->offline_text);
	free(um->forbidden_text);
	free(um->what);
	free(um);
}

static int check_closed(struct uncoremsr *um)
{
	if (!um)
		return -EINVAL;
	return um->m.access ? um_fail(&um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the machine is already open") : 0;
}

static int check_machine(struct um_error *e, const char *what)
{
	bool root = !strncmp(what, "root:", 5) && what[5];

	if (!root && strcmp(what, "live") && (strncmp(what, "sim:", 4) || !what[4])) {
		UM_USAGE(e, "machine '%s': unknown form", what);
		return um_advise(e, -EINVAL, "use live, root:DIR or sim:NAME");
	}
	/*
	 * Users could make a directory tree that describes another processor. A program with raised privileges would
	 * believe it, and write the wrong registers of this machine.
	 */
	if (root && getauxval(AT_SECURE)) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS,
			"machine '%s': not for a program with raised privileges", what);
		return um_advise(e, -EPERM, "any user could have made the files in that directory: use a copy of "
			       "the program without capabilities");
	}
	return 0;
}

int uncoremsr_set_machine(struct uncoremsr *um, const char *what)
{
	int err = check_closed(um);
	char *copy;

	if (!err && what)
		err = check_machine(&um->error, what);
	if (err)
		return err;
	copy = strdup(what ? what : "live");
	if (!copy)
		return um_no_memory(&um->error);
	um_names_forget_machine(um);
	free(um->what);
	um->what = copy;
	um->sim = NULL;
	return 0;
}

int um_set_simulated(struct uncoremsr *um, const struct um_simulator *simulator, struct uncoremsr_sim *sim,
		     const char *name)
{
	char what[256];
	int err = um_check_given(um, sim, "sim");

	if (err)
		return err;
	snprintf(what, sizeof(what), "sim:%s", name);
	err = uncoremsr_set_machine(um, what);
	if (err)
		return err;
	um->simulator = simulator;
	um->sim = sim;
	return 0;
}

int uncoremsr_set_trace(struct uncoremsr *um, enum uncoremsr_trace_style style,
			void (*fn)(void *user, const char *line), void *user)
{
	if (!um)
		return -EINVAL;
	if ((unsigned)style > UNCOREMSR_TRACE_COMMANDS)
		return UM_USAGE(&um->error, "unknown trace style");
	um->m.trace_style = UNCOREMSR_TRACE_NONE;
	um_traced_free(um->m.traced);
	um->m.traced = fn && style == UNCOREMSR_TRACE_TEXT ? um_traced_new() : NULL;
	if (fn && style == UNCOREMSR_TRACE_TEXT && !um->m.traced)
		return um_no_memory(&um->error);
	um->m.trace_style = fn ? style : UNCOREMSR_TRACE_NONE;
	um->m.trace = fn;
	um->m.trace_user = user;
	return 0;
}

void uncoremsr_set_log(struct uncoremsr *um, void (*fn)(void *user, enum uncoremsr_log_level level, const char *line),
		       void *user)
{
	if (!um)
		return;
	um->m.log = fn;
	um->m.log_user = user;
}

int uncoremsr_set(struct uncoremsr *um, enum uncoremsr_option option, int value)
{
	int err;

	if (!um)
		return -EINVAL;
	switch (option) {
	case UNCOREMSR_DRY_RUN:
		err = check_closed(um);
		if (!err)
			um->m.dry_run = value != 0;
		return err;
	case UNCOREMSR_OWN_CATALOG:
		um_names_set_own_catalog(um, value != 0);
		return 0;
	case UNCOREMSR_LOG_FROM:
		if (value != UNCOREMSR_LOG_REMARK && value != UNCOREMSR_LOG_WARNING)
			return UM_USAGE(&um->error, "there is no log level %d", value);
		um->m.log_from = (enum uncoremsr_log_level)value;
		return 0;
	}
	return UM_USAGE(&um->error, "unknown option");
}

/* *sim becomes the simulated machine; NULL: the machine is of another kind. */
static int open_access(struct uncoremsr *um, struct um_access **out, struct uncoremsr_sim **sim)
{
	const char *what = um->what ? um->what : "live";
	char why[UM_MESSAGE_SIZE] = "";
	int err;

	*sim = NULL;
	if (strncmp(what, "sim:", 4))
		return um_access_device(out, strncmp(what, "root:", 5) ? NULL : what + 5, &um->error);
	*sim = um->sim;
	if (*sim)
		return um->simulator->access(out, *sim, false);
	if (!um->simulator) {
		err = um_simulator_find(&um->simulator, &um->error);
		if (err)
			return err;
	}
	err = um->simulator->make(sim, what + 4, why, sizeof(why));
	if (err)
		return um_fail(&um->error, err, um_lacks_permission(err) ? UNCOREMSR_ERROR_ACCESS
			       : UNCOREMSR_ERROR_USAGE, "%s", why);
	err = um->simulator->access(out, *sim, true);
	if (err)
		um->simulator->free(*sim);
	return err;
}

static int open_access_alone(struct uncoremsr *um, struct um_access **out)
{
	struct uncoremsr_sim *sim;

	return open_access(um, out, &sim);
}

static int open_kernel(void *user, struct um_perf_kernel **kernel, struct um_error *e)
{
	struct uncoremsr *um = user;
	int err = 0;

	if (!um->kernel && um->sim_open)
		err = um->simulator->kernel(um->sim_open, &um->kernel);
	else if (!um->kernel && um->m.access && um->m.access->live)
		err = um_perf_kernel_live(&um->kernel);
	else if (!um->kernel)
		err = -EXDEV;
	if (err == -ENOMEM)
		return um_no_memory(e);
	if (err)
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "perf counts on the machine it runs on, not on %s", um->name);
	*kernel = um->kernel;
	return 0;
}

/* The routes in the order of preference: the first one that can count an event counts it. */
static const struct um_route *const routes[] = { &um_route_registers, &um_route_perf, &um_route_memory };

int uncoremsr_new(struct uncoremsr **um)
{
	if (!um)
		return -EINVAL;
	*um = calloc(1, sizeof(**um));
	if (!*um)
		return -ENOMEM;
	(*um)->open_access = open_access_alone;
	(*um)->m.borrowed = getauxval(AT_SECURE) && geteuid() != 0;
	(*um)->m.registers = &um_register_ops;
	(*um)->routes = routes;
	(*um)->num_routes = ARRAY_SIZE(routes);
	(*um)->m.kernel = open_kernel;
	(*um)->m.kernel_user = *um;
	if (!um_names_new(*um, &um_metric_names))
		return 0;
	FREE_AND_NULL(*um);
	return -ENOMEM;
}

int uncoremsr_open(struct uncoremsr *um)
{
	int err = check_closed(um);

	if (!err && !um->what)
		err = uncoremsr_set_machine(um, NULL);
	if (err)
		return err;
	um->starved = 0;
	/* The name of the machine "sim:NAME,PARAMETERS" is "sim:NAME". */
	um->name = strndup(um->what, strncmp(um->what, "sim:", 4) ? strlen(um->what) : strcspn(um->what, ","));
	err = um->name ? open_access(um, &um->m.access, &um->sim_open) : -ENOMEM;
	if (!err && um->m.dry_run)
		err = um_access_dry_run(um->m.access);
	if (!err)
		err = um_machine_open(&um->m, &um->error);
	if (!err && !um_lease_dir(&um->m, um->m.lease_dir, sizeof(um->m.lease_dir))) {
		um->m.lease_dir[0] = '\0';
		um->m.handle_leases = um_handle_leases_new();
		err = um->m.handle_leases ? 0 : -ENOMEM;
	}
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	if (um_lacks_descriptors(err))
		um->starved = -err;
	if (err)
		close_machine(um);
	return err;
}

int uncoremsr_advance(struct uncoremsr *um, uint64_t ns)
{
	char line[64];

	if (!um || !um->m.access || um_in_child(&um->m) || !um->m.access->ops->advance(um->m.access, ns))
		return 0;
	if (um->m.trace_style == UNCOREMSR_TRACE_COMMANDS && um->m.dry_run) {
		snprintf(line, sizeof(line), "sleep %g", (double)ns / 1e9);
		um->m.trace(um->m.trace_user, line);
	}
	return 1;
}
