/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the encodings of texts in the event language, for each processor in the tables and each route. An encoding
 * has the configuration words, the PMU and the unit, or the class of the error. Uses only the public headers.
 * tests/kept/run compares the output with the stored one.
 *
 * words FOLDER: encode every text. FOLDER has the file "texts", event lists in FOLDER/lists, and an invented list
 *	"listed.json" with its texts in "listed".
 * words corpus CORPUS TREES ['FILE ROUTE']: print a digest of the encodings of all names, for each list, sysfs tree
 *	and catalog; with 'FILE ROUTE' the encodings themselves. TREES is a folder with the unpacked sysfs trees.
 *
 * There is a block for each text: the text at the beginning of a line, then a line for each different encoding, with
 * the route and the processors that have this encoding; "*" stands for most processors. The routes are "msr" and
 * "perf"; "auto" is only printed if it differs from msr, or from perf where msr refuses the text.
 *
 * A processor is either one from the tables, with its PMUs in Linux where these are known (tests/unit/kernel_side.h),
 * or a built-in simulated machine ("sim:...").
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uncoremsr.h"
#include "uncoremsr/names.h"
#include "uncoremsr/sim.h"
#include "unit/kernel_cases.h"

#define SIZE_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { MAX_PROCESSORS = 256, MANY = 12, ONE_BAD_OF = 6 };

static void die(const char *what)
{
	fprintf(stderr, "words: %s\n", what);
	exit(3);
}

/* Exit status 77: this build of the library lacks a feature (JSON or flat device trees). */
static void die_of(struct uncoremsr *um, int err)
{
	fprintf(stderr, "words: %s\n", uncoremsr_error(um)->message);
	exit(err == -ENOTSUP ? 77 : 3);
}

static void *need(void *p)
{
	if (!p)
		die("out of memory");
	return p;
}

/* ---- a text that grows ---- */

struct text {
	char *s;
	size_t len, size;
};

__attribute__((format(printf, 2, 3)))
static void append(struct text *t, const char *format, ...)
{
	va_list ap;
	int n;

	if (!t->s)
		t->s = need(malloc(t->size = 4096));
	va_start(ap, format);
	n = vsnprintf(t->s + t->len, t->size - t->len, format, ap);
	va_end(ap);
	if ((size_t)n >= t->size - t->len) {
		t->s = need(realloc(t->s, t->size = 2 * (t->len + (size_t)n + 1)));
		va_start(ap, format);
		vsnprintf(t->s + t->len, t->size - t->len, format, ap);
		va_end(ap);
	}
	t->len += (size_t)n;
}

static void empty(struct text *t)
{
	append(t, "%s", "");
	t->s[t->len = 0] = '\0';
}

/* ---- texts and encodings: each string is stored once ---- */

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static const char *keep(const char *s)
{
	static void *strings;
	const char **kept = need(tsearch(s, &strings, compare));

	if (*kept == s)
		*kept = need(strdup(s));
	return *kept;
}

static const char *processors[MAX_PROCESSORS];
static unsigned num_processors;

struct answer {
	const char *text, *route, *says;
	unsigned processor;
};
static struct answer *answers;
static size_t num_answers, size_answers;

static void add_answer(const char *text, const char *route, const char *says, unsigned processor)
{
	if (num_answers == size_answers)
		answers = need(realloc(answers, (size_answers = size_answers ? 2 * size_answers : 1 << 16) *
					sizeof(*answers)));
	answers[num_answers++] = (struct answer){ text, keep(route), keep(says), processor };
}

/* ---- an answer ---- */

/* Collects the encodings of one text. Encodings that differ only in the unit of a kernel PMU are joined. */
struct saying {
	const char *asked;
	struct text *to, one, last;
	unsigned num, units;
	uint64_t digest;
};

static void put_text(struct text *t, const char *key, const char *s, const char *usual)
{
	if (s && *s && (!usual || strcmp(s, usual)))
		append(t, " %s=%s", key, s);
}

static void put_msr(struct text *t, const struct uncoremsr_encoding *e)
{
	static const char *const uses[] = { "", "switch", "shared" };
	const struct uncoremsr_register_bits *b;

	append(t, "%s", e->pmu);
	if (e->unit >= 0)
		append(t, "#%d", e->unit);
	append(t, " %" PRIx64, e->word);
	if (!e->fixed)
		append(t, " on %" PRIx64, e->counters);
	append(t, " %" PRIx64 "+%" PRIx64, e->selector == UINT64_MAX ? 0 : e->selector, e->counter);
	for (size_t i = 0; (b = e->registers[i]); i++) {
		append(t, " %s%" PRIx32 "=%" PRIx64, uses[b->use], b->address, b->value);
		if (b->mask != UINT64_MAX)
			append(t, "/%" PRIx64, b->mask);
	}
	put_text(t, "terms", e->terms, NULL);
}

