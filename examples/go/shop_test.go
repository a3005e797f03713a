// Run with: standin exec -- go test ./... The package standin is the control kit of clients/go, in its own folder.
package shop

import (
	"net/http/httptest"
	"testing"

	"shop/standin"
)

// earned20k is NGN 20,000 that has settled, less the fee of 1 %.
var earned20k = standin.Map{
	"payout_account": standin.Map{"bank_code": "058", "account_number": "0123456789"},
	"payments":       []any{standin.Map{"amount": 20_000, "settled": true}},
}

func must[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

func TestARejectedPayoutComesBackToTheBalance(t *testing.T) {
	account := standin.NewAccount(t)
	account.Given(earned20k)
	shop := New(account.BaseURL, account.Key)
	before := must(shop.Available())
	account.AddRule(standin.Map{"on": "createPayout", "outcome": "rejected", "times": 1})

	must(shop.PayOut(7_000))
	if got := must(shop.Available()); got != before-7_000 {
		t.Errorf("available is %v, and %v before the payout", got, before)
	}
	account.Advance("2m")
	if got := must(shop.Available()); got != before {
		t.Errorf("available is %v, and %v before the payout", got, before)
	}
	account.ExpectRequest("createPayout", standin.Map{"body": standin.Map{"amount": 7_000}, "times": 1})
}

func TestTheShopLearnsOfItByASignedWebhook(t *testing.T) {
	account := standin.NewAccount(t)
	account.Given(earned20k)
	shop := New(account.BaseURL, account.Key)
	server := httptest.NewServer(shop)
	defer server.Close()
	if err := shop.RegisterWebhook(server.URL); err != nil {
		t.Fatal(err)
	}
	account.AddRule(standin.Map{"on": "createPayout", "outcome": "rejected", "times": 1})

	id := must(shop.PayOut(7_000))
	// Everything due within these two minutes of the account's clock has been delivered when this returns.
	account.Advance("2m")
	if got := shop.Payout(id); got != "rejected" {
		t.Errorf("the shop takes the payout for %s", got)
	}
}

func TestAPhoneIsVerifiedWithTheCodeThatWasSentToIt(t *testing.T) {
	account := standin.NewAccount(t)
	shop := New(account.BaseURL, account.Key)
	id := must(shop.SendCode("08031234567"))
	code := account.WaitForCode("08031234567")
	if must(shop.IsRightCode(id, "000000")) {
		t.Error("another code is right")
	}
	if !must(shop.IsRightCode(id, code)) {
		t.Error("the code that was sent is wrong")
	}
}
