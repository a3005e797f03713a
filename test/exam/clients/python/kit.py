"""What the clients of the corpus share: requests as they should be made, and the set-up of a test."""
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ["SERVICE_BASE_URL"]
KEY = os.environ["SERVICE_KEY"]

#: Each client has one bug, and is repaired with this argument.
IS_REPAIRED = sys.argv[1:] == ["repaired"]

SETTLED = {
    "payout_account": {"bank_code": "058", "account_number": "0123456789"},
    "payments": [{"amount": 20000, "settled": True}],
}


class Refused(Exception):
    def __init__(self, status, retry_after):
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after


class Lost(Exception):
    """The reply did not arrive, or cannot be read."""


def send(method, path, body=None, timeout=10):
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-Service-Key": KEY, "Content-Type": "application/json"}
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        raise Refused(error.code, int(error.headers.get("Retry-After") or 1)) from error
    except Exception as error:
        raise Lost() from error


def read(path):
    """Reads, and repeats what was refused for a while."""
    for attempt in range(1, 5):
        try:
            return send("GET", path)
        except Refused as error:
            if attempt == 4 or (error.status != 429 and error.status < 500):
                raise
            time.sleep(error.retry_after)
        except Lost:
            if attempt == 4:
                raise
            time.sleep(attempt)


def given(parts):
    send("POST", "/_sandbox/scenarios", {"name": "set-up", "given": parts})


def is_told(kind, words):
    """Returns whether there is an event of a kind whose message has these words."""
    events = read("/v1/business/events")["events"]
    return any(one["kind"] == kind and words in one["message"] for one in events)