static void put_perf(struct text *t, const struct uncoremsr_encoding *e)
{
	append(t, "%s", e->family);
	append(t, " %" PRIx64, e->config[0]);
	for (unsigned i = 1; i < 4; i++)
		if (e->config[i])
			append(t, " config%u=%" PRIx64, i, e->config[i]);
	if (e->type == UINT64_MAX)
		append(t, " absent");
	put_text(t, "mods", e->modifiers, NULL);
	put_text(t, "scale", e->scale, "1");
	put_text(t, "in", e->measure, NULL);
}

static void put_both(struct text *t, const struct uncoremsr_encoding *e, const char *asked)
{
	unsigned remarks = 0;

	put_text(t, "kernel_scale", e->kernel_scale, NULL);
	put_text(t, "from", e->event ? e->event->from : NULL, "table");
	put_text(t, "name", e->name, asked);
	while (e->remarks[remarks])
		remarks++;
	if (remarks)
		append(t, " remarks=%u", remarks);
	if (e->group)
		append(t, " group=%" PRIu64, e->group);
}

static void end_units(struct saying *y)
{
	if (y->units > 1)
		append(y->to, " units=%u", y->units);
	y->units = 0;
}

static int say(void *user, const struct uncoremsr_encoding *e)
{
	struct saying *y = user;
	int perf = e->route == UNCOREMSR_ROUTE_PERF;

	empty(&y->one);
	if (perf)
		put_perf(&y->one, e);
	else
		put_msr(&y->one, e);
	put_both(&y->one, e, y->asked);
	for (const char *c = y->one.s; *c; c++)
		y->digest = (y->digest ^ (unsigned char)*c) * 0x100000001b3;
	if (perf && e->unit && y->units && !strcmp(y->one.s, y->last.s)) {
		y->units++;
		return 0;
	}
	end_units(y);
	empty(&y->last);
	append(&y->last, "%s", y->one.s);
	y->units = 1;
	append(y->to, "%s%s", y->num++ ? " | " : "", y->one.s);
	/* Leave out dynamic types (PERF_TYPE_MAX and above): they differ between units whose encodings are joined. */
	if (perf && e->type < PERF_TYPE_MAX)
		append(y->to, " type=%" PRIu64, e->type);
	return 0;
}

static void put_error(struct text *t, struct uncoremsr *um, int err)
{
	static const char *const classes[] = { "none", "partial", "usage", "unsupported", "access" };
	empty(t);
	append(t, "refused: %s %s", classes[uncoremsr_error(um)->error_class],
	       err == -ENOTSUP ? "ENOTSUP" : strerrorname_np(-err));
}

static void ask(struct text *to, struct uncoremsr *um, enum uncoremsr_route route, const char *uarch,
		const char *text)
{
	static struct text one, last;
	struct saying y = { .asked = text, .to = to, .one = one, .last = last, .digest = 0xcbf29ce484222325 };
	int num;

	empty(to);
	num = uncoremsr_encode(um, route, uarch, text, say, &y);
	one = y.one;
	last = y.last;
	if (num < 0) {
		put_error(to, um, num);
		return;
	}
	end_units(&y);
	if (y.num > MANY) {
		empty(to);
		append(to, "%d events of digest %" PRIx64, num, y.digest);
	}
}

/* ---- a processor and its texts ---- */

struct processor {
	struct uncoremsr *um;
	const char *uarch; /* name in the tables; NULL: the simulated machine's processor */
	int machine;       /* simulated, so it has kernel PMUs as well */
	unsigned index;
	const char **texts;
	size_t num, size;
};

static void add_text(struct processor *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_text(struct processor *p, const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (p->num == p->size)
		p->texts = need(realloc(p->texts, (p->size = p->size ? 2 * p->size : 1024) * sizeof(*p->texts)));
	p->texts[p->num++] = keep(text);
}

static void add_names(struct processor *p, int spellings)
{
	const struct uncoremsr_spelling *s;
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(p->um, p->uarch, i)); i++) {
		const char *name = ev->name;
		const char *pmu = ev->pmu;

		add_text(p, "%s", name);
		if (strcmp(ev->from, "table") && strcmp(ev->from, "list"))
			continue;
		if (pmu && !strchr(name, '/'))
			add_text(p, "%s/%s/", pmu, name);
		if (pmu && ev->ports > 0)
			add_text(p, "%s/%s,port=1/", pmu, name);
		for (size_t k = 0; spellings && (s = ev->spellings[k]); k++)
			add_text(p, "%s", s->text);
	}
}

