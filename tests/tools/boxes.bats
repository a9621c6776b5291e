#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Processors whose uncore is made of boxes, and the core PMU: on a simulated machine of each family an event of every
# kind of box is counted exactly, and the log of accesses is audited. If time matters, the clock is stepped. Unit n of a
# package has n + 1 times the rate of the workload.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common
load mounted

setup() {
	trace=$BATS_TEST_TMPDIR/trace
}

teardown() {
	unserve
}

# MACHINE EVENT RATE WEIGHT...: events per second on unit 0, and the factor for all units together of each package
# (die): 10 for four units, 16 for units 0 to 3 and 5.
WORKLOADS='
sandybridge-1s cbo/event=0x34,umask=0x88/ 700000 10
sandybridge-1s arb/event=0x81,umask=0x20/ 900000 1
sandybridge-1s arb/event=0x80,umask=0x1/ 90000000 1
sandybridge-1s clock/clockticks/ 3300000000 1
nehalem-ex-4s cbox/event=0x14,umask=0x7/ 900000 36 36 36 36
nehalem-ex-4s ubox/event=0x2/ 1700 1 1 1 1
nehalem-ex-4s bbox/event=0x9,counter=1/ 500000 3 3 3 3
nehalem-ex-4s sbox/event=0x60,umask=0x8/ 250000 3 3 3 3
nehalem-ex-4s mbox/inc_sel=0xd/ 1300000 3 3 3 3
nehalem-ex-4s rbox/ALLOC_TO_ARB.HOM_VN0,port=0/ 100000 3 3 3 3
nehalem-ex-4s wbox/event=0x4,umask=0x1/ 500000000 1 1 1 1
ivybridge-ep-2s cbo/event=0x34,umask=0x11/ 5000000 10 10
ivybridge-ep-2s ubox/event=0x42,umask=0x8/ 12000 1 1
ivybridge-ep-2s pcu/event=0x80,occ_sel=1/ 2400000000 1 1
haswell-ep-2s cbo/event=0x34,umask=0x11/ 5000000 21 16
haswell-ep-2s sbox/event=0x2,umask=0x1/ 500000 10 6
haswell-ep-2s ubox/event=0x44,umask=0x1/ 700 1 1
haswell-ep-2s pcu/event=0x74/ 300 1 1
broadwell-ep-2s cbo/event=0x35,umask=0x3,filter_opc=0x182/ 300000 10 10
broadwell-ep-2s sbox/event=0x1b,umask=0x3/ 1200000 10 10
broadwell-ep-2s ubox/clockticks/ 2200000000 1 1
broadwell-ep-2s pcu/event=0xb,filter_band0=10/ 790000000 1 1
knights-landing-1s cha/event=0x3d,umask=0x1/ 300000 741
knights-landing-1s ubox/event=0x42,umask=0x8/ 12000 1
knights-landing-1s pcu/event=0x0,use_occ_ctr,occ_sel=1/ 2400000000 1
skylake-sp-2s cha/event=0x50,umask=0x1/ 400000 55 55
skylake-sp-2s iio/event=0x83,umask=0x4,ch_mask=0x1,fc_mask=0x7/ 2000000 21 21
skylake-sp-2s iio_free_running/bw_in_port1/ 2000000 21 21
skylake-sp-2s irp/event=0x10,umask=0x8/ 40000 21 21
skylake-sp-2s ubox/event=0x42,umask=0x8/ 12000 1 1
skylake-sp-2s pcu/event=0x80,umask=0xc0/ 1600000000 1 1
icelake-sp-2s cha/event=0x50,umask=0x2/ 300000 820 820
icelake-sp-2s iio/event=0xc0,umask=0x1,ch_mask=0x1,fc_mask=0x7/ 300000 21 21
icelake-sp-2s iio_free_running/bw_in_port2/ 3000000 21 21
icelake-sp-2s irp/event=0xf,umask=0x1/ 80000 21 21
icelake-sp-2s m2pcie/event=0x23,umask=0x1/ 60000 21 21
icelake-sp-2s ubox/event=0x42,umask=0x8/ 12000 1 1
icelake-sp-2s pcu/event=0xe,filter_band3=20/ 760000000 1 1
sapphire-rapids-2s cha/event=0x50,umask=0x4/ 200000 1830 1830
sapphire-rapids-2s iio/event=0x83,umask=0x4,ch_mask=0x1,fc_mask=0x7/ 2000000 78 66
sapphire-rapids-2s iio_free_running/bw_in_port3/ 4000000 78 78
sapphire-rapids-2s irp/event=0x10,umask=0x8/ 40000 78 66
sapphire-rapids-2s ubox/event=0x42,umask=0x8/ 12000 1 1
granite-rapids-2s cha/event=0x34,umask=0x11/ 5000000 3741 3741
granite-rapids-2s iio/event=0xc0,umask=0x1,ch_mask=0x1,fc_mask=0x7/ 300000 136 136
granite-rapids-2s iio_free_running/bw_in_port0/ 1000000 136 136
granite-rapids-2s irp/event=0x10,umask=0x8/ 40000 136 136
granite-rapids-2s ubox/event=0x42,umask=0x8/ 12000 1 1
alderlake-hybrid cbo/event=0x34,umask=0x8f/ 2500000 55
alderlake-hybrid arb/event=0x84,umask=0x1/ 120000 3
alderlake-hybrid clock/clockticks/ 3800000000 1
meteorlake cbo/event=0x22,umask=0x41/ 3000 36
meteorlake arb/event=0x85,umask=0x1/ 77000 3
meteorlake hac_arb/event=0x81,umask=0x1/ 660000 3
meteorlake hac_cbo/event=0x35,umask=0x1/ 550000 3
meteorlake sncu/clockticks/ 2400000000 1
meteorlake cncu/clockticks/ 3000000000 1
zen-1s l3/event=0x4,umask=0x1/ 1200000 3
zen-1s df/event=0x187,umask=0x38/ 300000 1
naples-1s l3/event=0x4,umask=0xff/ 9000000 10
naples-1s df/event=0x7,umask=0x38/ 4000000 10
genoa-1s l3/event=0x9a,umask=0x1f/ 1000000 3
genoa-1s df/event=0x1f,umask=0x7fe/ 8000000 1
genoa-1s umc/event=0xa,rdwrmask=1/ 3000000 3'

