"""Looks up a licence. Bug: the test passes whatever the reply says."""
from kit import IS_REPAIRED, send

reply = send("POST", "/v1/verify/bvn", {"bvn": "22301948576"})
assert "status" in reply
if IS_REPAIRED:
    assert reply["status"] == "success"
