#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Names and encodings of the kernel's route: uncore-events with --route=perf, event lists and import.

load common
load answers

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR" || return
	# Event lists installed on this computer must not interfere.
	export UNCOREMSR_EVENTS=$BATS_TEST_TMPDIR/installed
	need_json
}

# small_tree: make a tree with a core PMU, two C-boxes and a memory controller. Sets TREE.
small_tree() {
	local dev n
	TREE=$BATS_TEST_TMPDIR/tree dev=$BATS_TEST_TMPDIR/tree/sys/bus/event_source/devices
	for n in cpu uncore_cha_0 uncore_cha_2 uncore_imc; do
		mkdir -p "$dev/$n/format" "$dev/$n/events"
		echo config:0-7 >"$dev/$n/format/event"
		echo config:8-15 >"$dev/$n/format/umask"
		[ "$n" = cpu ] || echo 0,18 >"$dev/$n/cpumask"
	done
	echo config1:0-63 >"$dev/cpu/format/offcore_rsp"
	for n in 32-rem 33-loc 35-all_op 36-nm 37-not_nm; do
		echo "config1:${n%%-*}" | tee "$dev"/uncore_cha_{0,2}"/format/filter_${n#*-}" >/dev/null
	done
	echo 4 >"$dev/cpu/type"
	echo 20 >"$dev/uncore_cha_0/type"
	echo 22 >"$dev/uncore_cha_2/type"
	echo 30 >"$dev/uncore_imc/type"
	echo event=0x04,umask=0x03 >"$dev/uncore_imc/events/reads"
	echo 6.103515625e-5 >"$dev/uncore_imc/events/reads.scale"
	echo MiB >"$dev/uncore_imc/events/reads.unit"
}

small_list() {
	cat >list.json <<-'END'
	{ "Header": { "Version": "1.2" }, "Events": [
	  { "EventName": "CORE_EV", "EventCode": "0xB7, 0xBB", "UMask": "0x1", "MSRIndex": "0x1a6,0x1a7",
	    "MSRValue": "0x10003c0001", "BriefDescription": "core", "Counter": "0,1" },
	  { "EventName": "CHA_EV", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21",
	    "BriefDescription": "misses, say" },
	  { "EventName": "OLD_EV", "Unit": "CHA", "EventCode": "0x36", "UMask": "0x21", "Deprecated": "1",
	    "BriefDescription": "use CHA_EV" },
	  { "EventName": "NO_PMU", "Unit": "M2M", "EventCode": "0x1", "UMask": "0x1" },
	  { "EventName": "NO_ROOM", "Unit": "iMC", "EventCode": "0x1", "ExtSel": "1" } ] }
	END
}

events() {
	uncore-events "$@" --machine="root:$TREE"
}

# encoded EVENT...: print the arguments for perf_event_open().
encoded() {
	events encode "$@" --route=perf --event-list=list.json --format=json |
		jq -r '[.name, .pmu, .type, .config, .config1, .config2] | join(" ")'
}

# refused STATUS TEXT ARG...: uncore-events must end with this status and print one line that has TEXT.
refused() {
	fails_with "$1" "$2" uncore-events "${@:3}"
}

