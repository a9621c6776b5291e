#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent sends values to collectd: which values, in what form, and what happens if the agent or collectd restarts.

load common
load agent

export COLLECTD_HOSTNAME=h

# server ARG...: start a server on the socket "s" in place of collectd; the lines that it receives go to the file "got".
server() {
	need python3
	python3 -u "$TOP/tests/tools/collectd_server.py" "$@" 3>&- >>got &
	daemon=$!
	started+=("$daemon")
	wait_until test -S s
}

# file LINE...: write a configuration: options of collectd itself, then the block uncoremsr with LINEs and the socket.
file() {
	cat >a.conf <<-END
	Interval 0.05
	Timeout 2
	<Plugin uncoremsr>
	$(printf '%s\n' "$@")
	<Collectd>
	Socket "$PWD/s"
	</Collectd>
	</Plugin>
	END
}

# has_more FILE TEXT NUM: does the file have more than NUM lines with the text?
has_more() {
	[ "$(grep -c -e "$2" "$1")" -gt "$3" ]
}

# connected N: has the server accepted N connections?
connected() {
	wait_until has_more got CONNECTED $(($1 - 1))
}

# wait_for_more FILE TEXT: wait for one more line with the text.
wait_for_more() {
	local n
	n=$(grep -c -e "$2" "$1") || true
	wait_until has_more "$1" "$2" "$n"
}

# never_falls FILE: no total of any identifier may decrease.
never_falls() {
	awk '$1 == "PUTVAL" && $2 ~ /counter-/ {
		n = split($4, v, ":")
		for (i = 2; i <= n; i++) {
			if (v[i] + 0 < last[$2, i]) { print "falls:", $0; bad = 1 }
			last[$2, i] = v[i] + 0
		}
		seen++
	} END { exit bad || !seen }' "$1"
}

# only_sent NAME...: these must be the names of all values that were sent, sorted. The event of the test happens 1000 times
# per second, so the scaled and the raw count are the enabled time in milliseconds, with a difference of at most 1.
only_sent() {
	grep -v CONNECTED got | awk '{ print $2 }' | sort -u | diff <(printf 'h/%s\n' "$@") -
	grep pmu_counter got | awk -F '[: ]' '{ late = int($(NF - 1) / 1000000) - $(NF - 2)
		if (late < -1 || late > 1 || $(NF - 2) != $(NF - 3)) exit 1 }'
}

@test "each total is sent under its own name, one line for each" {
	local event=UNC_PROCHOT_ASSERTION
	server
	file "Event \"$event\"" 'Metric "memory-bandwidth"'
	printf '%s\n' '<Plugin intel_pmu>' "HardwareEvents \"$event\"" 'Cores "0" "1"' '</Plugin>' >>a.conf
	agent --config=a.conf
	wait_for got "PUTVAL h/intel_pmu-0:uncore/pmu_counter-$event interval=0.050000000 [0-9.]*:[1-9]"
	wait_for got 'PUTVAL h/uncoremsr-package1/gauge-memory-bandwidth interval=0.050000000 [0-9.]*:[0-9]'
	run -1 grep 'NOT WAITED' got
	only_sent intel_pmu-{0/,0:uncore/pmu_,1/,1:uncore/pmu_}counter-$event \
		uncoremsr-package{0,1}/{counter-$event,gauge-memory-bandwidth,pmu_counter-$event}
	never_falls got
}

@test "events of the uncore are counted only on packages of the chosen cores" {
	local event=UNC_PROCHOT_ASSERTION
	server
	file "Event \"$event\"" 'Metric "memory-bandwidth"' 'Cores "0,,2"'
	printf '%s\n' '<Plugin intel_pmu>' "HardwareEvents \"$event\"" 'Cores "09"' '</Plugin>' >>a.conf
	agent --config=a.conf
	wait_for got "h/intel_pmu-09:uncore/pmu_counter-$event interval=0.050000000 [0-9.]*:[1-9]"
	wait_for got 'h/uncoremsr-package0/gauge-memory-bandwidth interval=0.050000000 [0-9.]*:[0-9]'
	only_sent intel_pmu-09{/,:uncore/pmu_}counter-$event \
		uncoremsr-package0/{counter-$event,gauge-memory-bandwidth,pmu_counter-$event}
}

