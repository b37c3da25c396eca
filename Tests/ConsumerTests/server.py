"""The server that the network requests of App go to: prints its port, and ends when its standard input does."""

import http.server
import sys
import threading

failures = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/user":
            self.answer(200, '{"id": 1, "name": "ada"}')
        elif self.path.startswith("/flaky/"):
            # Fails as often as the path says, then works.
            left = failures.setdefault(self.path, int(self.path.rsplit("/", 1)[1]))
            failures[self.path] = left - 1
            self.answer(503 if left > 0 else 200, '{"id": 3, "name": "grace"}')
        elif self.path == "/garbage":
            self.answer(200, '{"id": "none"')
        else:
            self.answer(404, "")

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