# absent GREP-ARGUMENTS: fail if a line matches. ("!" before a command would not fail a test.)
absent() {
	if grep "$@"; then return 1; fi
}

# machines: set ${machines[@]} to the machines of the table.
machines() {
	local machine last
	machines=()
	while read -r machine _; do
		if [ -n "$machine" ] && [ "$machine" != "${last:-}" ]; then machines+=("$machine"); fi
		last=$machine
	done <<<"$WORKLOADS"
}

# events_of MACHINE: set $events to "-e EVENT" for each row of the machine, and $expected to the values of all rows, one
# per line, package by package.
events_of() {
	local row values=() i
	events=()
	while read -r -a row; do
		[ "${row[0]:-}" = "$1" ] || continue
		events+=(-e "${row[1]}")
		for ((i = 3; i < ${#row[@]}; i++)); do values[i]+="$((row[2] * row[i]))"$'\n'; done
	done <<<"$WORKLOADS"
	printf -v expected %s "${values[@]}"
	expected=${expected%$'\n'}
}

# claimed OPTION: set $claims to the addresses of the writable registers of the core and of the processor that the option
# names to uncore-info, with blanks around each; the file "claimed" has one per line.
claimed() {
	local line
	claims=' '
	run -0 uncore-info --registers "$1" --format=json
	local registers=("${lines[@]}")
	run -0 uncore-info --registers --uarch=core --format=json
	for line in "${registers[@]}" "${lines[@]}"; do
		[[ $line != *'"write_mask":"0x0"'* && $line =~ ^'{"register":"'(0x[0-9a-f]*) ]] || continue
		[[ $claims == *" ${BASH_REMATCH[1]} "* ]] || claims+="${BASH_REMATCH[1]} "
	done
	line=${claims# } line=${line% }
	printf '%s\n' "${line// /$'\n'}" >"$BATS_TEST_TMPDIR/claimed"
}

@test "events of every kind of box of every family at once: exact sums of all units, only claimed writes, all put back" {
	local machine
	machines
	[ "${#machines[@]}" -gt 14 ]
	for machine in "${machines[@]}"; do
		echo "$machine"
		events_of "$machine"
		claimed --machine="sim:$machine"
		uncore-read --machine="sim:$machine,clock=stepped" "${events[@]}" --format=csv --trace >"$BATS_TEST_TMPDIR/csv" 2>"$trace"
		# The names of events may contain commas.
		diff <(sed -E '1d; s/"[^"]*"/X/g; s/^([^,]*,){15}([^,]*).*/\2/' "$BATS_TEST_TMPDIR/csv") - <<<"$expected"
		restored "$trace" "$claims"
	done
}

# bats test_tags=plain
@test "every family with boxes that is simulated is in the table, with every PMU that registers reach" {
	need jq
	local machine dir=$BATS_TEST_TMPDIR
	while read -r machine _; do
		uncore-info --machine="sim:$machine" --format=json
	done < <(uncore-sim list) > "$dir/machines"
	jq -r 'select((.pmus // []) | length > 1) | . as $m |
		.pmus[] | select(.reach == "msr") | "\($m.uarch) \(.pmu)"' "$dir/machines" | sort -u > "$dir/expected"
	[ "$(wc -l < "$dir/expected")" -gt 50 ]
	jq -r '"\(.machine) \(.uarch)"' "$dir/machines" > "$dir/uarchs"
	awk 'NR == FNR { uarch[$1] = $2; next }
		NF { sub(/\/.*/, "", $2); print uarch["sim:" $1], $2 }' "$dir/uarchs" - <<< "$WORKLOADS" |
		sort -u | diff "$dir/expected" -
}

# ---- with the machine's own log ----

# registers_of CPU...: print the contents of each writable register; the file "claimed" has their addresses.
registers_of() {
	(cd "$MNT/dev/cpu" && perl -e '
		open(my $claimed, "<", shift) or die;
		chomp(my @msrs = <$claimed>);
		for my $cpu (@ARGV) {
			open(my $dev, "<", "$cpu/msr") or die;
			for my $msr (@msrs) {
				sysseek($dev, hex($msr), 0);
				my $got = sysread($dev, my $value, 8);
				print "$cpu $msr ", $got ? unpack("Q", $value) : "cannot be read", "\n";
			}
		}' "$BATS_TEST_TMPDIR/claimed" "$@")
}

# audited MACHINE: count all events of the table on the mounted machine, and audit the log.
audited() {
	local machine=$1 line
	claimed --machine="sim:$machine"
	# One CPU per package.
	run -0 uncore-info --machine="sim:$machine"
	shift
	while [[ $output =~ reached\ through\ CPU\ ([0-9]*)\;(.*) ]]; do
		set -- "$@" "${BASH_REMATCH[1]}"
		output=${BASH_REMATCH[2]}
	done
	serve "$machine"
	events_of "$machine"
	registers_of "$@" > "$BATS_TEST_TMPDIR/before"
	[ "$(wc -l < "$BATS_TEST_TMPDIR/before")" -gt 50 ]
	: > "$LOG"
	run -0 --separate-stderr uncore-read --machine="root:$MNT" "${events[@]}" -i 0.1 -n 1 --format=csv
	[ "${#lines[@]}" -gt 2 ]
	# On a busy machine a reading may be interrupted; its count is still exact.
	for line in "${lines[@]:1}"; do [[ $line =~ ,msr,(ok|spread), ]]; done
	registers_of "$@" > "$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	# Only claimed registers are written, through only one CPU per package.
	awk -v claims="$claims" -v cpus=" $* " '
		$4 != "wr" { next }
		!index(claims, " " $5 " ") { print; bad = 1 }
		!index(cpus, " " $3 " ") { print; bad = 1 }
		!seen[$3]++ { n++ }
		END { exit bad || n != split(cpus, all, " ") }' "$LOG"
}

@test "Haswell-EP, by the machine's own log: all registers as before, no write outside the claims" {
	need_fuse
	audited haswell-ep-2s
}

@test "the same for Sandy Bridge" {
	need_fuse
	audited sandybridge-1s
}

@test "the same for Sapphire Rapids" {
	need_fuse
	audited sapphire-rapids-2s
}

@test "the same for Skylake-SP, whose 0x391 belongs to the core" {
	need_fuse
	audited skylake-sp-2s
	[ -z "$(awk '$5 == "0x391"' "$LOG")" ] # a value may be that number
}

@test "the same for Nehalem-EX" {
	need_fuse
	audited nehalem-ex-4s
}

# killed_session: run a session on the mounted machine and kill it while it counts.
killed_session() {
	count_beside uncore-read --machine="root:$MNT" -e 'cbo/event=0x35,umask=0x3,filter_opc=0x182/' \
		-e sbox/event=0x2,umask=0x1/
	kill -KILL "$pid"
	wait "$pid" || true
}

@test "what a killed session left in boxes, filters and gates is named and put back" {
	need_fuse
	serve haswell-ep-2s
	claimed --uarch=haswell-ep
	registers_of 0 6 > "$BATS_TEST_TMPDIR/before"
	killed_session
	run -1 uncore-doctor --machine="root:$MNT"
	# There are too many to report each, unless requested.
	[ "$(grep -c ' left programmed' <<< "$output")" -eq 1 ]
	[[ $output == *"package 0 cbo0 counter 0 and "*" more counters and registers: left "* ]]
	run -0 uncore-doctor --machine="root:$MNT" --leases --format=csv
	[[ $output == *1,*,cbo5,* ]]
	run -0 uncore-doctor --machine="root:$MNT" --repair
	registers_of 0 6 > "$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	# The next session repairs them, too, and does not report each.
	killed_session
	run -0 --separate-stderr uncore-read --machine="root:$MNT" -e pcu/event=0x74/ -i 0.1 -n 1
	[ "${#stderr_lines[@]}" -lt 20 ]
	[[ $stderr == *" more registers or counters of dead sessions were restored"* ]]
	registers_of 0 6 > "$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
}

# ---- sums, units, dies ----

@test "--per-unit shows each unit by its number, and the sums are theirs" {
	need jq
	uncore-read --machine="sim:haswell-ep-2s,clock=stepped" -e cbo/event=0x34,umask=0x11/ --per-unit \
		--format=json > "$BATS_TEST_TMPDIR/json" 2> "$BATS_TEST_TMPDIR/err"
	jq -es 'map([.package, .unit]) == [[0,0],[0,1],[0,2],[0,3],[0,4],[0,5],[1,0],[1,1],[1,2],[1,3],[1,5]]
		and all(.pmu == "cbo" and (.raw | tonumber) == (.value | tonumber) + 90 and .core == null and .counter == 0 and
			.value == ((.unit + 1) * 5000000 | tostring))' "$BATS_TEST_TMPDIR/json"
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" -e cbo/event=0x34,umask=0x11/ --per-unit
	[[ ${lines[3]} == "package  unit "* ]]
	[[ $output == *$'\n'"      1  cbo5     6        0  "* ]]
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" \
		-e cbo/event=0x34,umask=0x11/ --format=json
	jq -e '.unit == null and .raw == null and .value == "105000000" and .cpu == 0' <<< "${lines[0]}"
	jq -e '.unit == null and .raw == null and .value == "80000000" and .cpu == 6' <<< "${lines[1]}"
}

@test "cbo3 is one unit, with its register" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" \
		-e cbo3/event=0x34,umask=0x11/ --packages 1 --format=json --trace
	[ "${#lines[@]}" -eq 1 ]
	jq -e '.unit == 3 and .raw == "20000090" and .value == "20000000" and
		.event == "cbo3/event=0x34,umask=0x11/"' <<< "$output"
	absent 'C[0-24-9]_MSR' <<< "$stderr"
	[[ $stderr == *C3_MSR_PMON_CTR* ]]
}

@test "with -i a line has the sums without a register, and --per-unit has them" {
	run -0 uncore-read --machine="sim:sandybridge-1s,clock=stepped" -e cbo/event=0x34,umask=0x88/ -i 1 -n 1
	[ "${lines[1]}" = "1.000 s | package 0  cbo/UNC_CBO_CACHE_LOOKUP.ANY_I/ +7000000 7000000.0/s" ]
	run -0 uncore-read --machine="sim:sandybridge-1s,clock=stepped" -e cbo/event=0x34,umask=0x88/ -i 1 -n 1 \
		--per-unit --hex
	[[ ${lines[1]} == *" cbo0 hex aaeba raw 700090 +700000 "*" cbo3 hex 2ab9da raw 2800090 +2800000 "* ]]
}

@test "dies of one package stand apart" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:cascadelake-ap-1s,clock=stepped" \
		-e cha/event=0x0/ --format=json
	[ "${#lines[@]}" -eq 2 ]
	jq -es 'map([.package, .die, .cpu, .value]) ==
		[[0, 0, 0, "16800000000"], [0, 1, 4, "16800000000"]]' <<< "$output"
	run -0 uncore-read --machine="sim:cascadelake-ap-1s,clock=stepped" -e cha/event=0x0/
	[[ ${lines[2]} == "package  die "* ]]
	# A single die is not the whole package.
	run -0 uncore-read --machine="sim:cascadelake-ap-1s,clock=stepped" -e cha/event=0x0/ --cpus 4
	[[ ${lines[2]} == "package  die "* ]]
}

@test "nodes and caches of a package are listed as its units" {
	need jq
	uncore-read --machine="sim:naples-1s,clock=stepped" -e l3/event=0x4,umask=0xff/ --per-unit --format=json |
		jq -es 'map([.unit, .cpu, .value]) == [[0, 0, "9000000"], [1, 2, "18000000"],
			[2, 4, "27000000"], [3, 6, "36000000"]]'
}

@test "caches and nodes can be chosen by the number that is shown" {
	need jq
	uncore-read --machine="sim:naples-1s,clock=stepped" -e l3-2/event=0x4,umask=0xff/ \
		-e df1/event=0x7,umask=0x38/ -e amd_l3_1/event=0x4,umask=0xff/ --format=json |
		jq -es 'map([.event, .unit, .cpu, .value]) == [
			["l3-2/event=0x4,umask=0xff/", 2, 4, "27000000"],
			["df1/event=0x7,umask=0x38/", 1, 2, "8000000"],
			["l3-1/event=0x4,umask=0xff/", 1, 2, "18000000"]]'
	refused 2 "no l3-7: it has 4" naples-1s -e l3-7/event=0x4,umask=0xff/
	refused 2 "has no PMU 'cbo-1'" haswell-ep-2s -e cbo-1/event=0x34/
}

@test "a box that was fused off is left out with a note; asked for by name it is a failure" {
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" \
		-e cbo/event=0x34,umask=0x11/ --format=csv
	[[ $stderr == "uncore-read: package 1: "*"left out, because it is not there now: cbo4" ]]
	run -1 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" -e cbo4/event=0x34,umask=0x11/
	[[ $output == *"unknown           unknown  failed: "*"the register faults"* ]]
}

@test "boxes that ignore writes are named in one line, as on an emulator" {
	refused 3 "does not keep what was written" "haswell-ep-2s,silent=0xe00-0xeff" \
		-e cbo/event=0x34,umask=0x11/
}

@test "a unit that fails makes the sum unknown, and --per-unit shows the others" {
	need jq
	local machine
	machine="sim:haswell-ep-2s,clock=stepped,fail=read 0xe28 EIO cpu=0 after=2"
	run -1 --separate-stderr uncore-read --machine="$machine" -e cbo/event=0x34,umask=0x11/ \
		--packages 0 --format=json
	jq -e '.value == null and (.status | test("^failed, [0-9]+ of [0-9]+$"))' <<< "$output"
	run -1 --separate-stderr uncore-read --machine="$machine" -e cbo/event=0x34,umask=0x11/ \
		--packages 0 --format=json --per-unit
	jq -es 'map(.status) == ["ok", "ok", "failed", "ok", "ok", "ok"]' <<< "$output"
}

@test "counters that another program has frozen are unknown with the reason, and the freeze is left alone" {
	need jq
	local machine
	machine=sim:sapphire-rapids-2s,clock=stepped,set=0x2ff0:1:cpu=0
	run -1 --separate-stderr uncore-read --machine="$machine" -e cha/event=0x50,umask=0x4/ \
		--format=json --trace
	jq -es 'map([.package, .status, .value != null]) == [[0, "failed", false], [1, "ok", true]]' \
		<<< "$output"
	[[ $stderr == *"frozen by another program: bit 0 of MSR_PMON_GLOBAL_CTL (0x2ff0) is set"* ]]
	absent 'write.*0x2ff0' <<< "$stderr"
	run -3 uncore-read --machine="$machine" -e cha/event=0x50,umask=0x4/ --packages 0
	[[ $output == *"frozen by another program"*"has to clear it"* ]]
}

@test "free-running counters have an amount, and are never written" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:icelake-sp-2s,clock=stepped" \
		-e iio_free_running/bw_in_port0/ --packages 0 --format=json --trace
	# 21000000 times 32 bytes
	jq -e '.value == "21000000" and (.scaled - 640.8691 | fabs) < 0.001 and .measure == "MiB"' \
		<<< "$output"
	absent ' write ' <<< "$stderr"
	run -0 uncore-read --machine="sim:icelake-sp-2s,clock=stepped" -e iio_free_running/bw_in_port0/
	[[ $output == *" 640.869 MiB"* ]]
}

