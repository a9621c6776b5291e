#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every option and every kind of file of every tool is used at least once, so that sanitizers see the code. What the
# options do is tested in the files of the tools.

# bats file_tags=memory
# shellcheck disable=SC2086 # several options in one word

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	FUZZ=$TOP/tests/fuzz/corpus
	LISTS=$TOP/tests/fixtures/lists
	used=
}

teardown() {
	kill_started
}

# ends STATUS COMMAND...: the command must end with a status that matches the pattern, without a sanitizer's message.
ends() {
	local wanted=$1 status=0
	shift
	used+=" $* "
	"$@" >out 2>err </dev/null || status=$?
	# shellcheck disable=SC2053 # a pattern
	if [[ $status != $wanted || $(<err) == *Sanitizer* || $(<err) == *'runtime error'* ]]; then
		printf '%s\nended with %s instead of %s\n%s\n' "$*" "$status" "$wanted" "$(<err)"
		return 1
	fi
}

# all_used TOOL: every option of its --help must have been used, in any spelling.
all_used() {
	local line short long
	ends 0 "$1" --help
	while IFS= read -r line; do
		[[ $line =~ ^\ \ (-([a-zA-Z]))?,?\ *(--([a-z][a-z0-9-]*))? && -n ${BASH_REMATCH[1]}${BASH_REMATCH[3]} ]] || continue
		short=${BASH_REMATCH[1]:-none} long=${BASH_REMATCH[3]:-none}
		[[ $used == *" $short "* || $used == *" $long "* || $used == *" $long="* ]] ||
			{ echo "$1: $line is not used"; return 1; }
	done <out
}

@test "options of uncore-agent" {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	cat >a.conf <<-END
		Interval 0.05
		<Plugin uncoremsr>
		  Event "UNC_PROCHOT_ASSERTION"
		  Throttle true
		</Plugin>
	END
	ends 0 uncore-agent --machine=sim:westmere-2s --config=a.conf --check --verbose --format=json
	ends 0 uncore-agent --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -M memory-bandwidth --throttle -i 0.05 -n 2 \
		--prometheus="unix:$PWD/p" --collectd=exec --agentx="unix:$PWD/x" --state=state
	ends 0 uncore-agent --print-snmp-agent-conf --config=a.conf
	ends 0 uncore-agent --version
	ends 2 uncore-agent --config="$FUZZ/perf-data/mixed" --check
	all_used uncore-agent
}

@test "options of uncore-doctor" {
	ends 0 uncore-doctor --machine=sim:westmere-2s --format=csv --verbose
	ends 0 uncore-doctor --machine=sim:westmere-2s --leases --format=json
	ends 0 uncore-doctor --machine=sim:westmere-2s --repair
	ends 0 uncore-doctor --machine=sim:westmere-2s --grant=users --core
	ends 4 uncore-doctor --machine=sim:westmere-2s,lockdown=integrity
	ends 0 uncore-doctor -V
	all_used uncore-doctor
}

@test "options of uncore-events" {
	ends 0 uncore-events --uarch=westmere list 'UNC_L3_*' --format=csv
	ends 0 uncore-events --uarch=westmere list --differences --verbose
	ends 0 uncore-events --machine=sim:westmere-2s list --metrics
	ends 0 uncore-events --uarch=westmere search prochot
	ends 0 uncore-events --uarch=westmere encode UNC_PROCHOT_ASSERTION:edge --format=json
	ends 0 uncore-events --uarch=westmere decode --register=0x3c0 0x420183
	ends 0 uncore-events --uarch=westmere explain 0x391
	ends 0 uncore-events list --event-list="$LISTS/new.json.gz" --deprecated
	ends '[01]' uncore-events encode --all --event-list="$LISTS/new.json" --route=perf
	ends 2 uncore-events list --event-list="$LISTS/broken.json"
	ends 2 uncore-events list --event-list="$LISTS/cut.json.gz"
	ends 0 uncore-events list --event-list="$LISTS/named" --cpu=GenuineIntel-6-55-4
	ends 0 uncore-events import --to=to "$LISTS/mapped"
	ends 0 uncore-events period --width=48 --frequency=1000000000 --preset=0xfffffff00000
	ends 0 uncore-events period --width=48 --frequency=1000000000 --period=1000
	ends 0 uncore-events period --width=48 --frequency=1000000000 --interval=0.1
	ends '[023]' uncore-events list --event-list="$FUZZ/imc-catalog/small.dtb"
	ends '[023]' uncore-events list --event-list="$TOP/tests/fixtures/imc/small.dts"
	ends 0 uncore-events -V
	all_used uncore-events
}

@test "options of uncore-imc" {
	ends 0 uncore-imc ldbar --enable=1 --mode=trace --scope=1 --address=0x2000
	ends 0 uncore-imc ldbar 0x8000000033230000 --format=json --verbose
	ends 0 uncore-imc scom --sampsel=0 --load=0x7fffffff --cpmc1sel=1 --cpmc2sel=2 --buffersize=1
	ends 0 uncore-imc scom --sampsel=0 --interval=0.1 --cpmc1sel=1 --cpmc2sel=2 --buffersize=1
	ends 0 uncore-imc trace "$FUZZ/imc-trace/big" --cpu=0x004e1200 --size=64 --perf-data=p.data --format=csv
	ends '[012]' uncore-imc trace "$FUZZ/imc-trace/torn"
	ends '[12]' uncore-imc compare "$FUZZ/imc-catalog/small.dtb" "$FUZZ/imc-catalog/names.dtb"
	ends '[03]' uncore-imc --machine=sim:power9-2s pmi -- true
	ends 0 uncore-imc -V
	all_used uncore-imc
}

