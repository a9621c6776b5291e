#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent: its configuration, the output of --check, and the values that clients get.

load common

SIM=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000 PERF=sim:skylake-sp-perf,clock=stepped

setup() {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
}

# block OPTION...: write a configuration with these lines in the block uncoremsr.
block() {
	{
		echo '<Plugin uncoremsr>'
		printf '%s\n' "$@"
		echo '</Plugin>'
	} >a.conf
}

# serve ARG...: start an agent on the socket "s", and wait until it is ready.
serve() {
	need curl
	: >told
	background uncore-agent --prometheus=unix:s "$@" 2>>told
	answers /-/ready
}

# free_port: set $port to a port that nobody listens on, below those that the kernel gives to connections of other tests.
free_port() {
	port=$(perl -MIO::Socket::INET -e 'my $s;
		until ($s) {
			$s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 10000 + int rand 20000);
		}
		print $s->sockport')
}

# get PATH ARG...: print the agent's answer.
get() {
	curl -sf --max-time 60 --unix-socket s "http://localhost$1" "${@:2}"
}

# answers PATH: wait until the agent answers.
answers() {
	wait_until get "$1" >/dev/null || { cat told; return 1; }
}

# has FILE SED-EXPRESSION: wait until /metrics has a sample that matches; FILE gets /metrics.
has() {
	wait_until has_now "$@"
}

has_now() {
	get /metrics >"$1" && grep -qE "$2" "$1"
}

# ---- the file ----

# design NAME: copy an example configuration from the corpus, with the paths of event lists changed to existing ones.
design() {
	need_corpus "collectd/$1.conf"
	need_corpus perfmon
	sed "s,/var/cache/pmu/[^\"]*,$CORPUS/perfmon,; s/\"18\"/\"4\"/" "$CORPUS/collectd/$1.conf" >"$1.conf"
}

