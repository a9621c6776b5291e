/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks a mounted simulated machine from outside, for guard.bats and tests/stress/run: compares its registers before
 * and after, and runs processes that are killed or get an error at each of their accesses.
 *
 * guard_probe snapshot DIR FILE
 * guard_probe same DIR FILE: compares with FILE; prints the differences, and exits with 1 if there are any
 * guard_probe sweep DIR WHAT FIRST STEP GOOD COMPLAINT -- REPAIR... -- VICTIM...
 *	Runs VICTIM with a failure WHAT ("kill", "EIO") at its first access, then at FIRST, FIRST + STEP and so on,
 *	until VICTIM ends before it makes that access. After each run, runs REPAIR and compares all registers with
 *	their initial contents. Every record of VICTIM with the status ok must contain GOOD, and its message must
 *	contain COMPLAINT if its exit status is not 0. GOOD and COMPLAINT may be empty.
 * guard_probe random DIR KILLS SECONDS WORKERS SEED -- REPAIR... -- VICTIM... [-- VICTIM...]...
 *	Runs WORKERS victims at a time and kills them at random accesses, until there were KILLS kills or SECONDS have
 *	passed; at least one is killed. After every 50 kills and at the end, waits until no victim runs, runs REPAIR,
 *	and compares all registers.
 * guard_probe shoot ...: like random, but does not compare registers, because other processes count.
 *
 * GUARD_REGISTERS names a file with a line "CPU REGISTER" for each register to compare; a register that cannot be read
 * before must not be readable afterwards. If it is not set, the registers are those that counting may change on Nehalem
 * and Westmere.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "prestart/prestart.h"

enum { NUM_REGS = 19, NUM_PACKAGES = 2, MAX_WORKERS = 32, MAX_VICTIMS = 16, DRAIN_EVERY = 50 };

/* Registers that counting may change, through CPUs 0 and 1, which are in different packages. */
static const uint32_t regs[NUM_REGS] = {
	0x391, 0x394, 0x395, 0x3b0, 0x3b1, 0x3b2, 0x3b3, 0x3b4, 0x3b5, 0x3b6, 0x3b7,
	0x3c0, 0x3c1, 0x3c2, 0x3c3, 0x3c4, 0x3c5, 0x3c6, 0x3c7,
};

struct spot {
	unsigned long cpu;
	uint32_t reg;
};

static const char *dir;
static struct spot *spots; /* registers to compare */
static size_t num_spots;
static bool may_fault;     /* the registers are from a file, so some may not exist */

static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *fmt, ...)
{
	va_list ap;

	fputs("guard_probe: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	if (!*text || *end)
		die("'%s' is no number", text);
	return n;
}

/* ---- registers ---- */

static void add_spot(unsigned long cpu, unsigned long reg)
{
	spots = realloc(spots, (num_spots + 1) * sizeof(*spots));
	if (!spots)
		die("no memory");
	spots[num_spots++] = (struct spot){ cpu, (uint32_t)reg };
}

static void choose_spots(void)
{
	const char *path = getenv("GUARD_REGISTERS");
	unsigned long cpu, reg;
	FILE *f;

	for (int p = 0; !path && p < NUM_PACKAGES; p++)
		for (int r = 0; r < NUM_REGS; r++)
			add_spot((unsigned long)p, regs[r]);
	if (!path)
		return;
	f = fopen(path, "re");
	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fscanf(f, "%lu %lx\n", &cpu, &reg) == 2)
		add_spot(cpu, reg);
	if (!feof(f) || !num_spots)
		die("%s: not lines of CPU and register", path);
	fclose(f);
	may_fault = true;
}

static int device_of(unsigned long cpu)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%lu/msr", dir, cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

/* Contents of a register; if it cannot be read, the error as a value that no register has. */
static uint64_t value_of(int fd, const struct spot *s)
{
	uint64_t value;

	if (pread(fd, &value, 8, s->reg) == 8)
		return value;
	if (!may_fault)
		die("CPU %lu: register 0x%x: %s", s->cpu, s->reg, strerror(errno));
	return UINT64_MAX - (uint64_t)errno;
}

