#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-agent for Prometheus and web servers: requests, connections, and the files in docs/monitoring.

load common
load agent

@test "only GET and HEAD of existing pages succeed; totals are 0 before the first interval has ended" {
	local x ask=(--next -s --unix-socket s -w '|%{http_code};')
	serve --machine="$SIM" -e 0x82:0x1 -i 600
	printf -v x '%20000s' ''
	run -0 curl "${ask[@]:1}" http://localhost/ http://localhost/-/healthy http://localhost/nothing \
		"${ask[@]}" -X POST -d a=b http://localhost/metrics "${ask[@]}" -o head -I http://localhost/metrics \
		"${ask[@]}" -H "X: ${x// /x}" http://localhost/metrics
	[[ $output == *'href="/metrics"'*'|200;uncore-agent is healthy'*'|200;'*'|404;'*'|405;|200;'*'|431;' ]]
	get /metrics >text
	exposition text
	[ "$(sample text uncoremsr_event_total 'package="0"')" = 0 ]
	[ "$(sample text uncoremsr_event_enabled_seconds_total 'package="0"')" = 0.000000000 ]
	[ "$(sample text uncoremsr_event_running_seconds_total 'package="0"')" = 0.000000000 ]
	[[ $(<text) != *$'\nuncoremsr_interval_seconds'* ]]
}

@test "a thousand clients that send nothing do not delay a scrape" {
	local i fds=()
	free_port
	[ "$(ulimit -n)" -ge 1200 ] || ulimit -n 1200 || skip "too few descriptors"
	serve --machine="$SIM" -e 0x82:0x1 -i 10 --prometheus=:"$port"
	for ((i = 0; i < 1000; i++)); do
		exec {fd}<>"/dev/tcp/127.0.0.1/$port"
		fds+=("$fd")
	done
	curl -sf --max-time 60 "http://127.0.0.1:$port/metrics" >text
	exposition text
	for fd in "${fds[@]}"; do exec {fd}>&-; done
}

# bats test_tags=plain
@test "a connection stays open after a scrape, and is closed if a request on it is not completed" {
	need python3
	serve --machine="$SIM" -e 0x82:0x1 -i 10
	run -0 timeout 60 python3 - <<-'END'
	import socket, time
	def connect():
	    s = socket.socket(socket.AF_UNIX)
	    s.connect("s")
	    return s
	def scrape(s):
	    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
	    head = b""
	    while b"\r\n\r\n" not in head:
	        head += s.recv(1)
	    left = int(head.lower().split(b"content-length:")[1].split()[0])
	    while left:
	        left -= len(s.recv(left))
	    return head.split()[1].decode()
	kept, half, together = connect(), connect(), connect()
	print(scrape(kept), scrape(kept), scrape(half))
	begin = time.monotonic()
	half.send(b"GET /metrics HTTP/1.1\r\n")
	# The beginning of a second request arrives with the first one.
	together.send(b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\nGET /metrics HTTP/1.1\r\n")
	for s in half, together:
	    while s.recv(100):
	        pass
	    print(time.monotonic() - begin > 9)
	time.sleep(1)
	print(scrape(kept))
	END
	[ "$output" = $'200 200 200\nTrue\nTrue\n200' ]
}

# Silent connections are opened before each request, and all are checked at the end. If a run took longer than the 10 s
# for which a connection may be silent, it is repeated.
# bats test_tags=plain
@test "with too many connections the longest silent ones are closed, first those of the same address" {
	need perl
	free_port
	background bash -c "ulimit -n 256; exec uncore-agent --machine='$SIM' -e 0x82:0x1 -i 10 --prometheus=:$port --prometheus=unix:s" 2>told
	answers /-/ready
	run -0 perl -MIO::Socket::INET -MIO::Socket::UNIX -MIO::Select -MTime::HiRes=time,sleep - "$port" <<-'END'
	sub silent {
		my ($from, $num) = @_;
		return map { $from eq "s" ? IO::Socket::UNIX->new(Peer => "s")
			: IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0], LocalAddr => $from)
			or die "$from: $!" } 1 .. $num;
	}
	sub asks {
		my ($s) = silent(shift, 1);
		my $answer = "";
		print $s "GET /-/healthy HTTP/1.1\r\nHost: h\r\n\r\n";
		$s->flush;
		while (IO::Select->new($s)->can_read(60) && sysread($s, $answer, 4096, length $answer)) { }
		die "no answer: $answer\n" unless $answer =~ /^HTTP\/1.1 200 /;
	}
	sub open_ones { return scalar grep { !IO::Select->new($_)->can_read(0) } @_ }
	for (1 .. 10) {
		my $begin = time;
		my ($talks) = silent("127.0.0.2", 1);
		my @near = silent("127.0.0.2", 60);
		asks("127.0.0.2");
		sleep 0.05;
		print $talks "G";
		$talks->flush;
		asks("127.0.0.2");
		my @other = silent("127.0.0.3", 20);
		my @later = silent("127.0.0.2", 39);
		asks("127.0.0.2");
		my @one = (open_ones($talks), open_ones(@near), open_ones(@later), open_ones(@other));
		my @local = silent("s", 100);
		asks("s");
		my @path = (open_ones(@local), open_ones(@near));
		my @many = map { silent("127.0.1.$_", 30) } 1 .. 10;
		asks("127.0.0.9");
		my @all = (open_ones(@near), open_ones(@local), open_ones(@many[-100 .. -1]),
			open_ones($talks, @near, @later, @other, @local, @many));
		next if time - $begin > 8;
		print "@one, @path, @all\n";
		exit 0;
	}
	die "ten times, each of them slower than 8 s\n";
	END
	echo "$output"
	# The server keeps 64 connections per address, and 160 in all with ulimit -n 256. The last request is the 101st
	# connection of 127.0.0.2, so the server closes the 37 connections that have been silent longest. They are all
	# in @near, because $talks sent a byte more recently.
	[ "$output" = "1 23 39 20, 100 0, 0 0 100 159" ]
}

