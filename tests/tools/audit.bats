#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every built-in machine is mounted with its log, and every counter and every filter of its PMUs is used once. Every
# write in the log must be to a register that the tables claim, and change only bits of its mask; at the end all
# registers have their initial contents.

# bats file_tags=plain

load common
load mounted
load answers

setup() {
	need_fuse
	need jq perl
	export GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	held=$BATS_TEST_TMPDIR/held
	claims=$BATS_TEST_TMPDIR/plan.claims
}

# Plan for a machine, as lines "FILE VALUE" that jq makes from the JSON of uncore-info. It has: the first and the last
# CPU of each package, through which registers are read; the registers that may be written, with their masks; an event
# for each counter; and events with terms for filters, some of which the tables accept. Variables are those of jq.
PLAN='"uarch \(.uarch)", "general \(.leaf_0xa.general_counters)", "chosen \(.packages[-1].cpu)",
	(.packages[] | "cpus \(.cpu)", "cpus \([.cpus | scan("[0-9]+")][-1])"),
	($registers[] | select(.write_mask != "0x0") | "claims \(.register) \(.write_mask)"),
	(.pmus[] | select(.reach == "msr") | .pmu as $p | [.terms[].term] as $t |
		"pmus \($p)",
		(range(.general_counters) |
			if $t | index("counter") then "counters \($p)/event=0x9,counter=\(.)/"
			elif $t | index("inc_sel") then "counters \($p)/inc_sel=0xd/"
			else "counters \($p)/event=0x1/" end),
		(.fixed[] | "counters \($p)/\(.event)/"),
		($t[] | select(test("^(filter_|match|mask|iperf|qlx|xbr|dsp|thr|fvc|pgt|map|iss|pld)")) |
			"tries \($p)/" + ("event=0x1", "event=0x35", "event=0x34", "event=0xb", "event=0xc", "event=0xd",
				"event=0xe", "event=0x0,counter=0", "event=0x0", "inc_sel=0xd", "inc_sel=0x0") + ",\(.)=1/"))'

# registers [OPTION...]: list the registers of the mounted machine, or of uncore-info with OPTIONs.
registers() {
	"$BIN/uncore-info" "${@:---machine=root:$MNT}" --registers --format=json >"$BATS_TEST_TMPDIR/registers"
}

# plan: write the plan for the mounted machine, with the registers that registers() listed, to the files plan.*.
plan() {
	local files=$BATS_TEST_TMPDIR
	rm -f "$files"/plan.*
	"$BIN/uncore-info" --machine="root:$MNT" --format=json >"$files/info"
	jq -r --slurpfile registers "$files/registers" "$PLAN" "$files/info" |
		awk -v files="$files/plan." '{ file = files $1; sub(/^[^ ]* /, ""); print >file }'
}

# watch: save the contents of all claimed registers for same(), and as text in the file $held.
watch() {
	awk 'NR == FNR { reg[++n] = $1; next } !seen[$1]++ { for (i = 1; i <= n; i++) print $1, reg[i] }' \
		"$claims" "$BATS_TEST_TMPDIR/plan.cpus" >"$GUARD_REGISTERS"
	[ -s "$GUARD_REGISTERS" ]
	remember
	perl -ne 'BEGIN { open $values, "<:raw", shift or die }
		chomp; read $values, my $value, 8; printf "%s 0x%016x\n", $_, unpack "Q", $value' \
		"$BATS_TEST_TMPDIR/before" "$GUARD_REGISTERS" >"$held"
	skip_log
}

# skip_log: ignore the lines that are in the log. The log cannot be emptied, because a process is writing to it.
skip_log() {
	skipped=$(wc -l <"$LOG")
}

# audited: check the rest of the log with audit.awk.
audited() {
	awk -v skip="$skipped" -f "$TOP/tests/tools/audit.awk" "$claims" "$held" "$LOG"
}

# counts OUT EVENT...: count the events at the same time, or in turns if there are too few counters. Readings go to OUT.
counts() {
	local events=() event
	for event in "${@:2}"; do events+=(-e "$event"); done
	"$BIN/uncore-read" --machine="root:$MNT" "${events[@]}" -i 0.1 -n 1 --format=json \
		>"$BATS_TEST_TMPDIR/$1" 2>"$BATS_TEST_TMPDIR/err" || {
		echo "status $?"
		cat "$BATS_TEST_TMPDIR/err"
		return 1
	}
}

