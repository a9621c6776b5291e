#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent as a sub-agent of net-snmp's daemon.

load common
load agent

BASE=.1.3.6.1.4.1.8072.9999.9999.2010
ROOT=$TOP/build/snmp/root

setup() {
	need_agent
	local checked=$BATS_FILE_TMPDIR/checked
	[ -e "$checked" ] || uncore-agent --machine="$SIM" -e 0x82:0x1 --agentx=unix:a --check >"$checked" 2>&1 || true
	[[ $(<"$checked") != *"the build had no net-snmp"* ]] || skip "built without net-snmp"
	AGENTX=unix:$PWD/master PATH+=:$ROOT/usr/bin:$ROOT/usr/sbin
	export COLLECTD_HOSTNAME=h MIBS='' SNMPCONFPATH=$PWD SNMP_PERSISTENT_DIR=$PWD/persistent
}

# unpacked COMMAND...: run an unpacked program with the libraries beside it.
unpacked() {
	local -x LD_LIBRARY_PATH
	LD_LIBRARY_PATH=$(echo "$ROOT"/usr/lib/*-linux-gnu)
	"$@"
}

need_snmpd() {
	[[ -n $(command -v snmpd) && -n $(command -v snmpwalk) ]] ||
		skip "no snmpd (tests/daemons snmp)"
}

# daemon LINE...: start an snmpd with these lines in its configuration, and wait until it answers. The first call
# chooses a port.
daemon() {
	local i
	need_snmpd
	for ((i = 0; i < 5; i++)); do
		: "${port:=$((20000 + RANDOM % 10000))}"
		{
			echo 'master agentx'
			echo "agentXSocket unix:$PWD/master"
			echo 'agentXPerms 0777 0755'
			echo "agentaddress udp:127.0.0.1:$port"
			printf '%s\n' "$@"
		} >snmpd.conf
		(unpacked exec snmpd -f -Lf snmpd.log -C -c snmpd.conf 3>&- >/dev/null 2>&1) &
		daemon=$!
		started+=("$daemon")
		# snmpd ends if the port is in use.
		wait_until eval 'has_line snmpd.log "^NET-SNMP version" || ! is_alive "$daemon"'
		if has_line snmpd.log '^NET-SNMP version'; then return 0; fi
		port=
	done
	cat snmpd.log
	return 1
}

# walk [NAME]: print the tree below the base or NAME, as "COLUMN... TYPE: VALUE".
walk() {
	unpacked snmpbulkwalk -v2c -c public -On -OQ "127.0.0.1:$port" "${1:-$BASE}" | sed "s/^$BASE\.//"
}

# shows TEXT [NAME]: wait until a walk has the text; the walk is in "seen".
shows() {
	wait_until eval "walk ${2:-} >seen 2>&1; grep -qE '$1' seen" || { cat seen told; return 1; }
}

# cell TABLE COLUMN ROW: print the value of a table cell. Reads the walk in "seen" without starting a process.
cell() {
	local line
	while read -r line; do
		[[ $line != "1.$1.1.$2.$3 = "* ]] || echo "${line#*= }"
	done <seen
}

# bats test_tags=plain
@test "snmpwalk shows exact totals, unknown ones while the counting process hangs, and the same rows after a restart" {
	local row
	daemon 'rocommunity public'
	agent -e 0x82:0x1 -M memory-bandwidth -i 0.1
	shows '^1\.1\.1\.6\.2 = [1-9]'
	for row in 1 2; do
		[ "$(cell 1 2 $row)" = "\"package$((row - 1))\"" ]
		[ "$(cell 1 3 $row)" = '"UNC_PROCHOT_ASSERTION"' ]
		[ "$(cell 1 5 $row)" = '"ok"' ]
		# A single request gets values of one interval; a walk may get values of several intervals.
		# shellcheck disable=SC2046 # as many words as values
		set -- $(unpacked snmpget -v2c -c public -On -Oqv "127.0.0.1:$port" "$BASE".1.1.1.{6,7,8,9}.$row)
		# The event happens 1000 times per second, so the count is the time in milliseconds, with a difference of
		# at most 1.
		[ "$1" = "$2" ] && [ "$3" = "$4" ] && (($3 / 1000000 - $1 <= 1 && $1 - $3 / 1000000 <= 1))
	done
	shows '^1\.3\.1\.6\.[0-9]* = "[0-9.]+"'
	grep -q '^1\.3\.1\.3\.[0-9]* = "memory-bandwidth"' seen
	[ ! -s told ] || run -1 grep -i snmp told
	kill -STOP "$pid"
	shows '^1\.1\.1\.5\.2 = "late"'
	[ -z "$(cell 1 6 1)$(cell 1 6 2)" ]
	kill -CONT "$pid"
	shows '^1\.1\.1\.5\.2 = "ok"'
	shows '^1\.1\.1\.6\.2 = [1-9]'
	# Restart the agent with one more event, listed before the others: known rows must keep their numbers.
	stop "$pid"
	# Row 5 is no longer counted, but its number stays in use. An incomplete line of the file is ignored.
	printf 'a series of yesterday\nseries uncoremsr-pack' >>state/snmp-rows
	agent -e 0x9:1 -e 0x82:0x1 -M memory-bandwidth -i 0.1
	shows '^1\.1\.1\.6\.7 = [1-9]'
	[ "$(cell 1 3 1)$(cell 1 3 2)" = '"UNC_PROCHOT_ASSERTION""UNC_PROCHOT_ASSERTION"' ]
	[ "$(cell 1 3 6)$(cell 1 3 7)" = '"UNC_L3_MISS.READ""UNC_L3_MISS.READ"' ]
	[ "$(wc -l <state/snmp-rows)" = 7 ]
	# A new output process keeps the numbers, too.
	sleep 1.1 # an output process that ends within a second is restarted only later
	pkill -KILL -P "$pid" -f uncore-agent-snmp
	wait_for told 'was killed by signal 9; restarted'
	shows '^1\.1\.1\.6\.7 = [1-9]'
	[ "$(cell 1 3 6)$(cell 1 3 7)" = '"UNC_L3_MISS.READ""UNC_L3_MISS.READ"' ]
	[ "$(wc -l <state/snmp-rows)" = 7 ]
}

@test "totals have 64 bits: 2^53 + 1 and 2^64 - 1 arrive unchanged" {
	local row counts=(9007199254740993 18446744073709551615)
	need cc
	case $(ldd "$BIN/uncore-agent") in *asan*) skip "sanitizers want to be the first library" ;; esac
	cc -shared -fPIC -I "$TOP/include" -o made_up.so "$TOP/tests/tools/made_up_counts.c"
	daemon 'rocommunity public'
	COUNTS="${counts[*]}" LD_PRELOAD=$PWD/made_up.so agent -e 0x82:0x1 -i 0.1
	for row in 1 2; do
		shows "^1\.1\.1\.6\.$row = [1-9]"
		[ "$(cell 1 6 $row) $(cell 1 7 $row) $(cell 1 8 $row) $(cell 1 9 $row)" = \
			"${counts[row - 1]} ${counts[row - 1]} ${counts[row - 1]} ${counts[row - 1]}" ]
	done
}

@test "no interval is missed while snmpd is missing, starts, hangs, is killed and restarts" {
	need curl
	need_snmpd
	agent -e 0x82:0x1 -i 0.1 --prometheus=unix:p
	wait_for told 'SNMP: unix:.*/master: no SNMP daemon answers; retrying'
	daemon 'rocommunity public'
	shows '^1\.1\.1\.6\.1 = [1-9]'
	wait_for told 'SNMP: unix:.*/master: connected'
	kill -STOP "$daemon"
	goes_on
	goes_on
	stop "$daemon"
	rm -f snmpd.log
	daemon 'rocommunity public'
	shows '^1\.1\.1\.6\.1 = [1-9]'
	goes_on
}

@test "causes of throttling are in a table, and a trap is sent when one begins and when it ends" {
	need python3
	SIM='sim:westmere-2s,clock=stepped,throttle=none,throttle=prochot-external package=1 every=8 for=4'
	# Receive traps, and print for each whether throttling began or ended.
	python3 -u -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])
