/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints which registers a session reads and writes, in which order, what it writes into its journal, and what it
 * counts. Uses only the public headers. tests/kept/run compares the output with the stored one.
 *
 * traces SESSIONS: machines are simulated in this process
 * traces SESSIONS UNCORE-SIM FOLDER: machines are mounted on FOLDER by UNCORE-SIM, and sessions write journals
 *
 * SESSIONS is a file of sessions. A line "= TITLE" begins one; the lines after it are commands:
 *
 *	machine NAME[,KEY=VALUE...]   must come first; the clock is stepped, and counters begin at 0x1234
 *	each fail                     run the session for each N from 0 to the number of accesses: access N fails once
 *	each kill                     likewise, but kill the process after access N, then repair the machine
 *	route, cpus, packages, metric, add, start, read, sample, rotate, pause, stop, multiplex, force, verify, repair
 *	pass SECONDS                  let simulated time pass
 *	foreign CPU MSR VALUE         another program writes a register
 *	online CPU 0|1                a CPU goes offline or online
 *	journal                       print the session's journal
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uncoremsr.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/names.h"
#include "uncoremsr/sim.h"

#define SIZE_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { MAX_LINES = 40, MAX_KILLS = 2000, TRIES = 2000 };

struct script {
	char title[128], machine[256];
	char *lines[MAX_LINES];
	unsigned num;
	int fails, kills;
};

static const char *uncore_sim, *folder; /* folder for mounted machines; NULL if machines are in this process */

static struct {
	struct uncoremsr_sim *sim;
	struct uncoremsr *um;
	struct uncoremsr_session *s;
	long left;   /* register accesses until the process is killed; negative: the process is not killed */
	int quiet;   /* print nothing until an access has failed */
	int failed;
	const char *line;
} run;

static void die(const char *what, const char *why)
{
	fprintf(stderr, "traces: %s: %s\n", what, why);
	exit(3);
}

__attribute__((format(printf, 1, 2)))
static void say(const char *format, ...)
{
	va_list ap;

	if (run.quiet)
		return;
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

static int has_failed(const char *line)
{
	return strstr(line, strerror(EIO)) != NULL;
}

static void traced(void *user, const char *line)
{
	(void)user;
	if (run.quiet && has_failed(line)) {
		run.quiet = 0;
		run.failed = 1;
		say("> %s", run.line);
	}
	say("%s", line);
	if (run.left >= 0 && run.left-- == 0) {
		fflush(stdout);
		kill(getpid(), SIGKILL);
	}
}

/* ---- a machine ---- */

static void mount_machine(const struct script *sc)
{
	char command[1024];

	snprintf(command, sizeof(command), "'%s' mount '%s,clock=stepped,start=0x1234' '%s' --daemon", uncore_sim,
		 sc->machine, folder);
	if (system(command))
		die(sc->title, "its machine cannot be mounted");
}

static void unmount_machine(void)
{
	char command[1024];

	if (!umount2(folder, MNT_DETACH))
		return;
	snprintf(command, sizeof(command), "fusermount3 -u -z '%s'", folder);
	if (system(command))
		die(folder, "cannot be unmounted");
}

static void open_machine(const char *machine, const char *keys)
{
	char what[512], error[256];

	if (uncoremsr_new(&run.um))
		die(machine, "out of memory");
	if (folder) {
		snprintf(what, sizeof(what), "root:%s", folder);
		uncoremsr_set_machine(run.um, what);
	} else {
		snprintf(what, sizeof(what), "%s,clock=stepped,start=0x1234%s", machine, keys);
		if (uncoremsr_sim_new(&run.sim, what, error, sizeof(error)))
			die(what, error);
		uncoremsr_set_sim(run.um, run.sim);
	}
	uncoremsr_set_trace(run.um, UNCOREMSR_TRACE_TEXT, traced, NULL);
	if (uncoremsr_open(run.um) || uncoremsr_session_new(run.um, &run.s))
		die(what, uncoremsr_error(run.um)->message);
}

static void close_machine(void)
{
	uncoremsr_session_free(run.s);
	uncoremsr_free(run.um);
	uncoremsr_sim_free(run.sim);
	run.s = NULL;
	run.um = NULL;
	run.sim = NULL;
}

static void write_file(const char *path, const char *text)
{
	char whole[512];
	int fd;

	if (!folder) {
		if (uncoremsr_sim_file_write(run.sim, path, text, strlen(text)))
			die(path, "cannot be written");
		return;
	}
	snprintf(whole, sizeof(whole), "%s/%s", folder, path);
	fd = open(whole, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(whole, strerror(errno));
	close(fd);
}

static void foreign(unsigned cpu, uint32_t msr, uint64_t value)
{
	char path[512];
	int fd;

	if (!folder) {
		uncoremsr_sim_wrmsr(run.sim, cpu, msr, value);
		return;
	}
	snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", folder, cpu);
	fd = open(path, O_WRONLY);
	if (fd < 0 || pwrite(fd, &value, sizeof(value), (off_t)msr) != (ssize_t)sizeof(value))
		die(path, strerror(errno));
	close(fd);
}

/* ---- output about a session ---- */

/* Print each record of a journal on one line, without times, process IDs and checksums. */
static void print_journal_file(const char *path)
{
	static const char *const left_out[] = { "boot ", "pid ", "since ", "sum ", "uarch ", "command " };
	char line[256];
	FILE *f = fopen(path, "r");
	int any = 0;

	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		size_t i = 0;
		char mark[16];

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "uncoremsr-journal %*u %15s", mark) == 1) {
			printf("%s  journal: %s", any ? "\n" : "", mark);
			any = 1;
			continue;
		}
		while (i < SIZE_OF(left_out) && strncmp(line, left_out[i], strlen(left_out[i])))
			i++;
		if (*line && i == SIZE_OF(left_out))
			printf("%s %s", strncmp(line, "word ", 5) ? "," : "", line);
	}
	if (any)
		putchar('\n');
	fclose(f);
}