/* Each term is added without a value, with its maximum, and with its maximum plus 1. */
static void add_pmu(struct processor *p, const struct uncoremsr_pmu *pmu)
{
	static const char *const modifiers[] = { "edge", "e", "inv", "cmask=1", "cmask=255", "cmask=256", "t=3", "u", "k",
						 "raw=0x80000000" };
	const struct uncoremsr_fixed_counter *fixed;
	const struct uncoremsr_term *t;
	const char *name = pmu->name;

	add_text(p, "%s/event=0x1/", name);
	add_text(p, "%s0/event=0x1/", name);
	add_text(p, "%s/event=0x1,umask=0x3/", name);
	add_text(p, "%s/raw=0xffffffffffffffff/", name);
	add_text(p, "%s/config=0x1/", name);
	for (size_t i = 0; (t = pmu->terms[i]); i++) {
		uint64_t top = t->bits && t->bits < 64 ? (UINT64_C(1) << t->bits) - 1 : UINT64_MAX;
		const char *term = t->name;

		add_text(p, "%s/%s/", name, term);
		add_text(p, "%s/event=0x1,%s=0x%" PRIx64 "/", name, term, top);
		if (top != UINT64_MAX)
			add_text(p, "%s/event=0x1,%s=0x%" PRIx64 "/", name, term, top + 1);
		if (strncmp(term, "filter", 6))
			continue;
		/* A filter is accepted only with certain events, so each filter is tried with some events. */
		add_text(p, "%s/event=0x34,umask=0x3,%s=0x1/", name, term);
		add_text(p, "%s/event=0x35,umask=0x1,%s=0x1/", name, term);
		add_text(p, "%s/event=0x35,umask=0x21,%s=0x1/", name, term);
		add_text(p, "%s/event=0x36,umask=0x43,%s=0x1/", name, term);
	}
	for (size_t i = 0; (fixed = pmu->fixed[i]); i++)
		add_text(p, "%s/%s/", name, fixed->event);
	for (size_t i = 0; i < SIZE_OF(modifiers); i++)
		add_text(p, "%s/event=0x1/:%s", name, modifiers[i]);
	add_text(p, "{%s/event=0x1/,%s/event=0x2/}", name, name);
	add_text(p, "{%s/event=0x1/,%s0/event=0x2/},%s/event=0x3/", name, name, name);
}

/* FNV-1a */
static unsigned hash_of(const char *text)
{
	unsigned hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash ^ hash >> 16;
}

/*
 * Wrong texts are made of some correct texts: truncated, doubled, out of range, with an unknown term or an extra
 * letter. A wrong text depends on one correct text only, so a new name does not change any other wrong text.
 */
static void add_bad(struct processor *p)
{
	const size_t good = p->num;

	for (size_t i = 0; i < good; i++) {
		const char *text = p->texts[i];
		unsigned hash = hash_of(text), len = (unsigned)strlen(text), at = len ? hash / 1000 % len : 0;
		int cut = (int)at;

		if (hash % ONE_BAD_OF)
			continue;
		switch (hash / ONE_BAD_OF % 6) {
		case 0:
			add_text(p, "%.*s", cut, text);
			break;
		case 1:
			add_text(p, "%s%s", text, text);
			break;
		case 2:
			add_text(p, "%s:cmask=0x1%08x", text, hash);
			break;
		case 3:
			add_text(p, "%.*snosuch=1,%s", cut, text, text + cut);
			break;
		case 4:
			add_text(p, "%.*sx%s", cut, text, text + cut);
			break;
		default:
			add_text(p, "%s%c", text + cut, hash & 0x80 ? '/' : ':');
		}
	}
}

static void ask_all(struct processor *p)
{
	static struct text msr, perf, both;

	for (size_t i = 0; i < p->num; i++) {
		const char *text = p->texts[i];

		ask(&msr, p->um, UNCOREMSR_ROUTE_MSR, p->uarch, text);
		add_answer(text, "msr", msr.s, p->index);
		if (!p->machine)
			continue;
		ask(&perf, p->um, UNCOREMSR_ROUTE_PERF, p->uarch, text);
		add_answer(text, "perf", perf.s, p->index);
		ask(&both, p->um, UNCOREMSR_ROUTE_AUTO, p->uarch, text);
		if (strcmp(both.s, strncmp(msr.s, "refused", 7) ? msr.s : perf.s))
			add_answer(text, "auto", both.s, p->index);
	}
}

