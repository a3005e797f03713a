"""A shop that pays out its earnings and verifies phones. It knows the service, but not the sandbox."""

import hashlib
import hmac
import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class ServiceError(Exception):
    """The service refused a request. The message is the service's own."""


class Shop:
    def __init__(self, base_url: str, key: str):
        self.base_url = base_url
        self.key = key
        self.webhook_secret = ""
        # The last known status of each payout.
        self.payouts: dict[str, str] = {}

    def send_code(self, phone: str) -> str:
        return self._call("POST", "/v1/phone/verify/start", {"phone": phone})["id"]

    def is_right_code(self, id: str, code: str) -> bool:
        return self._call("POST", "/v1/phone/verify/check", {"id": id, "code": code})["verified"]

    def pay_out(self, amount: int) -> str:
        """Requests a payout in naira and returns its id."""
        payout = self._call("POST", "/v1/business/payouts", {"amount": amount})
        self.payouts[payout["id"]] = payout["status"]
        return payout["id"]

    def available(self) -> float:
        """Returns the naira available for payouts."""
        return self._call("GET", "/v1/business/overview")["available"]

    def register_webhook(self, url: str) -> None:
        self.webhook_secret = self._call("POST", "/v1/webhooks", {"url": url})["secret"]

    def take_webhook(self, raw_body: bytes, signature: str) -> int:
        """Handles a delivery and returns the HTTP status of the reply."""
        expected = hmac.new(self.webhook_secret.encode(), raw_body, hashlib.sha256).hexdigest()
        # compare_digest accepts only ASCII strings, so bytes are compared.
        if not hmac.compare_digest(signature.encode(), expected.encode()):
            return 401
        delivery = json.loads(raw_body)
        event, data = delivery["event"], delivery["data"]
        # Deliveries can arrive out of order; a final status stays.
        if event.startswith("payout.") and (event != "payout.requested" or data["id"] not in self.payouts):
            self.payouts[data["id"]] = data["status"]
        return 200

    def _call(self, method: str, path: str, body: dict | None = None) -> dict:
        headers = {"X-Service-Key": self.key, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.base_url + path, data, headers, method=method)) as reply:
                return json.load(reply)
        except HTTPError as refusal:
            message = json.load(refusal)["error"]["message"]
            raise ServiceError(f"{method} {path}: {refusal.code} {message}") from None
