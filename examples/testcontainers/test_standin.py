"""pip install testcontainers pytest, then: pytest. standin.py beside this file is the control kit of clients/python.

The image is built from deploy/Containerfile and tagged standin.
"""

import json
from urllib.request import Request, urlopen

import pytest
from standin import Sandbox
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy


@pytest.fixture(scope="session")
def sandbox():
    container = (
        DockerContainer("standin")
        .with_env("STANDIN_CONTROL", "open")
        .with_env("STANDIN_MEMORY", "true")
        .with_exposed_ports(4010)
        .waiting_for(HttpWaitStrategy(4010, "/healthz"))
    )
    with container:
        yield Sandbox(f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4010)}")


def post(account, path, body):
    headers = {"X-Service-Key": account.key, "Content-Type": "application/json"}
    request = Request(account.base_url + path, json.dumps(body).encode(), headers)
    return json.load(urlopen(request))


def test_a_person_gets_a_code_and_verifies_a_phone(sandbox):
    with sandbox.account() as account:
        started = post(account, "/v1/phone/verify/start", {"phone": "08031234567"})
        code = account.wait_for_code("08031234567")
        checked = post(account, "/v1/phone/verify/check", {"id": started["id"], "code": code})
        assert checked["verified"]