@test "single units are named type=N in the earlier form, and as the kernel names them in the later one" {
	SIM=sim:skylake-sp-perf,clock=stepped
	need_corpus perfmon
	server
	cat >b.conf <<-END
	Interval 0.05
	<Plugin intel_pmu>
	  EventList "$CORPUS/perfmon"
	  HardwareEvents "UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000"
	  Cores "0" "4"
	  DispatchMultiPmu true
	</Plugin>
	<Plugin uncoremsr>
	  <Collectd>
	    Socket "$PWD/s"
	    Timeout 1
	  </Collectd>
	</Plugin>
	END
	agent --config=b.conf
	wait_for got 'intel_pmu-4:uncore_cha_3/pmu_counter-UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000 '
	wait_for got 'intel_pmu-4/counter-UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000:type=[0-9]* '
	# There are as many names of one kind as of the other, so each unit has a name of its own.
	[ "$(grep -o 'intel_pmu-0/counter-[^ ]*' got | sort -u | wc -l)" = "$(grep -o 'intel_pmu-0:uncore_cha_[0-9]*' got | sort -u | wc -l)" ]
	run -1 grep -E 'NOT WAITED|PUTVAL.{1016}' got
}

@test "the host name is that of collectd or of the block uncoremsr; Values \"counters\" needs none of our types" {
	SIM=sim:westmere-2s,clock=stepped,throttle=prochot-external
	server
	file 'Event "UNC_PROCHOT_ASSERTION"' 'Throttle true'
	sed -i '1i Hostname "node1.example"' a.conf
	agent --config=a.conf
	wait_for got 'PUTVAL node1.example/uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION '
	wait_for got 'PUTNOTIF .* host=node1.example plugin='
	run -1 grep -E 'PUTVAL h/|host=h ' got
	stop "$pid"
	: >got
	sed -i '/^Throttle/d; s,^Socket,Hostname "node2"\nValues "counters"\n&,' a.conf
	agent --config=a.conf
	wait_for got 'PUTVAL node2/uncoremsr-package1/counter-UNC_PROCHOT_ASSERTION:running '
	wait_until eval '[ "$(grep -o "package1/counter-[^ ]*" got | sort -u | wc -l)" = 4 ]'
	run -1 grep pmu_counter got
}

@test "if collectd, the agent or its child hangs, dies or restarts, no total decreases or is counted twice" {
	local last first child
	need curl
	server
	file 'Event "UNC_PROCHOT_ASSERTION"' '<Prometheus>' 'Listen "unix:p"' '</Prometheus>'
	agent --config=a.conf
	wait_for got 'package0/counter'
	# While collectd hangs, Prometheus still gets new values.
	kill -STOP "$daemon"
	goes_on
	goes_on
	kill -CONT "$daemon"
	wait_for_more got 'package0/counter'
	# Kill the agent's child, which sends the values.
	child=$(pgrep -P "$pid" -f collectd)
	sleep 1.1 # a child that ends within a second is restarted only later
	kill -KILL "$child"
	wait_for told 'collectd: its process was killed by signal 9; restarted'
	connected 2
	wait_for_more got 'package0/pmu_counter'
	# Stop collectd and start it again.
	stop "$daemon"
	wait_for told 'collectd: .*/s: .*; retrying each interval; check that collectd.s plugin unixsock'
	mv got before
	server
	wait_for got 'package0/counter'
	wait_for told 'accepts values again'
	[ "$(grep -c 'retrying' told)" = 1 ]
	# Stop the agent and start it again.
	stop "$pid"
	cat got >>before
	last=$(grep 'package0/counter' before | tail -n 1 | sed 's/.*://')
	stop "$daemon"
	: >got
	server
	agent --config=a.conf
	wait_for got 'package0/counter'
	first=$(grep -m 1 'package0/counter' got | sed 's/.*://')
	# The totals may be larger than those sent last, because the agent may have saved totals that it did not send.
	[ "$first" -ge "$last" ]
	[ "$first" -le $((last + 10000)) ]
	[ "$(grep -c 'no totals for' told)" = 1 ]
	cat before got >all
	never_falls all
	run -1 grep -E 'NOT WAITED' all
	grep pmu_counter before | awk -F '[: ]' '{ late = int($(NF - 1) / 1000000) - $(NF - 2); if (late < -1 || late > 1) exit 1 }'
}

