/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * proc/cpuinfo of x86 (Linux arch/x86/kernel/cpu/proc.c): "key<TAB>: value" lines, one block per
 * CPU. Other architectures use the same words for other things: Itanium says "vendor: GenuineIntel"
 * and "family: 32", s390 has a "vendor_id". Only "vendor_id", "cpu family" and "model" together are
 * x86. POWER has "cpu" and, with the processor version register, "revision".
 */
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "machine/cpuinfo.h"

/*
 * The value of @key in the first block of @text, not terminated: it ends at the line end. NULL: no
 * such line, or it was cut off.
 */
static const char *find_value(const char *text, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *end; *text && *text != '\n'; text = end + 1) {
		const char *p = text + key_len;

		end = strchr(text, '\n');
		if (!end)
			return NULL;
		if (strncmp(text, key, key_len) != 0)
			continue;
		p += strspn(p, " \t");
		if (*p != ':')
			continue;
		p++;
		p += strspn(p, " \t");
		*len = p < end ? (size_t)(end - p) : 0;
		return p;
	}
	return NULL;
}

static int find_number(const char *text, const char *key)
{
	size_t len;
	const char *value = find_value(text, key, &len), *at = value;
	unsigned n;

	if (!value || !um_read_decimal(&at, 0xffff, &n))
		return -1;
	return at + strspn(at, " \t") == value + len ? (int)n : -1;
}

int um_cpuinfo_flag(const char *text, const char *flag)
{
	size_t len;
	const char *p = find_value(text, "flags", &len), *end;

	if (!p)
		return -1;
	for (end = p + len; p < end;) {
		size_t word = strcspn(p, " \t\n");

		if (um_is_exactly(p, word, flag))
			return 1;
		p += word;
		p += strspn(p, " \t");
	}
	return 0;
}

static void copy_value(char *to, size_t size, const char *value, size_t len)
{
	snprintf(to, size, "%.*s", value ? (int)len : 0, value ? value : "");
	len = strlen(to);
	while (len && (to[len - 1] == ' ' || to[len - 1] == '\t'))
		to[--len] = '\0';
}

static bool decode(struct um_identity *id, const char *text)
{
	size_t vendor_len, brand_len = 0;
	const char *vendor = find_value(text, "vendor_id", &vendor_len);
	const char *brand = find_value(text, "model name", &brand_len);
	int family = find_number(text, "cpu family"), model = find_number(text, "model");

	if (!vendor || !vendor_len || family < 0 || model < 0)
		return false;
	copy_value(id->vendor, sizeof(id->vendor), vendor, vendor_len);
	copy_value(id->brand, sizeof(id->brand), brand, brand_len);
	id->family = family;
	id->model = model;
	id->stepping = find_number(text, "stepping");
	id->hypervisor = um_cpuinfo_flag(text, "hypervisor");
	return true;
}

/* "revision : 2.2 (pvr 004e 1202)" (Linux arch/powerpc/kernel/setup-common.c, show_cpuinfo()). */
static bool decode_power(struct um_identity *id, const char *text)
{
	size_t len = 0, brand_len = 0;
	const char *revision = find_value(text, "revision", &len);
	const char *brand = find_value(text, "cpu", &brand_len);
	unsigned high, low;
	char line[64];

	copy_value(line, sizeof(line), revision, len);
	if (!brand || !strstr(line, "(pvr ") || sscanf(strstr(line, "(pvr "), "(pvr %4x %4x)", &high, &low) != 2)
		return false;
	copy_value(id->vendor, sizeof(id->vendor), "IBM", 3);
	copy_value(id->brand, sizeof(id->brand), brand, brand_len);
	id->pvr = high << 16 | low;
	return true;
}

/*
 * The name of an architecture that this library does not support, from a line in cpuinfo; NULL: neither Itanium nor
 * s390.
 */
static const char *foreign(const char *text)
{
	static const struct { const char *key, *value, *name; } rows[] = {
		{ "arch", "IA-64", "Itanium" },
		{ "vendor_id", "IBM/S390", "s390" },
	};
	size_t len;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *value = find_value(text, rows[i].key, &len);

		if (value && um_is_exactly(value, len, rows[i].value))
			return rows[i].name;
	}
	return NULL;
}

int um_cpuinfo_block(struct um_access *a, char text[UM_CPUINFO_SIZE])
{
	ssize_t len = a->ops->read_text(a, "proc/cpuinfo", text, UM_CPUINFO_SIZE - 1);

	/* The last line of a file that was read to its end is complete. */
	if (len >= 0 && len < UM_CPUINFO_SIZE - 2)
		memcpy(text + len, "\n", 2);
	return len < 0 ? (int)len : 0;
}

bool um_cpuinfo_read(struct um_identity *id, struct um_access *a)
{
	char text[UM_CPUINFO_SIZE];

	if (um_cpuinfo_block(a, text))
		return false;
	if (decode(id, text) || decode_power(id, text))
		return true;
	id->foreign = foreign(text);
	return false;
}