# all_of MACHINE: audit the machine's uncore.
all_of() {
	local pmus counters tries terms=() event uarch
	echo "$1"
	serve "$1,clock=stepped"
	registers
	plan
	watch
	mapfile -t counters <"$BATS_TEST_TMPDIR/plan.counters"
	mapfile -t pmus <"$BATS_TEST_TMPDIR/plan.pmus"
	[ "${#counters[@]}" -gt 2 ]
	counts counted "${counters[@]}"
	audited
	: >"$BATS_TEST_TMPDIR/filtered"
	if [ -e "$BATS_TEST_TMPDIR/plan.tries" ]; then
		mapfile -t tries <"$BATS_TEST_TMPDIR/plan.tries"
		# For each term of a PMU, use the first event that is accepted: "PMU/event=0x1,TERM=1/".
		uarch=$(<"$BATS_TEST_TMPDIR/plan.uarch")
		for event in "${tries[@]}"; do later uncore-events encode "$event" --uarch="$uarch"; done
		mapfile -t terms < <(each_answer accepted | awk -F'[/,]' '!seen[$1, $(NF - 1)]++')
		[ "${#terms[@]}" -gt 0 ]
		skip_log
		counts filtered "${terms[@]}"
		audited
	fi
	same
	# No event failed, and every PMU counted.
	jq -en --argjson counters "${#counters[@]}" --argjson terms "${#terms[@]}" --argjson pmus "${#pmus[@]}" \
		--slurpfile counted "$BATS_TEST_TMPDIR/counted" --slurpfile filtered "$BATS_TEST_TMPDIR/filtered" '
		($counted | length >= $counters) and ($filtered | length >= $terms) and
		($counted + $filtered | all(.status == "ok" and .value != null)) and
		($counted | map(.event | sub("/.*"; "")) | unique | length >= $pmus)' >/dev/null
	unserve
}

# accepted COMMAND...: print the event, if the tables have it.
accepted() {
	[ "$status" != 0 ] || echo "$3"
}

# built_in BIG: list the built-in machines that can count: those with many boxes if BIG is yes, else the others. The
# tests loop over this list; tests for single machines would need a list of machines here, which would become outdated.
built_in() {
	local machine big
	while read -r machine; do
		big=no
		case $machine in
		generic | skylake-sp-perf | power*) continue ;; # these have no uncore registers
		*-[eas]p-* | *-ex-* | knights-* | *-rapids-*) big=yes ;;
		esac
		[ "$big" != "$1" ] || echo "$machine"
	done < <("$BIN/uncore-sim" list --format=json | jq -r .name)
}

# wrong_is TEXT LINE...: the audit of a log with these lines must fail with TEXT.
wrong_is() {
	printf '%s\n' "${@:2}" >"$LOG"
	run -1 audited
	[[ $output == *"$1"* ]]
}

@test "the audit finds writes to other registers and to other bits" {
	local skipped=1 LOG=$BATS_TEST_TMPDIR/log
	echo '0x700 0x4000ff' >"$claims"
	printf '%s\n' '0 0x700 0x80000000000003' '1 0x700 0x0' >"$held"
	printf '%s\n' '0.0 77 1 wr 0x701 0x1 ok' '0.0 77 0 wr 0x700 0x80000000400012 ok' >"$LOG"
	run -0 audited
	[ "$output" = "1 writes" ]
	skipped=0
	printf '0.0 77 2 %s ok\n' 'rd 0x700 0x2' 'wr 0x700 0x3' 'wr 0x700 0x2' >"$LOG"
	run -0 audited
	[ "$output" = "2 writes" ]
	wrong_is "from 0x0 with the mask 0x4000ff" '0.0 77 1 wr 0x700 0x80000000400012 ok'
	wrong_is "not claimed" '0.0 77 0 wr 0x701 0x0 ok'
	wrong_is "failed" '0.0 77 0 wr 0x700 0x3 EIO'
	wrong_is "never seen" '0.0 77 2 wr 0x700 0x3 ok'
	wrong_is "left with 0x3 instead of 0x2" '0.0 77 2 rd 0x700 0x2 ok' '0.0 77 2 wr 0x700 0x3 ok'
	wrong_is "from 0x101" '0.0 77 0 rd 0x700 0x100 ok' '0.0 77 0 wr 0x700 0x1ff ok' \
		'0.0 77 0 rd 0x700 0x101 ok' '0.0 77 0 wr 0x700 0x1 ok'
	wrong_is "0 writes" '0.0 77 0 rd 0x700 0x3 ok'
}

@test "on every machine only claimed bits of claimed registers change, and all registers are put back" {
	local machine big n
	for big in no yes; do
		unset calls # "drawn" is true for the first machine of both lists
		n=0
		while read -r machine; do
			drawn 8 || continue
			all_of "$machine"
			n=$((n + 1))
		done < <(built_in "$big")
		[ "$n" -ge 2 ]
	done
}

@test "the core PMU of every Intel machine changes only claimed bits of the chosen CPU, and all are put back" {
	local machine events cpu general n=0
	registers --uarch=core
	while read -r machine; do
		drawn 8 || continue
		echo "$machine"
		serve "$machine,clock=stepped"
		plan
		watch
		cpu=$(<"$BATS_TEST_TMPDIR/plan.chosen") general=$(<"$BATS_TEST_TMPDIR/plan.general")
		events=(-e core/cycles/ -e core/instructions/)
		for ((; general > 0; general--)); do
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
			[ "${#lines[@]}" -ge "$((${#events[@]} / 2))" ]
			run ! grep -v '"status":"ok"' <<<"$output"
			audited
			same
			[ "$(awk '$4 == "wr" { print $3 }' "$LOG" | sort -u)" = "$cpu" ]
			n=$((n + 1))
			;;
		esac
		unserve
	done < <(built_in no && built_in yes)
	[ "$n" -ge 2 ]
}