@test "if the saved totals are lost, none is sent until collectd has forgotten the old ones" {
	server
	file 'Event "UNC_PROCHOT_ASSERTION"' 'Metric "memory-bandwidth"'
	mkdir state
	# Gauges are sent at once, even if the earlier totals are unknown. On a busy machine, totals may be sent again
	# before the first line arrives; then the test tries again.
	local tries=0
	until [[ $(sed -n 2p got) == *gauge* ]]; do
		: $((++tries))
		[ "$tries" -le 5 ]
		: >got
		: >told
		head -c 500 /dev/urandom >state/collectd-totals
		agent --config=a.conf
		wait_for told 'collectd: earlier totals are unknown; sending no totals for 0.[12] s'
		wait_for got 'package0/counter'
		stop "$pid"
	done
	# If the newest version of the totals in the file is damaged, the previous version is used.
	printf X | dd of=state/collectd-totals bs=1 seek=120 conv=notrunc status=none
	agent --config=a.conf
	connected 2
	wait_for_more got 'package0/counter'
	stop "$pid"
	[ "$(grep -c 'no totals for' told)" = 1 ]
}

@test "collectd gets one notification when throttling begins and one when it ends, even if it was away" {
	SIM='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=1 for=0.4'
	need curl
	file 'Throttle true' '<Prometheus>' 'Listen "unix:p"' '</Prometheus>'
	agent --config=a.conf
	wait_for told 'retrying each interval'
	# Wait until throttling has begun at least once while collectd is away.
	has_begun() {
		curl -sf --max-time 60 --unix-socket p http://localhost/metrics |
			grep '^uncoremsr_throttle_episodes_total.*prochot.* [1-9]' >/dev/null
	}
	wait_until has_begun
	server
	wait_for got 'severity=okay'
	wait_for got 'severity=warning'
	grep -qE '^PUTNOTIF severity=warning time=[0-9]+ host=h plugin=uncoremsr plugin_instance=package1 type=gauge type_instance=throttled-prochot-external message="package1: prochot-external began"$' got
	# Notifications of beginning and end alternate, and the first one comes before the values of the interval in
	# which collectd came back.
	[[ $(sed -n 2p got) == PUTNOTIF* ]]
	grep -o 'severity=[a-z]*' got | uniq -d >twice
	[ ! -s twice ]
}

@test "answers of several lines are read whole; a refused value is reported once, and the others are still sent" {
	server $'2 lines\none\n-1 two'
	file 'Event "UNC_PROCHOT_ASSERTION"'
	agent --config=a.conf
	wait_for_more got 'package1/pmu_counter'
	run -1 grep -E 'NOT WAITED' got
	run -1 grep refused told
	stop "$daemon"
	# The server sends an additional line after an answer. The agent must not take that line for the answer to its
	# next value.
	server $'0 Success\n-1 more'
	wait_for told 'accepts values again'
	wait_for_more got 'package1/pmu_counter'
	wait_for_more got 'package1/pmu_counter'
	run -1 grep refused told
	stop "$daemon"
	server '-1 Type `x'"'"' is not defined'
	wait_for told 'collectd: refused: Type .x. is not defined: PUTVAL h/'
	wait_for_more got 'package1/pmu_counter'
	[ "$(grep -c refused told)" = 1 ]
}

@test "an answer after more than ten seconds counts as no answer; stopping and continuing the child has no effect" {
	local child
	server '0 Success' 3
	file 'Event "UNC_PROCHOT_ASSERTION"'
	agent --config=a.conf
	wait_for got 'package0/'
	child=$(pgrep -P "$pid" -f collectd)
	kill -STOP "$child"
	wait_until grep -q '^State:.T' "/proc/$child/status"
	kill -CONT "$child"
	wait_for told 'retrying each interval'
	[[ $(<told) == *"/s: no answer; retrying each interval"* ]]
	run -1 grep -e Interrupted -e 'killed by' told
}