/* Read all registers; the caller frees the result. */
static uint64_t *read_spots(void)
{
	uint64_t *values = calloc(num_spots, sizeof(*values));
	int fd = -1;

	if (!values)
		die("no memory");
	for (size_t i = 0; i < num_spots; i++) {
		if (i == 0 || spots[i].cpu != spots[i - 1].cpu) {
			if (fd >= 0)
				close(fd);
			fd = device_of(spots[i].cpu);
		}
		values[i] = value_of(fd, &spots[i]);
	}
	close(fd);
	return values;
}

static bool same(const uint64_t *before, const uint64_t *now)
{
	bool all = true;

	for (size_t i = 0; i < num_spots; i++) {
		if (before[i] == now[i])
			continue;
		printf("CPU %lu: 0x%x held 0x%" PRIx64 ", now 0x%" PRIx64 "\n", spots[i].cpu,
		       spots[i].reg, before[i], now[i]);
		all = false;
	}
	return all;
}

static bool is_same_now(const uint64_t *before)
{
	uint64_t *now = read_spots();
	bool all = same(before, now);

	free(now);
	return all;
}

static int with_file(const char *path, bool write_it)
{
	uint64_t *now = read_spots(), *before = calloc(num_spots, sizeof(*before));
	FILE *f = fopen(path, write_it ? "we" : "re");
	bool ok;

	if (!f || !before)
		die("%s: %s", path, strerror(errno));
	ok = write_it ? fwrite(now, sizeof(*now), num_spots, f) == num_spots
		      : fread(before, sizeof(*before), num_spots, f) == num_spots;
	if (fclose(f) || !ok)
		die("%s: incomplete", path);
	ok = write_it || same(before, now);
	free(now);
	free(before);
	return ok ? 0 : 1;
}

/* ---- trouble ---- */

static void order(const char *text)
{
	char path[4096];
	size_t len = strlen(text);
	int fd;

	snprintf(path, sizeof(path), "%s/sim/trouble", dir);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		die("%s: '%s': %s", path, text, strerror(errno));
	close(fd);
}

static bool is_pending(void)
{
	char path[4096], text[64];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/sim/trouble", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, text, sizeof(text));
	if (len < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
	return len < 4 || memcmp(text, "none", 4) != 0;
}

/* ---- processes ---- */

struct child {
	pid_t pid;
	int out, err; /* files with the program's output */
	struct prestart *program; /* NULL if the program is loaded for each run */
};

static int scratch(void)
{
	char name[] = "/tmp/guard_probe.XXXXXX";
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	unlink(name);
	return fd;
}

/* Let access @k of the process @whom fail, or none if @k is 0. */
static void trouble(const char *what, unsigned long k, pid_t whom)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %lu %d", what, k, (int)whom);
	if (k)
		order(text);
}

/* Start a process. Only this process gets the failure at access @k. */
static void start(struct child *c, char **argv, const char *what, unsigned long k)
{
	if (ftruncate(c->out, 0) || ftruncate(c->err, 0) || lseek(c->out, 0, SEEK_SET) || lseek(c->err, 0, SEEK_SET))
		die("cannot empty what the process before has said: %s", strerror(errno));
	if (c->program) {
		c->pid = prestart_run(c->program, argv);
		if (c->pid < 0)
			die("%s cannot be started", argv[0]);
		trouble(what, k, c->pid);
		prestart_go(c->program);
		return;
	}
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0)
		die("fork: %s", strerror(errno));
	if (c->pid > 0)
		return;
	dup2(c->out, STDOUT_FILENO);
	dup2(c->err, STDERR_FILENO);
	trouble(what, k, getpid());
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int finish(struct child *c)
{
	int status;

	if (c->program ? !prestart_end(c->program, &status, -1) : waitpid(c->pid, &status, 0) != c->pid)
		die("waitpid: %s", strerror(errno));
	c->pid = 0;
	return status;
}

static char *said(int fd)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, (size_t)len + 1);

	if (!text || pread(fd, text, (size_t)len, 0) != len)
		die("cannot read what a process said");
	return text;
}