# ---- more than fits, constraints, filters ----

@test "more events than a box has counters take turns, each estimated on every unit" {
	need jq
	uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --packages 0 --format=json -e cbo/event=0x34,umask=0x3/ \
		-e cbo/event=0x34,umask=0x5/ -e cbo/event=0x34,umask=0x11/ -e cbo/event=0x35,umask=0x8/ \
		-e cbo/event=0x37,umask=0x1/ -e cbo/event=0x37,umask=0x4/ > "$BATS_TEST_TMPDIR/json"
	jq -es 'length == 6 and all(.running_ns < .enabled_ns) and
		(map(.value | tonumber) | [.[0] / 42000000, .[1] / 16800000, .[2] / 105000000,
			.[3] / 18900000, .[4] / 2310000, .[5] / 2730000] |
			all(. > 0.98 and . < 1.02))' "$BATS_TEST_TMPDIR/json"
	run -3 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --no-multiplex -e cbo/event=0x34,umask=0x3/ \
		-e cbo/event=0x34,umask=0x5/ -e cbo/event=0x34,umask=0x11/ -e cbo/event=0x34,umask=0x41/ \
		-e cbo/event=0x37,umask=0x1/
	[ "${#lines[@]}" -eq 1 ]
}

@test "an event that one counter alone can count gets that one, or is refused where it cannot" {
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --packages 0 --format=csv \
		-e cbo/event=0x34,umask=0x11/ -e cbo/event=0x36,umask=0x8/
	[[ ${lines[1]} == *'/",0x401134,'[1-3],* ]]
	[[ ${lines[2]} == *'/",0x400836,0,'* ]]
	run -2 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" \
		-e '{cbo/event=0x36,umask=0x8/,cbo/event=0x36,umask=0x8,edge/}'
	[[ $output == *"only on counter 0 of a cbo"* ]]
	run -2 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" -e cbo/event=0x36,umask=0x8/ --counter 1
	[[ $output == *"counter 1 cannot count"* ]]
}

