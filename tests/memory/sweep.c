/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * usage: sweep [--sample=N] [--places] [--only=TEXT] [--show=N] PLAN
 * Runs each command of PLAN many times and makes another memory allocation fail each time. If the command has more
 * than MOST allocations, or with --places, only the first one of each call stack fails. For the first allocation of a call
 * stack there is a second run, in which all later allocations fail, too. Prints a line for each command, and at most
 * --show errors per command (default 8). Exit status 1 if there was an error.
 * --sample: choose N allocations of each command at random. The seed is printed; SEED in the environment sets it.
 * --only: run only the commands that contain TEXT.
 *
 * After a failed allocation, all of this must hold:
 * - no crash, no hang, and an exit status that all tools have in common (or that of the undisturbed run);
 * - either the same output and status as in the undisturbed run, or a status other than 0 and a line with the reason;
 * - no line on standard output with a number that the same line of the undisturbed run does not have, unless it
 *   says that something is unknown;
 * - with --trace, every register has its old value at the end, or standard error names the register;
 * - the "check" command of the plan succeeds.
 *
 * A line of PLAN is a command (words separated by blanks, or in single quotes), or one of
 *   setup: COMMAND   run once by sh, for the commands that follow
 *   before: COMMAND  run by sh before each run; "before:" alone ends this
 *   check: COMMAND   run by sh after each run, and must succeed; the output of the run is in the files "stdout" and
 *                    "stderr", its exit status in $STATUS; "check:" alone ends this
 *   numbers: vary    do not compare numbers in the output of the commands that follow: they depend on real time, or
 *                    a line is a summary of several lines; "numbers:" alone ends this
 *   status: N        for options.bats only: the commands that follow end with status N; "status:" alone means 0
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prestart/prestart.h"
#include "sweep.h"

enum { MOST = 5000, MOST_LINES = 16, WORDS = 64, LIMIT_MS = 60000, LINES = 1 << 14 };

struct output {
	char *text;
	size_t len;
	char **lines; /* sorted */
	size_t num;
	bool binary;
	char *copy;
};

struct run {
	int status;
	bool hung;
	struct output out, err;
};

static struct sweep_shared *shared;
static int outputs[2];
static struct prestart program;
static char *command[WORDS];
static const char *only = "";
static unsigned long sample, seed, show = 8;
static bool places, numbers_vary;
static char before[4096], check[4096];
static unsigned long wrong_in_all, wrong_here, shown_here;

static void die(const char *what)
{
	fprintf(stderr, "sweep: %s: %s\n", what, strerror(errno));
	exit(3);
}

/* ---- a run ---- */