@test "without the file of totals no totals are sent for a while; a link there is not followed, nor a pipe read" {
	local how
	server
	file 'Event "UNC_PROCHOT_ASSERTION"'
	echo mine >victim
	for how in 'cp victim state' 'ln -s ../victim state/collectd-totals' 'mkfifo state/collectd-totals'; do
		rm -rf state told
		[[ $how == *state ]] || mkdir state
		$how
		agent --config=a.conf
		wait_for told 'state/collectd-totals: .*; so after each start collectd gets no totals for a while'
		if [[ $how == *state ]]; then
			wait_for told 'state/collectd-totals: Not a directory; '
			wait_for told 'no totals for 0.[12] s'
			wait_for got 'package0/counter-UNC_PROCHOT_ASSERTION '
		fi
		kill -TERM "$pid"
		ends_with 143
		[ "$(<victim)" = mine ]
	done
}

@test "two agents cannot share a file, and a reload does not change where values go" {
	server
	file 'Event "UNC_PROCHOT_ASSERTION"'
	cp a.conf first.conf
	agent --config=a.conf
	wait_for got 'package0/counter-UNC_PROCHOT_ASSERTION '
	background uncore-agent --machine="$SIM" --state=state -e 0x9:1 --collectd=unix:other 2>second
	wait_for second 'state/collectd-totals: another agent uses it; '
	stop "$pid"
	# Now the configuration of the first agent has Prometheus instead of collectd. A reload does not change sockets:
	# the agent reports that it will stop sending to collectd only after a restart, and keeps sending.
	sed -i '/^<Collectd>/,/^<.Collectd>/d; s/^<Plugin.*/&\n<Prometheus>\nListen "unix:p"\n<\/Prometheus>/' a.conf
	kill -HUP "${started[1]}"
	wait_for told 'collectd: left out; takes effect after a restart'
	wait_for_more got 'package0/counter'
	# With the first configuration again, there is nothing to report: it has the outputs that are running.
	cp first.conf a.conf
	kill -HUP "${started[1]}"
	wait_for_more got 'package0/counter'
	wait_for_more got 'package0/counter'
	[ "$(grep -c 'takes effect after a restart' told)" = 2 ]
}

# ---- standard output ----

@test "an agent that collectd starts prints its lines in collectd's interval, until nobody reads them" {
	# If collectd has started the agent, the agent prints lines on standard output, in collectd's interval.
	COLLECTD_INTERVAL=0.05 background uncore-agent --machine="$SIM" --state=state -e 0x82:0x1 --collectd=exec >out 2>told
	wait_for told 'no totals for 0.[12] s'
	stop "$pid"
	file 'Event "UNC_PROCHOT_ASSERTION"' 'Metric "memory-bandwidth"'
	sed -i 's/Socket.*/Exec true/' a.conf
	background uncore-agent --machine="$SIM" --state=state --config=a.conf >out 2>told
	wait_for out 'PUTVAL h/uncoremsr-package1/pmu_counter-UNC_PROCHOT_ASSERTION interval=0.050000000 [0-9.]*:[1-9]'
	never_falls out
	run -1 grep -vE '^PUTVAL h/uncoremsr-package[01]/(counter|pmu_counter|gauge)-[^ ]+ interval=0.050000000 [0-9.]+:[0-9.:]+$' out
	# When the reader of its lines is gone, the agent restores the registers and ends.
	mkfifo pipe
	file 'Metric "memory-bandwidth"'
	sed -i 's/Socket.*/Exec true/' a.conf
	exec 7<>pipe
	background uncore-agent --machine="$SIM" --state=state --config=a.conf >pipe 2>told 7>&-
	read -r line <&7
	[[ $line == PUTVAL* ]]
	exec 7>&-
	ends_with 0
	# A full disk is reported as an error, with status 1.
	background uncore-agent --machine="$SIM" --state=state --config=a.conf >/dev/full 2>told
	ends_with 1
	[[ $(<told) == *"uncore-agent: collectd: standard output: No space left on device" ]]
}

