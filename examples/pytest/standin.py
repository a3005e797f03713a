"""An account of the sandbox at STANDIN_URL, controlled with Python's standard library."""

import json
import os
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Account:
    def __init__(self):
        self.base_url = os.environ.get("STANDIN_URL")
        assert self.base_url, "STANDIN_URL is not set; run the tests with: npx standin exec -- pytest"
        # A new key has an account of its own.
        self.key = f"svc_test_{uuid.uuid4().hex}"

    def advance(self, by: str):
        """Advances the account's clock. Returns when everything due on the way has run and been delivered."""
        return self.control("POST", "/clock/advance", {"by": by})

    def load(self, given: dict):
        return self.control("POST", "/scenarios", {"name": "the test's own", "given": given})

    def rule(self, **rule):
        return self.control("POST", "/rules", rule)

    def next_message(self, to: str) -> dict:
        return self.control("GET", f"/inbox/wait?to={to}")

    def expect(self, **request) -> None:
        """Fails and names the differences of the nearest requests, unless enough requests match."""
        found = self.control("POST", "/requests/expect", request)
        assert found["matched"], json.dumps(found["nearest"], indent=2)

    def control(self, method: str, path: str, body: dict | None = None):
        headers = {"X-Service-Key": self.key, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.base_url}/_sandbox{path}", data, headers, method=method)
        try:
            with urlopen(request) as reply:
                return json.load(reply)
        except HTTPError as refusal:
            raise AssertionError(refusal.read().decode()) from None
