#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Our encodings for the kernel, compared with what the real perf opens for the same names on the same sysfs trees. perf
# takes the tree from SYSFS_PATH and the processor from PERF_CPUID, and prints each perf_event_attr (-vv) even without
# such hardware. It has its own lists, from 2022:
#   - names that are not in them are given to perf as our PMU and terms, so that the formats at least
#     are compared;
#   - what differs stands in a table below with the reason, and is compared a second time as PMU and
#     terms. An event in that table that does not differ is a failure, too.
# The largest lists are sampled, and a part of each list is compared, another one each day; WHOLE=1 compares every event
# (some minutes).

# bats file_tags=plain

load common

BATCH=150 # events per run of perf

setup() {
	need perf jq
	need_json
	need_corpus perf-sysfs
	need_corpus perfmon
	perf stat -vv -C 0 -e dummy true 2>&1 | grep -q '^sys_perf_event_open: ' ||
		skip "perf may not open events here"
	cd "$BATS_TEST_TMPDIR" || return
}

# machine TREE CPU: choose sysfs tree and processor for perf and for our tool. Our tool gets only the event lists of the
# processor: if it knew the processor, it would add default filters, which perf does not have. Case is ignored, because
# mapfile.csv and the names of the files differ in it.
machine() {
	local list
	TREE=$(sysfs_tree "$1")
	export PERF_CPUID=$2 SYSFS_PATH=$TREE/sys
	lists=()
	while read -r list; do
		lists+=(--event-list="$list")
	done < <(awk -F, -v cpu="$PERF_CPUID" 'cpu ~ "^" $1 "(-.*)?$" && $4 ~ /^(hybrid)?core|^uncore/ { print $3 }' \
		"$CORPUS/perfmon/mapfile.csv" | while read -r list; do find "$CORPUS/perfmon" -ipath "$CORPUS/perfmon$list"; done)
}

# ours ARG...: run our tool for this machine.
ours() {
	uncore-events "$@" --machine="root:$TREE" "${lists[@]}"
}

# events NTH PARTS PATTERN: print events whose PMU is in the tree, as "NAME <tab> pmu/terms/[,pmu/terms/]" (on a hybrid
# processor a name may have an event for each kind of core). Of every NTH event, the date chooses one of PARTS parts;
# events whose names match PATTERN are always printed. Events that the formats cannot express go to the file
# "impossible", events without a PMU in the tree to "absent".
events() {
	find "$TREE/sys/bus/event_source/devices" -mindepth 1 -printf '%f\n' -prune | sed -E 'p; s/_[0-9]+$//' | sort -u >pmus
	: >impossible
	: >absent
	ours list --deprecated --format=json |
		jq -r '[.name, .pmu, .terms, .impossible] | @tsv' |
		awk -F'\t' -v nth="$1" -v parts="$2" -v day="$DAY" -v wanted="^($3)\$" '
			NR == FNR { pmu[$1] = 1; next }
			$4 != "" { print $1 >"impossible"; next }
			!($2 in pmu) { print $1 >"absent"; next }
			done[tolower($1), $2]++ { next }
			{ name = tolower($1) }
			name in form { form[name] = form[name] "," $2 "/" $3 "/"; next }
			{ order[++n] = $1; form[name] = $2 "/" $3 "/" }
			END {
				for (i = 1; i <= n; i++)
					if (i % nth == 0 && (i / nth + day) % parts == 0 || order[i] ~ wanted)
						print order[i] "\t" form[tolower(order[i])]
			}' pmus -
}

