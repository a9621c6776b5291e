#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Metrics: uncore-read -M. Most tests use a stepped clock, with which results are exact.
#
# shellcheck disable=SC1078,SC1079 # rows of commands are strings of several lines

load common
load answers

setup() {
	need jq
	export UNCOREMSR_MACHINE=sim:westmere-2s,clock=stepped,uncore_hz=2000000000
}

@test "a table shows metrics with the units that people use" {
	run -0 uncore-read -M memory-read-bandwidth,l3-read-hit-ratio,uncore-frequency,dram-read-time,dram-read-latency
	[[ ${lines[0]} == SIMULATED* ]]
	[[ ${lines[2]} =~ ^package\ \ metric\ +value$ ]]
	[[ ${lines[3]} =~ ^\ +0\ \ memory-read-bandwidth\ +1\.334\ GB/s$ ]]
	[[ ${lines[4]} =~ ^\ +0\ \ l3-read-hit-ratio\ +60\.19\ %$ ]]
	[[ ${lines[5]} =~ ^\ +0\ \ uncore-frequency\ +2\.000\ GHz$ ]]
	[[ ${lines[6]} =~ ^\ +0\ \ dram-read-time\ +60\.00\ ns$ ]]
	[[ ${lines[7]} =~ ^\ +0\ \ dram-read-latency\ +120\.0\ clocks$ ]]
	[[ ${lines[8]} =~ ^\ +1\ \ memory-read-bandwidth\ +1\.334\ GB/s$ ]]
	# For the whole machine, amounts are summed; shares, clocks and times are computed over all packages.
	[[ ${lines[13]} =~ ^\ +all\ \ memory-read-bandwidth\ +2\.669\ GB/s$ ]]
	[[ ${lines[14]} =~ ^\ +all\ \ l3-read-hit-ratio\ +60\.19\ %$ ]]
	[[ ${lines[15]} =~ ^\ +all\ \ uncore-frequency\ +2\.000\ GHz$ ]]
	[[ ${lines[17]} =~ ^\ +all\ \ dram-read-latency\ +120\.0\ clocks$ ]]
	[ "${#lines[@]}" -eq 18 ]
}

@test "an event that is also an input of a metric has its own sum over the units, in each format" {
	local sum='cache-misses +78702760 *cache-references +314812500 *cache-misses +77840264 *cache-references +311362500'
	local how='uncore-read --machine=sim:haswell-ep-2s,clock=stepped -n 1 -i 1 -e "{cache-misses,cache-references}"'
	local total='uncoremsr_event_total{*package="0",*event="cache-misses",*} 78702760'
	expect <<-END
		0 | $sum | $how
		0 | $sum *llc-miss-ratio 25.00 % | $how -M llc-miss-ratio
		0 | $total | $how --format=prometheus
		0 | $total | $how -M llc-miss-ratio --format=prometheus
	END
}

@test "common events take one counter, a pattern chooses several metrics, and numbers have a point in any language" {
	export LC_ALL=de_DE.UTF-8
	expect <<-'END'
		0 | ,l3-read-hit-ratio,*,60.194174757,%,*,ok, | uncore-read -M l3-read-hit-ratio --packages 0 --format=csv
		0 | | uncore-read --no-multiplex --packages 0 -M memory-read-bandwidth,memory-write-bandwidth,memory-bandwidth -M uncore-frequency -e UNC_QMC_NORMAL_READS.ANY
		0 | wrmsr*0x42072c & !0x42072c*0x42072c | uncore-read --dry-run --packages 0 -e UNC_QMC_NORMAL_READS.ANY -M memory-read-bandwidth
		0 | UNC_L3_HITS.READ raw 31000090 +*2.000 s | package 0  UNC_L3_HITS.READ raw 62000090 +31000000 31000000.0/s | package 0  l3-read-hit-ratio 60.19 %  remote-share 23.73 % | uncore-read -e UNC_L3_HITS.READ -M l3-read-hit-ratio -M remote-share -i 1 -n 2 --packages 0
		0 | remote-share 23.73 % counted 50.0%  memory-bandwidth 1.945 GB/s counted 50.0% | uncore-read -M remote-share,memory-bandwidth -n 1 --packages 0
		0 | 0.5632 GB/s counted 50.0% | uncore-read -M memory-bandwidth --machine=sim:zen-1s,clock=stepped
		0 | throttled-prochot-core0 66.67 %*throttled-prochot-core0 0.000 % | uncore-read -M throttled-prochot-core0 -i 2 -n 5 --packages 0
	END
	told <<-'END'
		# Every metric of both processors can be counted on its simulated machine.
		jq [length, (map(select(.event | test("temp-core3|hot-core[01]")) | [.event, .scaled, .measure]))]
		[6,[["throttled-temp-core3",0,"%"],["hot-core0",100,"%"],["hot-core1",100,"%"]]] | uncore-read -M 'throttled-temp-*,HOT-core[01]' --packages 0 --machine=sim:westmere-2s,clock=stepped
		jq length
		42 | uncore-read -M '*' --machine=sim:westmere-2s,clock=stepped --packages 0
		24 | uncore-read -M '*' --machine=sim:nehalem-1s,clock=stepped
	END
}

