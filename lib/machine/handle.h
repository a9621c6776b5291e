/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Only files with public functions include this header; other code of the library gets the struct um_machine of a
 * handle.
 */
#ifndef UM_HANDLE_H
#define UM_HANDLE_H

#include <errno.h>

#include "access/access.h"
#include "common/error.h"
#include "machine/machine.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

struct um_route;

struct uncoremsr {
	struct um_machine m;           /* m.access is NULL until the machine is open */
	char *what;                    /* argument of uncoremsr_set_machine(); NULL: live */
	char *name;                    /* the machine's name: the argument without parameters */
	const struct um_simulator *simulator; /* functions of libuncoremsr-sim; NULL: not needed so far */
	struct uncoremsr_sim *sim;     /* the simulated machine that the caller has set */
	const struct um_route *const *routes; /* in the order in which they are asked */
	size_t num_routes;
	struct uncoremsr_sim *sim_open; /* the simulated machine that is open; NULL: none */
	struct uncoremsr_machine info; /* its member size is 0 until it is filled in */
	char reason[UM_MESSAGE_SIZE];
	struct uncoremsr_surroundings surroundings; /* its member size is 0 until it is filled in */
	char *offline_text, *forbidden_text, writes[24], lockdown[24]; /* texts of @surroundings */
	struct um_names *names;
	struct um_perf_kernel *kernel; /* made when the kernel's route first counts; the handle frees it */
	/* Make an access to the chosen machine, without opening the machine. The caller closes the access. */
	int (*open_access)(struct uncoremsr *um, struct um_access **out);
	struct um_cores *cores;        /* result of the last uncoremsr_cores() */
	struct um_leases *leases;      /* result of the last uncoremsr_leases() */
	struct um_counters *counters;  /* result of the last uncoremsr_counters(), by PMU and package */
	struct um_error error;
	int starved;                   /* EMFILE or ENFILE if uncoremsr_open() failed with it, else 0 */
	struct uncoremsr_error shown_error; /* made on demand */
};

/*
 * For public functions: 0; -EINVAL where there is no handle or its machine is not open; -ECHILD in a child of
 * the process that has opened it.
 */
static inline int um_check_open(struct uncoremsr *um)
{
	if (!um)
		return -EINVAL;
	return um->m.access ? um_check_process(&um->m, &um->error)
			    : UM_USAGE(&um->error, "the machine is not open");
}

/* For public functions. 0; -EINVAL with a message if the argument @name was NULL; -EINVAL if there is no handle. */
static inline int um_check_given(struct uncoremsr *um, bool given, const char *name)
{
	return given && um ? 0 : UM_USAGE(um ? &um->error : NULL, "the argument '%s' is NULL", name);
}

/* The CPU of the first package; if no package is known, the first online CPU. */
unsigned um_first_cpu(const struct uncoremsr *um);
void um_counters_forget(struct uncoremsr *um);
void um_cores_forget(struct uncoremsr *um);
void um_leases_forget(struct uncoremsr *um);
const char *um_scope_word(enum um_scope scope);

#endif
