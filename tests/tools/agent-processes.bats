#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The processes of uncore-agent: their rights, what they share, and how they start, hang and end.

load common
load agent

@test "the process that answers requests has no privileges, and is started again if it dies" {
	local child own capabilities status
	capabilities "$$"
	own=$capabilities
	serve --machine="$SIM" -e 0x82:0x1 -i 1
	child=$(pgrep -P "$pid")
	status=$(<"/proc/$child/status")
	[[ $status == *$'\nNoNewPrivs:\t1\n'* && $status == *$'\nCapEff:\t0000000000000000\n'* ]]
	[[ $EUID != 0 || $status != *$'\nUid:\t0\t'* ]]
	# The server has no named file open except /dev/null. Its messages go through a pipe.
	run -0 find "/proc/$child/fd" -type l -printf '%f %l\n'
	[[ $'\n'$output$'\n' == *$'\n0 /dev/null\n'* && $'\n'$output$'\n' == *$'\n1 /dev/null\n'* && $'\n'$output == *$'\n2 pipe:'* ]]
	run ! grep -vE 'pipe:|socket:|anon_inode:|/dev/null' <<<"$output"
	# The process has its own session, so it has no terminal.
	read -r -a status <"/proc/$child/stat"
	[ "${status[5]} ${status[6]}" = "$child 0" ]
	# Another process of the server's user cannot list the files that the server has open.
	[ "$EUID" != 0 ] || run ! as_nobody ls "/proc/$child/fd"
	# The counting process keeps the capabilities KILL, SETGID and SETUID for its children and SYS_RAWIO for
	# counting, and loads no server library.
	capabilities "$pid"
	[ "$capabilities" = $((own & 0x200e0)) ]
	[[ $(<"/proc/$pid/status") == *$'\nNoNewPrivs:\t1\n'* ]]
	run ! grep -E 'microhttpd|netsnmp|gnutls|crypto' "/proc/$pid/maps"
	has text '^uncoremsr_event_total.* [1-9]'
	# The restart must not lose an interval. A busy machine can also cause the loss of an interval: then try again.
	local missed
	for _ in {1..5}; do
		sleep 1.1 # a child that ends within a second is restarted only later
		has text '^uncoremsr_missed_intervals_total'
		missed=$(sample text uncoremsr_missed_intervals_total)
		: >told
		kill -KILL "$(pgrep -P "$pid")"
		wait_for told 'killed by signal 9; restarted'
		answers /-/ready
		has text '^uncoremsr_event_total.* [1-9]'
		[ "$(sample text uncoremsr_missed_intervals_total)" != "$missed" ] || return 0
	done
	false
}