@test "a value that the machine cannot reach is flagged, not shown as a number" {
	run -1 --separate-stderr uncore-read -M memory-read-bandwidth --packages 0 --format=csv \
		--machine="$UNCOREMSR_MACHINE,rate=0x2c:0x1=700000000"
	[[ ${lines[1]} == *,memory-read-bandwidth,,,,,,,GB/s,*,implausible,*,40.* ]]
	[[ $stderr == *"package 0: memory-read-bandwidth: implausible: computed as "*"beyond what the machine can do"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -1 uncore-read -M memory-read-bandwidth --packages 0 -n 1 \
		--machine="$UNCOREMSR_MACHINE,rate=0x2c:0x1=700000000"
	[[ ${lines[1]} == *"memory-read-bandwidth unknown (implausible: "* ]]
}

@test "the bound of a metric for the machine is that of all packages together" {
	run -1 --separate-stderr uncore-read --machine=sim:westmere-2s,clock=stepped,rate=0x2c:0x1=900000000 \
		-M memory-read-bandwidth --format=json
	jq -es 'map(.status) == ["implausible", "implausible", "implausible"] and
		.[2].package == null and .[2].bound == 2 * .[0].bound' <<<"$output"
}

@test "a share of 0, and a metric whose event or package was not counted, are unknown, with the reason" {
	expect <<-END
		0 | "scaled":null,"measure":"%"*"status":"undefined" & the total is 0, so there is no share | uncore-read -M l3-read-hit-ratio --packages 0 --format=json --machine=$UNCOREMSR_MACHINE,rate=0x8:0x1=0,rate=0x9:0x1=0
		1 | =time*2.0*,0,,,,0,uncore,l3-read-hit-ratio,,,,,60.*,60.*,%,*,ok,*2.0*,1,,,,1,uncore,l3-read-hit-ratio,,,,,,,%,*,disturbed,*,,,,,,uncore,l3-read-hit-ratio,,,,,,,%,*,"disturbed, 1 of 2",*package 1: l3-read-hit-ratio: disturbed: UNC_L3_MISS.READ: another program changed* | uncore-read -M l3-read-hit-ratio -i 1 -n 2 --format=csv "--machine=$UNCOREMSR_MACHINE,foreign=0x3c1 0x400000 at=1.5 package=1"
		1 | ,0,uncore,l3-read-hit-ratio,*,ok,*,1,uncore,l3-read-hit-ratio,,,,,,,%,*,failed, | uncore-read -M l3-read-hit-ratio --format=csv "--machine=$UNCOREMSR_MACHINE,fail=write 0x3c0 EIO cpu=1"
	END
}

@test "a metric that does not exist, or has no events here, is refused with the likeliest name or the reason" {
	local m why="metric 'memory-bandwidth': this is a virtual machine (CPUID hypervisor bit)" rows
	for m in sim:{westmere-2s,alderlake-hybrid},clock=stepped,hypervisor=yes; do
		rows+="3 | $why & !no events for it | uncore-read --machine=$m -M memory-bandwidth
			$([[ $m == *westmere* ]] && echo 3 || echo 0) | bandwidth   no *$why | uncore-doctor --machine=$m
			0 | not here*$why | uncore-events explain --machine=$m memory-bandwidth"$'\n'
	done
	for m in westmere-2s nehalem-1s generic; do
		rows+="3 | 'power/energy-pkg/': this kernel has no PMU 'power'; the kernel module rapl provides this PMU on processors | uncore-read --machine=sim:$m -M package-power"$'\n'
	done
	# A package with several dies also has links between the dies; a package with one die has no links.
	expect <<-END
		$rows
		2 | metric 'memory-bandwith'*did you mean memory-bandwidth? | uncore-read -M memory-bandwith
		2 | no metric of that name on westmere*uncoremsr-metrics(7) | uncore-read -M xyzzy
		2 | a name is missing | uncore-read -M ''
		2 | a name is missing | uncore-read -M remote-share,
		2 | | uncore-read -M dram-pwer
		3! | nehalem has no events for this metric, but westmere has & ; uncore-events list --metrics shows the metrics of this machine | uncore-read -M throttled-dram --machine=sim:nehalem-1s
		3! | this processor has no events for this metric & ; these metrics exist on every processor: cpu-frequency, ipc, package-power | uncore-read -M memory-bandwidth --machine=sim:generic
		3 | this kernel has no PMU 'power' | uncore-read --machine=sim:westmere-2s,clock=stepped -M dram-power
		3 | 'power' has no term or event 'energy-ram' | uncore-read --machine=sim:sandybridge-1s,clock=stepped -M dram-power
		3 | 'interconnect-bandwidth': this machine has only one package | uncore-read --machine=sim:genoa-1s,clock=stepped -M interconnect-bandwidth
		0 | | uncore-read --machine=sim:naples-1s,clock=stepped -M interconnect-bandwidth
		0 | | uncore-read --machine=sim:cascadelake-ap-1s,clock=stepped -M interconnect-bandwidth
		3! | metric 'memory-bandwidth': event 'uncore_imc/event=0x04,umask=0x03/'*only the kernel's driver | uncore-read -M memory-bandwidth --machine=$(driverless)
		0 | all  memory-bandwidth      12.80 GB/s | uncore-read --machine=sim:haswell-ep-2s,clock=stepped -M memory-bandwidth --route=perf
		0 | "status":"ok" & "route":"perf" | UNCOREMSR_ROUTE=perf uncore-read --machine=sim:haswell-ep-2s,clock=stepped -M memory-bandwidth --format=json --packages 0
		3 | PCI configuration space*; the kernel can count it: --route=perf | uncore-read --machine=sim:haswell-ep-2s,clock=stepped -M memory-bandwidth --route=msr
		3 | this kernel has no PMU 'uncore'*; registers can count it: --route=msr | uncore-read -M memory-bandwidth --route=perf
		0 | 0.75 instructions per cycle | uncore-read --machine=sim:zen-1s,clock=stepped --route=perf -e instructions,cycles,cpu/event=0x76/
		3 | 'ref-cycles': this processor does not have it | uncore-read --machine=sim:zen-1s,clock=stepped --route=perf -e ref-cycles
	END
	# On AMD the kernel's event "cycles" is event select 0x76, so both must have the same count.
	told '[length, .[1].value != null and .[1].value == .[2].value]' <<-'END'
		[3,true] | uncore-read --machine=sim:zen-1s,clock=stepped --route=perf -e instructions,cycles,cpu/event=0x76/ --packages 0
	END
}

# driverless: print a simulated server whose kernel has no driver for the boxes that MSRs cannot reach.
driverless() {
	cat >"$BATS_TEST_TMPDIR/driverless" <<-'END'
		leaf = 0x0 0 0x0000000f 0x756e6547 0x6c65746e 0x49656e69
		leaf = 0x1 0 0x000306f2 0x00400800 0x7ffefbff 0xbfebfbff
		tsc_hz = 2300000000
		package = 0 cores=0-1 cpus=0-1
		uncore = haswell-ep
		end
	END
	echo "sim:$BATS_TEST_TMPDIR/driverless"
}

# bats test_tags=plain
@test "metrics have the same names on every server, counted by registers or by the kernel" {
	local machine m rows
	for machine in skylake-sp-perf:memory-bandwidth,interconnect-bandwidth,ipc,package-power \
		skylake-sp-2s:io-read-bandwidth,uncore-frequency,cpu-frequency,llc-miss-ratio \
		haswell-ep-2s:uncore-frequency zen-1s:memory-bandwidth,llc-miss-ratio,cpu-frequency,ipc \
		genoa-1s:memory-read-bandwidth,io-write-bandwidth,ipc nehalem-ex-4s:memory-bandwidth \
		sapphire-rapids-2s:uncore-frequency,ipc granite-rapids-2s:uncore-frequency \
		sandybridge-1s:uncore-frequency,ipc alderlake-hybrid:uncore-frequency; do
		m=${machine#*:}
		for m in ${m//,/ }; do
			rows+="true | uncore-read -M $m --machine=sim:${machine%:*},clock=stepped"$'\n'
		done
	done
	told 'length > 0 and all(.[]; .status == "ok" and .scaled >= 0)' <<<"$rows"
}

# on_hybrid OPTION...: count on a hybrid machine; $output has the numbers.
on_hybrid() {
	run -0 --separate-stderr uncore-read --machine=sim:alderlake-hybrid,clock=stepped --format=json "$@"
	[ -z "$stderr" ]
}

@test "a hybrid processor has metrics and sums of both kinds of cores, and a row names the kinds" {
	on_hybrid -e cycles,cpu_core/cycles/,cpu_atom/cycles/ -i 1 -n 1
	jq -es 'map(.value | tonumber) as [$sum, $large, $small] | $sum == $large + $small and $small > 0 and
		map(.pmu) == ["cpu_atom+cpu_core", "cpu_core", "cpu_atom"]' <<<"$output"
	on_hybrid -e instructions --per-core -i 1 -n 1
	jq -es 'map(.pmu == if .core < 32 then "cpu_core" else "cpu_atom" end) | length == 16 and all' <<<"$output"
	on_hybrid -e instructions,cycles -M ipc,llc-miss-ratio -i 1 -n 1
	jq -es 'map(select(.event == "ipc"))[0] as $ipc | map(select(.event != "ipc") | .value)[0:2] ==
		[$ipc.inputs.instructions, $ipc.inputs.cycles] and ($ipc.scaled | . > 0.7 and . < 0.75)' <<<"$output"
	run -0 uncore-read --machine=sim:alderlake-hybrid,clock=stepped -e cycles
	[[ $output == *"  cycles (cpu_atom+cpu_core)  "* ]]
	run -2 uncore-read --machine=sim:alderlake-hybrid,clock=stepped -e cpu_core/cycles/ -C 16
}

@test "on a hybrid processor a command's time on one kind of core is not a missed turn on the other kind" {
	on_hybrid -o "$BATS_TEST_TMPDIR/out" -e cycles,instructions -- sleep 0.1
	jq -es 'length == 2 and all(.counted == .value and .enabled_ns == .running_ns and .status == "ok" and
		.pmu == "cpu_atom+cpu_core")' "$BATS_TEST_TMPDIR/out"
	run -0 uncore-read --machine=sim:alderlake-hybrid,clock=stepped -e cpu_atom/cycles/ -- sleep 0.1
	[[ $output == *"cpu_atom/cycles/: counted for only 25 % of the time: "*"spent on other kinds of cores, or "* ]]
	# Of two groups that take turns, each is counted half of the time, on both kinds of cores together.
	on_hybrid -o "$BATS_TEST_TMPDIR/out" --min-running=0 \
		-e '{r0101,r0102,r0103,r0104,r0105,r0106},{r0201,r0202,r0203,r0204,r0205,r0206}' -- sleep 0.1
	jq -es 'length == 12 and all(.running_ns / .enabled_ns | . > 0.4 and . < 0.6) and
		all((.value | tonumber) / (.counted | tonumber) | . > 1.6 and . < 2.5)' "$BATS_TEST_TMPDIR/out"
}

@test "a value can be computed again from its inputs, on Nehalem-EX and Broadwell-EP too" {
	# Nehalem-EX counts all memory reads and all memory writes at the same time. Broadwell-EP counts partial writes of
	# devices (opcode 0x180) too, as its published metric does.
	told <<-'END'
		jq map(.package) == [0, 1, null] and all(.[]; .route == "perf" and .pmu == "uncore_imc" and .bound == null and
		jq .scaled == 64 * ((.inputs["uncore_imc/event=0x04,umask=0x03/"] | tonumber) +
		jq (.inputs["uncore_imc/event=0x04,umask=0x0c/"] | tonumber)) / (.inputs.dt | tonumber) / 1e9)
		true | uncore-read -M memory-bandwidth --machine=sim:skylake-sp-perf,clock=stepped
		jq [map(.inputs["source_count(msr/tsc/)"]), (map(.scaled) | unique)]
		[["8","8","16"],[3.0375]] | uncore-read -M cpu-frequency --machine=sim:skylake-sp-perf,clock=stepped
		jq all(.[]; .status == "ok" and .running_ns == .enabled_ns) and
		jq (map(.scaled) | .[0] - .[1] - .[2] | fabs < 1e-9) and .[2].inputs == { IMT_INSERTS_WR: "1350000", dt: "1" }
		true | uncore-read -M memory-bandwidth,memory-read-bandwidth,memory-write-bandwidth --packages=0 --machine=sim:nehalem-ex-4s,clock=stepped
		jq .[0] | [.status, (.inputs | keys | map(select(test("tid_en=1,filter_tid=0x3e")) | capture("opc=0x(?<o>[^,]*)").o) | sort | join(",")),
		jq (.inputs | del(.dt) | map(tonumber) | all(. > 0)), (.scaled - 64 * (.inputs | del(.dt) | map(tonumber) | add) /
		jq (.inputs.dt | tonumber) / 1e9 | fabs < 1e-6)]
		["ok","1c8",true,true] | uncore-read --machine=sim:haswell-ep-2s,clock=stepped --packages=0 -M io-write-bandwidth
		["ok","180,1c8",true,true] | uncore-read --machine=sim:broadwell-ep-2s,clock=stepped --packages=0 -M io-write-bandwidth
		jq .[0].inputs.dt | tonumber
		4.3 | uncore-read --machine=sim:haswell-ep-2s,clock=stepped --packages=0 -M memory-bandwidth -i 4.3 -n 1
	END
}

# bats test_tags=plain
@test "search finds metrics by their words, on each simulated machine that has any" {
	local machine rows
	while read -r machine _; do
		[[ $machine != generic && $machine != power* ]] || continue # no metrics are known there
		rows+="true | uncore-events search bandwidth --machine=sim:$machine"$'\n'
	done < <(uncore-sim list)
	told 'any(.[]; (.class == "metric" and .name == "memory-bandwidth" and .unit == "GB/s") or (.name | startswith("UNC_")))' <<-END
		$rows
		true | uncore-events search memory BANDWIDTH --machine=sim:zen-1s
	END
	expect <<-'END'
		0 | by uncore-read -M NAME*memory-bandwidth*GB/s | uncore-events search bandwidth --machine=sim:zen-1s
		3 | | uncore-events search bandwidth --machine=sim:generic
		0 | andwidth | uncore-events search bandwidth --machine=sim:power9-2s
		2 | westmere has all these words in | uncore-events search nosuchword bandwidth --uarch=westmere
		2 | westmere has this word in | uncore-events search nosuchword --uarch=westmere
		2 | neither in the tables nor in the event lists; other names are in the event lists | uncore-events search nosuchword --machine=sim:icelake-sp-2s
	END
}

# bats test_tags=plain
@test "without arguments uncore-read counts metrics that the simulated machine can count, with status 0" {
	local machine rows
	# Every machine has some activity, so a value of 0 would mean that the metric cannot be counted here.
	while read -r machine _; do
		case $machine in
		generic | power*) rows+="0 | " ;;
		*) rows+="0 | metric & " ;;
		esac
		rows+="!unknown & ! 0.0  & ! 0.00  & ! 0.000  & ! 0.0000  | uncore-read --machine=sim:$machine,clock=stepped"$'\n'
	done < <(uncore-sim list)
	expect <<-END
		$rows
		0 | memory-bandwidth*9.600 GB/s*llc-miss-ratio*25.00 %*interconnect-bandwidth*2.880 GB/s & uncore-frequency*2.100 GHz*ipc*package-power*90.00 W*dram-power*15.00 W | uncore-read --machine=sim:skylake-sp-2s,clock=stepped
		0 | left out of 'default': metric 'memory-bandwidth' | uncore-read --machine=$(driverless),clock=stepped
		0 | context-switches*page-faults & !cycles & uncore-read: Core 2, * is not supported: *; counting context-switches, cpu-migrations, page-faults | uncore-read --machine=sim:generic,clock=stepped
		0 | context-switches*context-switches | uncore-read --machine=sim:generic,clock=stepped -i 1 -n 2
		3 | =uncore-read: * | uncore-read --machine=sim:generic,clock=stepped --route=msr
		0 | memory-bandwidth*ipc*left out of 'default': *package-power*no PMU 'power'*dram-power & !left out*left out & !power*memory-bandwidth | uncore-read --packages=0
	END
}

# ---- uncore-events list --metrics ----

@test "uncore-events lists the metrics that -M accepts" {
	local uarch machine
	for uarch in nehalem westmere; do
		machine=sim:nehalem-1s,clock=stepped
		[ "$uarch" = nehalem ] || machine=sim:westmere-2s,clock=stepped
		diff <(uncore-events list --metrics --uarch="$uarch" --format=csv | cut -d, -f1 | tail -n +2) \
			<(uncore-read -M '*' --machine="$machine" --packages 0 --format=csv |
				cut -d, -f11 | tail -n +2; echo package-power; echo dram-power)
	done
}

@test "explain and list --verbose show a metric's meaning, formula, events, bound and pitfalls" {
	told '.[] | [.what, .unit, .possible, .events]' <<-'END'
		["metric","GB/s","0 to 148 GB/s",["uncore_imc/event=0x04,umask=0x03/ (0x304) by the kernel","uncore_imc/event=0x04,umask=0x0c/ (0xc04) by the kernel"]] | uncore-events explain memory-bandwidth --machine=sim:skylake-sp-2s
	END
	expect <<-'END'
		0 | 64 * UNC_QHL_REQUESTS.IOH_READS / dt*possible: 0 to 16 GB/s*sources: pcm | uncore-events list --metrics --uarch=nehalem --verbose
		0 | trap *one node per socket & df/event=0x47,umask=0x38/ (0x403847) by registers | uncore-events explain MEMORY-bandwidth --machine=sim:zen-1s
		0 | not here *no term or event 'energy-ram' | uncore-events explain dram-power --machine=sim:alderlake-hybrid
		0 | formula     {instructions} / {cycles} | uncore-events explain ipc --uarch=westmere
		2 | | uncore-events explain memory-bandwith --machine=sim:skylake-sp-2s
		2 | | uncore-events search memory --metrics
		2 | | uncore-events list --metrics 'memory-*'
	END
}

@test "ipc and cpu-frequency with COMMAND are those of COMMAND alone, and its exit status is passed on" {
	run -3 --separate-stderr uncore-read -M ipc,cpu-frequency,memory-bandwidth --format=json -o "$BATS_TEST_TMPDIR/out" -- sh -c 'exit 3'
	jq -es 'map([.event, .package, .target]) == [["ipc", null, "command"], ["cpu-frequency", null, "command"],
			["memory-bandwidth", 0, "system"], ["memory-bandwidth", 1, "system"],
			["memory-bandwidth", null, "system"]] and
		all(.[]; .status == "ok" and .value == .scaled) and (.[0].scaled - 0.75 | fabs) < 0.001' "$BATS_TEST_TMPDIR/out"
	# With -t, a metric of whole packages causes a remark.
	run -0 --separate-stderr uncore-read --format=json -n 1 -i 1 -t $$ -M ipc,memory-bandwidth
	jq -es 'map([.event, .package]) == [["ipc", null], ["memory-bandwidth", 0], ["memory-bandwidth", 1],
		["memory-bandwidth", null]]' <<<"$output"
	[[ $stderr == *"memory-bandwidth: counts whole packages, not just the threads of -t"* ]]
	run -2 --separate-stderr uncore-read -M ipc --per-core -- true
	[[ $stderr == *"--per-core: 'ipc' is counted for COMMAND"* ]]
}