static void print_output(const struct child *c)
{
	char *out = said(c->out), *err = said(c->err);

	printf("stdout: %s\nstderr: %s\n", out, err);
	free(out);
	free(err);
}

static bool repair(char **argv, struct child *c)
{
	int status;

	start(c, argv, NULL, 0);
	status = finish(c);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	printf("%s ended with status 0x%x\n", argv[0], (unsigned)status);
	print_output(c);
	return false;
}

/* Does every record with the status ok have @text? */
static bool records_are_good(const struct child *c, const char *text)
{
	char *out = said(c->out), *at = out, *line;
	bool good = true;

	while ((line = strsep(&at, "\n")))
		if (strstr(line, "\"status\":\"ok\"") && !strstr(line, text)) {
			printf("ok, and wrong: %s\n", line);
			good = false;
		}
	free(out);
	return good;
}

/*
 * Did the process end correctly after an error? Its exit status must be a documented one. If it is not 0, there must be
 * the expected message, or uncore-throttle must have reported that it cannot tell whether the processor is throttled.
 */
static bool ended_well(const struct child *c, int status, const char *complaint)
{
	char *err = said(c->err), *out = said(c->out);
	bool told = (strncmp(err, "uncore-", 7) == 0 && strstr(err, complaint)) ||
		    (WEXITSTATUS(status) == 3 && strstr(out, "\"verdict\":\"cannot-tell\""));
	bool good = WIFEXITED(status) && WEXITSTATUS(status) <= 4 && (WEXITSTATUS(status) == 0 || told);

	if (!good)
		printf("ended with status 0x%x: %s\n", (unsigned)status, err);
	free(err);
	free(out);
	return good;
}

static int sweep(char **args, char **fix, char **victim)
{
	const char *what = args[0];
	unsigned long first = number(args[1]), step = number(args[2]);
	bool kills = strcmp(what, "kill") == 0, good = true;
	struct prestart victims, repairers;
	struct child c = { 0, scratch(), scratch(), &victims }, r = { 0, scratch(), scratch(), &repairers };
	uint64_t *before = read_spots();
	unsigned long k, next = first > 1 ? first : 1 + step, times = 0;

	prestart(&victims, victim[0], c.out, c.err);
	prestart(&repairers, fix[0], r.out, r.err);
	for (k = 1; good; k = next, next += step) {
		int status;

		start(&c, victim, what, k);
		status = finish(&c);
		if (is_pending()) { /* the process ended before this access */
			order("none");
			good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
			break;
		}
		times++;
		good = kills ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
			     : ended_well(&c, status, args[4]);
		good = records_are_good(&c, args[3]) && good;
		good = repair(fix, &r) && good;
		good = is_same_now(before) && good;
	}
	if (!good) {
		printf("%s at access %lu:\n", what, k);
		print_output(&c);
		print_output(&r);
	}
	printf("%lu times %s\n", times, what);
	free(before);
	prestart_stop(&victims);
	prestart_stop(&repairers);
	return good && times ? 0 : 1;
}

/* ---- at random ---- */

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t seed;

/* A random number below @n (xorshift64). The same seed gives the same schedule, as far as the scheduler allows. */
static unsigned long below(unsigned long n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned long)(seed % n);
}

struct crowd {
	struct child workers[MAX_WORKERS];
	unsigned long num, kills, runs;
	pid_t target;  /* process that gets the failure */
	bool alone;    /* no other process uses the machine, so registers can be compared */
	char **victims[MAX_VICTIMS];
	unsigned long num_victims;
};

/*
 * Does the process say why an event was not counted? Allowed reasons: because of other sessions no counter was free or
 * the event had no turn; a session died after --repair was run; a reading was interrupted, as happens on busy machines.
 * The exit status may be 3 only for the first two reasons.
 */
static bool is_excused(const struct child *c, int status)
{
	static const struct {
		const char *text;
		int most; /* exit status */
	} excuses[] = {
		{ "by uncore-read (pid ", 3 }, { "by another session", 3 }, { "had no turn in this interval", 3 },
		{ "left over", 1 }, { "spread: ", 1 },
	};
	char *err = said(c->err), *out = said(c->out);
	bool told = false;

	for (size_t i = 0; i < sizeof(excuses) / sizeof(*excuses); i++)
		told |= (status == 1 || status == excuses[i].most) && (strstr(err, excuses[i].text) || strstr(out, excuses[i].text));
	free(err);
	free(out);
	return told;
}

