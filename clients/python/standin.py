"""Controls an account of a running Standin sandbox. Needs Python 3.9 or newer and nothing else.

    from standin import Sandbox

    with Sandbox().account() as account:
        shop = Shop(account.base_url, account.key)
        shop.send_code("08031234567")
        assert shop.confirm(account.wait_for_code("08031234567"))

With pytest, `from standin import account` in conftest.py gives each test an account of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import uuid
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

# The sandbox is on this machine or beside it, so no proxy is asked.
_open = build_opener(ProxyHandler({})).open


class StandinError(Exception):
    """Raised when the sandbox refuses a call.

    `status` is the HTTP status, `code` the error code such as "validation_error", `param` the field that was wrong or None.
    """

    def __init__(self, status: int, code: str, message: str, param: str | None = None):
        super().__init__(f"{code}: {message}" if code else message)
        self.status, self.code, self.message, self.param = status, code, message, param


class ExpectationFailed(AssertionError):
    """Raised when an expected request was not received. The message names how the nearest requests differ."""


class ScenarioFailed(AssertionError):
    """Raised when a step of a scenario failed. The message names the step and its problems."""


class Sandbox:
    """A running sandbox: by default the one that `standin exec` starts, at STANDIN_URL."""

    def __init__(self, url: str | None = None, admin_token: str | None = None):
        url = url or os.environ.get("STANDIN_URL")
        if not url:
            raise StandinError(0, "", "STANDIN_URL is not set; run the tests with: standin exec -- pytest")
        self.url = url.rstrip("/")
        self.admin_token = admin_token or os.environ.get("STANDIN_ADMIN_TOKEN")

    def account(self, key: str | None = None) -> "Account":
        """Returns the account of an API key. Default: a new test key, whose account nobody else uses."""
        return Account(self, key or f"svc_test_{uuid.uuid4().hex}")


class Account:
    """An account of the sandbox. In a `with` block, an error is followed by what the account did last."""

    def __init__(self, sandbox: Sandbox, key: str):
        self.sandbox, self.base_url, self.key = sandbox, sandbox.url, key

    def __enter__(self) -> "Account":
        return self

    def __exit__(self, error_type, error, traceback) -> None:
        if error is not None:
            print(self.last_activities(), file=sys.stderr)

    # Messages

    def messages(self, to: str | None = None) -> list[dict]:
        """Returns the messages that people would have received, newest first."""
        return self.control("GET", "/inbox", query={"to": to})["items"]

    def wait_for_message(self, to: str | None = None, timeout: str = "5s") -> dict:
        """Waits for the next message that no earlier wait has returned. Raises StandinError "wait_timeout"."""
        return self.control("GET", "/inbox/wait", query={"to": to, "timeout": timeout})

    def wait_for_code(self, to: str | None = None, timeout: str = "5s") -> str:
        """Waits for the next message with a one-time code and returns the code."""
        while True:
            codes = self.wait_for_message(to, timeout)["codes"]
            if codes:
                return codes[0]

    # Clock

    def now(self) -> str:
        """Returns the account's time, in ISO 8601."""
        return self.control("GET", "/clock")["now"]

    def advance(self, by: str) -> dict:
        """Advances the clock, such as by "2m". Returns once everything due on the way has run and been delivered."""
        return self.control("POST", "/clock/advance", {"by": by})

    def freeze(self, at: str | None = None) -> dict:
        """Freezes the clock at an ISO 8601 time, by default now."""
        return self.control("POST", "/clock/freeze", {} if at is None else {"at": at})

    def resume(self) -> dict:
        """Lets the clock run again."""
        return self.control("POST", "/clock/resume")

    # Behaviour

    def add_rule(self, **rule: Any) -> dict:
        """Adds a rule, such as on="createPayout", outcome="rejected", times=1."""
        return self.control("POST", "/rules", rule)

    def rules(self) -> list[dict]:
        """Returns the rules of the account, newest first."""
        return self.control("GET", "/rules")["items"]

    def load(self, scenario: str | dict) -> dict:
        """Loads a built-in scenario by its name, or a scenario given as a dict, such as {"given": {...}}."""
        if isinstance(scenario, str):
            return self.control("POST", f"/scenarios/{quote(scenario, safe='')}/load")
        return self.control("POST", "/scenarios", {"name": "the test's own", **scenario})

    def run_scenario(self, name: str) -> list[dict]:
        """Runs a built-in scenario on a new account and returns its steps. Raises ScenarioFailed."""
        lines = [json.loads(line) for line in self._send("POST", f"/scenarios/{quote(name, safe='')}/run").splitlines()]
        for line in lines:
            if "error" in line:
                raise ScenarioFailed(f"{name}: {line['error']}")
            if line.get("passed") is False and "step" in line:
                raise ScenarioFailed(f"{name}, step {line['step']} ({line['title']}): {'; '.join(line['problems'])}")
        return [line for line in lines if "step" in line]

    def reset(self) -> None:
        """Empties the account."""
        self.control("POST", "/reset")

    # What happened

    def expect_request(self, operation: str, **parts: Any) -> dict:
        """Expects a request with these parts (path, query, headers, body, status, times). Raises ExpectationFailed."""
        found = self.control("POST", "/requests/expect", {"operation": operation, **parts})
        if not found["matched"]:
            raise ExpectationFailed(_format_expectation(operation, found))
        return found

    def records(self, machine: str) -> list[dict]:
        """Returns the records of a state machine such as "payout", newest first."""
        return self.control("GET", f"/machines/{quote(machine, safe='')}/records")["items"]

    def record(self, id: str) -> dict:
        """Returns a record with its state, its legal moves and its history."""
        return self.control("GET", f"/records/{quote(id, safe='')}")

    def move(self, id: str, move: str, **given: Any) -> dict:
        """Makes a move of a record by hand, such as "reject"."""
        return self.control("POST", f"/records/{quote(id, safe='')}/moves/{quote(move, safe='')}", given)

    def trigger(self, event: str, data: dict | None = None) -> dict:
        """Sends an event to the account's endpoints, with example data unless data is given."""
        return self.control("POST", "/events", {"event": event} if data is None else {"event": event, "data": data})

    def events(self, event: str | None = None) -> list[dict]:
        """Returns the events of the account, newest first."""
        return self.control("GET", "/events", query={"event": event})["items"]

    def wait_for_event(self, event: str | None = None, timeout: str = "5s") -> dict:
        """Waits for the next event that no earlier wait has returned. Raises StandinError "wait_timeout"."""
        return self.control("GET", "/events/wait", query={"event": event, "timeout": timeout})

    def deliveries(self, event: str | None = None) -> list[dict]:
        """Returns the webhook deliveries with their attempts, newest first."""
        return self.control("GET", "/deliveries", query={"event": event})["items"]

    def conduct(self) -> list[dict]:
        """Returns what the client did that would hurt it with the real service."""
        return self.control("GET", "/conduct", query={"scope": "account"})["findings"]

    def last_activities(self, limit: int = 10) -> str:
        """Returns what happened on the account last, one line each, oldest first."""
        items = self.control("GET", "/activity", query={"limit": str(limit)})["items"]
        return "\n".join(f"{item['at'][11:19]} {item['title']}" for item in reversed(items))

    def control(self, method: str, path: str, body: dict | None = None, query: dict | None = None) -> Any:
        """Calls the control API below /_sandbox and returns the JSON of the reply. Raises StandinError."""
        return json.loads(self._send(method, path, body, query))

    def _send(self, method: str, path: str, body: dict | None = None, query: dict | None = None) -> str:
        given = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        headers = {"X-Service-Key": self.key, "Content-Type": "application/json"}
        if self.sandbox.admin_token:
            headers["Authorization"] = f"Bearer {self.sandbox.admin_token}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.base_url}/_sandbox{path}{'?' + given if given else ''}", data, headers, method=method)
        try:
            with _open(request) as reply:
                return reply.read().decode()
        except HTTPError as refusal:
            raise _error_of(refusal.code, refusal.read().decode()) from None
        except URLError as error:
            raise StandinError(0, "", f"no sandbox answers at {self.base_url} ({error.reason})") from None


def verify_webhook(body: bytes, signature: str | None, secret: str) -> bool:
    """Returns whether X-Service-Signature is right for the raw body of a webhook."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest((signature or "").encode(), expected.encode())


def _error_of(status: int, text: str) -> StandinError:
    try:
        error = json.loads(text)["error"]
        return StandinError(status, error["code"], error["message"], error["param"])
    except (ValueError, KeyError, TypeError):
        return StandinError(status, "", f"the sandbox answered with {status}: {text[:200]}")


def _format_expectation(operation: str, found: dict) -> str:
    lines = [f"{operation} was received {found['count']} times, expected {found['expected']}"]
    for near in found["nearest"]:
        lines.append(f"  {near['request']['method']} {near['request']['path']}")
        for difference in near["differences"]:
            actual = json.dumps(difference["actual"]) if "actual" in difference else "nothing"
            lines.append(f"    {difference['at']}: expected {json.dumps(difference['expected'])}, got {actual}")
    return "\n".join(lines)


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.fixture
    def account():
        """An account of the test's own."""
        with Sandbox().account() as opened:
            yield opened
