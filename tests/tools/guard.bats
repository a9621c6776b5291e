#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Our processes are killed or get an error at any register access, share a machine, or are disturbed by other programs.
# They are real processes on a mounted machine; guard_probe.c compares the registers. Each day some of the accesses are
# tested (see "stride" in common.bash); WHOLE=1 tests all.

load common
load mounted

setup() {
	need_fuse
	need jq awk
	EIGHT=0x9:1,0x9:1,0x9:1,0x9:1,0x9:1,0x9:1,0x9:1,0x9:1
	others=()
	# On a busy machine a read may take long ("spread"); its count is still exact.
	COUNTED='if .status == "spread" and .value then "ok" else .status end'
}

teardown() {
	[ "${#others[@]}" = 0 ] || kill -9 "${others[@]}" 2>/dev/null || true
	kill_started
	unserve
}

# machine: mount a machine with a stepped clock and exact counts.
machine() {
	serve westmere-2s,clock=stepped,start=12345
	ours
}

# running RATE [PARAMETER...]: mount a machine in real time, on which event 0x82 happens RATE times per second.
running() {
	local IFS=,
	serve "westmere-2s,start=12345,rate=0x82:0x1=${*}"
	ours
}

ours() {
	READ=("$BIN/uncore-read" "--machine=root:$MNT")
	REPAIR=("$BIN/uncore-doctor" "--machine=root:$MNT" --repair)
	remember
}

# sweep WHAT STEP GOOD COMPLAINT VICTIM...: run "guard_probe sweep" at every STEPth access; uncore-doctor repairs.
sweep() {
	stride "$2"
	run -0 "$PROBE" sweep "$MNT" "$1" "$from" "$step" "$3" "$4" -- "${REPAIR[@]}" -- "${@:5}"
}

@test "invalid fail= keys are refused, and none cancels an earlier one" {
	local order
	machine
	for order in "" kill EIO "kill 0" "kill -1" "kill 3x" "EFOO 3" "none 3" "kill 3 0" "kill 3 "; do
		run bash -c 'printf %s "$1" >"$0/sim/trouble"' "$MNT" "$order"
		[ "$status" != 0 ] || [ -z "$order" ]
		[ "$(<"$MNT/sim/trouble")" = none ]
	done
	echo "EIO 3 4711" >"$MNT/sim/trouble"
	[ "$(<"$MNT/sim/trouble")" = "EIO 3 4711" ]
	same
	echo none >"$MNT/sim/trouble"
	[ "$(<"$MNT/sim/trouble")" = none ]
	"${READ[@]}" -e 0x9:1 >/dev/null
}

# ---- processes that are killed ----

@test "if a session with one event is killed at any access, the next uncore-read puts every register back" {
	machine
	stride 7
	run -0 "$PROBE" sweep "$MNT" kill "$from" "$step" '' '' -- "${READ[@]}" -e 0x82:1 --packages 1 -- \
		"${READ[@]}" -e 0x9:1
}

# bats test_tags=plain
@test "if a session with eight events, or with turns, is killed at any access, every register is put back" {
	machine
	sweep kill 41 '"value":"20500000"' '' "${READ[@]}" -e "$EIGHT" --format=json
	sweep kill 113 '' '' \
		"${READ[@]}" -e "$EIGHT,0x82:1,0x3:1,UNC_CLK_UNHALTED" -i 0.1 -n 1
}

@test "after a killed session the registers are as another program had left them, bit by bit" {
	serve westmere-2s,clock=stepped,start=12345
	need wrmsr
	need_witness
	# Another program has set selectors without the enable bit, and has set enable bits of other counters.
	witness 'wrmsr -p 0 0x3c0 0x8407; wrmsr -p 1 0x3c0 0x4010b; wrmsr -p 1 0x391 0x40; wrmsr -p 0 0x391 0x80'
	ours
	sweep kill 7 '"value":"20500000"' '' "${READ[@]}" -e 0x9:1 --format=json
}

@test "while others are killed at random, a process that counts loses nothing" {
	running 1000000
	env --default-signal=INT "${READ[@]}" -e 0x82:1 -i 0.1 --format=json >"$BATS_TEST_TMPDIR/out" 3>&- & others+=($!)
	programmed
	"$PROBE" shoot "$MNT" 25 2 2 4711 -- "${REPAIR[@]}" -- \
		"${READ[@]}" -e 0x82:1,0x82:1 -i 0.02 -n 1 -- "${READ[@]}" -e 0x82:1 -i 0.02 -n 1
	kill -INT "${others[0]}"
	wait "${others[0]}"
	[ "$(jq -r "$COUNTED" "$BATS_TEST_TMPDIR/out" | sort -u)" = ok ]
	awk -v rate=1000000 -f "$TOP/tests/tools/truth.awk" "$LOG"
	"${REPAIR[@]}"
	same
}

