"""Shows the wallet. Bug: a read that is refused for a second shows an empty one."""
from kit import IS_REPAIRED, Refused, read, send


def wallet_now():
    if IS_REPAIRED:
        return read("/v1/balance")
    try:
        return send("GET", "/v1/balance")
    except Refused:
        return {"balance": 0, "currency": "NGN"}


wallet = wallet_now()
assert (wallet["balance"], wallet["currency"]) == (1000000, "NGN")