# perf_opens FILE: for lines "NAME <tab> STRING", print what perf opens for the strings, as "NAME type config config1
# config2", each once. Dummy events separate the strings. One bad event makes perf refuse the whole run; its name is
# then added to the file "refused", and perf is run again without that event.
perf_opens() {
	local rows args row bad refused=1
	mapfile -t rows <"$1"
	while [ -n "$refused" ]; do
		args=()
		for row in "${rows[@]}"; do args+=(-e "${row#*$'\t'}" -e dummy); done
		perf stat -vv -C 0 "${args[@]}" true >perf.out 2>&1 || true
		refused=
		while read -r row; do
			[[ $row =~ ^"event syntax error: '"(.*)"'" ]] || continue
			# perf cuts off the beginning or the end of a long string.
			bad=${BASH_REMATCH[1]#..} bad=${bad%..}
			for row in "${!rows[@]}"; do
				if [[ ${rows[row]#*$'\t'} == *"$bad"* ]]; then
					refused=${rows[row]%%$'\t'*}
					echo "$refused" >>refused
					unset "rows[row]"
					break
				fi
			done
			[ -n "$refused" ] || { echo "perf refuses '$bad', which is none of ours" >&2; return 1; }
			break
		done <perf.out
	done
	printf '%s\n' "${rows[@]}" >"$1"
	awk 'NR == FNR { name[NR] = $1; next }
	     /^perf_event_attr/ { type = 0; config = config1 = config2 = "0x0" }
	     $1 == "type" { type = $2 }
	     $1 == "config" { config = $2 }
	     /config1/ { config1 = $NF }
	     /config2/ { config2 = $NF }
	     /^sys_perf_event_open:/ {
			if (type == 1 && config == "0x9")
				n++
			else
				print name[n + 1], type, config, config1, config2
	     }' "$1" perf.out | sort -u
}

# theirs FILE: like perf_opens, but splits a long file over several runs of perf.
theirs() {
	local part
	rm -f part.*
	split -l "$BATCH" "$1" part.
	for part in part.*; do
		perf_opens "$part" || return
	done | sort
}

# encoded FILE: print our encodings for the names in the file, in the same form.
encoded() {
	local names
	mapfile -t names < <(cut -f1 "$1")
	ours encode "${names[@]}" --route=perf --format=json |
		jq -r '[.name, .type, .config, .config1, .config2] | join(" ")' | sort -u
}

# compare TREE CPU NTH PARTS EXPECTED...: compare one of PARTS parts of every NTH event; EXPECTED are extended regular
# expressions for events that differ.
compare() {
	local tree=$1 nth=$3 parts=$4 name all
	machine "$1" "$2"
	shift 4
	all=$(printf '%s\n' "${@:-none}" | paste -sd '|')
	[ -z "${WHOLE:-}" ] || nth=1 parts=1
	# perf opens events of a kind of core only on CPUs of that kind, and here it uses CPU 0.
	for name in "$TREE"/sys/bus/event_source/devices/*/cpus; do
		[ ! -e "$name" ] || echo 0 >"$name"
	done
	events "$nth" "$parts" "$all" >terms
	perf list --deprecated --raw-dump 2>/dev/null | tr -s ' ' '\n' | sort -u >known
	[ -s terms ] && [ -s known ]
	awk -F'\t' 'NR == FNR { known[$1] = 1; next }
		    { name = tolower($1) }
		    { print $1 "\t" (name in known ? name : $2) }' known terms >wanted
	: >refused
	theirs wanted >perf.attrs
	sort_refused
	grep -vxFf neither <(cut -f1 terms) >asked || true
	encoded asked >our.attrs
	comm -3 our.attrs perf.attrs | tr -d '\t' | cut -d' ' -f1 | sort -u >differ
	check_reasons "$all" "$@"
	# If perf has other codes for a name, it must open the same event as our tool if it gets the terms of our tool.
	grep -f <(sed 's/[.]/[.]/g; s/^/^/; s/$/\t/' differ) terms >again || true
	[ ! -s again ] || diff <(encoded again) <(theirs again)
	echo "# $tree: $(wc -l <asked) events compared, $(wc -l <differ) differ, $(wc -l <neither) that" \
		"neither can express, $(wc -l <absent) without PMU" >&3
}

# sort_refused: write to the file "neither" the events that our tool refuses as well, because the formats cannot express
# them. An event that only perf refuses, because of wrong codes in perf's own list, is compared and counts as different.
sort_refused() {
	local name
	: >neither
	while read -r name; do
		run ours encode "$name" --route=perf
		[ "$status" -ne 0 ] || continue
		[[ $status -eq 3 && $output == *"perf cannot express this event"* ]] || { echo "$output"; return 1; }
		echo "$name" >>neither
	done < <(cat refused impossible)
}

# check_reasons ALL EXPECTED...: each event that differs must be expected, and each expectation must occur.
check_reasons() {
	local pattern
	run grep -vxE "$1" differ
	if [ "$status" -eq 0 ]; then
		echo "differ without a known reason: $output"
		comm -3 our.attrs perf.attrs | grep -wF "$output" | head -n 40
		return 1
	fi
	shift
	for pattern; do
		grep -qxE "$pattern" differ || { echo "$pattern: does not differ"; return 1; }
	done
}

# perf's converter lost the selector: these PCU events have no unit mask in perf's lists.
OCC_SEL='UNC_P_POWER_STATE_OCCUPANCY[.]CORES_C[036]'

@test "Sandy Bridge: perf opens the same events" {
	compare snb GenuineIntel-6-2A-7 1 5
}

@test "Ivy Bridge's uncore: perf opens the same events" {
	compare snb GenuineIntel-6-3A-9 1 2
}

@test "Xeon E5: perf opens the same events, except the PCU's occupancy" {
	compare jkt GenuineIntel-6-2D-7 1 6 "$OCC_SEL"
	# ExtSel: the kernel's formats of the PCU and of the Ubox do not have bit 21.
	[ "$(wc -l <neither)" -eq $(($(wc -l <refused) + 2)) ]
	[ -z "${WHOLE:-}" ] || [ "$(wc -l <refused)" -eq 17 ]
}

@test "Alder Lake, both kinds of cores: perf opens the same events, except those that its lists lack" {
	local newer=(
		# In perf's lists these names exist for one kind of core only; for the other kind they were added later.
		'ARITH[.](DIV|FPDIV)_ACTIVE' 'BACLEARS[.]ANY' 'L2_REQUEST[.](ALL|MISS)'
		'BR_(INST|MISP)_RETIRED[.]NEAR_TAKEN' 'BR_MISP_RETIRED[.]INDIRECT'
		'MISC_RETIRED[.]LBR_INSERTS' 'OCR[.]DEMAND_DATA_RD[.]DRAM' 'UOPS_ISSUED[.]ANY'
		# In perf's list for one of the two kinds of cores, the event has no threshold; it was added later.
		'ARITH[.]IDIV_ACTIVE'
		# The events' register value was corrected later for the Atom cores.
		'OCR[.]DEMAND_(DATA_RD|RFO)[.]L3_HIT'
		# Free-running counters are a separate PMU; perf encodes them as event 0 of another PMU.
		'UNC_MC[01]_(RD|WR)CAS_COUNT_FREERUN'
	)
	compare adl GenuineIntel-6-97-2 1 6 "${newer[@]}"
}

@test "Xeon Scalable: perf opens the same events, except the PCU's occupancy and UPI header matches" {
	# UNC_UPI_TxL_HDR_MATCH: the upper part of the unit mask was added to the list later. Filter1: perf has the
	# value in the half of config1 that Linux ignores for these events.
	compare skx GenuineIntel-6-55-4 24 4 "$OCC_SEL" 'UNC_UPI_TxL_HDR_MATCH[.].*' \
		'UNC_CHA_TOR_(INSERTS|OCCUPANCY)[.]I[AO]_(HIT|MISS)_(CRD|DRD|RFO|LLCPREF.*|RDCUR)'
}

@test "4th generation Xeon Scalable: perf opens the same events, except those that were corrected in the lists" {
	local newer=(
		# The list was corrected later: the upper part of the unit mask, a threshold, a mask.
		'UNC_CHA_TOR_(INSERTS|OCCUPANCY)[.](DDR|HIT|ISOC|MISS|MMCFG|MMIO|NONCOH|PMM)'
		'UNC_CHA_TOR_(INSERTS|OCCUPANCY)[.]((LOCAL|REMOTE)_TGT|(MATCH|PREMORPH)_OPC)'
		'ARITH[.]IDIV_ACTIVE' 'UNC_IIO_COMP_BUF_OCCUPANCY[.]CMPD[.]ALL_PARTS'
	)
	compare spr GenuineIntel-6-8F-8 30 4 "${newer[@]}"
}

@test "generic names, raw codes and ready-made events: perf opens the same events" {
	local name
	machine skx GenuineIntel-6-55-4
	for name in cpu-cycles cycles instructions cache-references cache-misses branches \
		branch-instructions branch-misses bus-cycles ref-cycles stalled-cycles-frontend \
		cpu-clock task-clock page-faults faults context-switches cs cpu-migrations \
		minor-faults major-faults alignment-faults emulation-faults \
		{L1-dcache,LLC,dTLB}-{loads,load-misses,stores,store-misses,prefetches,prefetch-misses} \
		L1-icache-{loads,load-misses,prefetches,prefetch-misses} {iTLB,branch}-{loads,load-misses} \
		l1d-write-miss node-loads r5301b1 r1ff cycles:u instructions:k cycles:pp \
		cpu/event=0x3c,umask=1,cmask=2,inv,edge/ cpu/r1a8/ cpu/cpu-cycles/ msr/tsc/ \
		uncore_imc/cas_count_read/ uncore_imc_0/cas_count_read,umask=0x80/ \
		uncore_cha/event=0x35,umask=0x21,config1=0x4043200000000/ \
		uncore_upi/event=2,umask=0x123456/ uncore_iio/event=0xc1,umask=1,ch_mask=1,fc_mask=7/; do
		printf '%s\t%s\n' "$name" "$name"
	done >events
	: >refused
	theirs events >perf.attrs
	[ ! -s refused ]
	encoded events >our.attrs
	diff our.attrs perf.attrs
}