base = bytes([0x2b, 6, 1, 4, 1, 0xbf, 8, 0xce, 0x0f, 0xce, 0x0f, 0x8f, 0x5a, 0])
while True:
    p = s.recv(1500)
    if b"prochot-external" in p and base in p:
        print("trap", p[p.index(base) + len(base)])' 3>&- >traps &
	started+=($!)
	wait_for traps .
	daemon 'rocommunity public' "trap2sink 127.0.0.1:$(head -n 1 traps) public"
	agent --throttle -i 0.05
	wait_for traps 'trap 1'
	wait_for traps 'trap 2'
	[ -z "$(tail -n +2 traps | uniq -d)" ]
	shows '^1\.2\.1\.6\.[0-9]* = [12]'
	row=$(awk -F ' = ' 'split($1, key, ".") == 5 { value[key[4], key[5]] = $2; rows[key[5]] } END {
		for (row in rows)
			if (value[4, row] == "\"prochot-external\"" && value[2, row] " " value[3, row] == "1 -1") print row }' \
		<(grep '^1\.2\.' seen))
	[ "$(cell 2 5 "$row")" = '"ok"' ]
	[ "$(cell 2 7 "$row")" -ge 1 ]
	# A cause that cannot be read has a reason instead of a value.
	row=$(sed -n 's/^1\.2\.1\.4\.\([0-9]*\) = "dimm-thermal"/\1/p' seen | head -n 1)
	[[ $(cell 2 5 "$row") != '"ok"' || -n $(cell 2 6 "$row") ]]
}