@test "filters choose what is counted; two contents of one filter take turns or are refused" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --packages 0 --format=json \
		-e cbo/event=0x35,umask=0x1,filter_opc=0x182/
	jq -e '.value == "12600000" and .running_ns == .enabled_ns' <<< "$output"
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --packages 0 --format=json \
		-e cbo/event=0x35,umask=0x1,filter_opc=0x182/ -e cbo/event=0x35,umask=0x1,filter_opc=0x180/
	jq -es 'map([.value, .running_ns < .enabled_ns]) == [["12600000", true], ["1470000", true]]' \
		<<< "$output"
	run -2 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" \
		-e '{cbo/event=0x35,umask=0x1,filter_opc=0x182/,cbo/event=0x35,umask=0x1,filter_opc=0x180/}'
	[[ $output == *FILTER1* ]]
}

@test "a filter that another program changed spoils the interval, and is left to it" {
	need jq
	run -1 --separate-stderr uncore-read --packages 0 --format=json --per-unit \
		-e cbo/event=0x35,umask=0x1,filter_opc=0x182/,cbo/event=0x37,umask=0x1/ \
		--machine="sim:haswell-ep-2s,clock=stepped,foreign=0xe06:0x1:at=0.5:package=0"
	jq -es 'map(select(.status != "ok")) | map([.unit, .event, .status, .value]) ==
		[[0, "cbo/event=0x35,umask=0x1,filter_opc=0x182/", "disturbed", null]]' <<< "$output"
	[[ $stderr == *"filter 0xe06"* ]]
	[[ $stderr == *"register 0xe06 holds 0x1,"*"left as it is, another program wrote it"* ]]
}

