#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Processors whose uncore is made of boxes, and the core PMU: on a simulated machine of each family an event of every
# kind of box is counted exactly. If time matters, the clock is stepped. Unit n of a package has n + 1 times the rate of
# the workload. (audit.bats checks the log of accesses of each machine.)

load common
load mounted
load answers

setup() {
	need jq
	trace=$BATS_TEST_TMPDIR/trace
}

# Rows are MACHINE EVENT RATE WEIGHT.... RATE is the number of events per second on unit 0. There is a WEIGHT for each
# package (die): the sum over all its units divided by RATE. For units 0 to 3 the sum is 1 + 2 + 3 + 4 = 10; with unit 5
# in addition, but without unit 4, it is 16.
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

@test "on each family events of all kinds of boxes are counted exactly, and all is put back" {
	local machine
	machines
	[ "${#machines[@]}" -gt 14 ]
	for machine in "${machines[@]}"; do
		drawn 2 || continue
		echo "$machine"
		events_of "$machine"
		uncore-read --machine="sim:$machine,clock=stepped" "${events[@]}" --format=csv --trace >"$BATS_TEST_TMPDIR/csv" 2>"$trace"
		# The names of events may contain commas.
		diff <(sed -E '1d; s/"[^"]*"/X/g; s/^([^,]*,){15}([^,]*).*/\2/' "$BATS_TEST_TMPDIR/csv") - <<<"$expected"
		restored "$trace"
	done
}

