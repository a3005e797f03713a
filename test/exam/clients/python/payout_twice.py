"""Pays out. Bug: a payout whose reply was lost is made again."""
from kit import IS_REPAIRED, SETTLED, Lost, given, is_told, read, send


def order():
    return send("POST", "/v1/business/payouts", {"amount": 7000})["amount"]


def pay_out():
    try:
        return order()
    except Lost:
        if IS_REPAIRED and is_told("payout.requested", "NGN 7,000.00"):
            return 7000
        return order()


given(SETTLED)
assert read("/v1/business/overview")["available"] == 19800
assert pay_out() == 7000