@test "counters of a box that another program uses are left alone, and told" {
	need jq
	output=$(uncore-info --machine='sim:haswell-ep-2s,set=0xe21 0x401134' | unfold)
	[[ $output == *"package 0: cbo 23 of 24 free in 6 units, sbox 16 of 16 free in 4 units"* ]]
	[[ $output == *"package 0 cbo2: 0 in-use (0x401134)"* ]]
	[[ $output != *"cbo1: "* ]]
	run -0 jq -c '[.counters[] | select(.pmu == "cbo")], [.units[] | select(.pmu == "sbox")]' < <(
		uncore-info --machine='sim:haswell-ep-2s,set=0xe21 0x401134' --format=json)
	[[ ${lines[0]} == '[{"package":0,"counter":0,"state":"in-use","selector":"0x401134","die":null,"pmu":"cbo","unit":2,"stuck_register":null,'* ]]
	[ "${lines[1]}" = '[{"package":0,"die":null,"pmu":"sbox","units":4,"free":16,"in_use":0,"unknown":0,"stuck":0},{"package":1,"die":null,"pmu":"sbox","units":4,"free":12,"in_use":0,"unknown":4,"stuck":0}]' ]
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped,set=0xe21 0x401134" --packages 0 --format=csv \
		-e cbo2/event=0x37,umask=0x1/ --trace
	[[ $output == *'/",0x400137,1,330090,'* ]]
	[[ $output != *"write C2_MSR_PMON_CTR0"* ]]
	run uncore-doctor --machine='sim:haswell-ep-2s,set=0xe21 0x401134'
	[[ $output == *"cbo2 counter 0 (0x401134)"* ]]
}

