"""A webhook receiver on Python's standard library alone. Run it with

    WEBHOOK_SECRET=whsec_... PORT=3000 python3 receiver.py
"""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["WEBHOOK_SECRET"].encode()
PORT = int(os.environ.get("PORT", "3000"))
LARGEST = 1024 * 1024

# A repeated delivery has the same bytes and signature. In production, store signatures in a database as a unique key.
seen = set()
lock = Lock()


def is_genuine(raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(SECRET, raw_body, hashlib.sha256).hexdigest()
    # compare_digest accepts only ASCII strings, so bytes are compared.
    return hmac.compare_digest(signature.encode(), expected.encode())


def handle(raw_body: bytes, signature: str) -> int:
    if not is_genuine(raw_body, signature):
        return 401
    try:
        event = json.loads(raw_body)
    except ValueError:
        return 400
    with lock:
        if signature in seen:
            return 204
        seen.add(signature)
    # Queue the event here and process it later: the answer must be sent within ten seconds.
    print(event["event"], flush=True)
    return 204


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST:
            return self.answer(413)
        raw_body = self.rfile.read(length)
        self.answer(handle(raw_body, self.headers.get("X-Service-Signature", "")))

    def do_GET(self):
        self.answer(405)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