static int split(char *line, char **words)
{
	int num = 0;

	while (*line) {
		bool quoted;

		line += strspn(line, " \t");
		if (!*line || num == WORDS - 1)
			break;
		quoted = *line == '\'';
		words[num++] = line += quoted;
		line += strcspn(line, quoted ? "'" : " \t");
		if (*line)
			*line++ = '\0';
	}
	words[num] = NULL;
	return num;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Length of the number at the start of @text, including a unit of bytes: the unit depends on the number. */
static size_t number(const char *text)
{
	size_t len = *text >= '0' && *text <= '9' ? strspn(text, "0123456789.,") : 0, unit;

	unit = len ? strspn(text + len, " KMGi") : 0;
	return text[len + unit] == 'B' ? len + unit : len;
}

/* Remove what differs between runs (time stamps, column widths), and join lines that the tool has folded. */
static void even_out(char *text)
{
	static const char form[] = "0000-00-00T00:00:00", fold[] = "\n               ";
	char *to = text;

	for (const char *from = text; *from; ) {
		size_t i = 0;

		while (i < sizeof(form) - 1 && (form[i] == '0' ? from[i] >= '0' && from[i] <= '9' : from[i] == form[i]))
			i++;
		if (i == sizeof(form) - 1) {
			*to++ = 'T';
			from += i + strspn(from + i, ".0123456789");
		} else if (!strncmp(from, "cpu ", 4) && (to == text || to[-1] == '\n')) { /* printed by --trace */
			for (size_t n = strcspn(from, "\n"); n; n--)
				*to++ = *from++;
		} else if (numbers_vary && (i = number(from))) {
			*to++ = '#';
			from += i;
		} else if (!strncmp(from, fold, sizeof(fold) - 1) && from[sizeof(fold) - 1] != ' ') {
			*to++ = ' ';
			from += sizeof(fold) - 1;
		} else if (*from == ' ' && (to == text || to[-1] == ' ' || to[-1] == '\n')) {
			from++;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static void take_output(struct output *o, int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);

	o->len = (size_t)len;
	o->text = calloc(1, o->len + 1);
	o->lines = calloc(LINES, sizeof(*o->lines));
	if (!o->text || !o->lines || pread(fd, o->text, o->len, 0) != len)
		die("output");
	o->binary = memchr(o->text, '\0', o->len);
	even_out(o->text);
	o->copy = strdup(o->text);
	o->num = 0;
	for (char *at = o->copy, *line; o->num < LINES && (line = strsep(&at, "\n"));)
		o->lines[o->num++] = line;
	qsort(o->lines, o->num, sizeof(*o->lines), by_text);
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		die("output");
}

static void drop(struct run *r)
{
	for (struct output *o = &r->out; o <= &r->err; o++) {
		free(o->text);
		free(o->copy);
		free(o->lines);
	}
}

static void one_run(struct run *r, uint64_t nth, bool and_all, bool wants_stacks)
{
	pid_t pid;

	if (*before && system(before) == -1)
		die("before");
	shared->nth = nth;
	shared->and_all = and_all;
	shared->wants_stacks = wants_stacks;
	shared->num = 0;
	shared->depth = 0;
	pid = prestart_run(&program, command);
	if (pid < 0)
		die(command[0]);
	prestart_go(&program);
	r->hung = !prestart_end(&program, &r->status, LIMIT_MS);
	if (r->hung) {
		kill(-pid, SIGKILL);
		prestart_end(&program, &r->status, -1);
	}
	take_output(&r->out, outputs[0]);
	take_output(&r->err, outputs[1]);
}

/* ---- checks after a run ---- */

static bool has_line(const struct output *o, const char *line)
{
	return bsearch(&line, o->lines, o->num, sizeof(*o->lines), by_text);
}

static bool has(const struct run *r, const char *text)
{
	return strstr(r->out.text, text) || strstr(r->err.text, text);
}

/*
 * Lines of --trace are not messages. Whether an output process of the agent says that it is retrying depends on when the
 * agent ends.
 */
static bool is_message(const char *line)
{
	return (strncmp(line, "cpu ", 4) || !strstr(line, " (0x")) && !strstr(line, "; retrying;");
}

/* Number of messages that are not in the undisturbed run; a message that is printed repeatedly counts once. */
static size_t new_lines(const struct output *o, const struct output *good)
{
	size_t num = 0;

	for (size_t i = 0; i < o->num; i++)
		num += is_message(o->lines[i]) && !has_line(good, o->lines[i]) &&
		       (!i || strcmp(o->lines[i], o->lines[i - 1]));
	return num;
}

static bool same_messages(const struct output *o, const struct output *good)
{
	return !new_lines(o, good) && !new_lines(good, o);
}

static bool has_number(const char *line, const char *text, size_t len)
{
	for (size_t n; *line; line += n ? n : 1) {
		n = number(line);
		if (n == len && !memcmp(line, text, n))
			return true;
	}
	return false;
}

/* Is there a line of the undisturbed run that begins with the same word and contains every number of @line? */
static bool is_shortened(const struct output *good, const char *line)
{
	for (size_t i = 0; i < good->num; i++) {
		const char *whole = good->lines[i], *at = line;
		size_t n = strcspn(line, " ");

		if (strcspn(whole, " ") != n || memcmp(whole, line, n))
			continue;
		for (; *at; at += n ? n : 1) {
			n = number(at);
			if (n && !has_number(whole, at, n))
				break;
		}
		if (!*at)
			return true;
	}
	return false;
}

/*
 * Return the first line whose contents are invented, or NULL. A line is invented if the undisturbed run has neither the
 * line nor a longer form of it, and the line does not say that something is unknown or failed.
 */
static const char *invented(const struct output *o, const struct output *good)
{
	static const char *const words[] = { "unknown", "cannot", "memory", "null", "---", "failed" };

	for (size_t i = 0; i < o->num && !good->binary && !numbers_vary; i++) {
		bool found = has_line(good, o->lines[i]) || is_shortened(good, o->lines[i]);

		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			found = found || strstr(o->lines[i], words[w]);
		if (!found)
			return o->lines[i];
	}
	return NULL;
}

/*
 * Check lines "cpu 0 write NAME (0x391) OLD -> NEW": at the end every register must have its first OLD value. Return a
 * message about the first one that does not, or NULL.
 */
static const char *left_changed(const struct run *r)
{
	static struct { char what[64], old[32], now[32]; } all[512];
	static char why[128];
	size_t num = 0, i;

	for (const char *at = r->err.text; *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : "") {
		char cpu[16], name[64], address[32], old[32], now[32], what[64];

		if (sscanf(at, "cpu %15s write %63s (%31[^)]) %31s", cpu, name, address, old) != 4)
			continue;
		/* Without OLD the register was not read before the write, so its value is unknown. */
		if (!strcmp(old, "->"))
			strcpy(now, old);
		else if (sscanf(at, "cpu %*s write %*s (%*[^)]) %*s -> %31s", now) != 1)
			continue;
		snprintf(what, sizeof(what), "%s %s", cpu, address);
		for (i = 0; i < num && strcmp(all[i].what, what); i++)
			;
		if (i == sizeof(all) / sizeof(*all))
			return "too many registers for this program";
		if (i == num) {
			num++;
			strcpy(all[i].what, what);
			strcpy(all[i].old, old);
		}
		strcpy(all[i].now, now);
	}
	for (i = 0; i < num; i++) {
		const char *address = strchr(all[i].what, ' ') + 1;

		snprintf(why, sizeof(why), "%s stays changed", address);
		if (strcmp(all[i].old, "->") && strcmp(all[i].old, all[i].now) && !strstr(r->err.text, "uncore-doctor --repair"))
			return why;
	}
	return NULL;
}

/* The contents of recordings (binary output) vary, so they are not compared. */
static bool same_output(const struct output *o, const struct output *good)
{
	return good->binary || !strcmp(o->text, good->text);
}

static void save(const char *file, const struct output *o)
{
	FILE *f = fopen(file, "we");

	if (!f || fputs(o->text, f) < 0 || fclose(f))
		die(file);
}

static bool check_fails(const struct run *r)
{
	char status[16];

	if (!*check)
		return false;
	save("stdout", &r->out);
	save("stderr", &r->err);
	snprintf(status, sizeof(status), "%d", WEXITSTATUS(r->status));
	setenv("STATUS", status, 1);
	return system(check) != 0;
}

static const char *judge(const struct run *r, const struct run *good)
{
	static char why[256];
	bool same_status = r->status == good->status;
	const char *line;

	if (r->hung)
		return "hangs";
	if (WIFSIGNALED(r->status) && !same_status) {
		snprintf(why, sizeof(why), "crash: %s", strsignal(WTERMSIG(r->status)));
		return why;
	}
	if (has(r, "(null)"))
		return "prints a null pointer";
	if (check_fails(r))
		return "the check failed";
	if ((line = left_changed(r)))
		return line;
	if (same_status && same_output(&r->out, &good->out) && same_messages(&r->err, &good->err))
		return NULL;
	if (!same_status && WEXITSTATUS(r->status) > 4) {
		snprintf(why, sizeof(why), "status %d", WEXITSTATUS(r->status));
		return why;
	}
	if (r->status == 0 && !same_output(&r->out, &good->out))
		return "another output, and status 0";
	if (!has(r, "memory"))
		return "does not say why";
	if (r->status == 0 && !same_status)
		return "status 0";
	if ((line = invented(&r->out, &good->out))) {
		snprintf(why, sizeof(why), "a line that the undisturbed run lacks: %.180s", line);
		return why;
	}
	if (new_lines(&r->err, &good->err) > MOST_LINES)
		return "says it in many lines";
	return NULL;
}

/* ---- output ---- */

static const char *place(uint64_t address)
{
	static char line[512];
	unsigned long from, to, offset, base = 0, at = 0;
	char path[64], name[256], file[256] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)program.server);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %255s", &from, &to, &offset, name) != 4)
			continue;
		if (!offset)
			base = from;
		if (address >= from && address < to) {
			strcpy(file, name);
			at = address - base - 1;
		}
	}
	if (f)
		fclose(f);
	if (!*file || strstr(file, "preload") || strstr(file, "/libc."))
		return "";
	snprintf(line, sizeof(line), "addr2line -pfse '%s' 0x%lx 2>/dev/null", file, at);
	f = popen(line, "re");
	if (!f || !fgets(line, sizeof(line), f))
		*line = '\0';
	line[strcspn(line, "(\n")] = '\0';
	if (f)
		pclose(f);
	return line;
}