# bats test_tags=plain
@test "processes killed at random leave nothing behind" {
	running 1000000
	run -0 "$PROBE" random "$MNT" "${GUARD_KILLS:-60}" "${GUARD_SECONDS:-6}" 3 "${GUARD_SEED:-1}" -- \
		"${REPAIR[@]}" -- \
		"${READ[@]}" -e 0x82:1 -i 0.01 -n 2 -- \
		"${READ[@]}" -e 0x82:1,0x82:1,0x3:1 -n 1 -i 0.01 -- \
		"${READ[@]}" -e "$EIGHT,0x82:1,UNC_CLK_UNHALTED" -n 1 -i 0.2 -- \
		"${REPAIR[@]}"
}

# ---- the other tools that write ----

# bats test_tags=plain
@test "if uncore-throttle is killed or gets EIO at any access, its counters are put back" {
	serve westmere-2s,clock=stepped,start=12345,throttle=none
	ours
	local what
	for what in kill EIO; do
		stride 199
		run -0 "$PROBE" sweep "$MNT" "$what" "$from" "$step" '' '' -- "${REPAIR[@]}" -- \
			"$BIN/uncore-throttle" "--machine=root:$MNT" -i 1 -n 1 --format=json
		[ "${lines[-1]%% *}" -ge 3 ]
	done
}

@test "if uncore-doctor --repair is killed or gets EIO at any access, another run puts back what is left" {
	local k what
	machine
	for what in kill:7 EIO:11; do
		stride "${what#*:}"
		for ((k = from; ; k += step)); do
			in_trouble 'kill 30' "${READ[@]}" -e 0x9:1,0x82:1 >/dev/null 2>&1 && return 1
			run in_trouble "${what%:*} $k" "${REPAIR[@]}"
			[ "$(<"$MNT/sim/trouble")" = none ] || break
			echo "${what%:*} $k: status $status: $output"
			if [ "${what%:*}" = kill ]; then
				[ "$status" = 137 ]
			else
				# Status 0 is only right if everything was restored.
				[ "$status" -le 4 ]
				same >/dev/null || { [ "$status" -ne 0 ] && [[ $output == *0x3* ]]; }
			fi
			"${REPAIR[@]}" >/dev/null
			same
		done
		[ "$status" = 0 ]
		[ "$k" -gt 10 ]
		same
		echo none >"$MNT/sim/trouble"
	done
}

@test "if uncore-throttle --clear is killed or gets EIO at any access, it clears only log bits, and reports them all" {
	serve haswell-ep-2s,clock=stepped
	echo +80000000000 >"$MNT/sim/clock"
	"$BIN/uncore-info" "--machine=root:$MNT" --registers --format=json |
		jq -r 'select(.write_mask != "0x0") | "0 " + .register' >"$BATS_TEST_TMPDIR/spots"
	export GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	ours
	local k what tried=0
	stride 13
	for what in kill EIO; do
		for ((k = from; ; k += step)); do
			run in_trouble "$what $k" "$BIN/uncore-throttle" "--machine=root:$MNT" --clear
			[ "$(<"$MNT/sim/trouble")" = none ] || break
			echo "$what $k: status $status: $output"
			if [ "$what" = kill ]; then [ "$status" = 137 ]; else [ "$status" -le 4 ]; fi
			tried=$((tried + 1))
		done
		echo none >"$MNT/sim/trouble"
	done
	[ "$tried" -gt 0 ]
	same
	# Only status registers were written.
	run -1 bash -c "grep ' wr ' '$LOG' | grep -Ev ' wr 0x(19c|1b1|690|6b0|6b1|64f) '"
}

# ---- several processes ----

# crowd N: N processes count the same event at the same time; their output goes to out.* and err.* in the test's folder.
# Each process counts until all others have begun, or were refused because no counter is free.
crowd() {
	local i
	others=()
	rm -f go
	mkfifo go
	exec 8<>go
	for ((i = 0; i < $1; i++)); do
		"${READ[@]}" -e 0x82:1 --format=json -o "out.$i" -- \
			sh -c 'exec <go; : >"$0"; read -r _ || :' "began.$i" 2>"err.$i" 3>&- 8>&- & others+=($!)
	done
	wait_until all_begun
	exec 8>&-
	told=0
	for i in "${!others[@]}"; do
		if ! wait "${others[i]}"; then
			grep -q '0 of 8 free; held by uncore-read (pid [1-9]' "err.$i"
			[ ! -s "out.$i" ]
			told=$((told + 1))
		fi
	done
	others=()
}