/* ---- choice of processors ---- */

static const struct kernel_case *case_of(const char *uarch)
{
	for (size_t i = 0; uarch && i < SIZE_OF(cases); i++)
		if (!strcmp(cases[i].uarch, uarch))
			return &cases[i];
	return NULL;
}

static struct uncoremsr *handle(const char *machine)
{
	struct uncoremsr *um;
	int err = 0;

	if (uncoremsr_new(&um))
		die("out of memory");
	if (machine && (err = uncoremsr_set_machine(um, machine)) == 0)
		err = uncoremsr_open(um);
	if (err)
		die_of(um, err);
	return um;
}

/* Open a machine with the kernel PMUs of @of. If @of is NULL, the handle has only the tables. */
static struct uncoremsr *handle_of(const struct kernel_case *of)
{
	char path[] = "/tmp/words-XXXXXX", machine[64];
	struct uncoremsr *um;
	FILE *f;
	int fd;

	if (!of)
		return handle(NULL);
	fd = mkstemp(path);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		die("no temporary file");
	describe_case(f, of);
	fclose(f);
	snprintf(machine, sizeof(machine), "sim:%s", path);
	um = handle(machine);
	unlink(path);
	return um;
}

static void add_list(struct uncoremsr *um, const char *path)
{
	int num = uncoremsr_event_list_add(um, path);

	if (num < 0)
		die_of(um, num);
}

static char **shared; /* lines of the file "texts" */
static size_t num_shared;

static void begin(struct processor *p, const char *name, struct uncoremsr *um)
{
	*p = (struct processor){ .um = um, .index = num_processors };
	if (num_processors == MAX_PROCESSORS)
		die("too many processors");
	processors[num_processors++] = keep(name);
	for (size_t i = 0; i < num_shared; i++)
		add_text(p, "%s", shared[i]);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void end(struct processor *p)
{
	size_t n = 0;

	add_bad(p);
	qsort(p->texts, p->num, sizeof(*p->texts), compare_texts);
	for (size_t i = 0; i < p->num; i++)
		if (!i || p->texts[i] != p->texts[i - 1])
			p->texts[n++] = p->texts[i];
	p->num = n;
	ask_all(p);
	uncoremsr_free(p->um);
	free(p->texts);
}

static void of_tables(const char *folder, const char *uarch)
{
	const struct kernel_case *of = case_of(uarch);
	const struct uncoremsr_pmu *pmu;
	struct processor p;
	char path[512];

	begin(&p, uarch, handle_of(of));
	p.machine = of != NULL;
	p.uarch = of ? NULL : uarch;
	snprintf(path, sizeof(path), "%s/lists/%s.json", folder, uarch);
	if (!access(path, R_OK))
		add_list(p.um, path);
	add_names(&p, 1);
	for (size_t i = 0; (pmu = uncoremsr_pmu(p.um, uarch, i)); i++)
		add_pmu(&p, pmu);
	for (size_t i = 0; of && (pmu = uncoremsr_pmu(p.um, "kernel", i)); i++)
		add_pmu(&p, pmu);
	end(&p);
}

static void of_machine(const char *name, const char *keys)
{
	const struct uncoremsr_pmu *pmu, *before = NULL;
	const struct uncoremsr_event *ev;
	struct processor p;
	char machine[128];

	snprintf(machine, sizeof(machine), "sim:%s%s", name, keys);
	begin(&p, machine, handle(machine));
	p.machine = 1;
	for (size_t i = 0; (pmu = uncoremsr_pmu(p.um, "kernel", i)); i++) {
		const char *kernel = pmu->kernel_name;
		const char *last = before ? before->kernel_name : "";

		if (strcmp(kernel ? kernel : "", last ? last : ""))
			add_pmu(&p, pmu);
		before = pmu;
	}
	/* Names from the tables are already tested for the processor of this machine. */
	for (size_t i = 0; (ev = uncoremsr_event(p.um, NULL, i)); i++)
		if (strcmp(ev->from, "table"))
			add_text(&p, "%s", ev->name);
	end(&p);
}

static void of_list(const char *folder, const char *uarch, const char *machine)
{
	const struct kernel_case *of = case_of(uarch);
	struct processor p;
	char path[512];

	snprintf(path, sizeof(path), "%s+list", machine ? machine : uarch);
	begin(&p, path, machine ? handle(machine) : handle_of(of));
	p.machine = machine || of;
	p.uarch = p.machine ? NULL : uarch;
	snprintf(path, sizeof(path), "%s/listed.json", folder);
	add_list(p.um, path);
	end(&p);
}

/* ---- output of encodings ---- */

static int compare_answers(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;
	int d = strcmp(x->text, y->text);

	d = d ? d : strcmp(x->route, y->route);
	d = d ? d : strcmp(x->says, y->says);
	return d ? d : (int)x->processor - (int)y->processor;
}

static void print_route(const struct answer *a, size_t num)
{
	size_t most = 0, most_num = 0, n;

	for (size_t i = 0; i < num; i += n) {
		for (n = 1; i + n < num && a[i + n].says == a[i].says; n++)
			;
		if (n > most_num) {
			most = i;
			most_num = n;
		}
	}
	for (size_t i = 0; i < num; i += n) {
		for (n = 1; i + n < num && a[i + n].says == a[i].says; n++)
			;
		printf("\t%s\t%s\t", a->route, a[i].says);
		if (i == most && n > 3)
			printf("*");
		for (size_t k = 0; (i != most || n <= 3) && k < n; k++)
			printf("%s%s", k ? " " : "", processors[a[i + k].processor]);
		putchar('\n');
	}
}

static void print_all(void)
{
	size_t n;

	qsort(answers, num_answers, sizeof(*answers), compare_answers);
	printf("processors");
	for (unsigned i = 0; i < num_processors; i++)
		printf(" %s", processors[i]);
	putchar('\n');
	for (size_t i = 0; i < num_answers; i += n) {
		for (n = 1; i + n < num_answers && answers[i + n].text == answers[i].text &&
			    answers[i + n].route == answers[i].route; n++)
			;
		if (!i || answers[i].text != answers[i - 1].text)
			printf("%s\n", answers[i].text);
		print_route(&answers[i], n);
	}
}

/* Read the lines of a file, without comments and empty lines. */
static char **lines_of(const char *folder, const char *name, size_t *num)
{
	char path[512], line[2048], **lines = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "r");
	if (!f)
		die(path);
	*num = 0;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || !*line)
			continue;
		lines = need(realloc(lines, (*num + 1) * sizeof(*lines)));
		lines[(*num)++] = need(strdup(line));
	}
	fclose(f);
	return lines;
}

