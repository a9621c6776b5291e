#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every ready machine, mounted with its log: on each of its PMUs every counter and every filter is used
# once. Every write in the log must be to a register that the tables claim, with a mask that has the
# bits that it changed, and all registers hold in the end what they held before.

# bats file_tags=plain

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

setup() {
	load common
	load mounted
	need_fuse
	need jq od
	PROBE=${BIN%/*}/tests/guard_probe
	[ -x "$PROBE" ] || skip "make tests was not run"
	export GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	before=$BATS_TEST_TMPDIR/before
}

teardown() {
	unserve
}

# claims [OPTION...]: "REGISTER MASK" of each register that may be written, of the mounted machine.
claims() {
	"$BIN/uncore-info" "${@:---machine=root:$MNT}" --registers --format=json |
		jq -r 'select(.write_mask != "0x0") | "\(.register) \(.write_mask)"'
}

# watch CPU...: what all claimed registers hold, through these CPUs and the last one. The claims are in $TMP/claims. A
# write through another CPU is one to a register that was never seen, and fails the audit.
watch() {
	local cpus
	mapfile -t cpus < <(cd "$MNT/dev/cpu" && printf "%s\n" [0-9]* | sort -n)
	printf "%s\n" "$@" "${cpus[-1]}" | sort -nu |
		awk 'NR == FNR { reg[++n] = $1; next } { for (i = 1; i <= n; i++) print $1, reg[i] }' \
			"$BATS_TEST_TMPDIR/claims" - >"$GUARD_REGISTERS"
	[ -s "$GUARD_REGISTERS" ]
	"$PROBE" snapshot "$MNT" "$before"
	skip_log
}

# skip_log: what is in the log so far is not looked at. It cannot be emptied: it is being written.
skip_log() {
	skipped=$(wc -l <"$LOG")
}

# audit CLAIMS HELD [LOG]: see audit.awk. In bash it takes minutes: bats watches each command.
audit() {
	awk -f "$TOP/tests/tools/audit.awk" "$1" "$2" "${3:--}"
}

# audited: what was done since watch.
audited() {
	"$PROBE" same "$MNT" "$before"
	paste -d ' ' "$GUARD_REGISTERS" <(od -An -v -tx8 -w8 "$before" | sed 's/ */0x/') \
		>"$BATS_TEST_TMPDIR/held"
	tail -n "+$((skipped + 1))" "$LOG" | audit "$BATS_TEST_TMPDIR/claims" "$BATS_TEST_TMPDIR/held"
}

# counters_of UARCH: an event for each general counter of each PMU, and every fixed counter. Reads
# uncore-info's JSON.
counters_of() {
	jq -r '.pmus[] | select(.reach == "msr") | .pmu as $p | [.terms[].term] as $t |
		(range(.general_counters) |
			if $t | index("counter") then "\($p)/event=0x9,counter=\(.)/"
			elif $t | index("inc_sel") then "\($p)/inc_sel=0xd/"
			else "\($p)/event=0x1/" end),
		(.fixed[] | "\($p)/\(.event)/")'
}

# terms_of UARCH: for each term that is more than a plain field of a selector, the first event with it
# that the tables take. Reads uncore-info's JSON.
terms_of() {
	local pmu term try
	while read -r pmu term; do
		for try in event=0x1 event=0x35 event=0x34 event=0xb event=0xc event=0xd event=0xe \
			event=0x0,counter=0 event=0x0 inc_sel=0xd inc_sel=0x0; do
			if "$BIN/uncore-events" encode "$pmu/$try,$term=1/" --uarch="$1" >/dev/null 2>&1; then
				echo "$pmu/$try,$term=1/"
				break
			fi
		done
	done < <(jq -r '.pmus[] | select(.reach == "msr") | .pmu as $p | .terms[].term |
		select(test("^(filter_|match|mask|iperf|qlx|xbr|dsp|thr|fvc|pgt|map|iss|pld)")) |
		"\($p) \(.)"')
}

# counts EVENT...: all of them at once, or in turn where they do not fit; none fails.
counts() {
	local events=() event
	for event; do events+=(-e "$event"); done
	"$BIN/uncore-read" --machine="root:$MNT" "${events[@]}" -i 0.1 -n 1 --format=json \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || {
		echo "status $?"
		cat "$BATS_TEST_TMPDIR/err"
		return 1
	}
	jq -es --argjson n "$#" 'length >= $n and all(.status == "ok" and .value != null)' \
		"$BATS_TEST_TMPDIR/out" >/dev/null
}

# all_of MACHINE: the audit of its uncore.
all_of() {
	local uarch counters terms
	echo "$1"
	serve "$1,clock=stepped"
	"$BIN/uncore-info" --machine="root:$MNT" --format=json >"$BATS_TEST_TMPDIR/info"
	uarch=$(jq -r .uarch "$BATS_TEST_TMPDIR/info")
	claims >"$BATS_TEST_TMPDIR/claims"
	# shellcheck disable=SC2046
	watch $(jq '.packages[].cpu' "$BATS_TEST_TMPDIR/info")
	mapfile -t counters < <(counters_of <"$BATS_TEST_TMPDIR/info")
	[ "${#counters[@]}" -gt 2 ]
	counts "${counters[@]}"
	audited
	[ "$(jq -s 'map(.event | sub("/.*"; "")) | unique | length' "$BATS_TEST_TMPDIR/out")" -ge \
		"$(jq '[.pmus[] | select(.reach == "msr")] | length' "$BATS_TEST_TMPDIR/info")" ]
	mapfile -t terms < <(terms_of "$uarch" <"$BATS_TEST_TMPDIR/info")
	if [ "${#terms[@]}" -gt 0 ]; then
		skip_log
		counts "${terms[@]}"
		audited
	fi
	unserve
}

# ready BIG: the ready machines that can count, those with many boxes or the others. One test each
# would take a list of them here, which would go stale.
ready() {
	local machine big
	while read -r machine; do
		big=no
		case $machine in
		generic | skylake-sp-perf | power*) continue ;; # without registers of an uncore
		*-[eas]p-* | *-ex-* | knights-* | *-rapids-*) big=yes ;;
		esac
		[ "$big" != "$1" ] || echo "$machine"
	done < <("$BIN/uncore-sim" list --format=json | jq -r .name)
}