@test "a web server of another user can use the socket, whatever the umask; an address in use is refused" {
	umask 077
	free_port
	serve --machine="$SIM" -e 0x82:0x1 -i 10 --prometheus=:"$port"
	[ "$(stat -c %a s)" = 666 ]
	run -0 --separate-stderr uncore-agent --machine="$SIM" -e 0x82:0x1 -n 1 -i 0.05 --collectd=unix:away --state=state
	[ "$(stat -c %a state/collectd-totals)" = 600 ]
	fails_with 4 "cannot listen on :$port: Address already in use" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=:"$port"
	fails_with 4 "cannot listen on unix:s: Address already in use" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:s
	fails_with 4 "cannot listen on unix:told: exists and is not a socket" \
		uncore-agent --machine="$SIM" -e 0x82:0x1 --prometheus=unix:told
	# Leftovers of a killed agent do no harm.
	kill -KILL "$pid"
	ends_with 137
	[ -S s ]
	serve --machine="$SIM" -e 0x82:0x1 -i 10
}

@test "no series is twice on /metrics if a sum and a single unit have the same labels" {
	printf '<Plugin uncoremsr>\nEvent "UNC_PROCHOT_ASSERTION"\n</Plugin>\n' >a.conf
	printf '<Plugin intel_pmu>\nHardwareEvents "UNC_PROCHOT_ASSERTION"\nDispatchMultiPmu true\n</Plugin>\n' >>a.conf
	serve --machine="$SIM" --config=a.conf -i 0.05
	has text '^uncoremsr_event_total.* [1-9]'
	exposition text
	[ "$(grep -c '^uncoremsr_event_total{' text)" = 2 ]
}

# need_daemon NAME PROGRAM: skip unless it is installed, or was unpacked by tests/daemons.
need_daemon() {
	PATH+=:$TOP/build/$1/root/usr/bin:$TOP/build/$1/root/usr/sbin
	command -v "$2" >/dev/null || skip "no $2 (tests/daemons $1)"
}

