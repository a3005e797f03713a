EARNED_20K = {
    "payout_account": {"bank_code": "058", "account_number": "0123456789"},
    "payments": [{"amount": 20_000, "settled": True}],
}


def test_a_rejected_payout_comes_back_to_the_balance(account, shop):
    account.load({"given": EARNED_20K})
    before = shop.available()
    account.add_rule(on="createPayout", outcome="rejected", times=1)

    shop.pay_out(7_000)
    assert shop.available() == before - 7_000
    account.advance("2m")
    assert shop.available() == before
    account.expect_request("createPayout", body={"amount": 7_000}, times=1)


def test_the_shop_learns_of_it_by_a_signed_webhook(account, shop, webhooks):
    account.load({"given": EARNED_20K})
    account.add_rule(on="createPayout", outcome="rejected", times=1)

    id = shop.pay_out(7_000)
    account.advance("2m")
    assert shop.payouts[id] == "rejected"


def test_a_webhook_with_a_wrong_signature_is_refused_and_its_retry_is_taken(account, shop, webhooks):
    account.load({"given": EARNED_20K})
    account.add_rule(on="payout.paid", webhook={"tamper": "signature"})

    id = shop.pay_out(7_000)
    account.advance("2m")
    assert shop.payouts[id] == "paid"
    (delivery,) = account.deliveries("payout.paid")
    assert [attempt["status"] for attempt in delivery["attempts"]] == [401, 200]


def test_a_phone_is_verified_with_the_code_that_was_sent_to_it(account, shop):
    id = shop.send_code("08031234567")
    code = account.wait_for_code("08031234567")
    assert not shop.is_right_code(id, "000000")
    assert shop.is_right_code(id, code)