# ---- dry run ----

@test "--dry-run writes in the order of a run, on boxes too" {
	local machine line dry real
	for machine in haswell-ep-2s sandybridge-1s sapphire-rapids-2s zen-1s; do
		events_of "$machine"
		dry='' real=''
		run -0 uncore-read --machine="sim:$machine,clock=stepped" "${events[@]}" --packages 0 --dry-run
		for line in "${lines[@]}"; do
			[[ ! $line =~ ^wrmsr\ -p\ ([0-9]+)\ (0x[0-9a-f]+)\  ]] || dry+="${BASH_REMATCH[1]} ${BASH_REMATCH[2]};"
		done
		run uncore-read --machine="sim:$machine,clock=stepped" "${events[@]}" --packages 0 --trace
		for line in "${lines[@]}"; do
			[[ ! $line =~ ^cpu\ ([0-9]+)\ write\ .*\((0x[0-9a-f]+)\) ]] || real+="${BASH_REMATCH[1]} ${BASH_REMATCH[2]};"
		done
		[ -n "$dry" ]
		[ "$dry" = "$real" ] || { printf '%s\n' "$machine" "$dry" "$real"; return 1; }
	done
}

# ---- what makes no sense ----

# refused STATUS TEXT MACHINE EVENT...: the event must be refused with this status, and one line that has the text.
refused() {
	fails_with "$1" "$2" uncore-read --machine="sim:$3,clock=stepped" "${@:4}"
}

@test "events that boxes do not have are refused in one line that says what there is" {
	refused 2 "cbo has units 0 to 17" haswell-ep-2s -e cbo99/event=0x34/
	refused 2 "0x1ff is out of range" haswell-ep-2s -e cbo/event=0x1ff/
	refused 2 "it has cbo, sbox, ubox, pcu, core" haswell-ep-2s -e nosuch/event=1/
	refused 3 "uncore_ha" haswell-ep-2s -e ha/event=0x4/
	refused 2 "cbo/event=0x82,umask=0x1/" haswell-ep-2s -e 0x82:0x1
	refused 2 "cbo/event=0x82,umask=0x1/" sandybridge-1s --event 0x82 --umask 0x1
	refused 2 "filter_opc" haswell-ep-2s -e cbo/event=0x34,nosuch=1/
	refused 2 "general counters 0 to 3" haswell-ep-2s -e cbo/event=0x34/ --counter 7
	refused 2 "it has l3, df" zen-1s -e cbo/event=0x34/
	refused 3 "this kernel has no PMU 'uncore_cbox'" haswell-ep-2s -e cbo/event=0x34/ --route=perf
}