@test "encode for the kernel gives one object per unit, in the order asked, and the words for perf stat" {
	small_tree
	small_list
	diff - <(encoded cha_ev cycles:u 'imc/reads,umask=0x80/' CORE_EV OLD_EV r1ff) <<-'END'
	CHA_EV uncore_cha_0 20 0x2135 0x0 0x0
	CHA_EV uncore_cha_2 22 0x2135 0x0 0x0
	cycles:u cpu 0 0x0 0x0 0x0
	imc/reads,umask=0x80/ uncore_imc 30 0x8304 0x0 0x0
	CORE_EV cpu 4 0x1b7 0x10003c0001 0x0
	OLD_EV uncore_cha_0 20 0x2136 0x0 0x0
	OLD_EV uncore_cha_2 22 0x2136 0x0 0x0
	r1ff cpu 4 0x1ff 0x0 0x0
	END
	run -0 events encode imc/reads/ --route=perf --format=json
	[ "$(jq -r '[.scale, .measure, .cpus, .family, .route] | join(" ")' <<<"$output")" = \
		"6.103515625e-05 MiB 0,18 uncore_imc perf" ]
	# Text and CSV have the event in the form that perf stat accepts.
	run -0 events encode CHA_EV --event-list=list.json
	[ "${lines[0]}" = "CHA_EV: uncore_cha, 2 units" ]
	[[ $output == *"perf stat -a -e uncore_cha/config=0x2135/"* ]]
	run -0 events encode 'uncore_cha_[2]/event=1/' --route=perf
	[[ $output == *"perf stat -a -e uncore_cha_2/config=0x1/"* ]]
	run -0 events encode CHA_EV CORE_EV:k --event-list=list.json --format=csv
	[ "${#lines[@]}" -eq 4 ]
	[ "${lines[2]}" = 'CHA_EV,perf,uncore_cha_2,uncore_cha,22,0x2135,0x0,0x0,0x0,,"0,18",1,,0,"misses, say",uncore_cha_2/config=0x2135/' ]
	[[ ${lines[3]} == *',"cpu/config=0x1b7,config1=0x10003c0001/k"' ]]
	# A name from a list and a generic name of perf can be written between slashes; TYPE:CONFIG needs no name.
	diff - <(encoded uncore_cha/CHA_EV/ cha_2/cha_ev,umask=0x80/ cpu/CORE_EV/k cpu/L1-dcache-load-misses/ \
		22:0x1234 0:1 3:0x10002:u) <<-'END'
	uncore_cha/CHA_EV/ uncore_cha_0 20 0x2135 0x0 0x0
	uncore_cha/CHA_EV/ uncore_cha_2 22 0x2135 0x0 0x0
	cha_2/cha_ev,umask=0x80/ uncore_cha_2 22 0xa135 0x0 0x0
	cpu/CORE_EV/k cpu 4 0x1b7 0x10003c0001 0x0
	cpu/L1-dcache-load-misses/ cpu 3 0x10000 0x0 0x0
	22:0x1234 uncore_cha_2 22 0x1234 0x0 0x0
	0:1 cpu 0 0x1 0x0 0x0
	3:0x10002:u cpu 3 0x10002 0x0 0x0
	END
	# On a hybrid processor, perf's generic names include the type of the PMU.
	mkdir -p tree/sys/bus/event_source/devices/cpu_core/format
	rm -r tree/sys/bus/event_source/devices/cpu
	echo 4 >tree/sys/bus/event_source/devices/cpu_core/type
	[ "$(encoded cpu_core/L1-dcache-loads/)" = "cpu_core/L1-dcache-loads/ cpu_core 3 0x400000000 0x0 0x0" ]
}

@test "lists are shown by list, search and explain, beside our own tables with the same columns" {
	small_tree
	small_list
	each_says uncore-events <<-END
		0|3|live|list C*_EV --uarch=westmere --event-list=list.json --format=csv|name,uarch,*,terms,counters,impossible,scale,measure\\nCORE_EV,*\\nCHA_EV,*
		0|2|live|list UNC_PROCHOT_ASSERTION --uarch=westmere --event-list=list.json --format=csv|*\\nUNC_PROCHOT_ASSERTION,*,,,
		0|6|root:$TREE|list --event-list=list.json --format=csv|name,*\\nCORE_EV,*\\nCHA_EV,*\\nNO_PMU,*\\nNO_ROOM,*\\nuncore_imc/reads/,*
		0|4|root:$TREE|list *_ev --deprecated --event-list=list.json --format=csv|name,*\\nCORE_EV,*\\nCHA_EV,*\\nOLD_EV,*
		0|-|root:$TREE|list --event-list=list.json|*list.json, version 1.2\\n*
		0|-|root:$TREE|explain old_ev --event-list=list.json|*use CHA_EV*event=0x36,umask=0x21*kept for compatibility*
		2|1|root:$TREE|list X* --event-list=list.json|uncore-events: *neither*
		2|1|root:$TREE|search nothing --event-list=list.json|uncore-events: *neither*
		0|2|root:$TREE|search MISSES --event-list=list.json --format=csv|name,*\\nCHA_EV,*
		0|1|root:$TREE|search MISSES --event-list=list.json --format=json|{"name":"CHA_EV",*"pmu":"uncore_cha",*"event_select":"0x35","umask":"0x21",*"unit":"CHA",*"terms":"event=0x35,umask=0x21",*}
	END
}

