# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# For tests of uncore-agent: needs common.

# shellcheck disable=SC2034 # the tests use them
SIM=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000 PERF=sim:skylake-sp-perf,clock=stepped

setup() {
	need_agent
}

# need_agent: go to the folder of the test. Processes of other users may enter it, too.
need_agent() {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	cd "$BATS_TEST_TMPDIR" || return
	chmod 755 "$BATS_RUN_TMPDIR" .
}

# block OPTION...: write a configuration with these lines in the block uncoremsr.
block() {
	{
		echo '<Plugin uncoremsr>'
		printf '%s\n' "$@"
		echo '</Plugin>'
	} >a.conf
}

# serve ARG...: start an agent on the socket "s", and wait until it is ready.
serve() {
	need curl
	: >told
	background uncore-agent --prometheus=unix:s "$@" 2>>told
	answers /-/ready
}

# agent ARG...: start an agent that sends values to collectd or, at the address $AGENTX, to SNMP; its messages are in the
# file "told".
agent() {
	background uncore-agent --machine="$SIM" --state=state ${AGENTX:+"--agentx=$AGENTX"} "$@" 2>>told
}

# example NAME: print an example of the corpus, with the paths of event lists changed to existing ones.
example() {
	sed "s,/var/cache/pmu/[^\"]*,$CORPUS/perfmon,; s/\"18\"/\"4\"/" "$CORPUS/collectd/$1.conf"
}

# free_port: set $port to a port that nobody listens on, below those that the kernel gives to connections of other tests.
free_port() {
	# shellcheck disable=SC2034 # the tests use it
	port=$(perl -MIO::Socket::INET -e 'my $s;
		until ($s) {
			$s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 10000 + int rand 20000);
		}
		print $s->sockport')
}

# get PATH ARG...: print the agent's answer.
get() {
	curl -sf --max-time 60 --unix-socket s "http://localhost$1" "${@:2}"
}

# answers PATH: wait until the agent answers.
answers() {
	wait_until get "$1" >/dev/null || { cat told; return 1; }
}

# has FILE SED-EXPRESSION: wait until /metrics has a sample that matches; FILE gets /metrics.
has() {
	local file=$1 wanted=$2
	wait_until eval 'get /metrics >"$file" && grep -qE "$wanted" "$file"'
}

# ---- agents with other outputs, which serve Prometheus on the socket "p" ----

# goes_on: wait until Prometheus gets newer values.
goes_on() {
	local now before
	wait_until eval 'counted; [ -n "$now" ]'
	before=$now
	wait_until eval 'counted; [ "$now" != "$before" ]'
}

# counted: set $now to the seconds for which package 0 was counted, as Prometheus gets them.
counted() {
	curl -sf --max-time 60 --unix-socket p http://localhost/metrics >page || true
	now=$(sed -n 's/^uncoremsr_event_enabled_seconds_total{.*package="0".* //p' page)
}

COLLECTD=$TOP/build/collectd/root

# collectd NAME LINE...: start Debian's collectd, with the TypesDB lines of docs/monitoring/collectd.conf; its values go to
# the folder NAME, its log to the file "log". $daemon is its process.
collectd() {
	local name=$1
	shift
	[ -x "$COLLECTD/usr/sbin/collectd" ] || skip "no collectd (tests/daemons collectd)"
	cat >c.conf <<-END
	Hostname "h"
	FQDNLookup false
	BaseDir "$PWD"
	PIDFile "$PWD/$name.pid"
	PluginDir "$COLLECTD/usr/lib/collectd"
	$(grep '^TypesDB' "$TOP/docs/monitoring/collectd.conf" |
		sed "s,/usr/share/collectd,$COLLECTD&,; s,/usr/share/doc/[a-z]*/,$TOP/docs/,")
	TypesDB "$PWD/own.db"
	Interval 0.1
	LoadPlugin logfile
	<Plugin logfile>
	  LogLevel "info"
	  File "$PWD/log"
	</Plugin>
	LoadPlugin csv
	<Plugin csv>
	  DataDir "$PWD/$name"
	  StoreRates ${RATES:-false}
	</Plugin>
	$(printf '%s\n' "$@")
	END
	echo 'own_type value:GAUGE:U:U' >own.db
	background "$COLLECTD/usr/sbin/collectd" -f -C c.conf >/dev/null 2>&1
	daemon=$pid
}

# Lines for collectd(): its socket is "s".
unixsock='LoadPlugin unixsock
<Plugin unixsock>
  SocketFile "s"
  SocketPerms "0666"
  DeleteSocket true
</Plugin>'