@test "a slow reader of standard output gets complete lines later, and no interval is missed" {
	need curl perl
	mkfifo pipe
	file 'Event "UNC_PROCHOT_ASSERTION"' 'Metric "memory-bandwidth"' '<Prometheus>' 'Listen "unix:p"' '</Prometheus>'
	sed -i 's/Socket.*/Exec true/; s/^Interval.*/Interval 0.01/' a.conf
	exec 7<>pipe
	perl -e 'open my $pipe, "<&=7"; fcntl($pipe, 1031, 4096) or die $!' # F_SETPIPE_SZ
	background uncore-agent --machine="$SIM" --state=state --config=a.conf >pipe 2>told 7>&-
	# After thirty intervals there are more lines than the pipe can hold.
	wait_until eval 'counted; [[ $now > 0.3 ]]'
	dd bs=4096 count=4 iflag=fullblock <&7 >out 2>/dev/null
	exec 7>&-
	[ "$(grep -c . out)" -gt 40 ]
	run -1 grep -vE '^PUTVAL h/uncoremsr-package[01]/[a-z_]+-[A-Za-z_-]+ interval=0.010000000 [0-9.]+:[0-9.:]+$' <(sed '$d' out)
	run -1 grep 'restarted' told
}

# ---- the file ----

@test "a wrong value of any option of the block <Collectd> is reported with file, line and word" {
	local options text
	wrong_values Collectd <<-'END'
	Socket 7|Socket: '7': put it in quotes
	Socket ""|Socket: '': the path is missing
	Exec maybe|Exec: 'maybe': must be true or false
	Hostname "a/b"|Hostname: 'a/b': must be letters
	Hostname ""|Hostname: '': must be letters
	Timeout 0|Timeout: '0': must be a number of intervals
	Values "double"|Values: 'double': must be counter
	END
	while IFS='|' read -r options text; do
		printf '<Plugin uncoremsr>\nEvent "0x82:0x1"\n<Collectd>\n%b\n</Collectd>\n</Plugin>\n' "$options" >a.conf
		fails_with 2 "a.conf:$text" uncore-agent --machine="$SIM" --config=a.conf --check
	done <<-'END'
	Exec false|3: <Collectd>: Socket or Exec true is missing
	Socket "/s"\nExec true|5: Exec and Socket: choose one
	END
	fails_with 2 "--collectd: 'here': must be exec or unix:PATH" uncore-agent --collectd=here --check -e 0x82:0x1
}

# ---- collectd itself ----

# stores NAME NUM [ABOVE]: do NUM lines of csv/h/NAME-DATE have a value above ABOVE?
stores() {
	local name=$1 num=$2 above=${3:--1}
	wait_until eval "awk -F , '\$2 ~ /^[0-9]/ && \$2 > $above { n++ } END { exit n < $num }' csv/h/$name-2* 2>/dev/null" ||
		{ cat log told; return 1; }
}

# saved NAME VALUE...: write a file of totals, as an agent leaves it.
saved() {
	need python3
	mkdir -p state
	python3 - "$@" >state/collectd-totals <<-'END'
	import struct, sys
	body = b""
	for i in range(1, len(sys.argv), 2):
	    body += sys.argv[i].encode() + struct.pack("=xQ56x", int(sys.argv[i + 1]))
	total = 0xcbf29ce484222325
	for byte in body:
	    total = (total ^ byte) * 0x100000001b3 % 2 ** 64
	sys.stdout.buffer.write(b"totals 2" + struct.pack("=4Q", 1, 1, len(body), total) + body)
	END
}