@test "cores of several packages in one group are one row, the sum; what is unknown has a reason and no number" {
	local row group=() column
	SIM=sim:skylake-sp-perf,clock=stepped
	daemon 'rocommunity public'
	cat >a.conf <<-END
	<Plugin intel_pmu>
	  HardwareEvents "uncore_cha/event=0x35,umask=0x11/"
	  Cores "0,4"
	  HardwareEvents "uncore_cha/event=0x35,umask=0x11/" "NO_SUCH.EVENT"
	  Cores "0" "4"
	</Plugin>
	END
	agent --config=a.conf -i 0.1
	shows '^1\.1\.1\.6\.3 = [1-9]'
	for row in 1 2 3; do
		group+=("$(cell 1 2 $row)")
	done
	[ "${group[*]}" = '"0,4" "0" "4"' ]
	for column in 6 7 8 9; do
		# shellcheck disable=SC2046 # as many words as values
		set -- $(unpacked snmpget -v2c -c public -On -Oqv "127.0.0.1:$port" "$BASE".1.1.1.$column.{1,2,3})
		[ "$2" -gt 0 ]
		[ "$1" = $(($2 + $3)) ]
	done
	# A row that is a sum has the same start time as its parts; otherwise it would look like a total that began
	# again.
	[ "$(grep -c '^1\.1\.1\.10\.[1-3] ' seen)" = 3 ]
	[ "$(sed -n 's/^1\.1\.1\.10\.[1-3] = //p' seen | sort -u | wc -l)" = 1 ]
	row=$(sed -n 's/^1\.1\.1\.5\.\([0-9]*\) = "no-event"/\1/p' seen | head -n 1)
	[ "$(cell 1 3 "$row")" = '"NO_SUCH.EVENT"' ]
	[ -z "$(cell 1 6 "$row")$(cell 1 7 "$row")$(cell 1 8 "$row")$(cell 1 9 "$row")" ]
}

@test "with Debian's view our MIB is visible only after adding the documented lines" {
	local seen_without
	daemon 'view systemonly included .1.3.6.1.2.1.1' 'rocommunity public default -V systemonly'
	agent -e 0x82:0x1 -i 0.1
	shows '= ' .1.3.6.1.2.1.1
	seen_without=$(walk 2>&1)
	[[ $seen_without != *PROCHOT* ]]
	stop "$daemon"
	rm -f snmpd.log
	daemon 'view systemonly included .1.3.6.1.2.1.1' 'rocommunity public default -V systemonly' \
		"$(grep '^view' "$TOP/docs/monitoring/snmpd.conf")"
	shows 'PROCHOT'
}