static void print_stack(void)
{
	for (uint32_t i = 0; i < shared->depth && i < 24; i++) {
		const char *text = place(shared->stack[i]);

		if (*text && *text != '_')
			printf("    %s\n", text);
	}
}

static void print_new(const char *head, const struct output *o, const struct output *good)
{
	size_t shown = 0;

	for (size_t i = 0; i < o->num && shown < 6; i++)
		if (is_message(o->lines[i]) && !has_line(good, o->lines[i]) && ++shown)
			printf("  %s%.200s\n", head, o->lines[i]);
}

static bool is_known(const char *why)
{
	static uint64_t known[4096];
	static size_t num;
	uint64_t hash = 0;

	for (uint32_t i = 0; i < shared->depth; i++)
		hash = (hash ^ shared->stack[i]) * 1099511628211u;
	hash += (unsigned char)*why + shared->and_all;
	for (size_t i = 0; i < num; i++)
		if (known[i] == hash)
			return true;
	if (num < sizeof(known) / sizeof(*known))
		known[num++] = hash;
	return false;
}

static void complain(const struct run *r, const struct run *good, const char *why)
{
	wrong_here++;
	wrong_in_all++;
	if (is_known(why) || ++shown_here > show)
		return;
	printf("  allocation %llu%s: %s (status %d)\n", (unsigned long long)shared->nth,
	       shared->and_all ? " and all behind it" : "", why,
	       WIFEXITED(r->status) ? WEXITSTATUS(r->status) : 128 + WTERMSIG(r->status));
	print_new("out: ", &r->out, &good->out);
	print_new("err: ", &r->err, &good->err);
	print_stack();
	fflush(stdout);
}

