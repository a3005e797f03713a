"""Shows the wallet. Bug: the fields of a reply are the arguments of a class."""
from kit import IS_REPAIRED, read


class Wallet:
    def __init__(self, balance, currency, low_balance, free_tier_remaining):
        self.balance = balance
        self.currency = currency


FIELDS = ["balance", "currency", "low_balance", "free_tier_remaining"]
reply = read("/v1/balance")
wallet = Wallet(*(reply[name] for name in FIELDS)) if IS_REPAIRED else Wallet(**reply)
assert (wallet.balance, wallet.currency) == (1000000, "NGN")