# wrong_is TEXT LINE...: the audit of a log with these lines fails and says TEXT.
wrong_is() {
	printf '%s\n' "${@:2}" >"$BATS_TEST_TMPDIR/log"
	run -1 audit "$BATS_TEST_TMPDIR/claims" "$BATS_TEST_TMPDIR/held" "$BATS_TEST_TMPDIR/log"
	[[ $output == *"$1"* ]]
}

@test "the audit finds writes to other registers and to other bits" {
	local log=$BATS_TEST_TMPDIR/log held=$BATS_TEST_TMPDIR/held claims=$BATS_TEST_TMPDIR/claims
	echo '0x700 0x4000ff' >"$claims"
	printf '%s\n' '0 0x700 0x80000000000003' '1 0x700 0x0' >"$held"
	echo '0.0 77 0 wr 0x700 0x80000000400012 ok' >"$log"
	run -0 audit "$claims" "$held" "$log"
	[ "$output" = "1 writes" ]
	wrong_is "from 0x0 with the mask 0x4000ff" '0.0 77 1 wr 0x700 0x80000000400012 ok'
	wrong_is "not claimed" '0.0 77 0 wr 0x701 0x0 ok'
	wrong_is "failed" '0.0 77 0 wr 0x700 0x3 EIO'
	wrong_is "never seen" '0.0 77 2 wr 0x700 0x3 ok'
	wrong_is "from 0x101" '0.0 77 0 rd 0x700 0x100 ok' '0.0 77 0 wr 0x700 0x1ff ok' \
		'0.0 77 0 rd 0x700 0x101 ok' '0.0 77 0 wr 0x700 0x1 ok'
	wrong_is "0 writes" '0.0 77 0 rd 0x700 0x3 ok'
}

@test "every small machine: only claimed bits of claimed registers change, and all come back" {
	local machine n=0
	while read -r machine; do
		all_of "$machine"
		n=$((n + 1))
	done < <(ready no)
	[ "$n" -gt 8 ]
}

@test "every server: only claimed bits of claimed registers change, and all come back" {
	local machine n=0
	while read -r machine; do
		all_of "$machine"
		n=$((n + 1))
	done < <(ready yes)
	[ "$n" -gt 8 ]
}

@test "the core PMU of every Intel machine: only claimed bits change on the chosen CPU, and all come back" {
	local machine events cpu general n=0
	while read -r machine; do
		echo "$machine"
		serve "$machine,clock=stepped"
		read -r cpu general < <("$BIN/uncore-info" --machine="root:$MNT" --format=json |
			jq -r '"\(.packages[-1].cpu) \(.leaf_0xa.general_counters)"')
		claims --uarch=core >"$BATS_TEST_TMPDIR/claims"
		watch "$cpu"
		events=(-e core/cycles/ -e core/instructions/)
		for _ in $(seq "$general"); do
			events+=(-e 'core/event=0xb1,umask=0x1/')
		done
		run --separate-stderr "$BIN/uncore-read" --machine="root:$MNT" --route=msr --cpus "$cpu" \
			-i 0.1 -n 1 --format=json "${events[@]}"
		echo "$stderr"
		case $machine in
		zen* | naples* | genoa*)
			[ "$status" = 2 ] || [ "$status" = 3 ]
			[ "$(grep -c ' wr ' "$LOG")" = 0 ]
			;;
		*)
			[ "$status" = 0 ]
			[ "$(jq -s 'map(.status) | unique' -c <<<"$output")" = '["ok"]' ]
			audited
			[ "$(awk '$4 == "wr" { print $3 }' "$LOG" | sort -u)" = "$cpu" ]
			n=$((n + 1))
			;;
		esac
		unserve
	done < <(ready no && ready yes)
	[ "$n" -gt 12 ]
}
