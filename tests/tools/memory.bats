#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Out of memory: every allocation of a command fails once, alone or with all that follow. What comes out
# is neither a wrong answer nor silence, and no register stays changed without a word. Of many allocations
# so many are tried; with MEMORY_TRIES=10000 all of them.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

setup() {
	load common
	load mounted
	need cc
	case $(ldd "$BIN/uncore-read") in *asan*) skip "the sanitizers have an allocator of their own" ;; esac
	out=$BATS_TEST_TMPDIR/out
	err=$BATS_TEST_TMPDIR/err
	FAIL=$BATS_TEST_TMPDIR/fail.so
	cc -shared -fPIC -o "$FAIL" "$TOP/tests/tools/fail_alloc.c"
	PROBE=${BIN%/*}/tests/guard_probe
}

teardown() {
	unserve
}

# allocations TRIES COMMAND...: how many of them it makes, in $n, and how far apart so many are, in $step.
allocations() {
	local tries=${MEMORY_TRIES:-$1}
	shift
	LD_PRELOAD=$FAIL COUNT_ALLOC=$BATS_TEST_TMPDIR/count "$@" >/dev/null 2>&1 || true
	n=$(cat "$BATS_TEST_TMPDIR/count")
	[ "$n" -gt 10 ]
	step=$((n / tries + 1))
}

# failing I COMMAND...: without its allocation I, and with ALL=1 those behind it; answers in $status,
# $out.now and $err.
failing() {
	local i=$1
	shift
	status=0
	timeout 20 env LD_PRELOAD="$FAIL" FAIL_ALLOC="$i" ${ALL:+FAIL_ALL=1} "$@" >"$out.now" 2>"$err" ||
		status=$?
	# More than 124 is a crash or a hang.
	[ "$status" -lt 124 ] || complain "$i" "$@"
}

complain() {
	echo "allocation $*: status $status"
	diff "$out" "$out.now" || true
	cat "$err"
	return 1
}

# unknown_only: $out.now is $out, but for lines that say that something is unknown.
unknown_only() {
	local was now
	was=$(unfold <"$out") now=$(unfold <"$out.now")
	[ "$(diff <(echo "$was") <(echo "$now") | grep '^>' | grep -cv -e unknown -e 'cannot-tell' || true)" = 0 ] &&
		[ "$(wc -l <<<"$was")" = "$(wc -l <<<"$now")" ]
}

@test "out of memory is neither a number nor success: each allocation of a command fails once" {
	local file=$BATS_TEST_TMPDIR/agent.conf data=$BATS_TEST_TMPDIR/data
	cat >"$file" <<-END
	<Plugin intel_pmu>
	  ReportHardwareCacheEvents true
	  Cores "0" "1"
	</Plugin>
	<Plugin uncoremsr>
	  Event "UNC_L3_MISS.READ"
	  Metric "memory-bandwidth"
	  <Prometheus>
	    Listen ":9911"
	  </Prometheus>
	</Plugin>
	END
	local command good n step i machine=sim:westmere-2s,clock=stepped,throttle=none ALL=
	while read -r command; do
		good=0
		# shellcheck disable=SC2086
		$command >"$out" 2>/dev/null || good=$?
		# shellcheck disable=SC2086
		allocations 60 $command
		for ((i = 1; i <= n; i += step)); do
			# shellcheck disable=SC2086
			failing "$i" $command
			if grep -q -e 'unknown: no sys' -e '(null)' -e 'MSR 0x0' "$out.now" "$err" ||
			   ! { { [ "$status" = "$good" ] && unknown_only; } ||
			       { [ "$status" != 0 ] && grep -q memory "$err" "$out.now"; }; }; then
				complain "$i" "$command"
			fi
		done
	done <<-END
	uncore-read --machine=$machine -e 0x9:1,0x82:1
	uncore-read --machine=sim:haswell-ep-2s,clock=stepped -e cbo/event=0x34,umask=0x11/
	uncore-info --machine=$machine
	uncore-info --machine=$machine --registers
	uncore-throttle --machine=$machine
	uncore-doctor --machine=$machine
	uncore-doctor --machine=sim:generic
	uncore-events list --uarch=westmere
	uncore-events explain UNC_L3_MISS.READ --uarch=westmere
	uncore-read --machine=sim:skylake-sp-perf,clock=stepped -e cycles
	uncore-record --machine=sim:skylake-sp-perf,clock=stepped -F 100 -e cycles -o $data -- true
	uncore-report -i $data
	uncore-agent --machine=$machine --config=$file --check
	END
}

# ---- what is put back, and what is cleared ----

@test "--repair out of memory: all is put back, or a line says that it is not; a second run mends it" {
	need_fuse
	[ -x "$PROBE" ] || skip "make tests was not run"
	local n nth step machine tries read kill ALL
	for machine in westmere-2s haswell-ep-2s; do
		case $machine in
		westmere-2s) read=(-e '0x9:1,0x82:1') kill=30 tries=25 ;;
		*) read=(-e 'cbo/event=0x34,umask=0x11,filter_state=0x1/') kill=300 tries=8 ;;
		esac
		serve "$machine,clock=stepped,start=12345"
		repair_matrix "$tries"
		unserve
	done
}

repair_matrix() {
	local doctor=("$BIN/uncore-doctor" "--machine=root:$MNT" --repair)
	"$BIN/uncore-info" "--machine=root:$MNT" --registers --format=json |
		jq -r 'select(.write_mask != "0x0") | "0 " + .register, "1 " + .register' \
			>"$BATS_TEST_TMPDIR/spots"
	export GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	"$PROBE" snapshot "$MNT" "$BATS_TEST_TMPDIR/before"
	leave
	"${doctor[@]}" >"$out"
	leave
	allocations "$1" "${doctor[@]}"
	for ALL in '' 1; do
		for ((nth = 1; nth <= n; nth += step)); do
			leave
			failing "$nth" "${doctor[@]}"
			if same >/dev/null; then
				[ "$status" != 0 ] || diff <(tail -n 1 "$out") <(tail -n 1 "$out.now")
			else
				[ "$status" != 0 ]
			fi || complain "$nth" "${doctor[@]}"
			[ "$status" = 0 ] || [ -s "$err" ] || complain "$nth" "${doctor[@]}"
			run -0 "${doctor[@]}"
			[[ ${lines[-1]} == *" 0 leases left over" ]]
			same
		done
	done
}

same() {
	"$PROBE" same "$MNT" "$BATS_TEST_TMPDIR/before"
}

# leave: what a session leaves that is killed while it counts.
leave() {
	bash -c 'echo "kill $0 $$" >"$1/sim/trouble"; shift; exec "$@"' "$kill" "$MNT" \
		"$BIN/uncore-read" "--machine=root:$MNT" "${read[@]}" -i 0.1 >/dev/null 2>&1 || true
	[ "$(cat "$MNT/sim/trouble")" = none ]
	! same >/dev/null
}

@test "--clear out of memory: every bit that was cleared is told, and what is left set is an error" {
	need_fuse
	local n nth step ALL
	local clear=("$BIN/uncore-throttle" "--machine=root:$BATS_TEST_TMPDIR/machine" --clear)
	logged
	"${clear[@]}" >"$out"
	unserve
	logged
	allocations 40 "${clear[@]}"
	unserve
	for ALL in '' 1; do
		for ((nth = 1; nth <= n; nth += step)); do
			logged
			failing "$nth" "${clear[@]}"
			# What the log of the device says that was written is what was told.
			sed -n 's/^[^ ]* [0-9]* \([0-9]*\) wr \(0x[0-9a-f]*\) .*/CPU \1: (\2)/p' "$LOG" | sort -u >"$out.written"
			cat "$out.now" "$err" | sed -n 's/.*\(CPU [0-9]*:\) .*\((0x[0-9a-f]*)\) was .*: cleared .*/\1 \2/p' |
				sort -u >"$out.told"
			diff "$out.written" "$out.told" || complain "$nth" "${clear[@]}"
			if [ "$status" = 0 ]; then
				diff "$out" "$out.now" && [ -s "$MNT/run/uncoremsr/throttle-cleared" ]
			else
				[ -s "$err" ]
			fi || complain "$nth" "${clear[@]}"
			run -0 "${clear[@]}"
			run -0 "${clear[@]}"
			[[ $output == *"no log bit was set"* ]]
			unserve
		done
	done
}

# logged: a machine whose log says that it was throttled, and no longer is.
logged() {
	serve nehalem-1s,clock=stepped,throttle=none,throttle='core-thermal for=0.1'
	echo +200000000 >"$MNT/sim/clock"
}
