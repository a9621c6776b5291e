#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Metrics from files, in both forms that the vendor publishes: its own (Formula) and perf's (MetricExpr).

load common
load answers

SKX=sim:skylake-sp-perf,clock=stepped

setup() {
	need jq
	need_json
	cd "$BATS_TEST_TMPDIR" || return
	cat >events.json <<-'END'
	[ { "EventName": "UNC_CHA_CLOCKTICKS", "Unit": "CHA", "EventCode": "0x00", "UMask": "0x00" },
	  { "EventName": "UNC_CHA_TOR_INSERTS.IA_MISS", "Unit": "CHA", "EventCode": "0x35", "UMask": "0x21" },
	  { "EventName": "UNC_M_CAS_COUNT.RD", "Unit": "iMC", "EventCode": "0x04", "UMask": "0x03" },
	  { "EventName": "INST_RETIRED.ANY", "EventCode": "0x00", "UMask": "0x01", "Counter": "Fixed counter 0" },
	  { "EventName": "UOPS_ISSUED.ANY", "EventCode": "0x0e", "UMask": "0x01", "Counter": "0,1,2,3" },
	  { "EventName": "CPU_CLK_UNHALTED.THREAD", "EventCode": "0x00", "UMask": "0x02", "Counter": "Fixed counter 1" } ]
	END
	# "threads" has NO_SUCH_EVENT in a branch that is not taken, so the event must not be needed. In "clock" the
	# alias "e" must not be replaced inside 1e9.
	cat >long.json <<-'END'
	{ "Header": { "Version": "1.0" }, "Metrics": [
	  { "MetricName": "clock", "BriefDescription": "Clock", "UnitOfMeasure": "GHz", "Category": "",
	    "Events": [ { "Name": "UNC_CHA_CLOCKTICKS", "Alias": "e" } ],
	    "Constants": [ { "Name": "CORES_PER_SOCKET", "Alias": "b" }, { "Name": "SOCKET_COUNT", "Alias": "socket_count" } ],
	    "Formula": "(e / (b * socket_count) / 1e9) / DURATIONTIMEINSECONDS" },
	  { "MetricName": "Reads", "BriefDescription": "Memory reads", "UnitOfMeasure": "MB/sec", "Category": "",
	    "Events": [ { "Name": "UNC_M_CAS_COUNT.RD", "Alias": "a" } ], "Constants": [],
	    "Formula": "(a * 64 / 1000000) / DURATIONTIMEINSECONDS" },
	  { "MetricName": "one_agent", "BriefDescription": "x", "UnitOfMeasure": "GHz", "Category": "",
	    "Events": [ { "Name": "UNC_CHA_CLOCKTICKS", "Alias": "a" } ], "Constants": [],
	    "Formula": "a[0] / DURATIONTIMEINSECONDS / 1000000000" },
	  { "MetricName": "threads", "BriefDescription": "x", "UnitOfMeasure": "", "CountDomain": "Metric", "Category": "TMA",
	    "Events": [ { "Name": "NO_SUCH_EVENT", "Alias": "a" }, { "Name": "INST_RETIRED.ANY", "Alias": "c" } ],
	    "Constants": [ { "Name": "HYPERTHREADING_ON", "Alias": "smt_on" }, { "Name": "20", "Alias": "weight" } ],
	    "Formula": "c / c * weight if smt_on > = 1 else a" },
	  { "MetricName": "tsc_hz", "BriefDescription": "x", "UnitOfMeasure": "GHz", "Category": "",
	    "Events": [], "Constants": [ { "Name": "SYSTEM_TSC_FREQ", "Alias": "t" } ], "Formula": "t / 1000000000" },
	  { "MetricName": "tsc_ticks", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "TMA",
	    "Events": [], "Constants": [ { "Name": "SYSTEM_TSC_FREQ", "Alias": "t" } ], "Formula": "t / 1000000000" },
	  { "MetricName": "latency", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "TMA",
	    "Events": [ { "Name": "INST_RETIRED.ANY:retire_latency", "Alias": "a" }, { "Name": "INST_RETIRED.ANY", "Alias": "b" } ],
	    "Constants": [], "Formula": "b / b * ( a if a > = 0 else 7 )" },
	  { "MetricName": "filtered", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "",
	    "Events": [ { "Name": "UNC_CHA_TOR_INSERTS.IA_MISS:filter1=0x40433", "Alias": "a" } ], "Constants": [], "Formula": "a" },
	  { "MetricName": "edges", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "TMA",
	    "Events": [ { "Name": "UOPS_ISSUED.ANY:c2:e1", "Alias": "a" } ], "Constants": [], "Formula": "a" },
	  { "MetricName": "shares_nothing", "BriefDescription": "x", "UnitOfMeasure": "percent", "Category": "",
	    "Events": [ { "Name": "INST_RETIRED.ANY", "Alias": "a" } ], "Constants": [], "Formula": "100 * a / (a - a)" },
	  { "MetricName": "large", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "",
	    "Events": [ { "Name": "INST_RETIRED.ANY", "Alias": "a" } ], "Constants": [], "Formula": "a / a * 1e20" },
	  { "MetricName": "too_large", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "",
	    "Events": [ { "Name": "INST_RETIRED.ANY", "Alias": "a" } ], "Constants": [], "Formula": "a * 1e200 * 1e200" },
	  { "MetricName": "seconds", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "TMA", "Events": [],
	    "Constants": [ { "Name": "DURATIONTIMEINMILLISECONDS", "Alias": "d" } ], "Formula": "( d / 1000 )" },
	  { "MetricName": "lost", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "",
	    "Events": [ { "Name": "NO_SUCH_EVENT", "Alias": "a" } ], "Constants": [], "Formula": "a" } ] }
	END
	cat >perf.json <<-'END'
	[ { "MetricName": "clock", "BriefDescription": "Clock", "ScaleUnit": "1GHz",
	    "MetricExpr": "(UNC_CHA_CLOCKTICKS / ( #num_cores / #num_packages * #num_packages ) / 1000000000) / duration_time" },
	  { "MetricName": "reads", "BriefDescription": "Memory reads", "ScaleUnit": "1e-3GB/s",
	    "MetricExpr": "(UNC_M_CAS_COUNT.RD * 64 / 1000000) / duration_time" },
	  { "MetricName": "per_agent", "BriefDescription": "x", "ScaleUnit": "1GHz",
	    "MetricExpr": "UNC_CHA_CLOCKTICKS / source_count(UNC_CHA_CLOCKTICKS) / duration_time / 1e9" },
	  { "MetricName": "either", "BriefDescription": "x", "ScaleUnit": "100%",
	    "MetricExpr": "INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD if has_event(INST_RETIRED.ANY) else NO_SUCH_EVENT" },
	  { "MetricName": "neither", "BriefDescription": "x",
	    "MetricExpr": "NO_SUCH_EVENT if has_event(NO_SUCH_EVENT) else INST_RETIRED.ANY / INST_RETIRED.ANY" },
	  { "MetricName": "filtered", "BriefDescription": "x",
	    "MetricExpr": "cha@UNC_CHA_TOR_INSERTS.IA_MISS\\,config1\\=0x40433@" } ]
	END
}

