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

static int64_t number(const struct uncoremsr_encoding *e, enum uncoremsr_encoding_property p)
{
	uint64_t v;

	return get_encoding_number(e, p, &v) ? -1 : (int64_t)v;
}

static uint64_t word(const struct uncoremsr_encoding *e, enum uncoremsr_encoding_property p)
{
	uint64_t v = 0;

	get_encoding_number(e, p, &v);
	return v;
}

static void put_text(char *to, size_t size, const char *text)
{
	CLAIM(!text || strlen(text) < size, "too long: %s", text);
	snprintf(to, size, "%s", text ? text : "");
}

static void put_texts(struct encoded *to, const struct uncoremsr_encoding *e)
{
	const struct { enum uncoremsr_encoding_property p; char *at; size_t size; } texts[] = {
		{ UNCOREMSR_ENCODING_NAME, to->name, sizeof(to->name) },
		{ UNCOREMSR_ENCODING_PMU, to->pmu, sizeof(to->pmu) },
		{ UNCOREMSR_ENCODING_FAMILY, to->family, sizeof(to->family) },
		{ UNCOREMSR_ENCODING_FROM, to->from, sizeof(to->from) },
		{ UNCOREMSR_ENCODING_MODIFIERS, to->modifiers, sizeof(to->modifiers) },
		{ UNCOREMSR_ENCODING_CPUS, to->cpus, sizeof(to->cpus) },
		{ UNCOREMSR_ENCODING_SCALE, to->scale, sizeof(to->scale) },
		{ UNCOREMSR_ENCODING_MEASURE, to->measure, sizeof(to->measure) },
		{ UNCOREMSR_ENCODING_TERMS, to->terms, sizeof(to->terms) },
		{ UNCOREMSR_ENCODING_KERNEL_SCALE, to->kernel_scale, sizeof(to->kernel_scale) },
		{ UNCOREMSR_ENCODING_DESCRIPTION, to->description, sizeof(to->description) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		put_text(texts[i].at, texts[i].size, get_encoding_text(e, texts[i].p));
	put_text(to->event, sizeof(to->event), event_text(uncoremsr_encoding_event(e), UNCOREMSR_EVENT_NAME));
	for (const char *remark; (remark = uncoremsr_encoding_remark(e, to->num_remarks)); to->num_remarks++) {
		CLAIM(to->num_remarks < ARRAY_SIZE(to->remarks), "too many remarks");
		put_text(to->remarks[to->num_remarks], sizeof(to->remarks[0]), remark);
	}
}

static int keep(void *user, const struct uncoremsr_encoding *e)
{
	static size_t room;
	struct encoded *to;

	(void)user;
	if (num_encoded == room) {
		encoded = realloc(encoded, (room = room ? 2 * room : 8) * sizeof(*encoded));
		CLAIM(encoded, "out of memory");
	}
	to = &encoded[num_encoded++];
	memset(to, 0, sizeof(*to));
	put_texts(to, e);
	to->index = (unsigned)number(e, UNCOREMSR_ENCODING_EVENT);
	to->group = (unsigned)number(e, UNCOREMSR_ENCODING_GROUP);
	to->unit = number(e, UNCOREMSR_ENCODING_UNIT);
	to->units = number(e, UNCOREMSR_ENCODING_UNITS);
	to->type = number(e, UNCOREMSR_ENCODING_TYPE);
	to->selector = number(e, UNCOREMSR_ENCODING_SELECTOR);
	to->counter = number(e, UNCOREMSR_ENCODING_COUNTER);
	to->counters = number(e, UNCOREMSR_ENCODING_COUNTERS);
	to->fixed = number(e, UNCOREMSR_ENCODING_FIXED) == 1;
	to->word = word(e, UNCOREMSR_ENCODING_WORD);
	for (unsigned i = 0; i < 4; i++)
		to->config[i] = word(e, (enum uncoremsr_encoding_property)(UNCOREMSR_ENCODING_CONFIG + i));
	for (size_t i = 0; i < ARRAY_SIZE(to->registers); i++) {
		to->registers[i].msr = uncoremsr_encoding_register(e, i, &to->registers[i].use, &to->registers[i].mask,
								   &to->registers[i].value);
		if (!to->registers[i].msr)
			break;
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

	CLAIM(made || !uncoremsr_new(&made), "out of memory");
	return made;
}

int encode_on(const char *uarch, const char *text)
{
	return encode(tables(), UNCOREMSR_ROUTE_MSR, uarch, text);
}

const struct encoded *encode_one(const char *uarch, const char *text)
{
	int num = encode_on(uarch, text);

	CLAIM(num == 1 && num_encoded == 1, "%s: %s: %d %s", uarch, text, num, num < 0 ? encode_error : "");
	return encoded;
}

bool same_words(const struct encoded *a, const struct encoded *b)
{
	bool same = !strcmp(a->pmu, b->pmu) && a->unit == b->unit && a->fixed == b->fixed && a->word == b->word &&
		    a->selector == b->selector && a->counter == b->counter && a->counters == b->counters &&
		    a->type == b->type && !memcmp(a->config, b->config, sizeof(a->config)) &&
		    a->num_registers == b->num_registers;

	for (size_t i = 0; same && i < a->num_registers; i++)
		same = a->registers[i].msr == b->registers[i].msr && a->registers[i].mask == b->registers[i].mask &&
		       a->registers[i].value == b->registers[i].value;
	return same;
}

int64_t put_into(const struct encoded *ev, uint32_t msr)
{
	for (size_t i = 0; i < ev->num_registers; i++)
		if (ev->registers[i].msr == msr && ev->registers[i].use == UNCOREMSR_USE_EVENT)
			return (int64_t)ev->registers[i].value;
	return -1;
}

/* ---- a machine that is files in a folder ---- */

static char tree_dir[DIR_SIZE];
static struct uncoremsr *tree_um;

void tree_begin(unsigned intel_model)
{
	char text[256];

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
	remove_dir(tree_dir);
}

/* ---- properties of named events ---- */

const char *event_text(const struct uncoremsr_event *ev, enum uncoremsr_event_property p)
{
	const char *text = get_event_text(ev, p);

	return text ? text : "";
}

int64_t event_number(const struct uncoremsr_event *ev, enum uncoremsr_event_property p)
{
	uint64_t v;

	return get_event_number(ev, p, &v) ? -1 : (int64_t)v;
}