all_begun() {
	local i
	for i in "${!others[@]}"; do
		[ -e "began.$i" ] || ! is_alive "${others[i]}" || return 1
	done
}

# bats test_tags=plain
@test "if 2, 8 or 16 processes count the same event, all results are those of the workload" {
	local n
	cd "$BATS_TEST_TMPDIR" || return
	for n in 2 8 16; do
		running 1000000
		crowd "$n"
		echo "$n processes, $told had no counter"
		[ "$told" = $((n > 8 ? n - 8 : 0)) ]
		jq -r "select(($COUNTED) == \"ok\" and (.raw | tonumber) >= (.value | tonumber) + 90) | \"last \\(.value)\"" \
			out.* | sort >results
		awk -v rate=1000000 -f "$TOP/tests/tools/truth.awk" "$LOG" \
			>truth || { cat truth; return 1; }
		# The reported counts must be the last values read, from one counter of each package per process.
		[ "$(wc -l <results)" = $((2 * (n > 8 ? 8 : n))) ]
		diff <(grep last truth | sort) results
		same
		unserve
		rm -f out.* err.* began.*
	done
}

@test "a ninth event is refused with the holder of the counters, its pid and the next step" {
	running 1000000
	count_beside "${READ[@]}" -e "$EIGHT"
	run -3 "${READ[@]}" -e 0x82:1
	[[ $output == *"held by uncore-read (pid $pid)"*"uncore-doctor"* ||
		$output == *"held by uncore-read (pid $pid)"*"uncore-info"* ]]
	[ "${#lines[@]}" = 1 ]
	stop "$pid" TERM
	same
}

# bats test_tags=plain
@test "if the agent is killed at any access, uncore-doctor or the agent's next start puts every register back" {
	command -v "$BIN/uncore-agent" >/dev/null || skip "built without libmicrohttpd"
	local k n=0
	serve westmere-2s,start=12345
	ours
	for k in 1 2 3 5 8 13 21 34 55 89 144; do
		drawn 3 || continue
		run -137 in_trouble "kill $k" "$BIN/uncore-agent" "--machine=root:$MNT" -e 0x82:0x1,0x9:0x1 -i 0.02 \
			--prometheus="unix:$BATS_TEST_TMPDIR/s" 3>&-
		if ((n++ % 2)); then
			"${REPAIR[@]}" >/dev/null
		else
			# The killed agent's HTTP process may still answer at the socket.
			wait_while curl -s --max-time 10 --unix-socket "$BATS_TEST_TMPDIR/s" http://localhost/ >/dev/null
			"$BIN/uncore-agent" "--machine=root:$MNT" -e 0x82:0x1,0x9:0x1 -i 0.02 \
				--prometheus="unix:$BATS_TEST_TMPDIR/s" >/dev/null 2>&1 3>&- & others=($!)
			wait_until curl -sf --unix-socket "$BATS_TEST_TMPDIR/s" http://localhost/-/ready >/dev/null
			stop "${others[0]}" TERM
		fi
		same || { echo "killed at access $k"; return 1; }
	done
	others=()
}

# scraped PATTERN: wait until /metrics has a line that matches; the file "text" gets all of it.
scraped() {
	wait_until scrape "$1" || { cat "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/text"; return 1; }
}

scrape() {
	curl -sf --unix-socket "$BATS_TEST_TMPDIR/s" http://localhost/metrics >"$BATS_TEST_TMPDIR/text" &&
		grep -q "$1" "$BATS_TEST_TMPDIR/text"
}

@test "a mounted machine needs a descriptor for each CPU, and the agent does not start without" {
	[ -x "$BIN/uncore-agent" ] || skip "built without libmicrohttpd"
	machine
	run -1 bash -c "ulimit -n 70; exec uncore-agent --machine=root:$MNT -e 0x82:0x1 --check"
	[[ $output == *", 88 in total; the limit is 70: too low; set LimitNOFILE=88 in the service unit"$'\n'* ]]
	run -3 bash -c "ulimit -n 70; exec uncore-agent --machine=root:$MNT -e 0x82:0x1 --prometheus=unix:s"
	[[ $output == "uncore-agent: 88 descriptors are needed, and the limit on open files is 70: "* ]]
}