static void all_texts(const char *folder)
{
	static const char *const listed[] = { "skylake-sp", "haswell-ep", "sandybridge-ep", "ivybridge-ep", "sandybridge",
					      "knightslanding", "graniterapids", "zen" };
	const struct uncoremsr_uarch *u;
	const char *name;

	shared = lines_of(folder, "texts", &num_shared);
	for (size_t i = 0; (u = uncoremsr_uarch(i)); i++)
		if (u->tables)
			of_tables(folder, u->name);
	of_tables(folder, "core");
	for (size_t i = 0; (name = uncoremsr_sim_machine(i, NULL)); i++)
		of_machine(name, "");
	of_machine("westmere-2s", ",kernel_uncore=yes");
	of_machine("nehalem-1s", ",kernel_uncore=yes");
	shared = lines_of(folder, "listed", &num_shared);
	for (size_t i = 0; i < SIZE_OF(listed); i++)
		of_list(folder, listed[i], NULL);
	of_list(folder, NULL, "sim:alderlake-hybrid");
	of_list(folder, NULL, "sim:skylake-sp-perf");
	print_all();
}

/* ---- names in the corpus: print a digest for each file, or the encodings ---- */

static const char *wanted; /* "FILE ROUTE" for which encodings are printed; NULL: print digests */