# has_read_all: has collectd closed all connections to its socket? collectd reads each connection in its own thread, so
# lines of a killed agent may arrive after those of the next agent, and be refused as too old.
has_read_all() {
	local fd
	for fd in "/proc/$daemon/fd"/*; do
		[[ $(readlink "$fd") =~ ^socket:.([0-9]+) ]] || continue
		! grep -qE " 0001 03 +${BASH_REMATCH[1]} s\$" /proc/net/unix || return
	done
}

@test "the real collectd stores totals exact to 64 bits, also after a restart of either program" {
	local before
	SIM=sim:westmere-2s,clock=stepped,rate=0x9:0x1=0,rate=0x9:0x2=0,rate=0x82:0x1=1000
	saved uncoremsr-package0/UNC_L3_MISS.READ 9007199254740993 uncoremsr-package0/UNC_L3_MISS.WRITE 18446744073709551615
	collectd csv "$unixsock"
	file 'Event "UNC_L3_MISS.READ" "UNC_L3_MISS.WRITE" "UNC_PROCHOT_ASSERTION"'
	agent --config=a.conf
	stores uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION 2 0
	stop "$pid"
	wait_until has_read_all
	before=$(cat csv/h/uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION-* | wc -l)
	agent --config=a.conf
	stores uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION $((before + 3))
	stop "$daemon" TERM
	before=$(cat csv/h/uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION-* | wc -l)
	collectd csv "$unixsock"
	stores uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION $((before + 3))
	[ "$(cut -d , -f 2 csv/h/uncoremsr-package0/counter-UNC_L3_MISS.READ-* | sort -u)" = "9007199254740993
value" ]
	[ "$(cut -d , -f 2 csv/h/uncoremsr-package0/counter-UNC_L3_MISS.WRITE-* | sort -u)" = "18446744073709551615
value" ]
	# No total decreases or jumps: the rate is a thousand per second, even if a line arrives late.
	# collectd has several threads that write, so a row may come after a later one.
	sort -n csv/h/uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION-* | awk -F , '
		$2 ~ /^[0-9]/ { if (n++ && ($2 < v || $2 - v > 1000 * ($1 - t) + 10000)) { print; exit 1 } v = $2; t = $1 }'
	head -n 1 csv/h/uncoremsr-package0/pmu_counter-UNC_PROCHOT_ASSERTION-* | grep -qx epoch,scaled,raw,enabled,running
	# While collectd is shutting down, it no longer knows the types, so it may refuse one line.
	run -1 grep -E 'refused|PUTVAL' <(grep -v "refused: 1 Type .* isn't defined" told)
	run -1 grep -E "isn't defined|old|error" log
}

@test "no rate is above the true one if collectd or the agent is stopped, killed or started again" {
	local event=uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION counting before i
	need curl
	file 'Event "UNC_PROCHOT_ASSERTION"' '<Prometheus>' 'Listen "unix:p"' '</Prometheus>'
	RATES=true collectd csv "$unixsock"
	agent --config=a.conf -i 0.2
	counting=$pid
	stores $event 2 0
	kill -STOP "$daemon"
	for ((i = 0; i < 5; i++)); do goes_on; done
	kill -CONT "$daemon"
	before=$(cat csv/h/$event-* | wc -l)
	stores $event $((before + 3))
	stop "$daemon"
	for ((i = 0; i < 3; i++)); do goes_on; done
	RATES=true collectd csv "$unixsock"
	before=$(cat csv/h/$event-* | wc -l)
	stores $event $((before + 3))
	stop "$counting"
	before=$(cat csv/h/$event-* | wc -l)
	agent --config=a.conf -i 0.2
	stores $event $((before + 2))
	# One line waited in the socket, and the next one did not. Their time stamps must differ by the interval of
	# counting; otherwise the rate would be hundreds of thousands. A busy machine may be late by some milliseconds.
	awk -F , '$2 ~ /^[0-9]/ { if ($2 > 10000) { print; bad = 1 } n++ } END { exit bad || n < 8 }' csv/h/$event-*
}

@test "the real collectd starts the agent through its plugin exec" {
	need_nobody "$BIN/uncore-agent" "$COLLECTD/usr/sbin/collectd"
	saved uncoremsr-package0/UNC_PROCHOT_ASSERTION 5000
	chown -R 65534 state
	collectd csv 'LoadPlugin exec' '<Plugin exec>' "Exec \"nobody\" \"$BIN/uncore-agent\" \"--machine=$SIM\" \"--state=$PWD/state\" \"-e\" \"0x82:0x1\" \"--throttle\" \"--collectd=exec\"" '</Plugin>'
	stores uncoremsr-package0/counter-UNC_PROCHOT_ASSERTION 1 5000
	stop "$daemon" TERM
	run -1 grep -E "isn't defined|Too long|cannot" log
}
