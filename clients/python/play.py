"""Plays ../behaviour.yaml: reads a call of the kit per line of JSON, and answers with its result or error."""

import json
import sys

from standin import ExpectationFailed, Sandbox, ScenarioFailed, StandinError, verify_webhook

account = None


def opened(key=None):
    global account
    account = Sandbox().account(key)
    return {"key": account.key, "base_url": account.base_url}


def call(name, given):
    if name == "account":
        return opened(**given)
    if name == "verify_webhook":
        return verify_webhook(given["body"].encode(), given["signature"], given["secret"])
    return getattr(account, name)(**given)


for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {"result": call(asked["call"], asked["with"])}
    except StandinError as error:
        answer = {"error": {"code": error.code, "status": error.status, "param": error.param, "message": str(error)}}
    except (ExpectationFailed, ScenarioFailed) as error:
        answer = {"error": {"code": type(error).__name__, "message": str(error)}}
    print(json.dumps(answer), flush=True)
