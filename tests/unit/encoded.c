/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "encoded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers.h"

struct encoded *encoded;
size_t num_encoded;
const char *encode_error, *encode_hint;
enum uncoremsr_error_class encode_class;

static void put_text(char *to, size_t size, const char *text)
{
	ck_assert_msg(!text || strlen(text) < size, "too long: %s", text);
	snprintf(to, size, "%s", text ? text : "");
}

static void put_texts(struct encoded *to, const struct uncoremsr_encoding *e)
{
	const struct { const char *text; char *at; size_t size; } texts[] = {
		{ e->name, to->name, sizeof(to->name) },
		{ e->pmu, to->pmu, sizeof(to->pmu) },
		{ e->family, to->family, sizeof(to->family) },
		{ e->event ? e->event->from : NULL, to->from, sizeof(to->from) },
		{ e->modifiers, to->modifiers, sizeof(to->modifiers) },
		{ e->cpus, to->cpus, sizeof(to->cpus) },
		{ e->scale, to->scale, sizeof(to->scale) },
		{ e->measure, to->measure, sizeof(to->measure) },
		{ e->terms, to->terms, sizeof(to->terms) },
		{ e->event ? e->event->name : NULL, to->event, sizeof(to->event) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		put_text(texts[i].at, texts[i].size, texts[i].text);
	for (; e->remarks[to->num_remarks]; to->num_remarks++) {
		ck_assert_msg(to->num_remarks < ARRAY_SIZE(to->remarks), "too many remarks");
		put_text(to->remarks[to->num_remarks], sizeof(to->remarks[0]), e->remarks[to->num_remarks]);
	}
}

static int keep(void *user, const struct uncoremsr_encoding *e)
{
	static size_t room;
	struct encoded *to;

	(void)user;
	if (num_encoded == room) {
		encoded = realloc(encoded, (room = room ? 2 * room : 8) * sizeof(*encoded));
		ck_assert_msg(encoded, "out of memory");
	}
	to = &encoded[num_encoded++];
	memset(to, 0, sizeof(*to));
	put_texts(to, e);
	to->unit = e->unit;
	to->units = e->units;
	to->type = (int64_t)e->type;
	to->selector = (int64_t)e->selector;
	to->counter = (int64_t)e->counter;
	to->core_type = e->core_type;
	to->fixed = e->fixed == 1;
	to->counters = to->fixed ? -1 : (int64_t)e->counters;
	if (e->route == UNCOREMSR_ROUTE_MSR)
		to->word = e->word;
	else
		memcpy(to->config, e->config, sizeof(to->config));
	for (size_t i = 0; e->registers[i]; i++) {
		ck_assert_msg(i < ARRAY_SIZE(to->registers), "too many registers");
		to->registers[i] = *e->registers[i];
		to->num_registers++;
	}
	return 0;
}

int encode(struct uncoremsr *on, enum uncoremsr_route route, const char *uarch, const char *text)
{
	int num;

	num_encoded = 0;
	num = uncoremsr_encode(on, route, uarch, text, keep, NULL);
	encode_error = uncoremsr_error(on)->message;
	encode_hint = uncoremsr_error(on)->hint;
	encode_class = uncoremsr_error(on)->error_class;
	return num;
}

struct uncoremsr *tables(void)
{
	static struct uncoremsr *made;

	ck_assert_msg(made || !uncoremsr_new(&made), "out of memory");
	return made;
}

int encode_on(const char *uarch, const char *text)
{
	return encode(tables(), UNCOREMSR_ROUTE_MSR, uarch, text);
}

const struct encoded *encode_one(const char *uarch, const char *text)
{
	int num = encode_on(uarch, text);

	ck_assert_msg(num == 1 && num_encoded == 1, "%s: %s: %d %s", uarch, text, num, num < 0 ? encode_error : "");
	return encoded;
}

bool same_words(const struct encoded *a, const struct encoded *b)
{
	bool same = !strcmp(a->pmu, b->pmu) && a->unit == b->unit && a->fixed == b->fixed && a->word == b->word &&
		    a->selector == b->selector && a->counter == b->counter && a->counters == b->counters &&
		    a->type == b->type && !memcmp(a->config, b->config, sizeof(a->config)) &&
		    a->num_registers == b->num_registers;

	for (size_t i = 0; same && i < a->num_registers; i++)
		same = a->registers[i].address == b->registers[i].address && a->registers[i].mask == b->registers[i].mask &&
		       a->registers[i].value == b->registers[i].value;
	return same;
}

/* ---- a machine made of files in a folder ---- */

static char tree_dir[DIR_SIZE];
static struct uncoremsr *tree_um;

void tree_begin(unsigned intel_model)
{
	char text[256];

	tree_end();
	make_dir(tree_dir);
	if (!intel_model)
		return;
	snprintf(text, sizeof(text), "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %u\n"
		 "stepping\t: 4\nphysical id\t: 0\ncore id\t\t: 0\n\n", intel_model);
	tree_add("proc/cpuinfo", text);
	tree_add("sys/devices/system/cpu/online", "0\n");
	tree_add("sys/devices/system/cpu/possible", "0\n");
	tree_add("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n");
	tree_add("sys/devices/system/cpu/cpu0/topology/core_id", "0\n");
}

void tree_add(const char *path, const char *text)
{
	write_text(tree_dir, path, text);
}

const char *tree_path(const char *path)
{
	static char paths[2][256];
	static unsigned next;
	char *at = paths[next++ % 2];

	snprintf(at, sizeof(paths[0]), "%s/%s", tree_dir, path);
	return at;
}

#define DEVICES "sys/bus/event_source/devices/"

void tree_pmu(const char *name, const char *type, const char *formats, const char *cpumask)
{
	char path[128], content[64], format[32], bits[32];

	snprintf(path, sizeof(path), DEVICES "%s/type", name);
	tree_add(path, type);
	snprintf(path, sizeof(path), DEVICES "%s/cpumask", name);
	if (cpumask)
		tree_add(path, cpumask);
	for (int len; sscanf(formats, "%31s %31[^;]%n", format, bits, &len) == 2; formats += len) {
		snprintf(path, sizeof(path), DEVICES "%s/format/%s", name, format);
		snprintf(content, sizeof(content), "config%s%s\n", strchr(bits, ':') ? "" : ":", bits);
		tree_add(path, content);
		len += formats[len] == ';';
	}
}

struct uncoremsr *tree(void)
{
	char what[DIR_SIZE + 8];

	if (!tree_um) {
		snprintf(what, sizeof(what), "root:%s", tree_dir);
		ck_assert_int_eq(uncoremsr_new(&tree_um), 0);
		ck_assert_int_eq(uncoremsr_set_machine(tree_um, what), 0);
		snprintf(what, sizeof(what), "%s/proc", tree_dir);
		ck_assert_msg(access(what, F_OK) || !uncoremsr_open(tree_um), "%s", uncoremsr_error(tree_um)->message);
	}
	return tree_um;
}

int tree_encode(const char *uarch, const char *text)
{
	return encode(tree(), UNCOREMSR_ROUTE_PERF, uarch, text);
}

void tree_end(void)
{
	uncoremsr_free(tree_um);
	tree_um = NULL;
	if (*tree_dir)
		remove_dir(tree_dir);
	*tree_dir = '\0';
}