@test "the kernel's names with a number are understood: out of reach, free running, programmable" {
	refused 3 "as uncore_r2pcie" haswell-ep-2s -e uncore_r2pcie_0/event=1/
	refused 3 "as uncore_ha" haswell-ep-2s -e uncore_ha_1/event=4/
	refused 2 "there is only one pcu" haswell-ep-2s -e uncore_pcu_3/event=4/
	run -0 uncore-read --machine="sim:skylake-sp-2s,clock=stepped" --packages 0 --format=csv \
		-e uncore_iio_free_running_2/bw_in_port0/
	[[ ${lines[1]} == *,iio_free_running,iio_free_running2/bw_in_port0/,*,3000000,* ]]
}

@test "free-running counters can be asked for by pattern, and a wrong name shows what there is" {
	run -0 uncore-read --machine="sim:skylake-sp-2s,clock=stepped" --packages 0 --format=csv \
		-e 'iio_free_running/bw_in_port[0-3]/'
	[ "${#lines[@]}" -eq 5 ]
	[[ ${lines[4]} == *,iio_free_running/bw_in_port3/,* ]]
	refused 2 "one thing each: ioclk, " skylake-sp-2s -e iio_free_running/bw_in_port9/
	refused 2 "one thing each: ioclk, " skylake-sp-2s -e 'iio_free_running/nosuch*/'
}

@test "counters that the event cannot use are not counted as free or taken" {
	run -1 --separate-stderr uncore-read -e cbo/event=0x36,umask=0x8/ --packages 0 --format=csv \
		--machine="sim:haswell-ep-2s,clock=stepped,set=0xe01 0x400134"
	[[ $stderr == *"cbo0: no free counter: 1 needed at the same time, 0 of 1 that can count the event free"* ]]
}

@test "if no counter moved, only events of this processor are recommended" {
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --packages 0 \
		-e cbo/event=0x0,umask=0x11/
	[[ $stderr == *"no counter moved"* ]]
	[[ $stderr != *UNC_CLK_UNHALTED* ]]
}

@test "addresses that were never tested are marked once" {
	run -0 --separate-stderr uncore-read --machine="sim:genoa-1s,clock=stepped" -e umc/event=0xa/ -i 1 -n 3
	[ "$(grep -c 'not verified on hardware' <<< "$stderr")" -eq 1 ]
	run -0 --separate-stderr uncore-read --machine="sim:genoa-1s,clock=stepped" -e l3/event=0x4,umask=0xff/ -i 1 -n 3
	[ -z "$stderr" ]
}

# ---- the core PMU ----

@test "core counters are the kernel's: they are counted by registers on request only" {
	refused 3 "--route=msr" haswell-ep-2s -e core/instructions/
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr -e core/instructions/,core/cycles/
	[[ $output == *"package 0: 0.75 instructions per cycle"* ]]
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr -i 1 -n 1 --cpus 1 \
		-e core/instructions/u,core/cycles/
	[[ $output != *"IPC"* ]]
	run -0 uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr -i 1 -n 1 --cpus 1 \
		-e core/instructions/,core/cycles/
	[[ $output == *" | package 0  IPC 0.75" ]]
}

@test "core events: --cpus are the CPUs to count on, --per-unit tells CPU and core" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr \
		-e core/instructions/ --cpus 1,13,7 --per-unit --format=json
	jq -es 'map([.package, .core, .cpu, .unit, .value]) == [[0, 1, 1, null, "1501000000"],
		[0, 1, 13, null, "1513000000"], [1, 1, 7, null, "1507000000"]]' <<< "$output"
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr \
		-e core/instructions/ --cpus 1,13,7 --format=json
	jq -es 'map([.package, .core, .cpu, .value]) ==
		[[0, null, null, "3014000000"], [1, 1, 7, "1507000000"]]' <<< "$output"
}

# steps FILE: print the purpose of each write and read of a core counter, in order, without repetitions.
steps() {
	awk '
		/write IA32_PERF_GLOBAL_CTRL/ { print ($8 ~ /f$/ ? "start" : "stop") }
		/write IA32_PMC0 / { print "preset" }
		/write IA32_PERFEVTSEL0 .*EN\]/ { print "configure" }
		/read  IA32_PMC0 .*= 0x/ && $NF !~ /^0x(0|5a)$/ { print "read" }' "$1" | uniq
}

