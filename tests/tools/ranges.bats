#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Ranges of processors in documents and help texts are compared with the tables, which have families and PMUs. A new or
# removed family, or a range with a different text, fails here.

# bats file_tags=plain

load common
load answers

# README's list of processors: the row, its families in the tables, and their PMUs that MSRs can reach.
ROWS='
| Nehalem, Westmere (models 1A, 1E, 1F, 25, 2C) | all of the uncore, as one unit|nehalem westmere|uncore
| Nehalem-EX, Westmere-EX | C-, B-, S-, M-, R-, W-, U-boxes |nehalem-ex westmere-ex|cbox ubox bbox sbox mbox rbox wbox
| Core: Sandy Bridge to Rocket Lake | C-boxes, arbitration unit, uncore clock |sandybridge ivybridge haswell broadwell skylake kabylake cometlake icelake tigerlake rocketlake|cbo arb clock
| Core: Alder Lake to Lunar Lake | C-boxes, arbitration units, clocks |alderlake raptorlake meteorlake arrowlake lunarlake|cbo arb clock hac_arb hac_cbo cncu sncu
| Core: Panther Lake to Nova Lake | C-boxes, SANTA, core bridge, clock |pantherlake wildcatlake novalake|cbo santa ia_core_bridge cncu
| Xeon: Sandy Bridge-EP to Broadwell-EP and -DE | C-boxes, S-boxes (Haswell-EP, Broadwell-EP), power and U-box |sandybridge-ep ivybridge-ep haswell-ep broadwell-ep broadwell-de|cbo sbox ubox pcu
| Xeon Phi: Knights Landing, Knights Mill | CHAs, power and U-box |knightslanding knightsmill|cha ubox pcu
| Xeon: Skylake-SP, Cascade Lake, Cooper Lake, Ice Lake-SP and -D, Snow Ridge | CHAs, I/O stacks (free-running bandwidth too), IRPs, M2PCIes, power and U-box |skylake-sp snowridge icelake-sp icelake-d|cha iio iio_free_running irp m2pcie ubox pcu
| Xeon: Sapphire, Emerald, Granite Rapids, Sierra, Clearwater Forest, Grand Ridge | CHAs, I/O stacks, IRPs, U-box |sapphirerapids emeraldrapids graniterapids sierraforest grandridge clearwaterforest|cha iio iio_free_running irp ubox
| AMD: Bulldozer to Zen 5; Hygon | L3 (Jaguar: L2), northbridge or data fabric, memory channels (Zen 4 and later) |bulldozer jaguar zen zen2 zen3 zen4 zen5 dhyana|nb l2 l3 df umc
'

# Other ranges: DOCUMENT|TEXT|PROPERTIES|FAMILIES. Exactly these families must have all of the properties: PMU, !PMU (no
# such PMU), names (built-in event names), REGISTER=NAME.
RANGES='
README.md|Intel from Nehalem on, AMD|core|nehalem westmere *
man/uncoremsr.3|Intel processors from Nehalem on, and on AMD and Hygon|core|nehalem westmere *
man/uncore-read.1|Since Sandy Bridge (on servers since Nehalem-EX) the uncore is made of boxes|!uncore|nehalem-ex westmere-ex sandybridge *
guide.md|From Sandy Bridge on (on the big servers since Nehalem-EX) the uncore is no longer one unit|!uncore|nehalem-ex westmere-ex sandybridge *
guide.md|**"Nehalem and newer" ends at Westmere.**|uncore|nehalem westmere
guide.md|## After Westmere: boxes|uncore|nehalem westmere
man/uncoremsr-events.7|Up to Westmere the uncore is one PMU|uncore|nehalem westmere
README.md|Up to Westmere the uncore is one unit|uncore|nehalem westmere
guide.md|Sandy Bridge to Broadwell (client)|0x391=UNC_PERF_GLOBAL_CTRL|sandybridge ivybridge haswell broadwell
man/uncore-events.1|Sandy Bridge to Broadwell client: 0x391: uncore: bit 29 enables|0x391=UNC_PERF_GLOBAL_CTRL|sandybridge ivybridge haswell broadwell
guide.md|Skylake and later, servers too|!0x391|nehalem-ex westmere-ex skylake kabylake *
README.md|S-boxes (Haswell-EP, Broadwell-EP)|sbox cbo|haswell-ep broadwell-ep
README.md|memory channels (Zen 4 and later)|umc|zen4 zen5
cookbook.md|Haswell-EP, Broadwell-EP (Skylake-SP and later: `cha` instead of `cbo`)|cha iio|skylake-sp snowridge icelake-sp icelake-d sapphirerapids emeraldrapids graniterapids sierraforest grandridge clearwaterforest
cookbook.md|Skylake-SP to Clearwater Forest, except Grand Ridge, have counters in every I/O stack|iio_free_running|skylake-sp snowridge icelake-sp icelake-d sapphirerapids emeraldrapids graniterapids sierraforest clearwaterforest
cookbook.md|`bw_out` has no amount after Skylake-SP|iio_free_running|skylake-sp snowridge icelake-sp icelake-d sapphirerapids emeraldrapids graniterapids sierraforest clearwaterforest
man/uncoremsr-events.7|those of client parts from Sandy Bridge to Arrow Lake|names cbo|sandybridge ivybridge haswell broadwell skylake kabylake cometlake icelake tigerlake rocketlake alderlake raptorlake meteorlake arrowlake
man/uncoremsr-sim.5|Servers up to Ice Lake-SP: box control bits 0 and 1 reset|0x700=U_MSR_PMON_GLOBAL_CTL|haswell-ep broadwell-ep broadwell-de knightslanding knightsmill skylake-sp icelake-sp icelake-d
man/uncoremsr-sim.5|Sapphire Rapids and later: bit 0 freezes|cha !pcu|sapphirerapids emeraldrapids graniterapids sierraforest grandridge clearwaterforest
'

