# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# For tests of uncore-agent: needs common.

# shellcheck disable=SC2034 # the tests use them
SIM=sim:westmere-2s,clock=stepped,rate=0x82:0x1=1000 PERF=sim:skylake-sp-perf,clock=stepped

setup() {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
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
	wait_until has_now "$@"
}

has_now() {
	get /metrics >"$1" && grep -qE "$2" "$1"
}
