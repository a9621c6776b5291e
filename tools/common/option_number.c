/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/option_number.h"

#include "common/doubt.h"
#include "common/number.h"

/* If @arg was not @parsed, print @why; else warn if the number may be mistyped. */
static int finish(const char *option, const char *arg, bool code, bool parsed, const char *why)
{
	if (!parsed)
		return tool_usage("%s: %s", option, why);
	doubt_number(option, arg, code);
	return 0;
}

int option_number(const char *option, const char *arg, uint64_t min, uint64_t max, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, false, number_parse(arg, min, max, value, why), why);
}

int option_code(const char *option, const char *arg, uint64_t max, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, true, number_parse(arg, 0, max, value, why), why);
}

int option_seconds(const char *option, const char *arg, uint64_t *ns)
{
	char why[NUMBER_WHY_SIZE];

	return finish(option, arg, false, number_parse_seconds(arg, ns, why), why);
}
