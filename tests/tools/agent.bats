#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent: its configuration, the output of --check, the values that clients get, and reloading.

load common
load agent

# ---- the file ----

# checks NAME:N ROW...: --check of an example from the corpus must list N events, among them these rows of CSV,
# "EVENT,CORES,FROM".
checks() {
	local row
	need_corpus "collectd/${1%:*}.conf"
	need_corpus perfmon
	example "${1%:*}" >"${1%:*}.conf"
	run -0 uncore-agent --machine="$PERF" --config="${1%:*}.conf" --check --format=csv
	[ "${#lines[@]}" = $((${1#*:} + 1)) ]
	for row in "${@:2}"; do
		[[ $output == *",$row,"* ]] || { echo "$row: $output"; return 1; }
	done
}

@test "--check lists the events of each example of the design, with their cores and the lines that they come from" {
	local row
	block 'Event "UNC_PROCHOT_ASSERTION"' '' 'Metric "memory-bandwidth"' 'Event "UNC_QHL_REQUESTS.IOH_READS"'
	printf '%s\n' '<Plugin intel_pmu>' 'ReportKernelPMUEvents true' 'ReportSoftwareEvents true' \
		$'HardwareEvents "cycles" \\\n"NO_SUCH" "instructions"' '</Plugin>' >>a.conf
	run -1 uncore-agent --machine="$SIM" --config=a.conf --check --format=csv
	for row in 1,2,UNC_PROCHOT_ASSERTION 1,5,UNC_QHL_REQUESTS.IOH_READS 1,4,UNC_QMC_WRITES.FULL.ANY \
		1,4,memory-bandwidth 2,8,cpu-cycles 2,9,cpu-clock 3,10,cycles 3,11,instructions 3,11,NO_SUCH; do
		[[ $output == *$'\n'"$row,"* ]] || { echo "$row: $output"; return 1; }
	done
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
	example design-1-as-printed >design-1-as-printed.conf
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
	wrong_values Prometheus <<-'END'
	Listen "here"|Listen: 'here': must be
	Listen ":9" "127.0.0.1:9"|Listen: '127.0.0.1:9': given already, as :9
	END
	fails_with 2 "--prometheus: 'unix:s': given already, as unix:s" uncore-agent --machine="$SIM" -e 0x82:0x1 \
		--prometheus=unix:s --prometheus=unix:t --prometheus=unix:s --check
	run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=:9 --prometheus="[::1]:9" --prometheus=:90 --check
	# Some errors end the reading of the file; others are found only after the whole file was read.
	local option text
	while IFS='|' read -r option text; do
		block 'Event "UNC_PROCHOT_ASSERTION"' "${option//;/$'\n'}"
		fails_with 2 "a.conf:$text" uncore-agent --machine="$SIM" --config=a.conf --check
	done <<-'END'
	Event "no-such-event"|3: event 'no-such-event': no event of that name
	Metric "memory-bandwith"|3: metric 'memory-bandwith': no metric of that name on westmere; did you mean memory-bandwidth?
	Cores 0-3|3: '0-3': put it in quotes
	Cores "5g"|3: Cores: 
	Cores "0" ""|3: Cores: '': must name at least one core
	Cores "999"|3: Cores: 
	Event "open|3: the closing quote is missing
	<SNMP>|4: </Plugin>: does not match the open block, <SNMP> of line 3
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

@test "--check says what is needed in addition if the kernel has to count in place of registers" {
	run -0 uncore-agent --machine="$PERF" -e cha/event=0x35,umask=1/,cycles --check
	[[ $output == *"descriptors  32 for counters, 96 in total; the limit is "*"; 36 more if registers cannot be used at the start, "* ]]
	run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 --check
	[[ $output == *"descriptors  24 for counters"* && $output != *" more if "* ]]
	# The counters of a simulated machine need no descriptors.
	run -0 bash -c "ulimit -n 70; exec uncore-agent --machine=$SIM -e 0x82:0x1 --check"
	[[ $output == *", 88 in total; the limit is 70; a simulated machine needs only 64"$'\n'* ]]
	run -1 bash -c "ulimit -n 63; exec uncore-agent --machine=$SIM -e 0x82:0x1 --check"
	[[ $output == *", 88 in total; the limit is 63: too low; set LimitNOFILE=64 in the service unit"$'\n'* ]]
}

@test "--check opens no socket, device or kernel counter" {
	need strace
	ASAN_OPTIONS=detect_leaks=0 run -0 strace -f -o trace -e trace=socket,perf_event_open,openat \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:s --check
	[[ -s trace && ! $(<trace) =~ socket\(|perf_event_open|/dev/cpu && ! -e s ]]
}

@test "-i and the configuration file accept the same intervals" {
	local seconds
	for seconds in 0 0.009 0.000002 86401 1000000000 9000000000000; do
		block 'Event "0x82:0x1"' "Interval $seconds"
		fails_with 2 "a.conf:3: Interval: '$seconds': must be seconds, 0.01 to 86400" uncore-agent --machine="$SIM" --config=a.conf --check
		fails_with 2 "--interval: '$seconds': must be seconds, 0.01 to 86400" uncore-agent --machine="$SIM" -e 0x82:0x1 -i "$seconds" --check
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
	# For two seconds, another program uses all counters except one.
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
	[[ $stderr == *"package 0: another program uses counter 0 without a lease: "* && $stderr != *"counter 0, 1"* ]]
}

# The test counts five events on each CPU of this machine.
@test "the soft limit of descriptors is raised; a hard limit that is too low is reported with the number needed" {
	run -3 bash -c "ulimit -n 63; exec uncore-agent --machine=$SIM -e 0x82:0x1 --prometheus=unix:s"
	[[ $output == "uncore-agent: 64 descriptors are needed, and the limit on open files is 63: put"* ]]
	uncore-read -e cpu-clock -i 0.01 -n 1 >/dev/null 2>&1 || skip "the kernel counts nothing here"
	local events=cpu-clock,task-clock,page-faults,minor-faults,context-switches enough
	enough=$((5 * $(getconf _NPROCESSORS_ONLN) + 64))
	run -0 uncore-agent -e "$events" --check
	[[ $output == *"descriptors  $((enough - 64)) for counters, $enough in total"* ]]
	run -1 bash -c "ulimit -Sn 64; ulimit -Hn $((enough - 1)); exec uncore-agent -e $events --check"
	[[ $output == *"; the limit is $((enough - 1)): too low; set LimitNOFILE=$enough in the service unit"$'\n'* ]]
	run -3 bash -c "ulimit -Sn 64; ulimit -Hn $((enough - 1)); exec uncore-agent -e $events --prometheus=unix:s"
	[[ $output == "uncore-agent: $enough descriptors are needed, and the limit on open files is $((enough - 1)): put"*"LimitNOFILE=$enough into"* ]]
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
	# The agent itself counts UNC_CLK_UNHALTED to look for throttling; only one counter can count this event.
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