@test "the seven steps of the basics article show in --trace: stop, preset, configure, start, stop, read" {
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr \
		-e core/r5301b1/ --cpus 0 --trace
	grep '^cpu' <<< "$stderr" > "$trace"
	[ "$(steps "$trace" | head -n 6 | tr '\n' ' ')" = "stop preset configure start stop read " ]
	restored "$trace"
	# The interrupt bit is left out, with a message.
	grep -q 'write IA32_PERFEVTSEL0 .* -> 0x4301b1 ' "$trace"
	absent 'write IA32_PERFEVTSEL0 .* -> 0x5' "$trace"
	[[ $stderr == *"bit 20"*"left out"* ]]
	[[ $output == *"core/event=0xb1,umask=0x1/"* ]]
}

@test "user mode and both modes of one fixed core counter take turns, or are refused in a group" {
	need jq
	run -0 --separate-stderr uncore-read --machine="sim:haswell-ep-2s,clock=stepped" --route=msr --cpus 0 \
		-e core/cycles/,core/cycles/u,core/instructions/ --format=json
	jq -es 'map([.event, .status, .value, .running_ns < .enabled_ns]) == [
		["core/cycles/", "ok", "2000000000", true], ["core/cycles/u", "ok", "1500000000", true],
		["core/instructions/", "ok", "1500000000", false]]' <<< "$output"
	refused 2 "IA32_FIXED_CTR_CTRL" haswell-ep-2s --route=msr --cpus 0 \
		-e '{core/cycles/,core/cycles/u}'
	refused 2 "IA32_FIXED_CTR_CTRL" haswell-ep-2s --route=msr --cpus 0 --no-multiplex \
		-e core/cycles/,core/cycles/u
}

@test "a core event of a CPU that went offline is left out, also in the last interval" {
	need jq
	run -1 --separate-stderr uncore-read --route=msr --cpus 0,1 -e core/instructions/ -i 1 -n 4 \
		--per-unit --format=json \
		--machine="sim:haswell-ep-2s,clock=stepped,hotplug=1 off at=1.5"
	jq -es 'map(select(.cpu == 1).status) == ["ok", "offline", "offline", "offline"]' <<< "$output"
	run -1 --separate-stderr uncore-read --route=msr --cpus 0,1 -e core/instructions/ -i 1 -n 2 \
		--per-unit --format=json \
		--machine="sim:haswell-ep-2s,clock=stepped,hotplug=1 off at=1.5"
	jq -es 'map(select(.cpu == 1).status) == ["ok", "offline"]' <<< "$output"
}

@test "what could not be put back on a CPU that went offline waits until it is online again" {
	need_fuse
	serve "haswell-ep-2s,hotplug=1 off at=1.5,hotplug=1 on at=6"
	run -1 uncore-read --machine="root:$MNT" --route=msr --cpus 1 -e core/instructions/ -i 0.5 -n 4
	run -1 uncore-doctor --machine="root:$MNT"
	[[ $output == *"package 0 cpu1 counter 4: left programmed"* ]]
	[[ $output != *"rm "* ]]
	run uncore-doctor --machine="root:$MNT" --repair
	[[ $output == *"cpu1 is offline"* ]]
	wait_for "$MNT/sys/devices/system/cpu/cpu1/online" 1
	run -0 uncore-doctor --machine="root:$MNT" --repair
	[[ $output == *"package 0 cpu1 counter 4: restored"* ]]
}

@test "around a command: exit status, elapsed time, and the counters stop before they are read" {
	run -7 uncore-read --machine=sim:haswell-ep-2s --route=msr -e core/instructions/ --cpus 0 -- \
		sh -c 'exit 7'
	[[ ${lines[-1]} =~ ^[0-9]+\.[0-9]{9}\ s\ elapsed$ ]]
}

@test "a core counter that the kernel took over in between is disturbed, also in the last interval" {
	need jq
	run -1 --separate-stderr uncore-read --route=msr -e core/event=0xb1,umask=0x1/ --cpus 0 --format=json \
		--machine="sim:haswell-ep-2s,clock=stepped,foreign=0x186:0x41003c:at=0.5"
	jq -e '.value == null and .status == "disturbed"' <<< "$output"
}

@test "the kernel's watchdog keeps its core counter, the others are counted beside it" {
	local machine
	machine="sim:haswell-ep-2s,clock=stepped,set=0x38d 0xb0,set=0x38f 0x20000000f"
	run -0 --separate-stderr uncore-read --route=msr -e core/instructions/ --cpus 0 --trace \
		--machine="$machine"
	[[ $output == *" 1,500,000,000 "* ]]
	[[ $stderr != *"write IA32_FIXED_CTR1 "* ]]
	grep -q 'write IA32_FIXED_CTR_CTRL .* -> 0xb3 ' <<< "$stderr"
	absent -v -- '-> 0xb[03] ' <<< "$(grep 'write IA32_FIXED_CTR_CTRL' <<< "$stderr")"
	run -3 uncore-read --route=msr -e core/cycles/ --cpus 0 --machine="$machine"
	[[ $output == *"in use by another program"* ]]
}
