# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the processor time that uncore-agent takes for an interval, by the kernel's account of
# its sampler, on a simulated machine of 16 CPUs (whose simulation is in it).
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

# agent_us EVENTS SCRAPES: of each CPU so many events, over 100 intervals, in which it is asked so often.
agent_us() {
	local i pid before after
	{
		echo "<Plugin uncoremsr>"
		printf '  <Prometheus>\n    Listen "unix:%s/agent"\n  </Prometheus>\n</Plugin>\n' "$TMP"
		echo '<Plugin intel_pmu>'
		printf '  HardwareEvents'
		for ((i = 1; i <= $1; i++)); do printf ' "cpu/event=0x%x,umask=0x1/"' "$i"; done
		printf '\n</Plugin>\n'
	} >"$TMP/agent.conf"
	"$BIN/uncore-agent" --machine=sim:skylake-sp-perf --config="$TMP/agent.conf" -i 0.05 2>/dev/null &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		! curl -sf --unix-socket "$TMP/agent" http://localhost/-/ready >/dev/null || break
		sleep 0.05
	done
	before=$(cut -d ' ' -f 1 "/proc/$pid/schedstat") || return
	for ((i = 0; i < $2; i++)); do
		curl -s --unix-socket "$TMP/agent" http://localhost/metrics >/dev/null
		sleep "$(awk -v n="$2" 'BEGIN { print 5 / n }')"
	done
	[ "$2" != 0 ] || sleep 5
	after=$(cut -d ' ' -f 1 "/proc/$pid/schedstat")
	kill "$pid"
	wait "$pid" 2>/dev/null || true
	rm -f "$TMP/agent"
	echo "$(((after - before) / 100000)) us"
}

agent() {
	title "uncore-agent, one interval: share of a CPU at 1 s is this by 10^6, at 10 s by 10^7"
	[ -x "$BIN/uncore-agent" ] || { row "everything" "unknown: not built" ""; return; }
	measure "48 series" "" curl agent_us 3 0
	measure "48 series, scraped 10 times a second" "" curl agent_us 3 50
	measure "512 series, which take turns" "" curl agent_us 32 0
}
