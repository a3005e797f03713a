// go get github.com/testcontainers/testcontainers-go, then: go test. The package standin is the control kit of clients/go, in its own folder.
// The image is built from deploy/Containerfile and tagged standin.
package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"shop/standin"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func startSandbox(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	container, err := testcontainers.Run(ctx, "standin",
		testcontainers.WithEnv(map[string]string{"STANDIN_CONTROL": "open", "STANDIN_MEMORY": "true"}),
		testcontainers.WithExposedPorts("4010/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/healthz").WithPort("4010/tcp")),
	)
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		t.Fatal(err)
	}
	url, err := container.PortEndpoint(ctx, "4010/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func post(t *testing.T, account *standin.Account, path string, body, reply any) {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest("POST", account.BaseURL+path, bytes.NewReader(text))
	request.Header.Set("X-Service-Key", account.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(reply); err != nil {
		t.Fatal(err)
	}
}

func TestAPersonGetsACodeAndVerifiesAPhone(t *testing.T) {
	t.Setenv("STANDIN_URL", startSandbox(t))
	account := standin.NewAccount(t)
	var started struct{ ID string }
	post(t, account, "/v1/phone/verify/start", map[string]string{"phone": "08031234567"}, &started)
	code := account.WaitForCode("08031234567")
	var checked struct{ Verified bool }
	post(t, account, "/v1/phone/verify/check", map[string]string{"id": started.ID, "code": code}, &checked)
	if !checked.Verified {
		t.Fatal("the phone is not verified")
	}
}