static int is_journal(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 8 && !strcmp(e->d_name + len - 8, ".journal");
}

static void print_journals(void)
{
	char path[512];
	struct dirent **names;
	int num;

	snprintf(path, sizeof(path), "%s/run/uncoremsr", folder ? folder : "/nonexistent");
	num = scandir(path, &names, is_journal, alphasort);
	for (int i = 0; i < num; i++) {
		snprintf(path, sizeof(path), "%s/run/uncoremsr/%s", folder, names[i]->d_name);
		print_journal_file(path);
		free(names[i]);
	}
	if (num >= 0)
		free(names);
}

static void print_readings(void)
{
	for (size_t p = 0; p < uncoremsr_session_state(run.s)->packages; p++)
		for (size_t e = 0; uncoremsr_session_event(run.s, e); e++) {
			const struct uncoremsr_reading *r =
				uncoremsr_session_reading(run.s, e, UNCOREMSR_PLACE_PACKAGE, p, UNCOREMSR_INTERVAL);

			if (r)
				say("  package %zu, event %zu: %s %" PRId64 "%s", p, e, r->word,
				    (int64_t)r->counted,
				    r->units > 1 && r->units_known < r->units ? ", some units unknown" : "");
		}
}

static void repaired(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *lease)
{
	static const char *const words[] = {
		"done", "not ours", "in use", "not believed", "package offline", "unit offline", "held", "on request",
		"of user", "borrowed", "inherited",
	};

	(void)user;
	if (lease->counter >= 0)
		say("  repaired: %s counter %d: %s", lease->unit, lease->counter, words[what]);
	else if (lease->msr != UINT64_MAX)
		say("  repaired: %s register 0x%" PRIx64 ": %s", lease->unit, lease->msr, words[what]);
	else
		say("  repaired: %s: %s", lease->unit, words[what]);
}

/* ---- commands of a session ---- */

static enum uncoremsr_route route_named(const char *name)
{
	return !strcmp(name, "msr") ? UNCOREMSR_ROUTE_MSR : !strcmp(name, "perf") ? UNCOREMSR_ROUTE_PERF
	       : !strcmp(name, "memory") ? UNCOREMSR_ROUTE_MEMORY : UNCOREMSR_ROUTE_AUTO;
}

static void pass(const char *seconds)
{
	uint64_t ns = (uint64_t)(atof(seconds) * 1e9);
	char text[32];

	if (!folder) {
		uncoremsr_sim_advance(run.sim, ns);
		return;
	}
	snprintf(text, sizeof(text), "+%" PRIu64, ns);
	write_file("sim/clock", text);
}

static int set_option(enum uncoremsr_session_option option, const char *on)
{
	return uncoremsr_session_set(run.s, option, !strcmp(on, "on"));
}

