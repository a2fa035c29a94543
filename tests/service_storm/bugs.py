"""A proxy with a bug that others have shipped, for a storm that must find it.

    replay             an answer of POST /v1/ids is kept, and given to the next who asks the same
    lost-retirement    now and then a DELETE is answered, and not passed on
    no-key             idempotency keys are left out, and now and then an answer is lost
    own-clock          an ID that is of a later time than its service's clock says was never issued
"""

import http.client
import http.server
import json
import random
import threading
import time

BUGS = ("replay", "lost-retirement", "no-key", "own-clock")


def time_ms_of(path):
    """Of the ULID in the last public ID of a path."""
    number = 0
    for symbol in path.rsplit("_", 1)[1][:10].upper():
        number = number * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(symbol)
    return number


class Proxy:
    """In front of one HTTP listener. A connection of its own for each request."""

    def __init__(self, bug, port, to_port, seed, clock=None):
        dice = random.Random(seed)
        kept = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fields = {name: self.headers[name] for name in ("Content-Type", "Idempotency-Key")
                          if name in self.headers and not (bug == "no-key" and name == "Idempotency-Key")}
                what = (self.path, body)
                if bug == "replay" and self.path == "/v1/ids" and what in kept and dice.random() < 0.5:
                    return self.answer(200, kept[what])
                if bug == "lost-retirement" and self.command == "DELETE" and dice.random() < 0.2:
                    return self.answer(200, json.dumps({"state": "deleted"}).encode())
                if bug == "own-clock" and clock and self.command == "GET":
                    if time_ms_of(self.path) > (time.time() + clock.seconds) * 1000:
                        return self.answer(404, b"{}")
                try:
                    connection = http.client.HTTPConnection("127.0.0.1", to_port, timeout=5)
                    connection.request(self.command, self.path, body, fields)
                    answer = connection.getresponse()
                    status, data = answer.status, answer.read()
                    connection.close()
                except (OSError, http.client.HTTPException):
                    self.close_connection = True
                    return None
                if bug == "no-key" and self.command == "POST" and dice.random() < 0.1:
                    self.close_connection = True
                    return None
                if status == 200 and self.path == "/v1/ids":
                    kept[what] = data
                return self.answer(status, data)

            do_GET = do_POST = do_DELETE = pass_on

            def answer(self, status, data):
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass  # clients go as they like

        self.server = Server(("127.0.0.1", port), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
