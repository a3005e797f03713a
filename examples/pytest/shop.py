"""A shop that pays out what it earned and verifies phones. It knows of the service, and of no sandbox."""

import hashlib
import hmac
import json
from urllib.request import Request, urlopen


class Shop:
    def __init__(self, base_url: str, key: str):
        self.base_url = base_url
        self.key = key
        self.webhook_secret = ""
        # What became of each payout, as far as the shop was told.
        self.payouts: dict[str, str] = {}

    def send_code(self, phone: str) -> str:
        return self._call("POST", "/v1/phone/verify/start", {"phone": phone})["id"]

    def is_right_code(self, id: str, code: str) -> bool:
        return self._call("POST", "/v1/phone/verify/check", {"id": id, "code": code})["verified"]

    def pay_out(self, amount: int) -> str:
        """Naira; answers the id of the payout."""
        payout = self._call("POST", "/v1/business/payouts", {"amount": amount})
        self.payouts[payout["id"]] = payout["status"]
        return payout["id"]

    def available(self) -> float:
        """Naira that can be paid out."""
        return self._call("GET", "/v1/business/overview")["available"]

    def register_webhook(self, url: str) -> None:
        self.webhook_secret = self._call("POST", "/v1/webhooks", {"url": url})["secret"]

    def take_webhook(self, raw_body: bytes, signature: str) -> int:
        """The HTTP status that the delivery deserves."""
        expected = hmac.new(self.webhook_secret.encode(), raw_body, hashlib.sha256).hexdigest()
        # As bytes: compare_digest refuses texts that are not ASCII.
        if not hmac.compare_digest(signature.encode(), expected.encode()):
            return 401
        delivery = json.loads(raw_body)
        event, data = delivery["event"], delivery["data"]
        # Deliveries may overtake each other: what is over stays over.
        if event.startswith("payout.") and (event != "payout.requested" or data["id"] not in self.payouts):
            self.payouts[data["id"]] = data["status"]
        return 200

    def _call(self, method: str, path: str, body: dict | None = None) -> dict:
        headers = {"X-Service-Key": self.key, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.base_url + path, data, headers, method=method)) as reply:
            return json.load(reply)