@test "a folder's lists are found by the processor, through mapfile.csv or by their names" {
	small_tree
	small_list
	mkdir -p map/E names
	cp list.json map/E/x.json
	printf '%s,1,/E/%s.json,uncore\n' 'GenuineIntel-6-55-[01234]' x 'GenuineIntel-6-5[57]' y >map/mapfile.csv
	cp list.json names/GenuineIntel-6-55-4-core.json
	each_says uncore-events <<-END
		2|1|sim:nehalem-1s|explain ZZZ --event-list=map --cpu=GenuineIntel-6-55-4|uncore-events: event 'ZZZ': no event of that name; *
		0|-|root:$TREE|encode CHA_EV --event-list=map --cpu=GenuineIntel-6-55-4|*
		3|1|root:$TREE|encode CHA_EV --event-list=map --cpu=GenuineIntel-6-56-4|uncore-events: *none is for this processor*--cpu=GenuineIntel-6-55-4 chooses another*
		0|-|root:$TREE|encode CHA_EV --event-list=names --cpu=GenuineIntel-6-55-4|*
		3|1|root:$TREE|encode CHA_EV --event-list=names --cpu=GenuineIntel-6-56-4|uncore-events: *none is for this processor*
		3|1|root:$TREE|encode CHA_EV --event-list=map --cpu=GenuineIntel-6-57-5|uncore-events: *mapfile.csv names only missing files *(GenuineIntel-6-57-5)* E/y.json*
		0|-|root:$TREE|encode CHA_EV --event-list=map --cpu=GenuineIntel-6-55-4 --verbose|* E/y.json is missing*
		3|1|root:$TREE|encode CHA_EV --event-list=map|uncore-events: *the processor is unknown*
	END
	# Add a /proc/cpuinfo, which names the tree's processor.
	mkdir -p "$TREE/proc"
	printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nstepping\t: 4\n' \
		>"$TREE/proc/cpuinfo"
	run -0 events encode CHA_EV --event-list=map
}

@test "an event of a list has its description, and the processor's defaults of filters, as on the machine itself" {
	# Each of the 18 units of CHA_EV has the list's description, and so has the single unit cha3.
	small_list
	[ "$(uncore-events encode --machine=sim:skylake-sp-perf --route=perf CHA_EV cha3/CHA_EV/ --event-list=list.json \
		--format=json | jq -r .description | sort | uniq -c | tr -s ' ')" = " 19 misses, say" ]
	# If two descriptions exist for parts of the same event, neither is used.
	cat >two.json <<-'END'
		[ { "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03", "EventName": "UNC_M_T.RD", "BriefDescription": "reads" },
		  { "Unit": "iMC", "EventCode": "0x04", "UMask": "0x0c", "EventName": "UNC_M_T.WR", "BriefDescription": "writes" } ]
	END
	uncore-events encode --machine=sim:skylake-sp-perf --route=perf UNC_M_T:RD:WR --event-list=two.json --format=json |
		jq -es 'length > 0 and all(.[]; .description == null and .config == "0xf04")'
	# A processor named by --cpu has the same default filters as on the machine itself.
	small_tree
	local event
	for event in CHA_EV uncore_cha/event=0x35,umask=0x21/; do
		[ "$(events encode --route=perf "$event" --event-list=list.json --cpu=GenuineIntel-6-55-4 \
			--format=json | jq -r '[.pmu, .config, .config1] | join(" ")')" = \
			$'uncore_cha_0 0x2135 0x3b00000000\nuncore_cha_2 0x2135 0x3b00000000' ]
	done
	# Without --cpu the processor is unknown, and so there are no defaults.
	[ "$(encoded CHA_EV | head -n 1)" = "CHA_EV uncore_cha_0 20 0x2135 0x0 0x0" ]
	# A list may be a bare array (the old form, here with a byte order mark) or compressed, and there may be several
	# lists.
	need gzip
	printf '\xef\xbb\xbf[ { "EventName": "A", "EventCode": "0x1", "UMask": "0" } ]' >list.json
	[ "$(encoded A)" = "A cpu 4 0x1 0x0 0x0" ]
	gzip -c list.json >a.json.gz
	echo '[{"EventName":"A","EventCode":"2"},{"EventName":"B","EventCode":"3"}]' >b.json
	[ "$(events encode A B --event-list=a.json.gz --event-list=b.json --format=json |
		jq -r .config | tr '\n' ' ')" = '0x1 0x3 ' ]
}

