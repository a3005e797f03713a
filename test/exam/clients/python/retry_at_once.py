"""Looks up a NIN. Bug: what was refused for a while is asked again at once."""
import time

from kit import IS_REPAIRED, Refused, send


def look_up(attempt=1):
    try:
        return send("POST", "/v1/verify/nin", {"nin": "35402817694"})
    except Refused as error:
        if attempt == 6 or error.status < 429:
            raise
        if IS_REPAIRED:
            time.sleep(error.retry_after)
        return look_up(attempt + 1)


assert look_up()["status"] == "success"
