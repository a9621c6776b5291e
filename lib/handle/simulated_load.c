/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: loads libuncoremsr-sim.so. */
#include <errno.h>
#include <sys/auxv.h>

#include "common/library.h"
#include "handle/simulated.h"

int um_simulator_find(const struct um_simulator **found, struct um_error *e)
{
	static const struct um_library library = {
		"sim", "simulated machines",
		"install the package libuncoremsr-sim" UM_SOVERSION ", or build without SIM=no",
	};
	void *table;
	int err;

	*found = NULL;
	if (getauxval(AT_SECURE)) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS, "no simulated machines in a program with raised privileges");
		return um_advise(e, -EPERM, "use a copy of the program without capabilities");
	}
	err = um_library_find(&library, "um_simulator", &table, e);
	*found = table;
	return err;
}