@test "options of uncore-info" {
	ends 0 uncore-info --machine=sim:sapphire-rapids-2s --verbose --format=json
	ends 0 uncore-info --registers --uarch=westmere --format=csv
	ends 0 uncore-info --collisions
	ends 0 uncore-info --cpuid="$TOP/tests/fixtures/ivybridge.cpuid"
	ends 2 uncore-info --cpuid="$FUZZ/perf-data/mixed"
	echo '[ 0.1] Performance Events: Westmere events, Intel PMU driver.' >log
	ends 0 uncore-info --machine=sim:westmere-2s --boot-log=log
	ends '[023]' uncore-info --machine="root:$PWD"
	# Only every second of these files is used, because a fuzzer reads all of them.
	for file in "$FUZZ"/machine/*; do
		drawn 2 || continue
		ends '[0-4]' uncore-info --machine="sim:$file"
	done
	ends 0 uncore-info -V
	all_used uncore-info
}

@test "options of uncore-read: what is counted" {
	local one=--machine=sim:westmere-2s,clock=stepped boxes=--machine=sim:haswell-ep-2s,clock=stepped
	ends 0 uncore-read $one -e 0x82:0x1 -M memory-bandwidth -i 0.1 -n 2 -o out.txt --append --host --hex --format=text
	ends 0 uncore-read $one --event 0x82 --umask 0x1 --edge --invert --cmask 2 --counter=3 -I 100 -n 1 -x ';' --verbose
	ends 0 uncore-read $one -e 0x82:0x1 -i 0.1 -n 1 --oneline --per-socket
	ends 0 uncore-read $boxes -e cbo/event=0x34,umask=0x11/ --per-unit --packages=0 --min-running=10 --format=json
	ends 0 uncore-read $one -e 0x82:0x1 -C 0,1 --no-verify --trace --force -i 0.1 -n 1
	ends 0 uncore-read $one -e 0x82:0x1 --dry-run
	ends 3 uncore-read $one -e 1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1 --no-multiplex
	ends 0 uncore-read $one -e 0x82:0x1 '--when=0x82:0x1>1' --do=true -i 0.1 -n 1
	ends 0 uncore-read $one -e 0x82:0x1 --runs=2 -- true
	ends 0 uncore-read $one -e 0x82:0x1 --format=prometheus
	ends 0 uncore-read $one -e 0x82:0x1 --format=collectd
	ends 0 uncore-read --machine=sim:skylake-sp-2s,clock=stepped --event-list="$LISTS/new.json" -e 'cha/event=0x50,umask=0x4/'
	ends 0 uncore-read -V
	# Options for processes, threads and groups of CPUs, if the live kernel permits counting.
	ends '[0-4]' uncore-read --route=perf -e task-clock -p $$ -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock -t $$ -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock --cgroup=/none -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock -a --per-core -- true
	ends '[0-4]' uncore-read -e task-clock --per-cpu -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock --cores='[0]' -n 1 -i 0.1
	all_used uncore-read
}

@test "options of uncore-record and uncore-report" {
	ends '[0-4]' uncore-record -e cpu-clock -F 99 -g -d -o r.data -- true
	ends '[0-4]' uncore-record -e cpu-clock -c 1000000 --cores=0 -a -o r.data -- true
	ends '[0-4]' uncore-record -e cpu-clock -p $$ -o r.data -- true
	ends '[0-4]' uncore-record -e cpu-clock -t $$ -o r.data --event-list="$LISTS/new.json" -- true
	ends '[0-4]' uncore-record --estimate --machine=live --format=json --verbose
	ends 0 uncore-record -V
	all_used uncore-record
	for file in "$FUZZ"/perf-data/*; do
		drawn 2 || continue
		ends '[0-4]' uncore-report -i "$file" -e cpu-clock --sort=comm,pid,tid,dso,symbol,caller,address,cpu,srcline \
			--symfs=/ --svg=r.svg --format=csv
	done
	if [ -s r.data ]; then ends '[01]' uncore-report -i r.data --machine=live --format=folded --verbose; fi
	ends 2 uncore-report --input=none --machine=live --verbose
	ends 0 uncore-report -V
	all_used uncore-report
}

@test "options of uncore-sim" {
	ends 0 uncore-sim list --format=json
	ends 0 uncore-sim lesson --verbose
	ends 2 uncore-sim --machine=live list
	ends 0 uncore-sim run westmere-2s,clock=stepped -- "$BIN/uncore-info"
	mkdir m
	ends '[0-4]' uncore-sim mount westmere-2s "$PWD/m" --daemon --allow-other --log=log
	if mountpoint -q m; then
		ends 0 uncore-info --machine="root:$PWD/m"
		fusermount3 -u m
	fi
	ends 0 uncore-sim -V
	all_used uncore-sim
}

@test "options of uncore-throttle" {
	local one=--machine=sim:skylake-sp-2s,clock=stepped
	ends '[0-3]' uncore-throttle $one --since-clear --kernel-only --format=json --verbose
	ends '[0-3]' uncore-throttle $one --summary --host --without=smi,power-limit
	ends '[0-3]' uncore-throttle $one -i 0.1 -n 2 --output=log --trace
	ends '[0-3]' uncore-throttle --machine=sim:westmere-2s,clock=stepped --dimm
	ends '[0-3]' uncore-throttle $one --clear --dry-run
	ends '[0-3]' uncore-throttle $one --format=prometheus
	ends '[0-3]' uncore-throttle $one --format=collectd -- true
	ends 0 uncore-throttle -V
	all_used uncore-throttle
}