@test "if the agent finds all counters in use, its events are unknown until counters are free, and then counted" {
	[ -x "$BIN/uncore-agent" ] || skip "built without libmicrohttpd"
	need curl
	serve westmere-2s,start=12345
	ours
	count_beside "${READ[@]}" -e "$EIGHT"
	local session=$pid
	background "$BIN/uncore-agent" "--machine=root:$MNT" -M memory-bandwidth -i 0.1 \
		--prometheus="unix:$BATS_TEST_TMPDIR/s" >"$BATS_TEST_TMPDIR/told" 2>&1
	scraped '^uncoremsr_unknown{.*metric="memory-bandwidth",reason="in-use"} 1$'
	run ! grep -q '^uncoremsr_metric' "$BATS_TEST_TMPDIR/text"
	grep -qx 'uncore-agent: memory-bandwidth: will be retried until its counters are free' "$BATS_TEST_TMPDIR/told"
	kill -TERM "$session"
	scraped '^uncoremsr_metric{.*metric="memory-bandwidth"'
	run ! grep -q 'reason="in-use"' "$BATS_TEST_TMPDIR/text"
	grep -qx 'uncore-agent: memory-bandwidth: counted from now on' "$BATS_TEST_TMPDIR/told"
	stop "$pid" TERM
	same
}

# ---- other programs ----

