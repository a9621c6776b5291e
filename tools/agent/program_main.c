/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* main() of each output program. The agent has opened all that the program may use, and dropped all rights. */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agent/program.h"
#include "common/options.h"

int main(void)
{
	const struct shared *shared = shared_map(AGENT_VALUES);

	if (!shared) {
		fprintf(stderr, "%s: only uncore-agent %s can start this "
				"program\n", program_invocation_short_name, UM_VERSION);
		return TOOL_USAGE;
	}
	close(AGENT_VALUES);
	/* Otherwise ps would show the descriptor number that was passed to fexecve() as our name. */
	prctl(PR_SET_NAME, program_invocation_short_name, 0, 0, 0);
	/* Keep other processes of the same user from attaching to this one. */
	if (shared->other_user)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	return agent_work(shared, AGENT_NEWS);
}