/* Encode all event names of @um that are from the source @from (NULL: any source), and print a row. Frees @um. */
static void corpus_row(struct uncoremsr *um, const char *file, const char *route, const char *uarch, const char *from)
{
	enum uncoremsr_route r = strcmp(route, "msr") ? UNCOREMSR_ROUTE_PERF : UNCOREMSR_ROUTE_MSR;
	unsigned num = 0, refused = 0;
	uint64_t digest = 0xcbf29ce484222325;
	const struct uncoremsr_event *ev;
	static struct text says, line;
	char with_pmu[200];

	for (size_t i = 0; (ev = uncoremsr_event(um, uarch, i)); i++) {
		const char *name = ev->name;

		if (from && strcmp(ev->from, from))
			continue;
		/* Several kernel PMUs for in-memory counters have events with the same names. */
		snprintf(with_pmu, sizeof(with_pmu), "%s/%s/", ev->pmu, name);
		name = ev->level && !strcmp(ev->from, "kernel") ? with_pmu : name;
		ask(&says, um, r, uarch, name);
		num++;
		refused += !strncmp(says.s, "refused", 7);
		empty(&line);
		append(&line, "%s\t%s\n", name, says.s);
		for (const char *c = line.s; *c; c++)
			digest = (digest ^ (unsigned char)*c) * 0x100000001b3;
		if (wanted)
			fputs(line.s, stdout);
	}
	if (!wanted)
		printf("%s\t%s\t%u names\t%u refused\t%016" PRIx64 "\n", file, route, num, refused, digest);
	uncoremsr_free(um);
}

static int wants(const char *file, const char *route)
{
	size_t len = strlen(file);

	return !wanted || (!strncmp(wanted, file, len) && wanted[len] == ' ' && !strcmp(wanted + len + 1, route));
}

/* Encode the event lists for processors in the tables, with the PMUs that Linux has according to kernel_side.h. */
static void corpus_lists(const char *corpus)
{
	char path[1024];

	for (size_t i = 0; i < SIZE_OF(cases); i++)
		for (size_t k = 0; k < SIZE_OF(cases[i].lists) && cases[i].lists[k]; k++) {
			const char *list = cases[i].lists[k];
			struct uncoremsr *um;

			snprintf(path, sizeof(path), "%s/perfmon/%s", corpus, list);
			for (int perf = 0; perf < 2; perf++) {
				if (!wants(list, perf ? "perf" : "msr"))
					continue;
				um = handle_of(&cases[i]);
				add_list(um, path);
				corpus_row(um, list, perf ? "perf" : "msr", NULL, "list");
			}
		}
}

/* Recorded sysfs trees: the events that the kernel exports there, and the event lists for these processors. */
static void corpus_trees(const char *corpus, const char *trees)
{
	static const struct { const char *tree, *uarch; } of[] = {
		{ "adl", "alderlake" }, { "jkt", "sandybridge-ep" }, { "skx", "skylake-sp" }, { "snb", "sandybridge" },
		{ "spr", "sapphirerapids" }, { "sysfs_p9_2chip", NULL },
	};
	char machine[1024], row[256], path[1024];

	for (size_t i = 0; i < SIZE_OF(of); i++) {
		const struct kernel_case *c = case_of(of[i].uarch);

		snprintf(machine, sizeof(machine), "root:%s/%s", trees, of[i].tree);
		if (wants(of[i].tree, "perf"))
			corpus_row(handle(machine), of[i].tree, "perf", NULL, "kernel");
		for (size_t k = 0; c && k < SIZE_OF(c->lists) && c->lists[k]; k++) {
			struct uncoremsr *um;

			snprintf(row, sizeof(row), "%s+%s", of[i].tree, c->lists[k]);
			if (!wants(row, "perf"))
				continue;
			um = handle(machine);
			snprintf(path, sizeof(path), "%s/perfmon/%s", corpus, c->lists[k]);
			add_list(um, path);
			corpus_row(um, row, "perf", NULL, "list");
		}
	}
}

static void corpus_catalogs(const char *corpus)
{
	static const struct { const char *machine, *file; } of[] = {
		{ "power9-2s", "81E00612.4E0200.dtb" }, { "power10-2s", "81E00612.800200.dtb" },
		{ "power9-2s", "live_p9_2chip.dtb" }, { "power9-2s", "synthetic_inherit.dtb" },
	};
	char machine[1024];

	for (size_t i = 0; i < SIZE_OF(of); i++) {
		snprintf(machine, sizeof(machine), "sim:%s,catalog=%s/imc/%s", of[i].machine, corpus, of[i].file);
		if (wants(of[i].file, "perf"))
			corpus_row(handle(machine), of[i].file, "perf", NULL, NULL);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2) {
		all_texts(argv[1]);
	} else if ((argc == 4 || argc == 5) && !strcmp(argv[1], "corpus")) {
		wanted = argv[4];
		corpus_lists(argv[2]);
		corpus_trees(argv[2], argv[3]);
		corpus_catalogs(argv[2]);
	} else {
		die("usage: words FOLDER | words corpus CORPUS TREES ['FILE ROUTE']");
	}
	return fflush(stdout) ? 3 : 0;
}