# checks NAME:N ROW...: --check of an example from the corpus must list N events, among them these rows of CSV,
# "EVENT,CORES,FROM".
checks() {
	local row
	design "${1%:*}"
	run -0 uncore-agent --machine="$PERF" --config="${1%:*}.conf" --check --format=csv
	[ "${#lines[@]}" = $((${1#*:} + 1)) ]
	for row in "${@:2}"; do
		[[ $output == *",$row,"* ]] || { echo "$row: $output"; return 1; }
	done
}

@test "--check lists the events of each example of the design, with their cores and the lines that they come from" {
	checks design-1:46 'L2_RQSTS.CODE_RD_HIT,each CPU,line 10' 'L2_RQSTS.CODE_RD_MISS,each CPU,line 10' \
		'L2_RQSTS.ALL_CODE_RD,each CPU,line 10' 'L2_RQSTS.PF_MISS,1,line 12'
	[ "$(grep -c ',each CPU,,' <<<"$output")" = 42 ]
	# The plugin intel_pmu of collectd's release 5.12 has one list of cores for all events. In later versions each
	# list of events has its own list of cores.
	checks release-5.12:19
	[ "$(grep -c ',"0-3 4,6 \[12-15\]",line 3 (global),' <<<"$output")" = 19 ]
	checks main-branch:4 'L2_RQSTS.CODE_RD_HIT,"0,3,4 1-2 [5-9]",line 5' 'L2_RQSTS.CODE_RD_MISS,"0,3,4 1-2 [5-9]",line 5' \
		'L2_RQSTS.ALL_CODE_RD,"0,3,4 1-2 [5-9]",line 5' 'L2_RQSTS.PF_MISS,11-0xa,line 7'
	run -0 uncore-agent --machine="$PERF" --config=design-1.conf --check
	[[ $output == *"interval     1.000 s"*"collectd's own plugin would need ReadThreads 9"$'\n'"outputs      none: give "* ]]
	# The example of the plugin's design document, with its misprints.
	design design-1-as-printed
	run -2 uncore-agent --machine="$PERF" --config=design-1-as-printed.conf --check
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[0]} == *".conf:4: ReportSoftwareEvents: unexpected 'EventList' after"* ]]
	[[ ${lines[1]} == *".conf:5: 'HWSpecificEventsHardwareEvents'"*"write HardwareEvents" ]]
}

@test "the design's second example gives one metric for each socket, with config1 unchanged" {
	checks design-2:2 'UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000,0 4,line 4 (global)' \
		'UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE.PART0,0 4,line 4 (global)'
	serve --machine="$PERF" --config=design-2.conf -i 0.05
	has now 'uncoremsr_event_total.*package="1".*IA_MISS.* [1-9]'
	[ "$(grep -c '^uncoremsr_event_total{' now)" = 4 ]
	exposition now
}

@test "--check counts the CPUs of each set of cores: zeros before a number and empty items change nothing" {
	local set
	for set in 00-09:10 08,09:2 ,0,1:2 0,1,,,,3:3 9-0x8:2; do
		printf '%s\n' '<Plugin intel_pmu>' 'HardwareEvents "cycles"' "Cores \"${set%:*}\"" '</Plugin>' >a.conf
		run -0 uncore-agent --machine="$PERF" --config=a.conf --check --format=csv
		[[ $output == *",cpu,perf,1,${set#*:},ok,"* ]]
	done
}

@test "an event that is counted for a small share of the time is reported once, below a limit that can be set" {
	local limit
	for limit in 50 5; do
		printf '%s\n' '<Plugin uncoremsr>' "MinRunning $limit" '</Plugin>' '<Plugin intel_pmu>' \
			'ReportHardwareCacheEvents true' 'ReportSoftwareEvents true' 'Cores "0" "1-3"' '</Plugin>' >a.conf
		run -0 --separate-stderr uncore-agent --machine="$PERF" --config=a.conf --prometheus=unix:s -i 1 -n 3
		if [ "$limit" = 50 ]; then
			[ "${#stderr_lines[@]}" = 1 ]
			[[ $stderr =~ :\ counted\ for\ only\ 1[0-9]\ %\ of\ the\ time,\ and\ 25\ others\ for\ less\ than\ 50\ %:\ their\ values\ are\ estimates ]]
		else
			[ -z "$stderr" ]
		fi
	done
}

@test "errors in a configuration file are reported with line and word, and unknown options are skipped" {
	# A wrong value of each option is reported with file, line and word.
	wrong_values uncoremsr <<-'END'
	Event 7|Event: '7': put it in quotes
	Event|Event: its value is missing
	Cores 0|Cores: '0': put it in quotes
	Interval "ten"|Interval: 'ten': write seconds without quotes
	Interval "5"|Interval: '5': write seconds without quotes
	Interval 0|Interval: '0': must be seconds
	Interval 1 2|Interval: '2': takes one value
	Interval 1 Event|Interval: unexpected 'Event' after its value
	EventList ""|EventList: '': must be a file or directory
	MinRunning "half"|MinRunning: 'half': must be a percentage, 0 to 100
	MinRunning 101|MinRunning: '101': must be a percentage, 0 to 100
	Throttle "perhaps"|Throttle: 'perhaps': must be true or false
	END
	wrong_values Prometheus <<<"Listen \"here\"|Listen: 'here': must be"
	# Some errors end the reading of the file; others are found only after the whole file was read.
	local option text
	while IFS='|' read -r option text; do
		block 'Event "UNC_PROCHOT_ASSERTION"' "${option//;/$'\n'}"
		fails_with 2 "a.conf:$text" uncore-agent --machine="$SIM" --config=a.conf --check
	done <<-'END'
	Event "no-such-event"|3: event 'no-such-event': no event of that name
	Metric "no-such-metric"|3: 
	Cores 0-3|3: '0-3': put it in quotes
	Cores "5g"|3: Cores: 
	Cores "0" ""|3: Cores: '': must name at least one core
	Cores "999"|3: Cores: 
	Event "open|3: the closing quote is missing
	<SNMP>|4: </Plugin>: does not match the open block, <SNMP> of line 3
	<History>;</History>|3: <History>: not supported
	EventList "/no/such.json"|3: event list /no/such.json: No such file or directory
	END
	printf 'Interval 1\n\0\n' >a.conf
	fails_with 2 "a.conf:2: byte 0x00: not expected here" uncore-agent --machine="$SIM" --config=a.conf --check
	printf '<Plugin intel_pmu>\n  HardwareEvents "All"\n  EventList "/no/such.json"\n</Plugin>\n' >a.conf
	fails_with 2 "a.conf:3: event list /no/such.json: " uncore-agent --machine="$SIM" --config=a.conf --check
	# Unknown options in a file are reported, and the other options are used.
	block 'Event "UNC_PROCHOT_ASSERTION"' 'Colour "red"' '<Sound>' 'Loud true' '</Sound>' '<Cores "0-1">' '</Cores>' \
		'Throttle "yes"'
	# Blocks of other plugins are ignored without a message.
	printf 'Hostname "h"\n<Plugin cpu>\nReportByCpu true\n</Plugin>\n' >>a.conf
	run -0 --separate-stderr uncore-agent --machine="$SIM" --config=a.conf --check
	[ "${#stderr_lines[@]}" = 4 ]
	[[ ${stderr_lines[0]} == *"a.conf:3: Colour: unknown option"* ]]
	[[ ${stderr_lines[1]} == *"a.conf:4: <Sound>: unknown block"* ]]
	[[ ${stderr_lines[2]} == *"a.conf:7: <Cores>: unknown block"* ]]
	[[ ${stderr_lines[3]} == *"a.conf:9: Throttle: 'yes': write it without quotes"* && $output == *"throttling   reported"* ]]
	[[ $output == *UNC_PROCHOT_ASSERTION* && $output != *ReadThreads* ]]
	# A metric that cannot be counted is a configuration error, even if others can be counted.
	run -3 --separate-stderr uncore-agent --machine=sim:westmere-2s,clock=stepped --check -M memory-bandwidth,dram-power
	[[ $stderr == *"metric 'dram-power': "*"no PMU 'power'"* ]]
	printf '<Plugin other>\n</Plugin>\n' >other.conf
	run -2 uncore-agent --machine="$SIM" --config=other.conf --check
	[[ ${lines[-1]} == "uncore-agent: other.conf: nothing to count: no <Plugin uncoremsr> or <Plugin intel_pmu> in it "* ]]
}

@test "--check tells what it needs more if the kernel has to count in place of registers" {
	run -0 uncore-agent --machine="$PERF" -e cha/event=0x35,umask=1/,cycles --check
	[[ $output == *"descriptors  32 for counters, 96 in total; the limit is "*"; 36 more if registers do not answer at the start, "* ]]
	run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 --check
	[[ $output == *"descriptors  24 for counters"* && $output != *" more if "* ]]
}

@test "--check opens no socket, device or kernel counter" {
	need strace
	ASAN_OPTIONS=detect_leaks=0 run -0 strace -f -o trace -e trace=socket,perf_event_open,openat \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:s --check
	[[ -s trace && ! $(<trace) =~ socket\(|perf_event_open|/dev/cpu && ! -e s ]]
}

@test "-i and the configuration file accept the same intervals" {
	local seconds
	for seconds in 0.009 0.000002 86401 1000000000; do
		block 'Event "0x82:0x1"' "Interval $seconds"
		fails_with 2 "a.conf:3: Interval: '$seconds': must be seconds, 0.01 to 86400" uncore-agent --machine="$SIM" --config=a.conf --check
		fails_with 2 "--interval: $seconds: must be seconds, 0.01 to 86400" uncore-agent --machine="$SIM" -e 0x82:0x1 -i "$seconds" --check
	done
	for seconds in 0.01 86400; do
		block 'Event "0x82:0x1"' "Interval $seconds"
		run -0 uncore-agent --machine="$SIM" --config=a.conf --check
		[[ $output == *"interval     $seconds"* ]]
		run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 -i "$seconds" --check
		[[ $output == *"interval     $seconds"* ]]
	done
	# An interval in collectd's environment that -i would refuse is ignored, and the default of 10 s is used.
	COLLECTD_INTERVAL=0.001 run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 --collectd=exec --state=. --check
	[[ $output == *"interval     10.000 s"* ]]
}

# ---- values ----

@test "on a constant rate each total is rate times time, in both formats" {
	local q ask=() text='text/plain; version=0.0.4'
	serve --machine="$SIM" -e 0x82:0x1 -i 0.05
	has text '^uncoremsr_event_total.* [1-9]'
	exposition text
	# Time and total are read at slightly different moments, so the total may differ by the events of one
	# millisecond.
	awk '/^uncoremsr_event_total/ { n++; total[n] = $2 }
	     /^uncoremsr_event_enabled/ { e++; late = int($2 * 1000 + 1e-6) - total[e]; if (late < -1 || late > 1) exit 1 }
	     END { exit n != 2 || e != 2 }' text
	wait_until get /metrics -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5' >open
	[[ $(<open) == *$'\n# TYPE uncoremsr_event counter\n'*$'\n# EOF' ]]
	# A q-value that is not a number from 0 to 1 is ignored.
	for q in 0.3,text/plain {1e999,-1,nan,x}',text/plain;q=0.1'; do
		ask+=(--next -sf --max-time 60 --unix-socket s -H "Accept: application/openmetrics-text;q=$q" -o page
			-w '%{content_type}|' http://localhost/metrics)
	done
	run -0 curl "${ask[@]:1}"
	[[ $output == "$text"*"|$text"*"|$text"*"|$text"*"|$text"*"|" ]]
	kill -TERM "$pid"
	ends_with 143
	[ ! -e s ]
}

@test "only GET and HEAD of existing pages succeed; totals are 0 before the first interval has ended" {
	local x ask=(--next -s --unix-socket s -w '|%{http_code};')
	serve --machine="$SIM" -e 0x82:0x1 -i 600
	printf -v x '%20000s' ''
	run -0 curl "${ask[@]:1}" http://localhost/ http://localhost/-/healthy http://localhost/nothing \
		"${ask[@]}" -X POST -d a=b http://localhost/metrics "${ask[@]}" -o head -I http://localhost/metrics \
		"${ask[@]}" -H "X: ${x// /x}" http://localhost/metrics
	[[ $output == *'href="/metrics"'*'|200;uncore-agent is healthy'*'|200;'*'|404;'*'|405;|200;'*'|431;' ]]
	get /metrics >text
	exposition text
	[ "$(sample text uncoremsr_event_total 'package="0"')" = 0 ]
	[[ $(<text) != *$'\nuncoremsr_interval_seconds'* ]]
}

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
	# The restart must not cost an interval. On a busy machine the agent can miss one for another reason: try again.
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
		"$TOP/tools/agent/shared.c"
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
	wait_for told 'counting through registers needs a capability that was given up at the start; restart the agent'
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
	[ "$stderr" = "uncore-agent: HTTP: cannot open the program of this output: $PWD/bin/../libexec/uncoremsr/uncore-agent-http: No such file or directory" ]
	run -2 --separate-stderr bin/uncore-agent --machine="$SIM" -e 0x82:0x1 --agentx=unix:a --check
	[[ $stderr == *"the build had no net-snmp"*"not installed): "*"uncore-agent-snmp: No such file"* ]]
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
	chmod 755 "$BATS_RUN_TMPDIR" .
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
	chmod 755 "$BATS_RUN_TMPDIR" .
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
@test "the outputs end with the agent, also if the kernel does not kill them" {
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
		fputs("\033[2Juncore-agent: a line\nand one without an end", stderr);
		for (int i = 0; i < 100000; i++)
			fputs("x\n", stderr);
		pause();
	}
	END
	background bin/uncore-agent --machine="$SIM" -e 0x82:0x1 -i 60 --prometheus=unix:s 2>told
	wait_for told 'HTTP: x'
	wait_for told 'HTTP: and one without an endx'
	kill -TERM "$pid"
	ends_with 143
	[ "$(head -n 1 told)" = 'uncore-agent: HTTP: \033[2Juncore-agent: a line' ]
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

@test "a thousand clients that send nothing do not delay a scrape" {
	local i fds=()
	free_port
	[ "$(ulimit -n)" -ge 1200 ] || ulimit -n 1200 || skip "too few descriptors"
	serve --machine="$SIM" -e 0x82:0x1 -i 10 --prometheus=:"$port"
	for ((i = 0; i < 1000; i++)); do
		exec {fd}<>"/dev/tcp/127.0.0.1/$port"
		fds+=("$fd")
	done
	curl -sf --max-time 60 "http://127.0.0.1:$port/metrics" >text
	exposition text
	for fd in "${fds[@]}"; do exec {fd}>&-; done
}

# bats test_tags=plain
@test "a connection stays open after a scrape, and is closed if a request on it is not completed" {
	need python3
	serve --machine="$SIM" -e 0x82:0x1 -i 10
	run -0 timeout 60 python3 - <<-'END'
	import socket, time
	def connect():
	    s = socket.socket(socket.AF_UNIX)
	    s.connect("s")
	    return s
	def scrape(s):
	    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
	    head = b""
	    while b"\r\n\r\n" not in head:
	        head += s.recv(1)
	    left = int(head.lower().split(b"content-length:")[1].split()[0])
	    while left:
	        left -= len(s.recv(left))
	    return head.split()[1].decode()
	kept, half, together = connect(), connect(), connect()
	print(scrape(kept), scrape(kept), scrape(half))
	begin = time.monotonic()
	half.send(b"GET /metrics HTTP/1.1\r\n")
	# The beginning of a second request arrives with the first one.
	together.send(b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\nGET /metrics HTTP/1.1\r\n")
	for s in half, together:
	    while s.recv(100):
	        pass
	    print(time.monotonic() - begin > 9)
	time.sleep(1)
	print(scrape(kept))
	END
	[ "$output" = $'200 200 200\nTrue\nTrue\n200' ]
}

# Before each request, silent connections are opened, and all are checked at the end. A run that took longer than the 10
# s that a connection may be silent proves nothing and is repeated.
# bats test_tags=plain
@test "with too many connections the longest silent ones are closed, first those of the same address" {
	need perl
	free_port
	background bash -c "ulimit -n 256; exec uncore-agent --machine='$SIM' -e 0x82:0x1 -i 10 --prometheus=:$port --prometheus=unix:s" 2>told
	answers /-/ready
	run -0 perl -MIO::Socket::INET -MIO::Socket::UNIX -MIO::Select -MTime::HiRes=time,sleep - "$port" <<-'END'
	sub silent {
		my ($from, $num) = @_;
		return map { $from eq "s" ? IO::Socket::UNIX->new(Peer => "s")
			: IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0], LocalAddr => $from)
			or die "$from: $!" } 1 .. $num;
	}
	sub asks {
		my ($s) = silent(shift, 1);
		my $answer = "";
		print $s "GET /-/healthy HTTP/1.1\r\nHost: h\r\n\r\n";
		$s->flush;
		while (IO::Select->new($s)->can_read(60) && sysread($s, $answer, 4096, length $answer)) { }
		die "no answer: $answer\n" unless $answer =~ /^HTTP\/1.1 200 /;
	}
	sub open_ones { return scalar grep { !IO::Select->new($_)->can_read(0) } @_ }
	for (1 .. 10) {
		my $begin = time;
		my ($talks) = silent("127.0.0.2", 1);
		my @near = silent("127.0.0.2", 60);
		asks("127.0.0.2");
		sleep 0.05;
		print $talks "G";
		$talks->flush;
		asks("127.0.0.2");
		my @other = silent("127.0.0.3", 20);
		my @later = silent("127.0.0.2", 39);
		asks("127.0.0.2");
		my @one = (open_ones($talks), open_ones(@near), open_ones(@later), open_ones(@other));
		my @local = silent("s", 100);
		asks("s");
		my @path = (open_ones(@local), open_ones(@near));
		my @many = map { silent("127.0.1.$_", 30) } 1 .. 10;
		asks("127.0.0.9");
		my @all = (open_ones(@near), open_ones(@local), open_ones(@many[-100 .. -1]),
			open_ones($talks, @near, @later, @other, @local, @many));
		next if time - $begin > 8;
		print "@one, @path, @all\n";
		exit 0;
	}
	die "ten times, each of them slower than 8 s\n";
	END
	echo "$output"
	# The server keeps 64 connections per address. The last request is the 101st connection of 127.0.0.2, so the
	# server closes the 37 that have been silent longest. All 37 are in @near, because $talks sent a byte more
	# recently. With ulimit -n 256 the server keeps 160 connections in all.
	[ "$output" = "1 23 39 20, 100 0, 0 0 100 159" ]
}

@test "a web server of another user can ask at the socket, whatever the umask; an address in use is refused" {
	umask 077
	free_port
	serve --machine="$SIM" -e 0x82:0x1 -i 10 --prometheus=:"$port"
	[ "$(stat -c %a s)" = 666 ]
	run -0 --separate-stderr uncore-agent --machine="$SIM" -e 0x82:0x1 -n 1 -i 0.05 --collectd=unix:away --state=state
	[ "$(stat -c %a state/collectd-totals)" = 600 ]
	fails_with 4 "cannot listen on :$port: Address already in use" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=:"$port"
	fails_with 4 "cannot listen on unix:s: Address already in use" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:s
	fails_with 4 "cannot listen on unix:told: exists and is not a socket" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:told
	# Leftovers of a killed agent do no harm.
	kill -KILL "$pid"
	ends_with 137
	[ -S s ]
	serve --machine="$SIM" -e 0x82:0x1 -i 10
}

# bats test_tags=plain
@test "an agent that is started while the outputs of a killed one are ending gets their files and addresses" {
	need cc
	cc -shared -fPIC -o used.so "$TOP/tests/tools/used_at_first.c"
	LD_PRELOAD=$PWD/used.so serve --machine="$SIM" -e 0x82:0x1 -i 10 --collectd=unix:away --state=state
	run ! grep -E 'in use|uses it' told
}

@test "an event that cannot be counted is unknown with a reason, and a group is counted once its counters are free" {
	local i machine=$SIM
	cat >a.conf <<-'END'
	<Plugin uncoremsr>
	  Event "0x9:0x1"
	</Plugin>
	<Plugin intel_pmu>
	  HardwareEvents "NO_SUCH.GROUPED,UNC_PROCHOT_ASSERTION" "NO_SUCH.EVENT" "NO_SUCH.EVENT"
	</Plugin>
	END
	run -1 --separate-stderr uncore-agent --machine="$SIM" --config=a.conf --check --format=csv
	[[ ${lines[2]} == *"UNC_PROCHOT_ASSERTION,"*",ok,"* && ${lines[3]} == *",NO_SUCH.GROUPED,"*",no-event,"* ]]
	[[ ${lines[4]} == *",NO_SUCH.EVENT,"*",no-event,"* ]]
	# A comma in brackets does not separate events, and an empty text is no event.
	printf '<Plugin intel_pmu>\nHardwareEvents "UNC_TURBO_MODE.CORE_[0,2],NO_SUCH" ""\n</Plugin>\n' >b.conf
	run -1 --separate-stderr uncore-agent --machine="$SIM" --config=b.conf --check --format=csv
	[ "$(cut -d, -f3,10 <<<"$output" | tail -n 4)" = $'UNC_TURBO_MODE.CORE_0,ok\nUNC_TURBO_MODE.CORE_2,ok\nNO_SUCH,no-event\n,no-event' ]
	# Another program uses all counters but one for two seconds.
	for i in {0..6}; do machine+=",foreign=0x3c$i 0x400101 at=0,foreign=0x3c$i 0 at=2"; done
	serve --machine="$machine" --config=a.conf -i 0.1
	[[ $(<told) == *"a.conf:5: not counted: "*NO_SUCH.GROUPED*"; 2 more, see --check"* ]]
	has text '^uncoremsr_event_total.*"UNC_PROCHOT_ASSERTION".* [1-9]'
	[ "$(sample text uncoremsr_unknown 'event="NO_SUCH.EVENT"' 'reason="no-event"')" = 1 ]
	wait_for told 'a.conf:5: counted from now on'
	[ "$(grep -c 'package 0: no free counter: 1 needed at the same time, 0 of 8 free' told)" = 1 ]
}

@test "each cause of throttling is 1, 0 or unknown, and the agent's own counters are not taken for another program's" {
	# Each cause of throttling is 1, 0 or unknown, and has a count of how often it began.
	serve --machine='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1' --throttle -i 0.05
	has text '^uncoremsr_interval_seconds [0-9.]*[1-9]'
	exposition text
	[ "$(sample text uncoremsr_throttled 'package="1",cause="prochot-external"')" = 1 ]
	[ "$(sample text uncoremsr_throttled 'package="0",cause="prochot-external"')" = 0 ]
	[ "$(sample text uncoremsr_throttle_episodes_total 'package="1",core="8",cause="prochot-external"')" = 1 ]
	# The agent's own counters are not reported as another program's.
	local machine=sim:westmere-2s,clock=stepped
	run -0 --separate-stderr uncore-agent --machine="$machine" --throttle -e 0x20:0x1 --prometheus=unix:other -i 1 -n 2
	[ -z "$stderr" ]
	# A counter that another program uses is still reported.
	run -0 --separate-stderr uncore-agent --machine="$machine",busy=0 --throttle -e 0x20:0x1 --prometheus=unix:other -i 1 -n 2
	[[ $stderr == *"package 0: another program counts without a lease on counter 0: "* && $stderr != *"counter 0, 1"* ]]
}

@test "no series is twice on /metrics if a sum and a single unit have the same labels" {
	printf '<Plugin uncoremsr>\nEvent "UNC_PROCHOT_ASSERTION"\n</Plugin>\n' >a.conf
	printf '<Plugin intel_pmu>\nHardwareEvents "UNC_PROCHOT_ASSERTION"\nDispatchMultiPmu true\n</Plugin>\n' >>a.conf
	serve --machine="$SIM" --config=a.conf -i 0.05
	has text '^uncoremsr_event_total.* [1-9]'
	exposition text
	[ "$(grep -c '^uncoremsr_event_total{' text)" = 2 ]
}

# Five events on each CPU of this machine.
@test "the soft limit of descriptors is raised; a hard limit that is too low is reported with the number needed" {
	run -3 bash -c "ulimit -n 63; exec uncore-agent --machine=$SIM -e 0x82:0x1 --prometheus=unix:s"
	[[ $output == "uncore-agent: 64 descriptors are needed, and the limit is 63: put"* ]]
	uncore-read -e cpu-clock -i 0.01 -n 1 >/dev/null 2>&1 || skip "the kernel counts nothing here"
	local events=cpu-clock,task-clock,page-faults,minor-faults,context-switches enough
	enough=$((5 * $(getconf _NPROCESSORS_ONLN) + 64))
	run -0 uncore-agent -e "$events" --check
	[[ $output == *"descriptors  $((enough - 64)) for counters, $enough in total"* ]]
	run -3 bash -c "ulimit -Sn 64; ulimit -Hn $((enough - 1)); exec uncore-agent -e $events --prometheus=unix:s"
	[[ $output == "uncore-agent: $enough descriptors are needed, and the limit is $((enough - 1)): put"*"LimitNOFILE=$enough into"* ]]
	[ ! -e s ]
	background bash -c "ulimit -Sn 64; ulimit -Hn $enough; exec uncore-agent -e $events --prometheus=unix:s" 2>told
	answers /-/ready
	grep -q "^Max open files *$enough *$enough" "/proc/$pid/limits"
}

@test "SIGHUP reloads the file: totals of events that stay continue, and an invalid file changes nothing" {
	local before throttled
	block 'Event "UNC_PROCHOT_ASSERTION"' 'Throttle true' 'Interval 0.05'
	serve --machine="$SIM,throttle=none,throttle=prochot-external package=1" --config=a.conf
	has text '^uncoremsr_event_total.*package="0".* [1-9]'
	before=$(sample text uncoremsr_event_total 'package="0"')
	throttled=$(sample text uncoremsr_throttled_seconds_total 'package="1",cause="prochot-external"')
	block 'Event 7'
	kill -HUP "$pid"
	wait_for told 'a.conf:2: Event: .7.: put it in quotes'
	wait_for told 'a.conf: not used; the agent keeps counting as before'
	# The agent itself counts UNC_CLK_UNHALTED to look for throttling, on a counter of which there is only one.
	block 'Event "UNC_PROCHOT_ASSERTION" "UNC_L3_MISS.READ" "UNC_CLK_UNHALTED"' 'Throttle true' 'Interval 0.05'
	kill -HUP "$pid"
	has text '^uncoremsr_event_total.*"UNC_L3_MISS.READ".* [1-9]'
	exposition text
	[ "$(sample text uncoremsr_event_total 'package="0"' PROCHOT)" -ge "$before" ]
	sample text uncoremsr_throttled_seconds_total 'package="1",cause="prochot-external"' |
		awk -v before="$throttled" '{ exit !(before > 0 && $1 > before) }'
	awk '/^uncoremsr_event_total.*PROCHOT/ { n++; total[n] = $2 }
	     /^uncoremsr_event_enabled.*PROCHOT/ { e++; late = int($2 * 1000 + 1e-6) - total[e]; if (late < -2 || late > 3) exit 1 }' text
}

@test "if neither the new nor the old events can be started after SIGHUP, the agent keeps running" {
	printf '%s\n' '<Plugin intel_pmu>' 'HardwareEvents "cbo/event=0x34,umask=0x11,filter_state=0x1f/"' \
		'DispatchMultiPmu true' '</Plugin>' >a.conf
	serve --machine=sim:haswell-ep-2s,fail=any:0xe00-0xf40:EIO:after=600 --config=a.conf -i 0.05
	has text 'uncoremsr_unknown.*failed'
	kill -HUP "$pid"
	wait_for told 'a.conf: not used; .*nothing is counted; remove the cause, then send SIGHUP again'
	pause 0.3 # several intervals
	kill -HUP "$pid"
	wait_until eval '! is_alive "$pid" || [ "$(grep -c "a.conf: not used" told)" = 2 ]'
	is_alive "$pid"
}

@test "if a reload cannot restore a register, the exit status is 1" {
	block 'Event "UNC_L3_MISS.READ"' 'Throttle true'
	mkfifo pipe
	exec 7<>pipe
	background uncore-agent --machine='sim:westmere-2s,throttle=none,fail=write 0x3c5 EIO after=2' --config=a.conf \
		-i 0.05 --collectd=exec --state=. >pipe 2>told 7>&-
	read -r _ <&7
	block 'Event "UNC_L3_MISS.READ"'
	kill -HUP "$pid"
	wait_for told '0x3c5. was not put back'
	exec 7>&-
	ends_with 1
}

@test "the total of an event continues after SIGHUP even if another core group asks for it" {
	local before
	printf '<Plugin intel_pmu>\nHardwareEvents "UNC_PROCHOT_ASSERTION"\nCores "0"\n</Plugin>\n' >a.conf
	serve --machine="$SIM" --config=a.conf -i 0.05
	has text '^uncoremsr_event_total.*package="0".* [1-9][0-9][0-9]'
	before=$(sample text uncoremsr_event_total 'package="0"')
	# The metric shows that the file was read again.
	printf '<Plugin uncoremsr>\nMetric "memory-bandwidth"\n</Plugin>\n' >>a.conf
	sed -i 's/"0"/"0-3"/' a.conf
	kill -HUP "$pid"
	has text '^uncoremsr_metric'
	[ "$(sample text uncoremsr_event_total 'package="0"')" -ge "$before" ]
}

@test "a service manager gets READY, WATCHDOG and STOPPING" {
	need python3
	python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("n")
s.settimeout(60)
seen = b""
while seen != b"STOPPING=1":
	seen = s.recv(100)
	print(seen.decode(), flush=True)' 3>&- >heard &
	started+=($!)
	wait_until test -S n
	NOTIFY_SOCKET=n WATCHDOG_USEC=100000 serve --machine="$SIM" -e 0x82:0x1 -i 60
	wait_for heard 'WATCHDOG=1'
	[ "$(head -n 1 heard)" = READY=1 ]
	kill -TERM "$pid"
	wait_for heard STOPPING=1
}

# need_daemon NAME PROGRAM: skip unless it is installed, or was unpacked by tests/daemons.
need_daemon() {
	PATH+=:$TOP/build/$1/root/usr/bin:$TOP/build/$1/root/usr/sbin
	command -v "$2" >/dev/null || skip "no $2 (tests/daemons $1)"
}

@test "the documents' files for Prometheus and Grafana ask for metrics that exist, as often as the agent reads" {
	need jq
	# Prometheus scrapes and evaluates its rules in the agent's default interval, and README.md sets no other one.
	local every
	every=$(uncore-agent --help | grep -oE 'default [0-9]+' | head -n 1)
	grep -qx "    scrape_interval: ${every#default }s" "$TOP/docs/monitoring/prometheus.yml"
	grep -qx "    interval: ${every#default }s" "$TOP/docs/monitoring/uncoremsr-rules.yml"
	run ! grep -nE -- '-i [0-9]' "$TOP/docs/monitoring/README.md"
	# Each panel of the dashboard asks for metrics that exist.
	local asked name
	# Make one register fail, so that some values are unknown.
	serve --machine="$SIM,fail=read 0x19a EIO" --throttle -e 0x82:0x1 -M memory-bandwidth -i 0.05
	has text '^uncoremsr_metric.* [0-9]'
	asked=$(jq -r '[.panels[].targets[].expr, .templating.list[].query.query?] | map(select(. != null)) | .[] |
		match("uncoremsr_[a-z_]+"; "g").string' "$TOP/docs/monitoring/uncoremsr-dashboard.json" | sort -u)
	[ "$(wc -l <<<"$asked")" -ge 8 ]
	for name in $asked; do grep -q "^# TYPE $name " text || { echo "$name"; return 1; }; done
	# Each panel has its own place and id.
	jq -e '(.panels | map(.id) | unique | length) == (.panels | length) and all(.panels[]; .targets | length > 0) and
		(.panels | map(.gridPos | [.x, .y]) | unique | length) == (.panels | length)' \
		"$TOP/docs/monitoring/uncoremsr-dashboard.json"
}

# scrape QUERY...: does a real Prometheus on port $port have a result for each query?
scrape() {
	local query answer answers asks=()
	for query; do
		asks+=(--next -sf --max-time 60 -w '\n' "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$query")
	done
	curl "${asks[@]:1}" >answers || return
	mapfile -t answers <answers
	for answer in "${answers[@]}"; do
		[[ $answer == *'"result":[{'* ]] || return
	done
}

@test "a real Prometheus accepts the files, the alert fires with package and cause, and each panel has data" {
	need jq
	need_daemon prometheus prometheus
	need_daemon prometheus promtool
	local agent query queries
	free_port
	agent=$port
	free_port
	serve --prometheus="127.0.0.1:$agent" --throttle -e 0x82:0x1 -M memory-bandwidth -i 0.2 \
		--machine=sim:westmere-2s,rate=0x82:0x1=1000,throttle=none,throttle=prochot-external,'fail=read 0x19a EIO'
	sed "s/localhost:9468/127.0.0.1:$agent/; s/interval: 10s/interval: 1s/" "$TOP/docs/monitoring/prometheus.yml" >prometheus.yml
	sed 's/interval: 10s/interval: 1s/' "$TOP/docs/monitoring/uncoremsr-rules.yml" >uncoremsr-rules.yml
	background prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >log 2>&1
	has text '^uncoremsr_metric.* [0-9]'
	run -0 promtool check metrics <text
	[ -z "$output" ]
	(cd "$TOP/docs/monitoring" && promtool check config prometheus.yml && promtool test rules uncoremsr-rules-test.yml)
	mapfile -t queries < <(jq -r '.panels[].targets[].expr' "$TOP/docs/monitoring/uncoremsr-dashboard.json")
	# Rates need two scrapes; causes shown by the failing register are unknown.
	wait_until scrape 'ALERTS{alertname="UncoremsrThrottled",alertstate="firing",package="1",cause="prochot-external"}' \
		"${queries[@]//\$instance/.*}" || { cat answers; return 1; }
}

@test "nginx in front of the agent gives no values without TLS and password" {
	need openssl
	need_daemon nginx nginx
	free_port
	serve --machine="$SIM" -e 0x82:0x1 -i 0.05
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout metrics.key -out metrics.crt 2>/dev/null
	printf 'prometheus:%s\n' "$(openssl passwd -apr1 secret)" >metrics.users
	{
		echo "user $(id -un); pid $PWD/nginx.pid; error_log $PWD/error.log; daemon off; master_process off; events { } http { access_log off;"
		for dir in client_body proxy fastcgi uwsgi scgi; do echo "${dir}_temp_path $PWD/tmp;"; done
		sed "s,/etc/nginx/,$PWD/,; s,/run/uncore-agent/http,$PWD/s,; s/listen 9469/listen 127.0.0.1:$port/" \
			"$TOP/docs/monitoring/nginx.conf"
		echo '}'
	} >nginx.conf
	nginx -t -c "$PWD/nginx.conf" -e "$PWD/error.log" || { cat error.log; return 1; }
	background nginx -c "$PWD/nginx.conf" -e "$PWD/error.log"
	wait_until curl -skf -u prometheus:secret "https://127.0.0.1:$port/metrics" >page
	grep -q '^uncoremsr_event_total' page
	[ "$(curl -sk -o refused -w '%{http_code}' "https://127.0.0.1:$port/metrics")" = 401 ]
	[ "$(curl -sk -u prometheus:secret -o refused -w '%{http_code}' "https://127.0.0.1:$port/")" = 404 ]
	run ! curl -sf "http://127.0.0.1:$port/metrics"
}

