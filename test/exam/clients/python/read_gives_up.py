"""Shows the wallet. Bug: a read that is refused for a second is given up."""
from kit import IS_REPAIRED, read, send

wallet = read("/v1/balance") if IS_REPAIRED else send("GET", "/v1/balance")
assert (wallet["balance"], wallet["currency"]) == (1000000, "NGN")
