#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-imc compare: catalogs, device trees and the kernel's sysfs, event by event.

load common
load answers

CORPUS=$TOP/../shared/corpus/imc

setup() {
	need jq dtc
	need_flat
	cd "$BATS_TEST_TMPDIR" || return
	sed '/moon@0/d; /bare@0/d' "$TOP/tests/fixtures/imc/small.dts" >small.dts
}

@test "a catalog as text, flat or as a folder has no differences from itself" {
	dtc -q -I dts -O dtb -o NAME.4E0200.dtb small.dts
	run -0 --separate-stderr uncore-imc compare small.dts NAME.4E0200.dtb
	[ "$output" = 'small.dts: 11 events, NAME.4E0200.dtb: 11 events: 0 differences' ]
	[ -z "$stderr" ]
	mkdir catalogs && mv NAME.4E0200.dtb catalogs
	run -0 uncore-imc compare small.dts catalogs --cpu=0x004e1202 --format=json
	[ -z "$output" ]
	run -2 uncore-imc compare small.dts catalogs --cpu=0x00800200
	[[ $output == *"none is for this processor"* ]]
}

@test "each difference is shown once, and so is each event that one source lacks" {
	sed 's/scale = "512"/scale = "1024"/; s/event-name = "READS"/event-name = "GETS"/
		s/desc = "cycles that are not idle"/desc = "busy"/; s/reg = <0x10>; unit = "KiB"/reg = <0x20>; unit = "MiB"/' \
		small.dts >other.dts
	run -1 uncore-imc compare small.dts other.dts --format=json
	jq -r '[.name, .field, .a // "-", .b // "-"] | @tsv' <<<"$output" | sort | diff - <(sort <<-'END'
	core_imc/CPM_BUSY/	description	cycles that are not idle	busy
	core_imc/CPM_BUSY/	scale	512	1024
	nest_lane0_imc/PM_LANE0_BEATS/	measure	KiB	MiB
	nest_lane0_imc/PM_LANE0_BEATS/	offset	0x50	0x60
	nest_lane0_imc/PM_LANE0_GETS/	event	-	present
	nest_lane0_imc/PM_LANE0_READS/	event	present	-
	nest_lane0_imc/PM_LANE1_BEATS/	measure	KiB	MiB
	nest_lane0_imc/PM_LANE1_BEATS/	offset	0x90	0xa0
	nest_lane0_imc/PM_LANE1_GETS/	event	-	present
	nest_lane0_imc/PM_LANE1_READS/	event	present	-
	thread_imc/CPM_BUSY/	description	cycles that are not idle	busy
	END
	)
	run -1 uncore-imc compare small.dts other.dts
	[[ ${lines[-1]} == 'small.dts: 11 events, other.dts: 11 events: 11 differences' ]]
	run -1 uncore-imc compare small.dts other.dts --format=csv
	[ "${lines[0]}" = name,field,a,b ]
	[ "${#lines[@]}" = 12 ]
}

@test "the events of a simulated machine's kernel are compared below a line that says SIMULATED" {
	run -0 uncore-imc compare kernel kernel --machine=sim:power9-2s
	[[ ${lines[0]} == "SIMULATED machine power9-2s"* && ${lines[1]} == *': 0 differences' && ${#lines[@]} = 2 ]]
	run -1 uncore-imc compare small.dts kernel --machine=sim:power9-2s
	[[ ${lines[0]} == "SIMULATED machine power9-2s"* && ${lines[1]} == 'name  '*' field '* ]]
	run -0 uncore-imc compare small.dts small.dts --machine=sim:power9-2s
	[[ $output != *SIMULATED* ]]
}

@test "of two units with the same name the kernel lacks the second; between catalogs each event of the second differs" {
	sed 's/PM_LANE1_/PM_LANE0_/' small.dts >both.dts
	sed '/lane0@80/,/};/d' both.dts >one.dts
	run -0 uncore-imc compare both.dts both.dts
	[ "$output" = 'both.dts: 11 events, both.dts: 11 events: 0 differences' ]
	run -1 uncore-imc compare both.dts one.dts --format=json
	[ "$(jq -r '"\(.name) \(.field) \(.a) \(.b)"' <<<"$output" | grep -c ' event present null$')" = 4 ]
	# Of two PMUs with the same name the kernel registers only the first.
	run -0 uncore-imc compare both.dts kernel --machine="sim:power9-2s,catalog=$PWD/both.dts"
	run -1 uncore-imc compare small.dts kernel --machine="sim:power9-2s,catalog=$PWD/small.dts" --format=json
	[ "$(jq -r 'select(.field != "event" or .b != null) | .name' <<<"$output")" = "" ]
	[ "$(jq -r .name <<<"$output" | sort | xargs)" = "nest_lane0_imc/PM_LANE1_BEATS/ nest_lane0_imc/PM_LANE1_READS/ \
nest_lane0_imc/PM_LANE1_WRAPS/ nest_lane0_imc/PM_LANE1_WRITES/" ]
}

@test "the captured device tree is what the kernel of that run showed" {
	need_corpus sysfs_p9_2chip.tar.gz
	mkdir m && tar xzf "$CORPUS/sysfs_p9_2chip.tar.gz" -C m
	run -0 uncore-imc compare "$CORPUS/live_p9_2chip.dtb" kernel --machine=root:m
	[[ $output == *": 621 events, kernel: 621 events: 0 differences" ]]
	run -1 uncore-imc compare "$CORPUS/81E00612.800200.dtb" kernel --machine=root:m --format=json
	[ "${#lines[@]}" -gt 400 ]
}

@test "sources that cannot be compared give one line and status 2" {
	echo nonsense >bad.dtb
	expect <<-END
		2 | A and B, two sources of events, are missing | uncore-imc compare small.dts
		2 | one argument too many | uncore-imc compare small.dts small.dts small.dts
		2 | No such file or directory | uncore-imc compare small.dts /nonexistent.dtb
		2 | bad.dtb | uncore-imc compare bad.dtb small.dts
		2 | kernel: no event of an in-memory counter | uncore-imc compare kernel small.dts --machine=sim:westmere-2s
		2 | no simulated machine | uncore-imc compare kernel small.dts --machine=sim:nope
		2 | works only with trace | uncore-imc compare small.dts small.dts --size=3
	END
}
