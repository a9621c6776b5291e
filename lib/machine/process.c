/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The process that opened a machine. After fork(2) the child has a copy of all data and shares the descriptors, but it
 * must not count: programmed counters and leases belong to the parent.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/machine.h"

/*
 * A page that the kernel clears in a child (MADV_WIPEONFORK, Linux 4.14) tells whether this process is a child.
 * getpid(), which is called on older kernels, would add a system call to each sample.
 */
void um_process_remember(struct um_process *p)
{
	void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p->pid = (long)getpid();
	p->here = NULL;
	if (page == MAP_FAILED)
		return;
	if (madvise(page, 1, MADV_WIPEONFORK)) {
		munmap(page, 1);
		return;
	}
	p->here = page;
	*p->here = 1;
}

void um_process_forget(struct um_process *p)
{
	if (p->here)
		munmap(p->here, 1);
	*p = (struct um_process){ .pid = 0 };
}

bool um_in_child(const struct um_machine *m)
{
	const struct um_process *p = &m->process;

	return p->here ? !*p->here : p->pid && p->pid != (long)getpid();
}

int um_check_process(const struct um_machine *m, struct um_error *e)
{
	if (!um_in_child(m))
		return 0;
	um_fail(e, -ECHILD, UNCOREMSR_ERROR_USAGE, "the machine was opened by process %ld, from which this one was "
		"forked", m->process.pid);
	return um_advise(e, -ECHILD, "make and open a handle in the child, or count in the parent");
}