# bats test_tags=plain
@test "every family with boxes that is simulated is in the table, with every PMU that registers reach" {
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

# ---- leftovers ----

@test "what a killed session left in boxes, filters and gates is named and put back" {
	local events=(-e 'cbo/event=0x35,umask=0x3,filter_opc=0x182/' -e 'sbox/event=0x2,umask=0x1/')
	local -x GUARD_REGISTERS=$BATS_TEST_TMPDIR/spots
	serve haswell-ep-2s
	uncore-info --registers --uarch=haswell-ep --format=json |
		jq -r 'select(.write_mask != "0x0") | "0 " + .register, "6 " + .register' | sort -u >"$GUARD_REGISTERS"
	remember
	killed_beside uncore-read --machine="root:$MNT" "${events[@]}"
	run -1 uncore-doctor --machine="root:$MNT"
	# Without --leases the report summarises the many counters and registers.
	[ "$(grep -c ' left programmed' <<< "$output")" -eq 1 ]
	[[ $output == *"package 0 cbo0 counter 0 and "*" more counters and registers: left "* ]]
	run -0 uncore-doctor --machine="root:$MNT" --leases --format=csv
	[[ $output == *1,*,cbo5,* ]]
	run -0 uncore-doctor --machine="root:$MNT" --repair
	same
	# The next session also repairs what a killed session has left, and does not report each register.
	killed_beside uncore-read --machine="root:$MNT" "${events[@]}"
	run -0 --separate-stderr uncore-read --machine="root:$MNT" -e pcu/event=0x74/ -i 0.1 -n 1
	[ "${#stderr_lines[@]}" -lt 20 ]
	[[ $stderr == *" more registers or counters of dead sessions were restored"* ]]
	same
}

# ---- sums, units, dies ----

HSX=sim:haswell-ep-2s,clock=stepped

@test "each unit has the number and the register that it should have, and each die has its own sum" {
	told 'map([.pmu, .package, .unit, .core, .counter, .raw, .value])' <<-END
		$(for unit in {0..5}; do printf '["cbo",0,%d,null,0,"%d","%d"],' "$unit" $(((unit + 1) * 5000000 + 90)) $(((unit + 1) * 5000000)); done |
			sed 's/^/[/')$(for unit in 0 1 2 3 5; do printf '["cbo",1,%d,null,0,"%d","%d"],' "$unit" $(((unit + 1) * 5000000 + 90)) $(((unit + 1) * 5000000)); done |
			sed 's/,$/]/') | uncore-read --machine=$HSX -e cbo/event=0x34,umask=0x11/ --per-unit
	END
	# A sum over units has no raw value. The dies of a package have separate sums. L3 caches and nodes are chosen by
	# number.
	told 'map([.event, .package, .die, .unit, .cpu, .raw, .value])' <<-END
		[["cbo/event=0x34,umask=0x11/",0,null,null,0,null,"105000000"],["cbo/event=0x34,umask=0x11/",1,null,null,6,null,"80000000"]] | uncore-read --machine=$HSX -e cbo/event=0x34,umask=0x11/
		[["cbo3/event=0x34,umask=0x11/",1,null,3,6,"20000090","20000000"]] | uncore-read --machine=$HSX -e cbo3/event=0x34,umask=0x11/ --packages 1
		[["cha/event=0x0,umask=0x0/",0,0,null,0,null,"16800000000"],["cha/event=0x0,umask=0x0/",0,1,null,4,null,"16800000000"]] | uncore-read --machine=sim:cascadelake-ap-1s,clock=stepped -e cha/event=0x0/
	END
	told 'map([.event, .unit, .cpu, .value])' <<-'END'
		[["l3/event=0x4,umask=0xff/",0,0,"9000000"],["l3/event=0x4,umask=0xff/",1,2,"18000000"],["l3/event=0x4,umask=0xff/",2,4,"27000000"],["l3/event=0x4,umask=0xff/",3,6,"36000000"]] | uncore-read --machine=sim:naples-1s,clock=stepped -e l3/event=0x4,umask=0xff/ --per-unit
		[["l3-2/event=0x4,umask=0xff/",2,4,"27000000"],["df1/event=0x7,umask=0x38/",1,2,"8000000"],["l3-1/event=0x4,umask=0xff/",1,2,"18000000"]] | uncore-read --machine=sim:naples-1s,clock=stepped -e l3-2/event=0x4,umask=0xff/ -e df1/event=0x7,umask=0x38/ -e amd_l3_1/event=0x4,umask=0xff/
	END
	# With -i, sums are shown without raw values; with --per-unit raw values are shown. The sum of a die is marked
	# as such. Registers of units that were not asked for are not read.
	expect <<-END
		0 | package  unit *      1  cbo5     6        0 | uncore-read --machine=$HSX -e cbo/event=0x34,umask=0x11/ --per-unit
		0 | 1.000 s | package 0  cbo/UNC_CBO_CACHE_LOOKUP.ANY_I/ +7000000 7000000.0/s | uncore-read --machine=sim:sandybridge-1s,clock=stepped -e cbo/event=0x34,umask=0x88/ -i 1 -n 1
		0 | cbo0 hex aaeba raw 700090 +700000 * cbo3 hex 2ab9da raw 2800090 +2800000 | uncore-read --machine=sim:sandybridge-1s,clock=stepped -e cbo/event=0x34,umask=0x88/ -i 1 -n 1 --per-unit --hex
		0 | package  die | uncore-read --machine=sim:cascadelake-ap-1s,clock=stepped -e cha/event=0x0/
		0 | package  die | uncore-read --machine=sim:cascadelake-ap-1s,clock=stepped -e cha/event=0x0/ --cpus 4
		0 | C3_MSR_PMON_CTR & !C0_MSR & !C1_MSR & !C2_MSR & !C4_MSR & !C5_MSR | uncore-read --machine=$HSX -e cbo3/event=0x34,umask=0x11/ --packages 1 --trace
	END
}

@test "a missing or failing box is left out with a note, or an error if requested, and the sum is unknown" {
	local fails="$HSX,fail=read 0xe28 EIO cpu=0 after=2"
	expect <<-END
		0 | uncore-read: package 1: *absent units are left out: cbo4 & !left out*left out | uncore-read --machine=$HSX -e cbo/event=0x34,umask=0x11/ --format=csv
		1 | unknown           unknown  failed: *the register faults | uncore-read --machine=$HSX -e cbo4/event=0x34,umask=0x11/
		1 | "value":null,*"status":"failed, * of * | uncore-read "--machine=$fails" -e cbo/event=0x34,umask=0x11/ --packages 0 --format=json
	END
	fails_with 3 "does not keep what was written" uncore-read --machine="$HSX,silent=0xe00-0xeff" -e cbo/event=0x34,umask=0x11/
	run -1 --separate-stderr uncore-read --machine="$fails" -e cbo/event=0x34,umask=0x11/ --packages 0 --format=json --per-unit
	jq -es 'map(.status) == ["ok", "ok", "failed", "ok", "ok", "ok"]' <<< "$output"
}

@test "free-running counters have an amount, are never written, and can be chosen by a pattern" {
	# 21000000 counts of 32 bytes each are 640.8691 MiB.
	expect <<-'END'
		0 | 640.869 MiB & ! write | uncore-read --machine=sim:icelake-sp-2s,clock=stepped -e iio_free_running/bw_in_port0/ --trace
		0 | bw_in_port0/*bw_in_port1/*bw_in_port2/*,iio_free_running/bw_in_port3/, & !bw_out | uncore-read --machine=sim:skylake-sp-2s,clock=stepped --packages 0 --format=csv -e 'iio_free_running/bw_in_port[0-3]/'
		0 | ,iio_free_running,iio_free_running2/bw_in_port0/,*,3000000, | uncore-read --machine=sim:skylake-sp-2s,clock=stepped --packages 0 --format=csv -e uncore_iio_free_running_2/bw_in_port0/
		2 | one fixed event: ioclk, | uncore-read --machine=sim:skylake-sp-2s -e iio_free_running/bw_in_port9/
		2 | one fixed event: ioclk, | uncore-read --machine=sim:skylake-sp-2s -e 'iio_free_running/nosuch*/'
	END
}

# ---- too few counters, constraints, filters ----

@test "an event that only one counter can count gets it; two values of a filter take turns or are refused" {
	told 'map([.event, .counter, .value, .running_ns < .enabled_ns])' <<-END
		[["cbo/event=0x35,umask=0x1,filter_opc=0x182/",0,"12600000",false]] | uncore-read --machine=$HSX --packages 0 -e cbo/event=0x35,umask=0x1,filter_opc=0x182/
		[["cbo/event=0x35,umask=0x1,filter_opc=0x182/",0,"12600000",true],["cbo/event=0x35,umask=0x1,filter_opc=0x180/",0,"1470000",true]] | uncore-read --machine=$HSX --packages 0 -e cbo/event=0x35,umask=0x1,filter_opc=0x182/ -e cbo/event=0x35,umask=0x1,filter_opc=0x180/
		[["cbo/event=0x34,umask=0x11/",1,"105000000",false],["cbo/event=0x36,umask=0x8/",0,"420000000",false]] | uncore-read --machine=$HSX --packages 0 -e cbo/event=0x34,umask=0x11/ -e cbo/event=0x36,umask=0x8/
	END
	expect <<-END
		2 | FILTER1 | uncore-read --machine=$HSX -e '{cbo/event=0x35,umask=0x1,filter_opc=0x182/,cbo/event=0x35,umask=0x1,filter_opc=0x180/}'
		2 | only on counter 0 of a cbo | uncore-read --machine=$HSX -e '{cbo/event=0x36,umask=0x8/,cbo/event=0x36,umask=0x8,edge/}'
		2 | counter 1 cannot count | uncore-read --machine=$HSX -e cbo/event=0x36,umask=0x8/ --counter 1
		1 | cbo0: no free counter: 1 needed at the same time, 0 of 1 that can count the event free | uncore-read -e cbo/event=0x36,umask=0x8/ --packages 0 --format=csv "--machine=$HSX,set=0xe01 0x400134"
		0 | no counter moved & !UNC_CLK_UNHALTED | uncore-read --machine=$HSX --packages 0 -e cbo/event=0x0,umask=0x11/
		0 | not verified on hardware & !not verified on hardware*not verified on hardware | uncore-read --machine=sim:genoa-1s,clock=stepped -e umc/event=0xa/ -i 1 -n 3
		0 | !not verified & !uncore-read: | uncore-read --machine=sim:genoa-1s,clock=stepped -e l3/event=0x4,umask=0xff/ -i 1 -n 3
	END
}

@test "counters of a box that another program uses are left alone and reported" {
	output=$(uncore-info --machine='sim:haswell-ep-2s,set=0xe21 0x401134' | unfold)
	[[ $output == *"package 0: cbo 23 of 24 free in 6 units, sbox 16 of 16 free in 4 units"* ]]
	[[ $output == *"package 0 cbo2: 0 in-use (0x401134)"* && $output != *"cbo1: "* ]]
	told '.[] | [(.counters[] | select(.pmu == "cbo") | [.package,.counter,.state,.selector,.die,.unit,.stuck_register]),
		(.units[] | select(.pmu == "sbox") | [.package,.units,.free,.in_use,.unknown,.stuck])]' <<-'END'
		[[0,0,"in-use","0x401134",null,2,null],[1,0,"in-use","0x401134",null,2,null],[1,0,"unknown",null,null,4,null],[1,1,"unknown",null,null,4,null],[1,2,"unknown",null,null,4,null],[1,3,"unknown",null,null,4,null],[0,4,16,0,0,0],[1,4,12,0,4,0]] | uncore-info '--machine=sim:haswell-ep-2s,set=0xe21 0x401134'
	END
	expect <<-END
		0 | /",0x400137,1,330090, & !write C2_MSR_PMON_CTR0 | uncore-read "--machine=$HSX,set=0xe21 0x401134" --packages 0 --format=csv -e cbo2/event=0x37,umask=0x1/ --trace
		0 | cbo2 counter 0 (0x401134) | uncore-doctor '--machine=sim:haswell-ep-2s,set=0xe21 0x401134'
	END
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

# ---- invalid requests ----

@test "events that boxes do not have are refused in one line that says what there is" {
	local status text machine event
	while IFS='|' read -r status text machine event; do
		# shellcheck disable=SC2086 # several words
		fails_with "$status" "$text" uncore-read --machine="sim:$machine,clock=stepped" $event
	done <<-'END'
		2|cbo has units 0 to 17|haswell-ep-2s|-e cbo99/event=0x34/
		2|0x1ff is out of range|haswell-ep-2s|-e cbo/event=0x1ff/
		2|it has cbo, sbox, ubox, pcu, core|haswell-ep-2s|-e nosuch/event=1/
		3|uncore_ha|haswell-ep-2s|-e ha/event=0x4/
		2|cbo/event=0x82,umask=0x1/|haswell-ep-2s|-e 0x82:0x1
		2|cbo/event=0x82,umask=0x1/|sandybridge-1s|--event 0x82 --umask 0x1
		2|filter_opc|haswell-ep-2s|-e cbo/event=0x34,nosuch=1/
		2|general counters 0 to 3|haswell-ep-2s|-e cbo/event=0x34/ --counter 7
		2|core has general counters 0 to |haswell-ep-2s|--route=msr -e core/event=0xc5/ --counter 30
		2|it has l3, df|zen-1s|-e cbo/event=0x34/
		3|this kernel has no PMU 'uncore_cbox'|haswell-ep-2s|-e cbo/event=0x34/ --route=perf
		3|as uncore_r2pcie|haswell-ep-2s|-e uncore_r2pcie_0/event=1/
		3|as uncore_ha|haswell-ep-2s|-e uncore_ha_1/event=4/
		2|there is only one pcu|haswell-ep-2s|-e uncore_pcu_3/event=4/
		2|no l3-7: it has 4|naples-1s|-e l3-7/event=0x4,umask=0xff/
		2|has no PMU 'cbo-1'|haswell-ep-2s|-e cbo-1/event=0x34/
		3|--route=msr|haswell-ep-2s|-e core/instructions/
		2|IA32_FIXED_CTR_CTRL|haswell-ep-2s|--route=msr --cpus 0 -e {core/cycles/,core/cycles/u}
		2|IA32_FIXED_CTR_CTRL|haswell-ep-2s|--route=msr --cpus 0 --no-multiplex -e core/cycles/,core/cycles/u
	END
}

# ---- the core PMU ----

@test "core counters are counted by registers on request, on the CPUs of --cpus; modes of one counter take turns" {
	local how="uncore-read --machine=$HSX --route=msr"
	expect <<-END
		0 | package 0: 0.75 instructions per cycle | $how -e core/instructions/,core/cycles/
		0 | !IPC | $how -i 1 -n 1 --cpus 1 -e core/instructions/u,core/cycles/
		0 | | package 0  IPC 0.75 | $how -i 1 -n 1 --cpus 1 -e core/instructions/,core/cycles/
		7 | s elapsed | uncore-read --machine=sim:haswell-ep-2s --route=msr -e core/instructions/ --cpus 0 -- sh -c 'exit 7'
		1 | "value":null,*"status":"disturbed" & !"status":"ok" | uncore-read --machine=$HSX,foreign=0x186:0x41003c:at=0.5 --route=msr -e core/event=0xb1,umask=0x1/ --cpus 0 --format=json
	END
	told 'map([.package, .core, .cpu, .unit, .value])' <<-END
		[[0,1,1,null,"1501000000"],[0,1,13,null,"1513000000"],[1,1,7,null,"1507000000"]] | $how -e core/instructions/ --cpus 1,13,7 --per-unit
		[[0,null,null,null,"3014000000"],[1,1,7,null,"1507000000"]] | $how -e core/instructions/ --cpus 1,13,7
	END
	told 'map([.event, .status, .value, .running_ns < .enabled_ns])' <<-END
		[["core/cycles/","ok","2000000000",true],["core/cycles/u","ok","1500000000",true],["core/instructions/","ok","1500000000",false]] | $how --cpus 0 -e core/cycles/,core/cycles/u,core/instructions/
	END
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
	# The interrupt bit is not set, and a message says so.
	grep -q 'write IA32_PERFEVTSEL0 .* -> 0x4301b1 ' "$trace"
	[ "$(grep -c 'write IA32_PERFEVTSEL0 .* -> 0x5' "$trace")" = 0 ]
	[[ $stderr == *"bit 20"*"left out"* ]]
	[[ $output == *"core/event=0xb1,umask=0x1/"* ]]
}

@test "a counter of a CPU that went offline is put back by a repair after the CPU is online again" {
	serve haswell-ep-2s
	local online=$MNT/sys/devices/system/cpu/cpu1/online
	run -1 uncore-read --machine="root:$MNT" --route=msr --cpus 1 -e core/instructions/ -- sh -c 'echo 0 >"$0"' "$online"
	[[ $output == *offline* ]]
	run -1 uncore-doctor --machine="root:$MNT"
	[[ $output == *"package 0 cpu1 counter 4: left programmed"* && $output != *"rm "* ]]
	run uncore-doctor --machine="root:$MNT" --repair
	[[ $output == *"cpu1 is offline"* ]]
	echo 1 >"$online"
	run -0 uncore-doctor --machine="root:$MNT" --repair
	[[ $output == *"package 0 cpu1 counter 4: restored"* ]]
}
