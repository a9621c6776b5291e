/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "access/access.h"
#include "common/array.h"

/*
 * Call the back end even if the CPU's device is open: the CPU may have gone offline, or the device may be open for
 * reading only.
 */
int um_access_open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	int err = 0;

	while (cpu >= a->num_users && !err)
		err = ARRAY_APPEND(a->users, a->num_users, 0);
	if (err)
		a->starved = ENOMEM;
	else
		err = a->ops->open_cpu(a, cpu, for_writing);
	if (!err)
		a->users[cpu]++;
	return err;
}

void um_access_close_cpu(struct um_access *a, unsigned cpu)
{
	if (cpu < a->num_users && a->users[cpu] && !--a->users[cpu])
		a->ops->close_cpu(a, cpu);
}

void um_access_close(struct um_access *a)
{
	free(a->users);
	a->ops->close(a);
}