# metrics FILE: rows "VALUE UNIT STATUS | NAME" on standard input: metrics of FILE, and the results that they must have
# on package 0.
metrics() {
	local row rows
	while IFS= read -r row; do
		row=${row#"${row%%[![:blank:]]*}"}
		rows+="\"${row%" | "*}\" | uncore-read --machine=$SKX --event-list=events.json --event-list=$1 -M ${row##*" | "}"$'\n'
	done
	told '.[] | select(.package == 0) | "\(.scaled | if . == null then . else (. * 1e4 | round / 1e4) end) \(.measure) \(.status)"' <<<"$rows"
}

@test "aliases, constants and branches of the vendor's form are understood, and functions and escapes of perf's" {
	local long="uncore-read --machine=$SKX --event-list=events.json --event-list=long.json"
	metrics long.json <<-'END'
		2.1 GHz ok | clock
		9437.184 MB/sec ok | reads
		2.1 GHz ok | one_agent
		20 Metric ok | threads
		2.7 GHz ok | tsc_hz
		7  ok | latency
		null percent undefined | shares_nothing
		1e+20  ok | large
		null  undefined | too_large
	END
	# shellcheck disable=SC2086 # a list of words
	run -0 $long -M too_large,large
	[[ $output == *" 1e+20"*"a number in the formula is too large"* ]]
	metrics perf.json <<-'END'
		2.1 GHz ok | clock
		9.4372 GB/s ok | reads
		2.1 GHz ok | per_agent
		75 % ok | either
		1  ok | neither
	END
	# In half a second the frequency is the same, and ticks are half as many. A metric without events has the same
	# interval as the others. The machine's clock is the average of its packages, not the sum: 18 agents on each of
	# two packages, with 2.1e9 cycles per second each, are 75.6e9 in all, but the clock is 2.1 GHz.
	told 'map([.package, (.scaled * 1e4 | round / 1e4)] | map(tostring) | join(" ")) | join(", ")' <<-END
		"0 2.7, 0 1.35, 1 2.7, 1 1.35, null 2.7, null 1.35" | $long -M tsc_hz,tsc_ticks -i 0.5 -n 1
		"0 0.5, 1 0.5, null 0.5" | $long -M seconds -i 0.5 -n 1
		"0 2.1, 0 2.1, 1 2.1, 1 2.1, null 2.1, null 2.1" | $long -M clock,one_agent
		"0 2.1, 0 2.1, 1 2.1, 1 2.1, null 2.1, null 2.1" | ${long/long.json/perf.json} -M clock,per_agent
	END
}

@test "shares, clocks and amounts have bounds, and estimates may go beyond 100 %" {
	# The rows are name, unit, domain and value. Which values are implausible must follow from unit and domain.
	jq -Rn '{ Metrics: [ inputs | split(",") | { MetricName: .[0], BriefDescription: "x", UnitOfMeasure: .[1],
		CountDomain: .[2], Category: "", Constants: [], Events: [ { Name: "INST_RETIRED.ANY", Alias: "a" } ],
		Formula: "a / a * \(.[3])" } ] }' >bounds.json <<-'END'
		much,percent,Slots,7141
		little,percent,Slots,-7108
		all,percent,Clocks,100
		estimate,percent,Clocks_Estimated,7141
		calculated,percent,Clocks_Calculated,7141
		fast,GHz,,50
		less,MB/sec,,-1
		more,MB/sec,,90000
		free,,Metric,-7108
	END
	cat >bounds-perf.json <<-'END'
	[ { "MetricName": "share", "BriefDescription": "x", "ScaleUnit": "100%", "MetricExpr": "INST_RETIRED.ANY / INST_RETIRED.ANY * 71" },
	  { "MetricName": "guess", "BriefDescription": "This metric roughly estimates x", "ScaleUnit": "100%",
	    "MetricExpr": "INST_RETIRED.ANY / INST_RETIRED.ANY * 71" } ]
	END
	run -1 --separate-stderr uncore-read --machine="$SKX" --event-list=events.json --event-list=bounds.json \
		--event-list=bounds-perf.json --format=json --packages=0 \
		-M much,little,all,estimate,calculated,fast,less,more,free,share,guess
	[ "$(jq -rs 'map("\(.event) \(.scaled) \(.status)") | join(", ")' <<<"$output")" = "much null implausible, \
little null implausible, all 100 ok, estimate 7141 ok, calculated 7141 ok, fast null implausible, less null implausible, \
more 90000 ok, free -7108 ok, share null implausible, guess 7100 ok" ]
	[[ $stderr == *"package 0: less: implausible: computed as -1 MB/sec, which is "* ]]
}