/* ---- a command ---- */

static unsigned long next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static size_t choose(uint64_t *list, uint64_t num)
{
	size_t n = 0;

	if (num <= MOST && !places) {
		for (uint64_t i = 1; i <= num; i++)
			list[n++] = i;
	} else {
		for (size_t at = 0; at < SWEEP_STACKS; at++)
			if (shared->stacks[at].hash)
				list[n++] = shared->stacks[at].first;
	}
	qsort(list, n, sizeof(*list), by_number);
	for (size_t i = 0; sample && i < sample && i < n; i++) {
		size_t with = i + next_random() % (n - i);
		uint64_t t = list[i];

		list[i] = list[with];
		list[with] = t;
	}
	return sample && sample < n ? sample : n;
}

static bool is_first(uint64_t nth)
{
	for (size_t at = 0; at < SWEEP_STACKS; at++)
		if (shared->stacks[at].hash && shared->stacks[at].first == nth)
			return true;
	return false;
}

static bool differ(const struct run *a, const struct run *b)
{
	return a->hung || WIFSIGNALED(a->status) || a->status != b->status || !same_output(&b->out, &a->out) ||
	       !same_messages(&b->err, &a->err);
}

/*
 * Run the command without failures until two runs in a row are the same, at most five times: runs of the agent may
 * differ on a busy machine. @good is the last run; its allocations are in @shared.
 */
