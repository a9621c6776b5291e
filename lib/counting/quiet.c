/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Has the program ended that wrote into a register of ours? */
#include "counting/claim.h"

enum { QUIET_CHECKS = 5 };
#define QUIET_NS UINT64_C(5000000000)

bool um_is_quiet(struct um_strange *strange, uint64_t word, uint64_t now_ns)
{
	if (!strange->checks || strange->word != word)
		*strange = (struct um_strange){ .word = word, .since_ns = now_ns };
	return strange->checks++ >= QUIET_CHECKS && now_ns - strange->since_ns >= QUIET_NS;
}