@test "filters and qualifiers of either form become words of registers" {
	local dry="uncore-read --machine=sim:skylake-sp-2s --route=msr --dry-run --packages 0 --event-list=events.json"
	# 0xe06 is the second filter register of CHA 0.
	expect <<-END
		0 | 0xe06 0x40433 | $dry --event-list=long.json -M filtered
		0 | 0xe06 0x40433 | $dry --event-list=perf.json -M filtered
		0 | 0x247010e | $dry --event-list=long.json -M edges
	END
}

# The list has an MSRValue for the name, and the metric uses a different one.
@test "a metric chooses the offcore response of a name that has one" {
	cat >responses.json <<-'END'
	[ { "EventName": "OCR.DEMAND_RFO.L3_MISS", "EventCode": "0x2A,0x2B", "UMask": "0x01", "MSRIndex": "0x1a6,0x1a7",
	    "MSRValue": "0x3FBFC00002", "Counter": "0,1,2,3" } ]
	END
	cat >responded.json <<-'END'
	{ "Metrics": [ { "MetricName": "rfo", "BriefDescription": "x", "UnitOfMeasure": "", "Category": "TMA",
	    "Events": [ { "Name": "OCR.DEMAND_RFO.L3_MISS:ocr_msr_val=0x103b800002:c2", "Alias": "a" } ], "Constants": [],
	    "Formula": "a" } ] }
	END
	run -0 uncore-read --machine=sim:sapphire-rapids-2s,clock=stepped --event-list=responses.json \
		--event-list=responded.json -M rfo --verbose
	[[ ${output,,} == *" cpu/event=0x2a,umask=0x1,offcore_rsp=0x103b800002/:cmask=2: counted by the kernel"* ]]
}