@test "an imported copy of the lists is found without an option, and replaced as a whole" {
	small_tree
	small_list
	mkdir -p vendor/E
	cp list.json vendor/E/x.json
	printf 'Family-model,Version,Filename,EventType\n%s\n%s\n%s\n' \
		'GenuineIntel-6-55-[01234],1,/E/x.json,uncore' 'GenuineIntel-6-56,1,/E/x.json,uncore' \
		'GenuineIntel-6-57,1,/E/absent.json,uncore' >vendor/mapfile.csv
	echo terms >vendor/LICENSE
	[ "$(uncore-events import vendor --format=json | jq -c '[.directory, .lists, .missing]')" = \
		"[\"$UNCOREMSR_EVENTS\",1,1]" ]
	cmp vendor/LICENSE installed/LICENSE
	run -0 events encode CHA_EV --cpu=GenuineIntel-6-55-4
	touch installed/old
	uncore-events import vendor
	[ ! -e installed/old ]
	[ "$(ls)" = "$(printf '%s\n' installed list.json tree vendor)" ]
	# An installed copy without lists for this processor is not an error; a broken copy gives a warning.
	run -0 events encode cycles --route=perf --cpu=GenuineIntel-6-1A-5
	echo '{' >installed/E/x.json
	run -0 --separate-stderr events encode cycles --route=perf --cpu=GenuineIntel-6-55-4
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *x.json*"line "* ]]
	uncore-events import vendor --to=elsewhere/deep/copy
	[ -f elsewhere/deep/copy/E/x.json ]
}

@test "import refuses anything that is not a copy of the repository, and changes nothing" {
	mkdir -p empty other 1 2 3 4
	touch other/precious
	echo 'something,else' >1/mapfile.csv
	echo 'Family-model,Version,Filename,EventType' | tee 2/mapfile.csv 3/mapfile.csv >4/mapfile.csv
	echo 'GenuineIntel-6-55,1,/../../etc/passwd,core' | tee -a 3/mapfile.csv >>4/mapfile.csv
	each_says uncore-events <<-'END'
		2|1|live|import nowhere|uncore-events: *no such folder*
		2|1|live|import empty|uncore-events: *it has no mapfile.csv*
		2|1|live|import 1|uncore-events: *has an unknown format*
		2|1|live|import 2|uncore-events: *none of the lists*
		2|1|live|import 3|uncore-events: *points outside the folder*
		2|1|live|import 4 --to=other|uncore-events: *is not a copy of event lists*
		2|1|live|import|uncore-events: *import: DIR is missing*
		2|1|live|list --to=x|uncore-events: *--to: works only with import*
	END
	[ -e other/precious ]
	[ ! -e installed ]
	if [ "$(id -u)" -ne 0 ]; then
		mkdir closed && chmod 0 closed
		refused 4 "--to=DIR" import 4 --to=closed/copy
	fi
}