@test "a process that answers requests can read the values, but not change them" {
	local child
	serve --machine="$SIM" -e 0x82:0x1 -i 1
	child=$(pgrep -P "$pid")
	run -0 grep -h memfd "/proc/$child/maps"
	[[ ${#lines[@]} = 1 && $output == *' r--s '* ]]
	run -0 grep -h memfd "/proc/$pid/maps"
	[[ ${#lines[@]} = 1 && $output == *' rw-s '* ]]
	# The memory is sealed: a process that may open it through /proc/PID/fd, as this test may, cannot write to it,
	# map it writable or truncate it.
	need python3
	run -0 python3 - "$pid" <<-'END'
	import glob, mmap, os, sys
	for path in glob.glob(f"/proc/{sys.argv[1]}/fd/*"):
	    if "memfd:" not in os.readlink(path):
	        continue
	    fd = os.open(path, os.O_RDWR)
	    for change in (lambda: os.pwrite(fd, b"x", 0), lambda: mmap.mmap(fd, 4096), lambda: os.ftruncate(fd, 0)):
	        try:
	            change()
	            print("changed")
	        except PermissionError:
	            print("refused")
	END
	[ "$(sort -u <<<"$output")" = refused ]
}

# bats test_tags=plain
@test "a reader of the shared values never gets a part of an interval" {
	need cc
	cc -D_GNU_SOURCE -DUM_VERSION='"x"' -O2 -I"$TOP/include" -I"$TOP/tools" -o values "$TOP/tests/tools/shared_values.c" \
		"$TOP"/tools/agent/shared.c "$TOP"/tools/common/{series,output,digits}.c
	run -0 timeout 60 ./values
	[ "$output" = whole ]
}

# capabilities PID: set $capabilities to those of the process, as a number.
capabilities() {
	[[ $(<"/proc/$1/status") =~ CapEff:[[:space:]]+([0-9a-f]+) ]]
	capabilities=$((0x${BASH_REMATCH[1]}))
}

# end_agent: end the agent, and print its messages about registers.
end_agent() {
	kill -TERM "$pid"
	ends_with 143
}

@test "the process that counts through the kernel keeps PERFMON, and RAWIO to look for throttling" {
	local own capabilities
	capabilities "$$"
	own=$capabilities
	serve --machine="$PERF" -e cycles -i 10
	capabilities "$pid"
	[ "$capabilities" = $((own & 0x40000000e0)) ]
	end_agent
	serve --machine="$PERF" -e cycles --throttle -i 10
	capabilities "$pid"
	[ "$capabilities" = $((own & 0x40000200e0)) ]
}

# bats test_tags=plain
@test "on a kernel without CAP_PERFMON, CAP_SYS_ADMIN is kept instead, and reported" {
	local own capabilities
	need cc
	capabilities "$$"
	own=$capabilities
	(((own & 0x200000) != 0)) || skip "no CAP_SYS_ADMIN here"
	cc -shared -fPIC -o old.so "$TOP/tests/tools/no_perfmon.c"
	background env LD_PRELOAD="$PWD/old.so" uncore-agent --machine="$PERF" -e cycles -i 10 --prometheus=unix:s 2>told
	answers /-/ready
	capabilities "$pid"
	[ "$capabilities" = $((own & 0x2000e0)) ]
	[[ $(<told) == *"keeps CAP_SYS_ADMIN for the kernel's counters: this kernel is older than 5.8"* ]]
	end_agent
	background env LD_PRELOAD="$PWD/old.so" uncore-agent --machine="$SIM" -e 0x82:0x1 -i 10 --prometheus=unix:s 2>told
	answers /-/ready
	capabilities "$pid"
	[ "$capabilities" = $((own & 0x200e0)) ]
	[[ $(<told) != *CAP_SYS_ADMIN* ]]
}

@test "a configuration reloaded by SIGHUP cannot use a route whose privilege was given up" {
	uncore-read -e cpu-clock -i 0.01 -n 1 >/dev/null 2>&1 || skip "the kernel counts nothing here"
	local capabilities
	capabilities "$$"
	(((capabilities & 0x20000) != 0)) || skip "no CAP_SYS_RAWIO here"
	block 'Event "cpu-clock"' 'Interval 0.05'
	serve --config=a.conf
	block 'Event "cpu-clock"' 'Interval 0.05' 'Throttle true'
	kill -HUP "$pid"
	wait_for told 'counting through registers needs a capability that was dropped at the start; restart the agent'
	wait_for told 'a.conf: not used; the agent keeps counting as before'
}

# bats test_tags=plain
@test "the agent finds its output programs beside its own file, and restarts them even if the files are gone" {
	local child
	mkdir bin libexec
	cp "$BIN/uncore-agent" bin
	export LD_LIBRARY_PATH=${BIN%/bin}/lib
	# The programs are not searched for in PATH or in the current folder.
	cp -r "${BIN%/bin}/libexec/uncoremsr" .
	PATH=$PWD/uncoremsr:$PATH run -3 --separate-stderr bin/uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:s
	[ "$stderr" = "uncore-agent: HTTP: cannot open the executable of this output: $PWD/bin/../libexec/uncoremsr/uncore-agent-http: No such file or directory" ]
	run -2 --separate-stderr bin/uncore-agent --machine="$SIM" -e 0x82:0x1 --agentx=unix:a --check
	[[ $stderr == *"SNMP program cannot be opened (not installed, "*"libsnmp-dev): "*"uncore-agent-snmp: No such file"* ]]
	run -2 uncoremsr/uncore-agent-http
	[[ $output == "uncore-agent-http: only uncore-agent "*" can start this program" ]]
	mv uncoremsr libexec
	# The server's user may not enter this folder.
	chmod 700 .
	background bin/uncore-agent --machine="$SIM" -e 0x82:0x1 -i 0.05 --prometheus=unix:s 2>told
	answers /-/ready
	rm -r libexec
	child=$(pgrep -P "$pid")
	kill -KILL "$child"
	wait_for told 'killed by signal 9; restarted'
	answers /-/ready
	[ "$(pgrep -P "$pid")" != "$child" ]
}

# stand_in NAME <C-FILE: compile it to an output program for bin/uncore-agent. REAL is the path of the program that it
# replaces.
stand_in() {
	need cc
	mkdir -p bin libexec/uncoremsr
	cp "$BIN/uncore-agent" bin
	export LD_LIBRARY_PATH=${BIN%/bin}/lib
	cc -D_GNU_SOURCE -DREAL="\"$LD_LIBRARY_PATH/../libexec/uncoremsr/$1\"" -I"$TOP/include" -I"$TOP/tools" \
		-o "libexec/uncoremsr/$1" -x c -
}

# bats test_tags=plain
@test "changes while an output program is starting are still sent to it" {
	need curl
	# The real program starts when the file "on" exists.
	stand_in uncore-agent-collectd <<-END
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		(void)argc;
		while (access("$PWD/on", F_OK))
			usleep(10000);
		return execv(REAL, argv);
	}
	END
	cp "${BIN%/bin}/libexec/uncoremsr/uncore-agent-http" libexec/uncoremsr
	background bin/uncore-agent -i 0.05 --throttle --collectd=exec --state=. --prometheus=unix:s \
		--machine='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=0.4 for=0.2' >out 2>told
	has text '^uncoremsr_throttle_episodes_total.*prochot-external.* ([4-9]|[1-9][0-9]+)$'
	: >on
	wait_for out PUTVAL
	# The program then sends all earlier changes before the first values: at least four beginnings, and the three
	# ends between them. Beginnings and ends alternate, so no change is missing.
	run -0 grep -o 'severity=[a-z]*' <(sed '/^PUTVAL/,$d' out)
	[ "${#lines[@]}" -ge 7 ]
	[ -z "$(uniq -d <<<"$output")" ]
}

# bats test_tags=plain
@test "if an output is restarted at the end of an interval, it gets the changes of that interval" {
	# Until the file "on" exists, the program ends at once, and the agent starts it again at the end of the next
	# interval.
	stand_in uncore-agent-collectd <<-END
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		(void)argc;
		return access("$PWD/on", F_OK) ? 7 : execv(REAL, argv);
	}
	END
	# There is throttling in every other interval, so each interval has a change.
	background bin/uncore-agent -i 0.5 --throttle --collectd=exec --state=. \
		--machine='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=1 for=0.001' >>out 2>>told
	has_five() { [ "$(grep -c 'ended with status 7' told)" -ge 5 ]; }
	# On a busy machine the agent can miss an interval, and then the program may be started at the end of an interval
	# without a change. Try that again.
	for _ in {1..5}; do
		wait_until has_five
		: >on
		wait_for out PUTVAL
		[[ $(head -n 1 out) != PUTNOTIF* ]] || return 0
		rm on
		: >told
		pkill -KILL -P "$pid"
		wait_until has_five
		: >out
		: >told
	done
	false
}

# bats test_tags=plain
@test "an interval is sent to collectd once, however often it is announced" {
	# Announce each interval twice, the second time 10 ms later, when the real program has read the values.
	stand_in uncore-agent-collectd <<-'END'
	#include <sys/socket.h>
	#include <unistd.h>
	#include "agent/program.h"
	int main(int argc, char **argv)
	{
		int pair[2];
		char byte;

		(void)argc;
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0)
			return 1;
		if (fork()) {
			dup2(pair[1], AGENT_NEWS);
			return execv(REAL, argv);
		}
		close(pair[1]);
		for (ssize_t n; (n = read(AGENT_NEWS, &byte, 1)); usleep(10000))
			for (int i = 0; n > 0 && i < 2; i++, usleep(10000))
				send(pair[0], &byte, 1, 0);
		return 0;
	}
	END
	background bin/uncore-agent -i 0.2 -e 0x82:0x1 --collectd=exec --state=. --machine="$SIM" >out 2>told
	has_ten() { [ "$(grep -c 'package1/counter' out)" -ge 10 ]; }
	wait_until has_ten
	end_agent
	cut -d : -f 1 out | sort | uniq -d >twice
	[ ! -s twice ]
}

# The agent announces intervals on a socket pair (AGENT_NEWS). An output must not be able to send on it, nor to set
# the agent's end to blocking mode.
# bats test_tags=plain
@test "a hostile output cannot stop the counting process, and is killed if it hangs" {
	stand_in uncore-agent-http <<-'END'
	#include <errno.h>
	#include <fcntl.h>
	#include <unistd.h>
	#include "agent/program.h"
	int main(void)
	{
		const uint64_t most = UINT64_MAX - 1; /* what fills an eventfd(2) */
		uint64_t num;
		ssize_t n;

		do {
			(void)!read(AGENT_NEWS, &num, sizeof(num));
			n = write(AGENT_NEWS, &most, sizeof(most));
		} while (n < 0 && errno == EAGAIN);
		if (n > 0)
			(void)!write(AGENT_MESSAGES, "could write\n", 12);
		fcntl(AGENT_NEWS, F_SETFL, 0);
		for (;;)
			pause();
	}
	END
	background bin/uncore-agent -i 0.01 -e 0x82:0x1 --prometheus=unix:s --machine="$SIM" 2>told
	wait_for told 'HTTP: its process was killed by signal 9; restarted'
	end_agent
	run ! grep 'could write' told
}

# bats test_tags=plain
@test "the outputs end with the agent, even if the kernel does not kill them" {
	local name children child
	for name in uncore-agent-{http,collectd,snmp}; do
		[ -e "${BIN%/bin}/libexec/uncoremsr/$name" ] || skip "built without $name"
		stand_in "$name" <<-'END'
		#include <sys/prctl.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			(void)argc;
			return prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) || execv(REAL, argv);
		}
		END
	done
	background bin/uncore-agent -i 0.05 -e 0x82:0x1 --prometheus=unix:s --collectd=unix:away --agentx=unix:away --state=. \
		--machine="$SIM" 2>told
	wait_for told 'collectd: .*retrying'
	wait_for told 'SNMP: .*retrying'
	need curl
	answers /-/ready
	children=$(pgrep -P "$pid")
	[ "$(wc -w <<<"$children")" = 3 ]
	kill -KILL "$pid"
	for child in $children; do wait_while runs "$child"; done
}

# runs PID: is it a process that has not ended?
runs() {
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	[[ $stat != *') Z '* ]]
}

# bats test_tags=plain
@test "the agent logs messages of its children, limited in number and length" {
	stand_in uncore-agent-http <<-'END'
	#include <stdio.h>
	#include <unistd.h>
	int main(void)
	{
		fputs("\033[2Juncore-agent: a line\nof two", stderr);
		for (int i = 0; i < 100000; i++)
			fputs("x\n", stderr);
		pause();
	}
	END
	background bin/uncore-agent --machine="$SIM" -e 0x82:0x1 -i 60 --prometheus=unix:s 2>told
	wait_for told 'HTTP: x'
	kill -TERM "$pid"
	ends_with 143
	[ "$(head -n 1 told)" = 'uncore-agent: HTTP: \033[2Juncore-agent: a line\nof two' ]
	# At most fifty lines are logged per interval. The first values, at the start, count as an interval, too.
	[ "$(wc -l <told)" -le 150 ]
}

# bats test_tags=plain
@test "an output process that has no memory for the values ends, and a new one takes over" {
	local child
	need prlimit
	{
		echo '<Plugin intel_pmu>'
		printf 'HardwareEvents'
		printf ' "cpu/event=0x%x,umask=0x1/"' {1..32}
		printf '\n</Plugin>\n'
	} >a.conf
	serve --machine=sim:skylake-sp-perf --config=a.conf -i 0.05
	child=$(pgrep -P "$pid")
	sleep 1.1 # a child that ends within a second is restarted only later
	prlimit --pid "$child" --data=1 2>/dev/null || skip "no right to limit a process of another user"
	has text '^uncoremsr_event_total.*cpu="15".* [1-9]'
	grep -q 'HTTP: out of memory for the values' told
	grep -q 'HTTP: its process ended with status 1; restarted' told
}

# If a scrape got the same values again, the rate between the next two scrapes would be too high.
# bats test_tags=plain
@test "if the counting process hangs, its last values are no longer served once the next ones are overdue" {
	local told="the values are old: the counting process sends no new ones"
	serve --machine="$SIM" -e 0x82:0x1 -i 3
	has text '^uncoremsr_event_total.* [1-9]'
	kill -STOP "$pid"
	sleep 4.5
	run -0 curl -s --unix-socket s -w '%{http_code}|' http://localhost/metrics http://localhost/-/ready http://localhost/-/healthy
	[[ $output == "$told"$'\n503|'*'503|uncore-agent is healthy'*'200|' ]]
	kill -CONT "$pid"
	answers /-/ready
	has text '^uncoremsr_event_total.* [1-9]'
	[[ $(<told) != *restarted* ]]
}

# bats test_tags=plain
@test "an agent that is started while the outputs of a killed one are ending gets their files and addresses" {
	need cc
	cc -shared -fPIC -o used.so "$TOP/tests/tools/used_at_first.c"
	LD_PRELOAD=$PWD/used.so serve --machine="$SIM" -e 0x82:0x1 -i 10 --collectd=unix:away --state=state
	run ! grep -E 'in use|uses it' told
}