static void do_line(const char *line)
{
	static const struct {
		const char *word;
		int (*fn)(struct uncoremsr_session *s);
	} plain[] = {
		{ "start", uncoremsr_session_start }, { "read", uncoremsr_session_read },
		{ "sample", uncoremsr_session_sample }, { "rotate", uncoremsr_session_rotate },
		{ "pause", uncoremsr_session_pause }, { "stop", uncoremsr_session_stop },
	};
	static const struct {
		const char *word;
		int (*fn)(struct uncoremsr_session *s, const char *text);
	} with_text[] = {
		{ "add", uncoremsr_session_add }, { "metric", uncoremsr_session_add_metric },
	};
	char word[32] = "", path[64];
	const char *rest = line + strcspn(line, " ");
	unsigned cpu, msr;
	uint64_t value;
	int err = INT_MIN;

	sscanf(line, "%31s", word);
	rest += *rest == ' ';
	run.line = line;
	say("> %s", line);
	for (size_t i = 0; i < SIZE_OF(plain); i++)
		if (!strcmp(word, plain[i].word))
			err = plain[i].fn(run.s);
	for (size_t i = 0; i < SIZE_OF(with_text); i++)
		if (!strcmp(word, with_text[i].word))
			err = with_text[i].fn(run.s, rest);
	if (!strcmp(word, "cpus"))
		err = uncoremsr_session_only(run.s, UNCOREMSR_ONLY_CPUS, rest);
	else if (!strcmp(word, "packages"))
		err = uncoremsr_session_only(run.s, UNCOREMSR_ONLY_PACKAGES, rest);
	else if (!strcmp(word, "route"))
		err = uncoremsr_session_set(run.s, UNCOREMSR_SESSION_ROUTE, route_named(rest));
	else if (!strcmp(word, "multiplex"))
		err = set_option(UNCOREMSR_SESSION_MULTIPLEX, rest);
	else if (!strcmp(word, "force"))
		err = set_option(UNCOREMSR_SESSION_FORCE, rest);
	else if (!strcmp(word, "verify"))
		err = set_option(UNCOREMSR_SESSION_VERIFY, rest);
	else if (!strcmp(word, "repair"))
		err = uncoremsr_repair(run.um, repaired, NULL);
	if (err != INT_MIN) {
		if (err < 0)
			say("  %s, class %d", err == -ENOTSUP ? "ENOTSUP" : strerrorname_np(-err), uncoremsr_error(run.um)->error_class);
		if (!strcmp(word, "start") && !err)
			say("  turns: %zu", uncoremsr_session_state(run.s)->turns);
		/* A mounted machine runs by the real clock, so its readings vary if the host is busy. */
		if (!strcmp(word, "read") && !folder)
			print_readings();
		return;
	}
	if (!strcmp(word, "pass"))
		pass(rest);
	else if (!strcmp(word, "journal"))
		print_journals();
	else if (sscanf(line, "online %u %31s", &cpu, word) == 2) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/online", cpu);
		write_file(path, word);
	} else if (sscanf(line, "foreign %u %x %" SCNx64, &cpu, &msr, &value) == 3)
		foreign(cpu, msr, value);
	else
		die(line, "no such word");
}

static void play(const struct script *sc, const char *keys)
{
	open_machine(sc->machine, keys);
	for (unsigned i = 0; i < sc->num; i++)
		do_line(sc->lines[i]);
	if (!run.quiet)
		say("> end");
	close_machine();
}

static void play_failing(const struct script *sc)
{
	char keys[96];

	for (unsigned n = 0; n < TRIES; n++) {
		snprintf(keys, sizeof(keys), ",fail=any 0x0-0xffffffff EIO after=%u times=1", n);
		printf("-- access %u fails\n", n);
		run.quiet = 1;
		run.failed = 0;
		play(sc, keys);
		run.quiet = 0;
		if (!run.failed)
			break;
	}
}

/*
 * Run the session repeatedly, each time in a child that is killed one register access later than before. The child
 * prints nothing, because its output up to the kill is the same in every run. The parent does all repairs with a single
 * handle, because opening a mounted machine is slow.
 */
static void play_killed(const struct script *sc)
{
	open_machine(sc->machine, "");
	for (long n = 0; n < TRIES; n++) {
		int status;
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (pid < 0)
			die(sc->title, strerror(errno));
		if (!pid) {
			if (!freopen("/dev/null", "w", stdout))
				_exit(3);
			run.left = n;
			play(sc, "");
			_exit(0);
		}
		waitpid(pid, &status, 0);
		if (!WIFSIGNALED(status)) {
			if (status)
				die(sc->title, "its child failed");
			break;
		}
		printf("-- killed behind access %ld\n", n);
		print_journals();
		do_line("repair");
	}
	close_machine();
}

static void play_all(const struct script *sc)
{
	if (!sc->num && !*sc->machine)
		return;
	printf("= %s\nmachine %s\n", sc->title, sc->machine);
	run.left = -1;
	if (folder)
		mount_machine(sc);
	if (sc->fails)
		play_failing(sc);
	else if (sc->kills)
		play_killed(sc);
	else
		play(sc, "");
	if (folder)
		unmount_machine();
}

int main(int argc, char **argv)
{
	struct script sc = { .num = 0 };
	char line[1024];
	FILE *f;

	if (argc != 2 && argc != 4)
		die("usage", "traces SESSIONS [UNCORE-SIM FOLDER]");
	if (argc == 4) {
		uncore_sim = argv[2];
		folder = argv[3];
	}
	f = fopen(argv[1], "r");
	if (!f)
		die(argv[1], strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || !*line)
			continue;
		if (*line == '=') {
			play_all(&sc);
			for (unsigned i = 0; i < sc.num; i++)
				free(sc.lines[i]);
			sc = (struct script){ .num = 0 };
			snprintf(sc.title, sizeof(sc.title), "%.100s", line + 2);
		} else if (!strncmp(line, "machine ", 8)) {
			snprintf(sc.machine, sizeof(sc.machine), "%.250s", line + 8);
		} else if (!strcmp(line, "each fail")) {
			sc.fails = 1;
		} else if (!strcmp(line, "each kill")) {
			sc.kills = 1;
		} else if (sc.num == MAX_LINES) {
			die(sc.title, "too many lines");
		} else {
			sc.lines[sc.num++] = strdup(line);
		}
	}
	play_all(&sc);
	for (unsigned i = 0; i < sc.num; i++)
		free(sc.lines[i]);
	fclose(f);
	return fflush(stdout) ? 3 : 0;
}