@test "inputs have the names of the file, and what was not needed has no number" {
	# The list has no latency for the event, so the formula uses a constant.
	told 'map(select(.package != 1)) | map(.inputs | [.UNC_CHA_CLOCKTICKS, .CORES_PER_SOCKET, .SOCKET_COUNT, .DURATIONTIMEINSECONDS,
		.HYPERTHREADING_ON, .NO_SUCH_EVENT, .["20"], .["INST_RETIRED.ANY:retire_latency"]] | map(. // "-") | join(" "))' <<-END
		["37800000000 18 1 1 - - - -","- - - - 1 - 20 -","- - - - - - - -1","75600000000 18 2 1 - - - -","- - - - 1 - 20 -","- - - - - - - -1"] | uncore-read --machine=$SKX --event-list=events.json --event-list=long.json -M clock,threads,latency
	END
}

@test "with files of both forms at once each name exists once, and patterns and the list have all names" {
	run -0 uncore-read --machine="$SKX" --event-list=events.json --event-list=long.json --event-list=perf.json \
		-M 'clock' --format=json
	[ "$(jq -s 'map(.package) == [0, 1, null]' <<<"$output")" = true ]
	run -0 uncore-events list --metrics --machine="$SKX" --event-list=long.json --event-list=perf.json --format=json
	[ "$(jq -rs 'map(.name | ascii_downcase) | group_by(.) | map(select(length > 1)) | length' <<<"$output")" -eq 0 ]
	jq -se 'map(select(.name == "Reads"))[0] | .unit == "MB/sec" and .title == "Memory reads" and .high == null and
		.formula == "({UNC_M_CAS_COUNT.RD} * 64 / 1000000) / DURATIONTIMEINSECONDS"' <<<"$output"
	run -0 uncore-read --machine="$SKX" --event-list=events.json --event-list=perf.json -M '*ither'
	[[ $output == *either*neither* ]]
}

@test "metrics that cannot be counted say why; damaged files are refused" {
	printf '{ "Metrics": [ { "MetricName": "x", "Formula": ' >torn.json
	echo '{ "Metrics": [ { "MetricName": "x" } ] }' >none.json
	echo '[ { "MetricName": "x", "MetricExpr": "(INST_RETIRED.ANY" } ]' >open.json
	echo '[ { "MetricName": "near", "MetricExpr": "instrctions" } ]' >near.json
	expect <<-END
		2 | metric 'lost': event 'NO_SUCH_EVENT' | uncore-read --machine=$SKX --event-list=events.json --event-list=long.json -M lost
		2 | did you mean clock | uncore-read --machine=$SKX --event-list=long.json -M clok
		1 | near * not-counted: event 'instrctions'*did you mean instructions | uncore-read --machine=$SKX --event-list=near.json -M ipc,near
		2 | torn.json: line 1: | uncore-read --machine=$SKX --event-list=torn.json -M x
		2 | none.json: it contains no metric | uncore-read --machine=$SKX --event-list=none.json -M x
		2 | no closing parenthesis | uncore-read --machine=$SKX --event-list=events.json --event-list=open.json -M x
	END
}

# counted MACHINE FILE LIST...: count the metrics of a file on package 0; results go to counted.json.
counted() {
	local lists=("${@:2}")
	jq -r '(.Metrics? // .)[] | .MetricName' "$2" | grep -vx Info_System_Power | paste -sd' ' |
		xargs -n 20 | tr ' ' , | while read -r names; do
		# Status 1 is accepted: some metrics are implausible with simulated counts, so they have no value.
		uncore-read --machine="$1" "${lists[@]/#/--event-list=}" --format=json -M "$names" || [ $? -eq 1 ]
	done | jq -s 'map(select(.package == 0))' >counted.json
}