static bool judge(struct crowd *cr, struct child *c, int status)
{
	cr->runs++;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		cr->kills++;
		return true;
	}
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || is_excused(c, WEXITSTATUS(status))))
		return true;
	printf("a survivor ended with status 0x%x\n", (unsigned)status);
	print_output(c);
	return false;
}

static bool reap(struct crowd *cr)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	if (pid == cr->target) {
		order("none");
		cr->target = 0;
	}
	for (unsigned long i = 0; i < cr->num; i++)
		if (cr->workers[i].pid == pid) {
			cr->workers[i].pid = 0;
			return judge(cr, &cr->workers[i], status);
		}
	return true;
}

static bool drain(struct crowd *cr)
{
	bool good = true;

	for (unsigned long i = 0; i < cr->num; i++)
		if (cr->workers[i].pid > 0)
			good = judge(cr, &cr->workers[i], finish(&cr->workers[i])) && good;
	return good;
}

static bool compare(struct crowd *cr, const uint64_t *before, char **fix)
{
	bool good;

	order("none");
	cr->target = 0;
	good = drain(cr);
	if (!cr->alone)
		return good;
	good = repair(fix, &cr->workers[0]) && good;
	return is_same_now(before) && good;
}

static int at_random(struct crowd *cr, unsigned long kills, double seconds, char **fix)
{
	uint64_t *before = read_spots();
	double end = now_s() + seconds;
	unsigned long next = DRAIN_EVERY;
	bool good = true;

	for (unsigned long i = 0; i < cr->num; i++)
		cr->workers[i] = (struct child){ 0, scratch(), scratch(), NULL };
	while (good && cr->kills < kills && (now_s() < end || !cr->kills)) {
		for (unsigned long i = 0; i < cr->num; i++)
			if (!cr->workers[i].pid)
				start(&cr->workers[i], cr->victims[below(cr->num_victims)], NULL, 0);
		if (!cr->target) {
			cr->target = cr->workers[below(cr->num)].pid;
			trouble("kill", 1 + below(150), cr->target);
		}
		good = reap(cr);
		if (good && cr->kills >= next) {
			good = compare(cr, before, fix);
			next = cr->kills + DRAIN_EVERY;
		}
	}
	good = compare(cr, before, fix) && good;
	printf("%lu of %lu processes killed\n", cr->kills, cr->runs);
	free(before);
	return good && cr->kills ? 0 : 1;
}

/* Returns the words after the next "--", and ends @argv there. */
static char **after_dashes(char **argv)
{
	while (*argv && strcmp(*argv, "--") != 0)
		argv++;
	if (!*argv)
		return NULL;
	*argv = NULL;
	return argv + 1;
}

int main(int argc, char **argv)
{
	char **fix = after_dashes(argv), **victim = fix ? after_dashes(fix) : NULL;
	const char *what = argc > 3 ? argv[1] : "";
	int words = 0;

	while (argv[words])
		words++;
	dir = argc > 3 ? argv[2] : NULL;
	choose_spots();
	if (!strcmp(what, "snapshot") || !strcmp(what, "same"))
		return with_file(argv[3], what[1] == 'n');
	if (!strcmp(what, "sweep") && victim && words == 8)
		return sweep(argv + 3, fix, victim);
	if ((!strcmp(what, "random") || !strcmp(what, "shoot")) && victim && words == 7) {
		struct crowd cr = { .num = number(argv[5]), .alone = what[0] == 'r' };

		if (!cr.num || cr.num > MAX_WORKERS)
			die("1 to %d workers", MAX_WORKERS);
		for (seed = number(argv[6]) | 1; victim; victim = after_dashes(victim))
			if (cr.num_victims < MAX_VICTIMS)
				cr.victims[cr.num_victims++] = victim;
		return at_random(&cr, number(argv[3]), (double)number(argv[4]), fix);
	}
	die("usage: see the head of guard_probe.c");
}