@test "what cannot be encoded for the kernel, and files that are not event lists, are refused in one line" {
	local kernel
	small_tree
	small_list
	kernel="--route=perf --event-list=list.json"
	echo '{"Events": [ {"EventName": "A" } ' >cut.json
	echo '[{"BitName": "A"}]' >matrix.json
	echo '[[[[' >deep.json
	: >empty.json
	# Either all events are encoded, or there is only the error.
	each_says uncore-events <<-END
		3|1|root:$TREE|encode NO_PMU $kernel|uncore-events: *no PMU 'uncore_m2m'*
		3|1|root:$TREE|encode NO_ROOM $kernel|uncore-events: *perf cannot express this event*
		2|1|root:$TREE|encode CHA_EVE $kernel|uncore-events: *not a name*
		2|1|root:$TREE|encode imc/foo=1/ $kernel|uncore-events: *has no term or event 'foo'*
		2|1|root:$TREE|encode imc/event=0x100/ $kernel|uncore-events: *out of range 0..0xff*
		2|1|root:$TREE|encode nope/event=1/ $kernel|uncore-events: *no PMU 'nope'*
		2|1|root:$TREE|encode cycles:z $kernel|uncore-events: *unknown modifier*
		2|1|root:$TREE|encode imc/event=1,,umask=1/ $kernel|uncore-events: *an empty term*
		2|1|root:$TREE|encode {cycles $kernel|uncore-events: *no closing brace*
		2|1|root:$TREE|encode imc/event=1 $kernel|uncore-events: *no closing slash*
		2|1|root:$TREE|encode cycles NOPE $kernel --format=json|uncore-events: *not a name*
		2|1|root:$TREE|encode imc/CHA_EV/ $kernel|uncore-events: *has no term or event 'CHA_EV'*
		2|1|root:$TREE|encode 0x63:0x1 $kernel|uncore-events: *not a name*
		2|1|root:$TREE|encode cycles --route=perf --event-list=cut.json|uncore-events: *cut.json: line 2*
		2|1|root:$TREE|encode cycles --route=perf --event-list=matrix.json|uncore-events: *it contains no event*
		2|1|root:$TREE|encode cycles --route=perf --event-list=deep.json|uncore-events: *deep.json: line *
		2|1|root:$TREE|encode cycles --route=perf --event-list=empty.json|uncore-events: *empty.json: line *
		2|1|root:$TREE|encode cycles --route=perf --event-list=absent.json|uncore-events: *absent.json: No such file*
		2|1|root:$TREE|encode cycles --route=perf --event-list=|uncore-events: *--event-list: '': a file or directory is required*
		2|1|root:$TREE|encode cycles --route=perf --cpu=Skylake|uncore-events: *neither VENDOR-FAMILY-MODEL*
		2|1|live|encode cycles --route=gpu|uncore-events: *--route: 'gpu'*
		2|1|live|list --route=perf|uncore-events: *--route: works only with encode*
		2|1|live|encode cycles --route=perf --uarch=westmere|uncore-events: *--uarch: chooses register tables*
		0|-|root:$TREE|encode cycles --deprecated --route=perf|*
	END
	fails_with 2 "did you mean uncore_imc/cas_count_read/ or uncore_imc/cas_count_write/?" \
		uncore-read --route=perf --machine=sim:skylake-sp-perf -e uncore_imc/cas_count_rea/
}

@test "all events of a list are encoded; those that cannot be are named and left out" {
	local all
	small_tree
	small_list
	printf '[{"EventName":"A","EventCode":"1"},{"EventName":"a","EventCode":"2"}]' >twice.json
	printf '[{"EventName":"C","Unit":"CHA","EventCode":"1"},{"EventName":"M","Unit":"iMC","EventCode":"2"}]' >two.json
	all="encode --all --format=csv"
	# A name that occurs twice is encoded once. For registers, only events of PMUs that MSRs can reach are encoded.
	each_says uncore-events <<-END
		1|8|root:$TREE|$all --event-list=list.json|name,*\\nCORE_EV,*\\nCHA_EV,*\\nCHA_EV,*\\nOLD_EV,*\\nOLD_EV,*\\n*'NO_PMU'*no PMU 'uncore_m2m'*\\n*'NO_ROOM'*perf cannot express this event*
		0|2|root:$TREE|$all --event-list=twice.json|name,*\\nA,*,0x1,*
		2|1|root:$TREE|encode --all --route=perf|uncore-events: *there are no event lists*
		2|1|root:$TREE|$all --event-list=twice.json cycles|uncore-events: *--all: cannot be combined with events*
		2|1|live|encode --all --uarch=skylake-sp|uncore-events: *there are no event lists*
		2|1|live|list --all|uncore-events: *--all: works only with encode*
		1|-|live|$all --route=msr --uarch=skylake-sp --event-list=two.json|*\\nC,*whose registers cannot be reached here as MSRs*
	END
}


@test "what encode prints for perf has the modifiers of the event and of its group" {
	run -0 --separate-stderr uncore-events --machine=sim:skylake-sp-perf --route=perf encode '{cycles:G,instructions:u}:kp' \
		L1-dcache-loads:u
	[[ $output == *'perf stat -a -e cycles:kpG'*'perf stat -a -e instructions:ukp'*'perf stat -a -e L1-dcache-loads:u'* ]]
}
