# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of tests/bench/run: the processor time of all processes of uncore-agent for an interval and for a scrape, on a
# simulated machine with 16 CPUs (the time of the simulation is included). For comparison, a scrape of node_exporter
# without any collector.
# shellcheck shell=bash disable=SC2154,SC2317 # variables of run; functions called by name

EXPORTER=$TOP/build/exporter/root/usr/bin/prometheus-node-exporter

# cpu_ns PID...: print the processor time of all threads of these processes.
cpu_ns() {
	local pid
	for pid; do cat "/proc/$pid/task/"*/schedstat; done | awk '{ ns += $1 } END { printf "%.0f\n", ns }'
}

# until_ready CURL-OPTION...: does the server answer within 5 seconds?
until_ready() {
	local i
	for ((i = 0; i < 100; i++)); do
		! curl -sf "$@" >/dev/null || return 0
		sleep 0.05
	done
	return 1
}

# begin_agent EVENTS INTERVAL: start an agent with this number of events on each CPU. $pids gets its processes; the
# first one counts.
begin_agent() {
	local i
	{
		echo "<Plugin uncoremsr>"
		printf '  <Prometheus>\n    Listen "unix:%s/agent"\n  </Prometheus>\n</Plugin>\n' "$TMP"
		echo '<Plugin intel_pmu>'
		printf '  HardwareEvents'
		for ((i = 1; i <= $1; i++)); do printf ' "cpu/event=0x%x,umask=0x1/"' "$i"; done
		printf '\n</Plugin>\n'
	} >"$TMP/agent.conf"
	"$BIN/uncore-agent" --machine=sim:skylake-sp-perf --config="$TMP/agent.conf" -i "$2" >/dev/null 2>&1 &
	pids=$!
	until_ready --unix-socket "$TMP/agent" http://localhost/-/ready || { end "$pids"; return 1; }
	pids+=" $(pgrep -P "$pids")"
}

end() {
	kill "$1"
	wait "$1" 2>/dev/null || true
}

# agent_us EVENTS SCRAPES: print the time per interval, over 100 intervals with this number of scrapes in all.
agent_us() {
	local i pids before after
	begin_agent "$1" 0.05 || return
	# shellcheck disable=SC2086 # several
	before=$(cpu_ns $pids)
	for ((i = 0; i < $2; i++)); do
		curl -s --unix-socket "$TMP/agent" http://localhost/metrics >/dev/null
		sleep "$(awk -v n="$2" 'BEGIN { print 5 / n }')"
	done
	[ "$2" != 0 ] || sleep 5
	# shellcheck disable=SC2086
	after=$(cpu_ns $pids)
	end "${pids%% *}"
	echo "$(((after - before) / 100000)) us"
}

# scrapes_us PIDS URL CURL-OPTION...: print the time per scrape, over 500 scrapes. The connection is kept if the
# server allows it.
scrapes_us() {
	local before after series
	until_ready "${@:2}" || return
	series=$(curl -sf "${@:2}" | grep -vc '^#')
	# shellcheck disable=SC2086 # several
	before=$(cpu_ns $1)
	curl -sf "$2?[1-500]" "${@:3}" >/dev/null || return
	# shellcheck disable=SC2086
	after=$(cpu_ns $1)
	echo "$(((after - before) / 500000)) us, $series lines"
}

agent_scrape_us() { # EVENTS
	local pids status=0
	begin_agent "$1" 3600 || return
	scrapes_us "$pids" http://localhost/metrics --unix-socket "$TMP/agent" || status=$?
	end "${pids%% *}"
	return "$status"
}

# The exporter prints its port.
exporter_scrape_us() {
	local pid i status=0 address=
	"$EXPORTER" --collector.disable-defaults --web.listen-address=127.0.0.1:0 2>"$TMP/exporter" &
	pid=$!
	for ((i = 0; i < 100 && ${#address} == 0; i++)); do
		sleep 0.05
		address=$(sed -n 's/.*"Listening on" address=//p' "$TMP/exporter")
	done
	scrapes_us "$pid" "http://$address/metrics" || status=$?
	end "$pid"
	return "$status"
}

agent() {
	title "uncore-agent, one interval: share of a CPU at 1 s is this by 10^6, at 10 s by 10^7"
	[ -x "$BIN/uncore-agent" ] || { row "everything" "unknown: not built" ""; return; }
	measure "48 series" "" "curl pgrep" agent_us 3 0
	measure "48 series, scraped 10 times a second" "" "curl pgrep" agent_us 3 50
	measure "512 series, which take turns" "" "curl pgrep" agent_us 32 0
	title "one scrape"
	measure "uncore-agent, 48 series" "" "curl pgrep" agent_scrape_us 3
	measure "uncore-agent, 512 series" "" "curl pgrep" agent_scrape_us 32
	measure "node_exporter, no collector" "" "curl exporter" exporter_scrape_us
}
