/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Leases and repair, for users of a handle. */
#include <errno.h>
#include <stdlib.h>

#include "counting/lease.h"
#include "machine/handle.h"

void um_leases_forget(struct uncoremsr *um)
{
	if (um->leases) {
		free(um->leases->all);
		free(um->leases->list);
	}
	FREE_AND_NULL(um->leases);
}

const struct uncoremsr_leases *uncoremsr_leases(struct uncoremsr *um)
{
	struct um_guard g;
	struct um_error before;
	int err = um_check_open(um);

	if (err)
		return NULL;
	before = um->error;
	um_leases_forget(um);
	um->leases = calloc(1, sizeof(*um->leases));
	if (!um->leases) {
		um_no_memory(&um->error);
		return NULL;
	}
	err = um_guard_open(&g, &um->m, false, &um->error);
	if (err == -ENOENT) /* no directory of leases: nothing has counted on this machine yet */
		err = 0;
	if (!err)
		err = um_leases_list(um->leases, &g, &um->m, &um->error);
	um_guard_close(&g);
	if (!err) {
		um_fail_as(&um->error, &before);
		return &um->leases->pub;
	}
	um_leases_forget(um);
	return NULL;
}

/* Longest wait for processes that hold locks: one that is stopped by SIGSTOP would never release its lock. */
enum { REPAIR_WAITS_MS = 5000 };

int uncoremsr_repair(struct uncoremsr *um, um_repair_fn *fn, void *user)
{
	struct um_guard g;
	int err = um_check_open(um);

	if (err)
		return err;
	err = um_guard_open(&g, &um->m, true, &um->error);
	if (err)
		return err;
	g.patience_ms = REPAIR_WAITS_MS;
	err = um_start_lock(&um->m, &g, &um->error) ?:
	      um_repair_all(&um->m, &g, true, fn, user, &um->error);
	um_start_unlock(&g);
	um_guard_close(&g);
	return err;
}