@test "of several metrics all that can be counted are; the others are unknown, with a reason" {
	run -1 --separate-stderr uncore-read --format=json --packages=0 \
		-M memory-bandwidth,dram-power -M interconnect-in-bandwidth,ipc
	jq -es 'map([.event, .status, .scaled != null, .route]) == [["memory-bandwidth", "ok", true, "msr"],
		["dram-power", "not-counted", false, null], ["interconnect-in-bandwidth", "not-counted", false, null],
		["ipc", "ok", true, "perf"]]' <<<"$output"
	[[ $stderr == *"dram-power: not-counted: "*"no PMU 'power'"*"interconnect-in-bandwidth: not-counted: "*"no events"* ]]
	# COMMAND's exit status is passed on, and COMMAND runs only if something can be counted.
	run -5 --separate-stderr uncore-read -M memory-bandwidth,dram-power -- sh -c 'exit 5'
	[[ $stderr == *dram-power*unknown*"no PMU 'power'"* ]]
	run -3 --separate-stderr uncore-read -M dram-power,package-power -- echo ran
	[[ -z $output && $stderr == *"no PMU 'power'"* ]]
	# A name that does not exist at all is a usage error.
	run -2 --separate-stderr uncore-read -M memory-bandwidth,ipcs
	[[ -z $output && $stderr == *"'ipcs'"*"did you mean ipc"* ]]
}

