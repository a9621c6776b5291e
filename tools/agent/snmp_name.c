/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "agent/settings.h"

size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS])
{
	size_t num = 0;

	text += *text == '.';
	do {
		char *end;

		if (*text < '0' || *text > '9' || num == SNMP_MOST_PARTS)
			return 0;
		parts[num] = strtoul(text, &end, 10);
		if (parts[num++] > UINT32_MAX || (*end && *end != '.'))
			return 0;
		text = *end ? end + 1 : end;
		if (*end && !*text)
			return 0;
	} while (*text);
	return num;
}