@test "a wrong value of any option of the block <SNMP> is reported with file, line and word" {
	wrong_values SNMP <<-'END'
	AgentX 7|AgentX: '7': put it in quotes
	AgentX "here"|AgentX: 'here': must be tcp:HOST:PORT or unix:PATH
	AgentX "tcp:localhost"|AgentX: 'tcp:localhost': must be tcp:HOST:PORT or unix:PATH
	AgentX "tcp:localhost:0"|AgentX: 'tcp:localhost:0': the port must be 1 to 65535
	BaseOID "1.x"|BaseOID: '1.x': must be numbers
	BaseOID "1."|BaseOID: '1.': must be numbers
	IntelPmuMib maybe|IntelPmuMib: 'maybe': must be true or false
	END
	printf '<Plugin uncoremsr>\nEvent "0x82:0x1"\n<SNMP>\nIntelPmuMib true\n</SNMP>\n</Plugin>\n' >a.conf
	fails_with 2 "a.conf:3: <SNMP>: AgentX is missing" uncore-agent --machine="$SIM" --config=a.conf --check
	run -0 uncore-agent --machine="$SIM" -e 0x82:0x1 --agentx=tcp:localhost:705 --check
	[[ $output == *"AgentX       tcp:localhost:705, at $BASE"* ]]
}