@test "a metric of core events is shown for each core, CPU or set of CPUs" {
	local option
	while read -r option where; do
		run -0 --separate-stderr uncore-read "$option" --packages=0 -M ipc,cpu-frequency --format=json
		jq -es --arg where "$where" 'all(.[]; .status == "ok" and .package == (if .cores then null else 0 end)) and
			(map(select(.event == "ipc")) | length == 6 * (if $where == "cpu" then 2 else 1 end) or
				$where == "cores") and
			(map(select(.event == "ipc") | .[$where]) | unique | length == (
				if $where == "core" then 6 elif $where == "cpu" then 12 else 2 end)) and
			(map(select(.event == "cpu-frequency").scaled) | unique == [3.299999625])' <<<"$output" ||
			{ echo "$option: $output"; return 1; }
	done <<-'END'
	--per-core core
	--per-cpu cpu
	--per-unit cpu
	--cores=[0,2] cores
	END
	run -0 uncore-read --per-core --packages=0 -M ipc -e instructions -i 1 -n 1
	[[ $output == *"| package 0 core 8  instructions +"*"| package 0 core 8  ipc 0.7500"* ]]
	# On each core the metric is computed from that core's own counts.
	run -0 uncore-read --machine=sim:alderlake-hybrid,clock=stepped --per-core -M ipc -e instructions,cycles --format=json
	jq -es '(map(select(.event == "ipc")) | length == 16) and (group_by([.core, .package])[] |
		(map({ (.event): .value }) | add) | .ipc - (.instructions | tonumber) / (.cycles | tonumber) |
			fabs < 1e-9)' <<<"$output"
}

