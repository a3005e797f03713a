"""Run with: standin exec -- pytest. standin.py beside this file is the control kit of clients/python."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from shop import Shop
from standin import account  # noqa: F401, the fixture


@pytest.fixture
def shop(account):
    return Shop(account.base_url, account.key)


@pytest.fixture
def webhooks(shop):
    """Starts the shop's webhook receiver."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            raw_body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(shop.take_webhook(raw_body, self.headers["X-Service-Signature"] or ""))
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    shop.register_webhook(f"http://127.0.0.1:{server.server_port}/")
    yield server
    server.shutdown()
    server.server_close()
