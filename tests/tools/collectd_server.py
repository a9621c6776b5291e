# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: collectd_server.py [ANSWER [PAUSE]]: stands in for collectd. Prints every line that arrives at the socket
"s" and answers it with ANSWER; waits PAUSE seconds before each byte of the answer."""
import os, select, socket, sys, time


def more(c):
    """Has the client sent more before it got an answer? The end of its connection does not count."""
    try:
        return select.select([c], [], [], 0.002)[0] and c.recv(1, socket.MSG_PEEK)
    except OSError:
        return False


answer = (sys.argv[1:] or ["0 Success"])[0].encode() + b"\n"
pause = float(sys.argv[2]) if len(sys.argv) > 2 else 0
if os.path.exists("s"):
    os.unlink("s")
s = socket.socket(socket.AF_UNIX)
s.bind("s.new")
os.chmod("s.new", 0o666)
s.listen()
os.rename("s.new", "s")
while True:
    c = s.accept()[0]
    print("CONNECTED")
    seen = b""
    while True:
        try:
            new = c.recv(1 << 16)
        except OSError:  # the agent was killed before it read the answer
            break
        if not new:
            break
        seen += new
        if not seen.endswith(b"\n"):
            continue
        if seen.count(b"\n") > 1 or more(c):
            print("NOT WAITED FOR AN ANSWER")
        print(seen.decode(), end="")
        seen = b""
        try:
            for byte in answer if pause else ():
                time.sleep(pause)
                c.sendall(bytes([byte]))
            if not pause:
                c.sendall(answer)
        except OSError:
            break