@test "if another program uses wrmsr, every disturbed interval is marked, and no other" {
	need wrmsr
	need_witness
	running 1000000
	run witness '
		env --default-signal=INT \
			uncore-read -e 0x82:1 --packages 0 --counter 0 -i 0.05 --format=json >$TMP/out 2>$TMP/err &
		reader=$!
		echo $reader >$TMP/pid
		is_on() { [ "$(rdmsr -p 0 0x391)" = 1 ]; }
		wait_until is_on
		# next N: wait for N more intervals.
		next() {
			rows
			wait_until has_rows $((${#rows[@]} + $1))
		}
		rows() { mapfile -t rows <$TMP/out; }
		has_rows() { rows; [ ${#rows[@]} -ge $1 ]; }
		RANDOM=42
		for _ in {1..28}; do
			next 1
			sleep 0.0$((RANDOM % 5))$((RANDOM % 10))
			case $((RANDOM % 6)) in
			0) wrmsr -p 0 0x3c0 0x4001ff ;;
			1) wrmsr -p 0 0x391 0 ;;
			2 | 3) wrmsr -p 0 0x3c0 0x400182 ;;
			*) wrmsr -p 0 0x391 1 ;;
			esac
		done
		wrmsr -p 0 0x3c0 0x400182; wrmsr -p 0 0x391 1
		next 8
		kill -INT $reader
		wait $reader
		echo "status $?"'
	echo "$output"
	[ "${lines[-1]}" = "status 1" ]
	jq -r "$COUNTED" "$BATS_TEST_TMPDIR/out" >"$BATS_TEST_TMPDIR/statuses"
	awk -v pid="$(cat "$BATS_TEST_TMPDIR/pid")" -v ours=0x400182 -f "$TOP/tests/tools/flags.awk" \
		"$BATS_TEST_TMPDIR/statuses" "$LOG"
	[ "$(grep -c disturbed "$BATS_TEST_TMPDIR/statuses")" -ge 5 ]
	[ "$(grep -c ok "$BATS_TEST_TMPDIR/statuses")" -ge 5 ]
	# A disturbed interval never has a number.
	run ! grep -E '"status":"disturbed"' <(grep -E '"(value|counted)":"' "$BATS_TEST_TMPDIR/out")
}

# ---- ways to end ----

@test "all registers are put back if the reader or the parent exits, or the terminal is closed" {
	running 1000000
	"${READ[@]}" -e 0x82:1 -i 0.05 2>/dev/null | head -n 3 >/dev/null
	same
	# A background process whose parent has ended keeps counting until SIGHUP.
	env --default-signal bash -c '"$@" -e 0x82:1 -i 0.05 >/dev/null 2>&1 & echo $!' - "${READ[@]}" \
		>"$BATS_TEST_TMPDIR/pid"
	others=("$(<"$BATS_TEST_TMPDIR/pid")")
	programmed
	pause 0.3
	run -1 same
	kill -HUP "${others[0]}"
	wait_until same
	command -v script >/dev/null || return 0
	script -qfc "exec $(printf '%q ' "${READ[@]}") -e 0x82:1 -i 0.05 >/dev/null 2>&1" /dev/null \
		</dev/null >/dev/null 2>&1 3>&- & others=($!)
	programmed
	kill -9 "${others[0]}"
	wait_until same
}

values() {
	{ mapfile -t values <"$BATS_TEST_TMPDIR/values"; } 2>/dev/null || values=() # the file may not exist yet
}

has_values() {
	values
	[ "${#values[@]}" -ge "$1" ]
}

# more_values: wait until the agent has sent four more lines to collectd.
more_values() {
	values
	wait_until has_values $((${#values[@]} + 4)) || { cat "$BATS_TEST_TMPDIR/errors"; return 1; }
}

@test "after repeated SIGHUPs the agent keeps counting, and puts all registers back at the end" {
	[ -x "$BIN/uncore-agent" ] || skip "built without libmicrohttpd"
	running 1000000
	cat >"$BATS_TEST_TMPDIR/agent.conf" <<-'END'
		<Plugin uncoremsr>
		  Event "UNC_PROCHOT_ASSERTION" "UNC_L3_MISS.ANY"
		  Interval 0.05
		  <Collectd>
		    Exec true
		  </Collectd>
		</Plugin>
	END
	"$BIN/uncore-agent" --machine="root:$MNT" --config="$BATS_TEST_TMPDIR/agent.conf" \
		>"$BATS_TEST_TMPDIR/values" 2>"$BATS_TEST_TMPDIR/errors" 3>&- & others=($!)
	for _ in {1..6}; do
		more_values
		kill -HUP "${others[0]}"
	done
	more_values
	stop "${others[0]}" TERM
	same
	# Messages about collectd's totals at the start do not matter.
	run grep -v ': collectd: ' "$BATS_TEST_TMPDIR/errors"
	[ -z "$output" ]
}

@test "with a full or read-only lease directory nothing is programmed, and one line names it and the reason" {
	machine
	local state why
	for state in full readonly; do
		case $state in
		full) why="No space left on device" ;;
		readonly) why="Read-only file system" ;;
		esac
		for _ in 1 2; do
			echo "$state" >"$MNT/sim/run"
			run -4 --separate-stderr "${READ[@]}" -e "$EIGHT"
			echo "$stderr"
			[ "${#stderr_lines[@]}" = 1 ]
			[[ $stderr == *"$MNT/run/uncoremsr"*"$why"*"nothing is programmed"* ]]
			run -4 uncore-doctor --machine="root:$MNT"
			[[ $output == *"blocks    lease-directory: "*": $why: "* ]]
			# In the second round the lease files exist already.
			echo usable >"$MNT/sim/run"
			[ "$(grep -c ' wr ' "$LOG")" = "${writes:-0}" ]
			"${READ[@]}" -e "$EIGHT" >/dev/null
			writes=$(grep -c ' wr ' "$LOG")
		done
	done
	same
}

@test "a run ends well if the lease directory fills up or becomes read-only while it counts" {
	local state
	running 1000000
	for state in full readonly; do
		"${READ[@]}" -e 0x82:1 -i 0.1 --format=json -o "$BATS_TEST_TMPDIR/out" -- \
			sh -c 'echo "$0" >"$1/sim/run"; sleep 0.3' "$state" "$MNT"
		[ "$(jq -r "$COUNTED" "$BATS_TEST_TMPDIR/out" | sort -u)" = ok ]
		same
		# A journal that could not be emptied is recognised as finished.
		echo usable >"$MNT/sim/run"
		"${REPAIR[@]}"
		same
	done
}

# ---- errors of the device ----

@test "EIO at any access gives the right message and no invented number, and all registers are put back" {
	machine
	sweep EIO 7 '"value":"20500000"' 'the register faults' "${READ[@]}" -e 0x9:1 --format=json
	sweep EIO 197 '' 'the register faults' \
		"${READ[@]}" -e "$EIGHT,0x82:1,UNC_CLK_UNHALTED" -i 0.1 -n 1 --format=json
}

# bats test_tags=plain
@test "after EPERM or ENXIO at any access there is the right message or another CPU, and all registers are put back" {
	machine
	sweep EPERM 7 '"value":"20500000"' '(0x3' "${READ[@]}" -e 0x9:1 --format=json
	sweep ENXIO 11 '"value":"20500000"' 'offline' "${READ[@]}" -e 0x9:1 --format=json
	sweep ENXIO 197 '' 'offline' \
		"${READ[@]}" -e "$EIGHT,0x82:1,UNC_CLK_UNHALTED" -i 0.1 -n 1 --format=json
}

@test "with slow registers the numbers are still right, and all registers are put back" {
	running 1000000 slow=0.002
	"${READ[@]}" -e 0x82:1,0x82:1 -i 0.3 -n 2 --format=json >"$BATS_TEST_TMPDIR/out"
	[ "$(jq -r "$COUNTED" "$BATS_TEST_TMPDIR/out" | sort | uniq -c | xargs)" = "8 ok" ]
	awk -v rate=1000000 -f "$TOP/tests/tools/truth.awk" "$LOG"
	same
}