# evaluated FILE: compare the results with an independent evaluation of each formula.
evaluated() {
	jq -r --slurpfile counted counted.json '(.Metrics? // .) | INDEX(.MetricName) as $m | $counted[0][] |
		select(.status != "implausible") | . as $c |
		$m[.event] | [ .Formula, $c.scaled, "DURATIONTIMEINSECONDS", $c.inputs.DURATIONTIMEINSECONDS,
			((.Events + .Constants)[] | .Alias, (.Name as $n | if $n | test("^[0-9]+$") then $n else $c.inputs[$n] end)) ] |
		map(. // "null") | @tsv' "$1" | perl "$TOP/tests/tools/formula.pl" >formulas
}

# bats test_tags=plain
@test "every published metric agrees with a second reading of its formula" {
	local metrics=$CORPUS/perfmon/SKX/metrics/skylakex_metrics.json
	need_corpus perfmon/SKX/metrics
	counted "$SKX" "$metrics" "$CORPUS"/perfmon/SKX/events/skylakex_{core,uncore,uncore_experimental}.json
	evaluated "$metrics"
	[ "$(cat formulas)" = "233 formulas" ]
	# The other metrics are implausible with simulated counts.
	[ "$(jq 'map(select(.status == "implausible")) | length' counted.json)" = 26 ]
}

# bats test_tags=plain
@test "every published metric of a second family agrees as well, if its machine can count it at once" {
	local metrics=$CORPUS/perfmon/SPR/metrics/sapphirerapids_metrics.json lists
	need_corpus perfmon/SPR/metrics
	lists=("$CORPUS"/perfmon/SPR/events/*.json "$metrics")
	uncore-read --machine=sim:sapphire-rapids-2s,clock=stepped --packages=0 "${lists[@]/#/--event-list=}" \
		--format=json -M '*' 2>messages | jq -s --slurpfile file "$metrics" '($file[0].Metrics |
			INDEX(.MetricName)) as $m | map(select($m[.event]))' >counted.json
	# Every metric has a record except three, which need PMUs that this kernel lacks. Ten are undefined, because
	# they divide by an event that never happens here.
	jq -e --slurpfile file "$metrics" '([$file[0].Metrics[].MetricName] - map(.event) | sort) == ["cpu_cstate_c0", "cpu_cstate_c6",
		"memory_extra_write_bw_due_to_directory_updates"] and all(.package == 0) and
		(group_by(.status) | map([.[0].status, length])) == [["ok", 295], ["undefined", 10]]' counted.json
	evaluated "$metrics"
	[ "$(cat formulas)" = "305 formulas" ]
}

# slots_files: write events and metrics of slots, on the core PMU.
slots_files() {
	echo '[ { "EventName": "TOPDOWN.SLOTS", "EventCode": "0x00", "UMask": "0x04", "Counter": "Fixed counter 3" },
	  { "EventName": "UOPS_ISSUED.ANY", "EventCode": "0x0e", "UMask": "0x01", "Counter": "0,1,2,3" } ]' >slots.json
	jq -n 'def metric(name; formula; $events): { MetricName: name, Category: "TMA", Constants: [], Formula: formula,
			Events: ($events | to_entries | map({ Name: .value, Alias: ["a", "b", "c", "d", "e"][.key] })) };
		["RETIRING", "FRONTEND_BOUND", "BAD_SPECULATION", "BACKEND_BOUND"] | map("PERF_METRICS." + .) as $four |
		{ Header: {}, Metrics: [ metric("Retiring"; "100 * a / ( a + b + c + d )"; $four),
			metric("Share"; "a / b"; ["PERF_METRICS.MEMORY_BOUND", "TOPDOWN.SLOTS:perf_metrics"]),
			metric("Issued"; "a / b + 0 * c"; ["UOPS_ISSUED.ANY", "TOPDOWN.SLOTS", "PERF_METRICS.HEAVY_OPERATIONS"]),
			metric("Of_no_such"; "a"; ["PERF_METRICS.SLEEPING"]) ] }' >slots-metrics.json
}

@test "shares of the slots are counted by the kernel, in one group that begins with the slots" {
	local how
	slots_files
	how=(--event-list=slots.json --event-list=slots-metrics.json --packages=0)
	run -0 --separate-stderr uncore-read --machine=sim:sapphire-rapids-2s,clock=stepped "${how[@]}" --format=json --verbose \
		-M Retiring,Share,Issued
	# The simulated machine has six slots per cycle: 2.25 retire (37.5 %), 1.5 wait for memory (0.25). The metric
	# Issued is the ratio of two events with rates 0.87 and 5.4.
	jq -es 'map(.event) == ["Retiring", "Share", "Issued"] and all(.status == "ok" and .running_ns == .enabled_ns) and
		([.[].scaled, 37.5, 0.25, 0.87 / 5.4] | [.[0] / .[3], .[1] / .[4], .[2] / .[5]] | all(. > 0.9999 and . < 1.0001)) and
		.[1].inputs["TOPDOWN.SLOTS:perf_metrics"] == .[2].inputs["TOPDOWN.SLOTS"]' <<<"$output"
	# Only one counter can count slots, so the slots event is opened once for all metrics.
	[ "$(grep -c '/slots/\|TOPDOWN.SLOTS' <<<"$stderr")" = 1 ]
	# Ice Lake-SP has only the four top-level topdown events, so a metric that needs topdown-mem-bound is refused.
	run -0 uncore-read --machine=sim:icelake-sp-2s,clock=stepped "${how[@]}" --format=json -M Retiring
	jq -e '.scaled > 37.49 and .scaled < 37.51' <<<"$output"
	fails_with 3 "cpu/topdown-mem-bound/" uncore-read --machine=sim:icelake-sp-2s "${how[@]}" -M Share
}

@test "shares of the slots that nothing here can count say why" {
	slots_files
	for machine in "sim:sapphire-rapids-2s --route=msr" sim:skylake-sp-perf; do
		# shellcheck disable=SC2086
		fails_with 3 "'PERF_METRICS.RETIRING' is in MSR PERF_METRICS (0x329), which is not among the registers" \
			uncore-read --machine=$machine --event-list=slots.json --event-list=slots-metrics.json -M Retiring
	done
	fails_with 2 "'PERF_METRICS.SLEEPING': no event of that name" uncore-read --machine=sim:sapphire-rapids-2s \
		--event-list=slots.json --event-list=slots-metrics.json -M Of_no_such
}

@test "a metric that mixes events of tasks and of whole packages has no value, not even for the machine" {
	need jq
	cat >mixed.json <<-'END'
	[ { "MetricName": "mixed", "BriefDescription": "x", "MetricExpr": "UNC_CHA_CLOCKTICKS / INST_RETIRED.ANY" } ]
	END
	run -0 uncore-read --machine="$SKX" --event-list=events.json --event-list=mixed.json -M mixed --format=json
	jq -es 'length == 3 and all(.[]; .status == "ok" and .scaled > 0)' <<<"$output"
	run -1 --separate-stderr uncore-read --machine="$SKX" --event-list=events.json --event-list=mixed.json \
		-M mixed --format=json -o out -- true
	jq -es 'length == 3 and all(.[]; .status == "failed" and .scaled == null)' out
	[[ $stderr == *"some events of the metric are counted for the tasks alone, others on whole packages"* ]]
}

@test "a metric of constants alone has its value, and --dry-run says that the kernel counts a metric" {
	echo '{ "Metrics": [ { "MetricName": "forty", "Formula": "a * 2", "Events": [],
		"Constants": [ { "Name": "20", "Alias": "a" } ] } ] }' >forty.json
	run -0 uncore-read --machine="$SKX" --event-list=forty.json -M forty --format=json
	jq -es 'length == 3 and all(.scaled == 40 and .status == "ok")' <<<"$output"
	# Time and clock are counted on each CPU, so they have values there.
	run -0 uncore-read --machine="$SKX" --event-list=events.json --event-list=long.json -M tsc_hz,seconds --per-core \
		--packages=0 --format=json
	jq -es 'length == 8 and all(.core != null and .status == "ok")' <<<"$output"
	fails_with 2 "--dry-run: " uncore-read --machine="$SKX" --dry-run -M memory-bandwidth
}