@test "an option that has no effect on a metric or event is an error" {
	local option rows power=sim:power9-2s,clock=stepped
	for option in --per-unit --per-core --per-cpu --cores=0; do
		rows+="2 | ${option%=*}: metric 'memory-bandwidth' has values of whole packages only | uncore-read $option -M ipc,memory-bandwidth"$'\n'
		[ $option = --per-unit ] ||
			rows+="2 | ${option%=*}: 'UNC_CLK_UNHALTED' is counted for whole packages | uncore-read $option -e UNC_CLK_UNHALTED"$'\n'
	done
	expect <<-END
		$rows
		2 | --per-cpu: 'core_imc/CPM_NON_IDLE_PCYC/' is counted for whole cores | uncore-read --machine=$power --per-cpu -e core_imc/CPM_NON_IDLE_PCYC/
		0 | core *5,759,104*core *5,669,118 | uncore-read --machine=$power --per-core --packages=0 -e core_imc/CPM_NON_IDLE_PCYC/
	END
}

@test "with a chip without CPUs, a metric of CPUs is counted, and one of chips is unknown" {
	local machine=sim:power9-2s,clock=stepped,offline=8-15,rate=PM_MCS01_64B_RD_DISP_PORT01=1000
	cat >"$BATS_TEST_TMPDIR/m.json" <<'EOF'
[{ "MetricName": "minor", "MetricExpr": "minor\\-faults / page\\-faults" },
 { "MetricName": "reads", "MetricExpr": "nest_mcs01_imc@PM_MCS01_64B_RD_DISP_PORT01@ / duration_time" }]
EOF
	run -1 uncore-read --machine="$machine" --event-list="$BATS_TEST_TMPDIR/m.json" -M minor,reads --format=json
	grep '^{' <<<"$output" | jq -es 'map([.event, .package, .status]) == [["minor", 0, "ok"], ["reads", 0, "ok"],
		["reads", 8, "offline"], ["minor", null, "ok"], ["reads", null, "offline"]]'
}