static void undisturbed(struct run *good)
{
	struct run first;
	int runs = 1;
	bool same;

	one_run(good, 0, false, false);
	do {
		first = *good;
		memset(shared->stacks, 0, sizeof(shared->stacks));
		shared->num_stacks = 0;
		one_run(good, 0, false, true);
		same = !differ(&first, good);
		if (!same && ++runs < 5) {
			printf("  undisturbed, status %d, then %d\n", first.status, good->status);
			print_new("only the first: ", &first.out, &good->out);
			print_new("only the first: ", &first.err, &good->err);
		} else if (!same) {
			complain(good, &first, "undisturbed runs differ, or end by a signal");
		}
		drop(&first);
	} while (!same && runs < 5);
}

static void sweep(char *line)
{
	static uint64_t list[SWEEP_STACKS + MOST];
	struct run good;
	char title[4096];
	uint64_t num;
	size_t tries;

	snprintf(title, sizeof(title), "%s", line);
	if (!strstr(line, only) || !split(line, command))
		return;
	wrong_here = shown_here = 0;
	prestart(&program, command[0], outputs[0], outputs[1]);
	undisturbed(&good);
	num = shared->num;
	tries = choose(list, num);
	printf("%s: %llu allocations from %u places, %zu tried\n", title, (unsigned long long)num,
	       shared->num_stacks, tries);
	fflush(stdout);
	for (size_t i = 0; i < tries; i++)
		for (int and_all = 0; and_all < (is_first(list[i]) ? 2 : 1); and_all++) {
			struct run r;
			const char *why;

			one_run(&r, list[i], and_all, false);
			why = judge(&r, &good);
			if (why)
				complain(&r, &good, why);
			drop(&r);
		}
	if (wrong_here)
		printf("  wrong: %lu\n", wrong_here);
	drop(&good);
	prestart_stop(&program);
}

static const char *after(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) ? NULL : line + strlen(word);
}

static void follow(char *line)
{
	const char *text;

	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return;
	if ((text = after(line, "setup:"))) {
		if (system(text))
			die(text);
	} else if ((text = after(line, "before:"))) {
		snprintf(before, sizeof(before), "%s", text);
	} else if ((text = after(line, "numbers:"))) {
		numbers_vary = *text;
	} else if ((text = after(line, "check:"))) {
		snprintf(check, sizeof(check), "%s", text);
	} else if (!after(line, "status:")) {
		sweep(line);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "sample", required_argument, NULL, 'n' }, { "places", no_argument, NULL, 'p' },
		{ "only", required_argument, NULL, 'o' }, { "show", required_argument, NULL, 'w' },
		{ NULL, 0, NULL, 0 },
	};
	char line[4096], number[16];
	FILE *plan;
	int c, memory;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'n': sample = strtoul(optarg, NULL, 10); break;
		case 'p': places = true; break;
		case 'o': only = optarg; break;
		case 'w': show = strtoul(optarg, NULL, 10); break;
		default: return 2;
		}
	if (argc - optind != 1)
		return 2;
	plan = fopen(argv[optind], "re");
	if (!plan)
		die(argv[optind]);
	memory = memfd_create("sweep", 0);
	outputs[0] = memfd_create("output", 0);
	outputs[1] = memfd_create("errors", 0);
	if (memory < 0 || ftruncate(memory, sizeof(*shared)))
		die("memory");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (shared == MAP_FAILED)
		die("memory");
	snprintf(number, sizeof(number), "%d", memory);
	setenv(SWEEP_VARIABLE, number, 1);
	/* If freed memory has a pattern, a use after free crashes. */
	setenv("MALLOC_PERTURB_", "165", 1);
	seed = getenv("SEED") ? strtoul(getenv("SEED"), NULL, 10) : (unsigned long)getpid();
	if (sample)
		printf("SEED=%lu\n", seed);
	while (fgets(line, sizeof(line), plan))
		follow(line);
	fclose(plan);
	printf("%lu wrong\n", wrong_in_all);
	return wrong_in_all != 0;
}