@test "the documents' files for Prometheus and Grafana ask for metrics that exist, as often as the agent reads" {
	need jq
	# Prometheus scrapes and evaluates its rules in the agent's default interval, and README.md sets no other one.
	local every
	every=$(uncore-agent --help | grep -oE 'default [0-9]+' | head -n 1)
	grep -qx "    scrape_interval: ${every#default }s" "$TOP/docs/monitoring/prometheus.yml"
	grep -qx "    interval: ${every#default }s" "$TOP/docs/monitoring/uncoremsr-rules.yml"
	run ! grep -nE -- '-i [0-9]' "$TOP/docs/monitoring/README.md"
	# Each panel of the dashboard uses existing metrics.
	local asked name
	# Make one register fail, so that some values are unknown.
	serve --machine="$SIM,fail=read 0x19a EIO" --throttle -e 0x82:0x1 -M memory-bandwidth -i 0.05
	has text '^uncoremsr_metric.* [0-9]'
	asked=$(jq -r '[.panels[].targets[].expr, .templating.list[].query.query?] | map(select(. != null)) | .[] |
		match("uncoremsr_[a-z_]+"; "g").string' "$TOP/docs/monitoring/uncoremsr-dashboard.json" | sort -u)
	[ "$(wc -l <<<"$asked")" -ge 8 ]
	for name in $asked; do grep -q "^# TYPE $name " text || { echo "$name"; return 1; }; done
	# Each panel has its own position and id.
	jq -e '(.panels | map(.id) | unique | length) == (.panels | length) and all(.panels[]; .targets | length > 0) and
		(.panels | map(.gridPos | [.x, .y]) | unique | length) == (.panels | length)' \
		"$TOP/docs/monitoring/uncoremsr-dashboard.json"
}

# scrape QUERY...: does a real Prometheus on port $port have a result for each query?
scrape() {
	local query answer answers asks=()
	for query; do
		asks+=(--next -sf --max-time 60 -w '\n' "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$query")
	done
	curl "${asks[@]:1}" >answers || return
	mapfile -t answers <answers
	for answer in "${answers[@]}"; do
		[[ $answer == *'"result":[{'* ]] || return
	done
}

@test "a real Prometheus accepts the files, the alert fires with package and cause, and each panel has data" {
	need jq
	need_daemon prometheus prometheus
	need_daemon prometheus promtool
	local agent query queries
	free_port
	agent=$port
	free_port
	serve --prometheus="127.0.0.1:$agent" --throttle -e 0x82:0x1 -M memory-bandwidth -i 0.2 \
		--machine=sim:westmere-2s,rate=0x82:0x1=1000,throttle=none,throttle=prochot-external,'fail=read 0x19a EIO'
	sed "s/localhost:9468/127.0.0.1:$agent/; s/interval: 10s/interval: 1s/" "$TOP/docs/monitoring/prometheus.yml" >prometheus.yml
	sed 's/interval: 10s/interval: 1s/' "$TOP/docs/monitoring/uncoremsr-rules.yml" >uncoremsr-rules.yml
	background prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >log 2>&1
	has text '^uncoremsr_metric.* [0-9]'
	run -0 promtool check metrics <text
	[ -z "$output" ]
	(cd "$TOP/docs/monitoring" && promtool check config prometheus.yml && promtool test rules uncoremsr-rules-test.yml)
	mapfile -t queries < <(jq -r '.panels[].targets[].expr' "$TOP/docs/monitoring/uncoremsr-dashboard.json")
	# Rates need two scrapes; causes shown by the failing register are unknown.
	wait_until scrape 'ALERTS{alertname="UncoremsrThrottled",alertstate="firing",package="1",cause="prochot-external"}' \
		"${queries[@]//\$instance/.*}" || { cat answers; return 1; }
}

@test "nginx in front of the agent gives no values without TLS and password" {
	need openssl
	need_daemon nginx nginx
	free_port
	serve --machine="$SIM" -e 0x82:0x1 -i 0.05
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout metrics.key -out metrics.crt 2>/dev/null
	printf 'prometheus:%s\n' "$(openssl passwd -apr1 secret)" >metrics.users
	{
		echo "user $(id -un); pid $PWD/nginx.pid; error_log $PWD/error.log; daemon off; master_process off; events { } http { access_log off;"
		for dir in client_body proxy fastcgi uwsgi scgi; do echo "${dir}_temp_path $PWD/tmp;"; done
		sed "s,/etc/nginx/,$PWD/,; s,/run/uncore-agent/http,$PWD/s,; s/listen 9469/listen 127.0.0.1:$port/" \
			"$TOP/docs/monitoring/nginx.conf"
		echo '}'
	} >nginx.conf
	nginx -t -c "$PWD/nginx.conf" -e "$PWD/error.log" || { cat error.log; return 1; }
	background nginx -c "$PWD/nginx.conf" -e "$PWD/error.log"
	wait_until curl -skf -u prometheus:secret "https://127.0.0.1:$port/metrics" >page
	grep -q '^uncoremsr_event_total' page
	[ "$(curl -sk -o refused -w '%{http_code}' "https://127.0.0.1:$port/metrics")" = 401 ]
	[ "$(curl -sk -u prometheus:secret -o refused -w '%{http_code}' "https://127.0.0.1:$port/")" = 404 ]
	run ! curl -sf "http://127.0.0.1:$port/metrics"
}

@test "a port may be hexadecimal, as any other number" {
	run -0 uncore-agent --prometheus=127.0.0.1:0x50 --help
}