@test "smilint finds no fault in the MIB" {
	command -v smilint >/dev/null ||
		skip "no smilint (tests/daemons snmp)"
	# Debian does not have the standard MIBs; the files in tests/tools/mibs have what our MIB imports from them.
	mkdir mibs
	cp "$ROOT/usr/share/snmp/mibs/NET-SNMP-MIB.txt" mibs/NET-SNMP-MIB
	cp "$TOP/docs/monitoring/UNCOREMSR-MIB.txt" mibs/UNCOREMSR-MIB
	cp "$TOP"/tests/tools/mibs/* mibs/
	SMIPATH=mibs run -0 unpacked smilint -c /dev/null -s -m -l 6 mibs/UNCOREMSR-MIB
	echo "$output"
	[ -z "$output" ]
}

# ---- together with Debian's collectd ----

# stored NUM: wait until NUM files of csv have a value.
stored() {
	wait_until eval "[ \"\$(grep -lrE '^[0-9.]+,[0-9]' csv 2>/dev/null | wc -l)\" = $1 ]" ||
		{ find csv -type f; cat log told; return 1; }
}

# bats test_tags=plain
@test "the design's first example gives 42 metrics and the events of each core, in csv and in both SNMP tables" {
	local intel=.1.3.6.1.4.1.343.2.10.3.5.1.5
	SIM=sim:skylake-sp-perf,clock=stepped
	need_corpus collectd
	daemon 'rocommunity public'
	collectd csv "$unixsock"
	cat - <(example design-1) >a.conf <<-END
	Interval 0.1
	<Plugin uncoremsr>
	  <Collectd>
	    Socket "$PWD/s"
	    Timeout 1
	  </Collectd>
	  <SNMP>
	    AgentX "$AGENTX"
	    IntelPmuMib true
	  </SNMP>
	</Plugin>
	END
	agent --config=a.conf -i 0.5
	# Each of the 16 CPUs has 42 predefined events and three other ones; one CPU has four other ones. csv has two
	# files for each event: type counter with one value, and type pmu_counter with four.
	stored $(((16 * (42 + 3) + 1) * 2))
	find csv/h -type f -printf '%P\n' | awk -F '[/-]' '
		/^intel_pmu-[0-9]+\/counter-/ { if (/L2_RQSTS/) own[$2]++; else all[$2]++ }
		/^intel_pmu-[0-9]+:software\/pmu_counter-page-faults-/ { faults[int($2)] = 1 }
		END { for (core = 0; core < 16; core++) if (all[core] != 42 || own[core] != 3 + (core == 1) || !faults[core]) exit 1 }'
	head -qn 1 csv/h/intel_pmu-0:cpu/pmu_counter-instructions-* | grep -qx epoch,scaled,raw,enabled,running
	shows '^1\.1\.1\.6\.721 = [0-9]' "$BASE.1.1.1.6.721"
	walk "$BASE.1.1.1" >seen
	[ "$(grep -c '^1\.1\.1\.3\.' seen)" = 721 ]
	awk '/^1\.1\.1\.2\./ { n[$3]++ }
		END { for (core = 0; core < 16; core++) if (n["\"" core "\""] != 45 + (core == 1)) exit 1 }' seen
	shows '\.1\.1\.44\.[0-9]* = [0-9]' "$intel"
	[ "$(grep -c '\.1\.1\.2\.[0-9]* = "[0-9]*"$' seen)" = 16 ]
	[ "$(grep -cE '\.1\.1\.([3-9]|[1-4][0-9])\.[0-9]+ = [0-9]+$' seen)" = $((16 * 42)) ]
}

# bats test_tags=plain
@test "collectd's own snmp_agent serves the published columns" {
	local intel=.1.3.6.1.4.1.343.2.10.3.5.1.5
	[ -e "$COLLECTD/usr/lib/collectd/snmp_agent.so" ] ||
		skip "no collectd (tests/daemons collectd)"
	# snmpd drops a subagent that does not answer in time, and collectd's plugin does not connect again.
	daemon 'rocommunity public' 'agentXTimeout 60' 'agentXRetries 5'
	mkdir mibs
	cp "$TOP"/tests/tools/mibs/* mibs/
	cp "$TOP/docs/monitoring/INTEL-PMU-MIB.txt" mibs/INTEL-PMU-MIB
	echo "agentXSocket unix:$PWD/master" >snmp_agent.conf
	{
		cat <<-END
		Hostname "h.example"
		BaseDir "$PWD"
		PluginDir "$COLLECTD/usr/lib/collectd"
		TypesDB "$COLLECTD/usr/share/collectd/types.db"
		Interval 0.1
		# Rows disappear after this many intervals without values; on a busy machine all values are late.
		Timeout 500
		LoadPlugin unixsock
		<Plugin unixsock>
		  SocketFile "s"
		  SocketPerms "0666"
		</Plugin>
		END
		uncore-agent --print-snmp-agent-conf
		cat <<-END
		# The plugin csv is loaded after snmp_agent: when the file of a value exists, snmp_agent has registered
		# the value's rows.
		LoadPlugin csv
		<Plugin csv>
		  DataDir "$PWD/csv"
		</Plugin>
		END
	} >c.conf
	cat >a.conf <<-END
	Hostname "h.example"
	Interval 0.1
	<Plugin intel_pmu>
	  ReportKernelPMUEvents true
	  Cores "0" "1-3"
	</Plugin>
	<Plugin uncoremsr>
	  <Collectd>
	    Socket "$PWD/s"
	    Values "counter"
	  </Collectd>
	</Plugin>
	END
	(MIBDIRS=$PWD/mibs MIBS=INTEL-PMU-MIB unpacked exec "$COLLECTD/usr/sbin/collectd" -f -C c.conf 3>&- >log 2>&1) &
	started+=($!)
	# Do not step the machine's clock: the agent would send as fast as collectd reads, and other threads of collectd
	# would not run.
	background uncore-agent --machine=sim:skylake-sp-perf --state=state --config=a.conf 2>told
	# Send requests only when all rows are registered: snmp_agent takes two locks in both orders, so a request
	# before that can block it for ever. There are 14 rows: 7 events that the simulated kernel has, for 2 groups
	# of cores.
	stored 14
	shows '\.1\.1\.29\.[0-9]* = [1-9]' "$intel" || { cat log; return 1; }
	[ "$(grep -c '\.1\.1\.2\.[0-9]* = "\(0\|1-3\)"$' seen)" = 2 ]
}