# DOCUMENT|TEXT|PLACE: ranges that the uncore's tables cannot confirm, and the file or list that has the facts.
OTHERS='
cookbook.md|Since Sandy Bridge-EP the memory controllers of servers are in PCI s|PMUs out of the reach of MSRs
guide.md|since Sandy Bridge-EP, which the `msr` driver does not reach|the same
guide.md|clients up to Rocket Lake: the other way round|test_clients
guide.md|from Skylake on, register 0x690 contains the address of a branch|lib/uarch/thermal_models.c
cookbook.md|servers from Zen 3 on report PROCHOT|lib/throttle/files.c
man/uncore-throttle.1|servers from Zen 3 on show PROCHOT|lib/throttle/files.c
man/uncore-throttle.1|on Granite Rapids, Sierra Forest and later|lib/uarch/thermal_models.c
'

setup() {
	cd "$TOP" || return
}

# tables: set ${tables[@]} to a row "FAMILY core PMU..." for each family: the PMUs that MSRs can reach, the word "names"
# if events have names, and two registers. The tools are run once for all tests.
tables() {
	local family families named row answered=$BATS_FILE_TMPDIR/tables rows=()
	if [ ! -e "$answered" ]; then
		run -3 uncore-events --uarch=zen3 list
		named=" ${output#*there are names for: } " named=${named//,/}
		run -2 uncore-info --registers --uarch=none-of-them
		output=${output#*there are tables for }
		families=${output%%;*}
		for family in ${families//,/}; do
			later uncore-events --uarch="$family" encode none-of-them/event=1/
			later uncore-info --registers --uarch="$family" --format=csv
		done
		each_answer to_row
		printf '%s\n' "${rows[@]}" >"$answered"
	fi
	mapfile -t tables <"$answered"
}

# to_row COMMAND...: read the output of one of the two commands about a family: uncore-events has the PMUs, uncore-info
# the registers. After the second command, add the row to ${rows[@]}.
to_row() {
	local family=${2#--uarch=} register name
	if [ "$1" = uncore-events ]; then
		[ "$status" = 2 ]
		message=${message#*it has } message=${message%, core}
		row="$family core ${message//,/}"
		[[ $named != *" $family "* ]] || row+=' names'
		return
	fi
	[ "$status" = 0 ]
	while IFS=, read -r register name _; do
		case $register in 0x391 | 0x700) row+=" $register $register=$name" ;; esac
	done <<<"$printed"
	rows+=("$row")
}

# document NAME: set $text_of to the text of README.md or of a file of docs, as one line, with one blank between words.
document() {
	local words path=docs/$1
	[ "$1" != README.md ] || path=README.md
	if [ -z "${flat[$1]:-}" ]; then
		IFS=$' \n\t' read -rd '' -a words <"$path" || true
		flat[$1]="${words[*]}"
	fi
	text_of=${flat[$1]}
}

# those_with WORD...: set $have to the families of ${tables[@]} that have all words, and none of the words after a "!".
those_with() {
	local row word fits
	have=
	for row in "${tables[@]}"; do
		fits=1
		for word; do
			case " $row " in
			*" ${word#!} "*) [[ $word != !* ]] || fits= ;;
			*) [[ $word == !* ]] || fits= ;;
			esac
		done
		[ -z "$fits" ] || have+="${have:+ }${row%% *}"
	done
}

@test "README's list of processors has each family of the tables once, with its PMUs" {
	local row text means has family word meant=' ' n=0 num_rows=0 text_of line
	local -A flat=() pmus=()
	tables
	[ "${#tables[@]}" -gt 40 ]
	for row in "${tables[@]}"; do
		for word in ${row#* core }; do
			[[ $word == names || $word == 0x* ]] || pmus[${row%% *}]+="$word "
		done
	done
	document README.md
	while IFS= read -r row; do
		[ -n "$row" ] || continue
		num_rows=$((num_rows + 1)) has=${row##*|} row=${row%|*}
		means=${row##*|} text=${row%|*}
		echo "$text"
		[[ $text_of == *"$text"* ]]
		echo "families: $means, PMUs: $has"
		for family in $means; do
			[[ -n ${pmus[$family]} && $meant != *" $family "* ]]
			meant+="$family " n=$((n + 1))
			# Each PMU of the family must be in the row.
			for word in ${pmus[$family]}; do [[ " $has " == *" $word "* ]]; done
		done
		# Each PMU of the row must be one of a family.
		for word in $has; do
			line=
			for family in $means; do line+=" ${pmus[$family]}"; done
			[[ $line == *" $word "* ]]
		done
	done <<<"$ROWS"
	[ "$n" = "${#tables[@]}" ]
	# The table ROWS above must have each row of the document, except those of the core counters and of POWER.
	mapfile -t lines < <(sed -n '/^| processors |/,/^$/p' README.md)
	[ "${#lines[@]}" -eq $((num_rows + 5)) ]
}

@test "the models that README names are those of the tables" {
	local models='' line text_of
	local -A flat=()
	while IFS= read -r line; do
		[[ $line =~ ^TABLE\(6,\ 0x([0-9a-f]+),\ (nehalem|westmere), ]] || continue
		models+="${models:+, }${BASH_REMATCH[1]^^}"
	done <lib/uarch/models.h
	document README.md
	[[ $text_of == *"Nehalem, Westmere (models $models)"* ]]
}

@test "every other range of processors is that of the tables" {
	local file text words means have text_of
	local -A flat=()
	tables
	while IFS='|' read -r file text words means; do
		[ -n "$file" ] || continue
		echo "$file: $text"
		document "$file"
		[[ $text_of == *"$text"* ]]
		# shellcheck disable=SC2086 # several words
		those_with $words
		echo "tables: $have"
		# A list that ends with * also covers later families.
		# shellcheck disable=SC2053
		if [[ $means == *'*' ]]; then [[ $have == $means ]]; else [ "$have" = "$means" ]; fi
	done <<<"$RANGES"
}

@test "every range of processors in the documents is compared" {
	local name='(Nehalem|Westmere|Sandy Bridge|Ivy Bridge|Haswell|Broadwell|Skylake|Kaby Lake|Comet Lake|Ice Lake|Tiger Lake|Rocket Lake|Alder Lake|Raptor Lake|Meteor Lake|Arrow Lake|Lunar Lake|Panther Lake|Nova Lake|Knights [A-Z][a-z]+|Cascade Lake|Snow Ridge|[A-Z][a-z]+ Rapids|[A-Z][a-z]+ Forest|Grand Ridge|Bulldozer|Jaguar|Zen( [0-9])?)(-[A-Z]+)?( \(client\))?'
	local file doc text rest tool left text_of words
	local -A flat=()
	for file in README.md guide.md cookbook.md hacking.md man/uncore-{read,info,events,doctor,throttle,sim}.1 \
		man/uncoremsr.3 man/uncoremsr-{events.7,metrics.7,sim.5}; do
		document "$file"
		left=$text_of
		while IFS= read -r text; do
			text=${text%|*}
			[ -z "$text" ] || left=${left//"${text%|*}"/}
		done <<<"$ROWS"
		while IFS='|' read -r doc text rest; do
			[ "$doc" != "$file" ] || left=${left//"$text"/}
		done <<<"$RANGES$OTHERS"
		printf '%s\n' "$left"
	done >"$BATS_TEST_TMPDIR/left"
	for tool in read info events doctor throttle sim; do
		run -0 "uncore-$tool" --help
		read -rd '' -a words <<<"$output" || true
		printf '%s ' "${words[@]}" >>"$BATS_TEST_TMPDIR/left"
	done
	run grep -oE ".{0,40}($name (to|on|and later|and newer|or later|and up)\\b|([Ff]rom|[Ss]ince|[Uu]p to|[Uu]ntil|[Bb]efore|[Aa]fter) $name).{0,40}" \
		"$BATS_TEST_TMPDIR/left"
	[ -z "$output" ]
	# The text that is listed here still exists in the document.
	while IFS='|' read -r file text rest; do
		[ -n "$file" ] || continue
		document "$file"
		[[ $text_of == *"$text"* ]]
	done <<<"$OTHERS"
}
