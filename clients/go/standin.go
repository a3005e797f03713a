// Package standin controls an account of a running Standin sandbox. It needs Go 1.19 or newer and nothing else.
//
//	func TestSignUp(t *testing.T) {
//		account := standin.NewAccount(t)
//		shop := NewShop(account.BaseURL, account.Key)
//		shop.SendCode("08031234567")
//		if !shop.Confirm(account.WaitForCode("08031234567")) {
//			t.Fatal("the code that was sent is right")
//		}
//	}
//
// Every method ends the test if the sandbox refuses the call.
package standin

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// T is a test: *testing.T and *testing.B are.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Map is a JSON object.
type Map = map[string]any

// Error tells why the sandbox refused a call.
type Error struct {
	// Status is the HTTP status, 0 if nothing answered.
	Status int
	// Code is an error code such as "validation_error".
	Code string
	// Param is the field that was wrong, or empty.
	Param   string
	Message string
}

func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + e.Message
}

// ExpectationFailed tells that an expected request was not received, and how the nearest requests differ.
type ExpectationFailed struct{ Message string }

func (e *ExpectationFailed) Error() string { return e.Message }

// ScenarioFailed tells which step of a scenario failed, and its problems.
type ScenarioFailed struct{ Message string }

func (e *ScenarioFailed) Error() string { return e.Message }

// Account is an account of the sandbox at STANDIN_URL, which `standin exec` sets.
type Account struct {
	// BaseURL and Key are for the client under test.
	BaseURL, Key string

	t          T
	adminToken string
	client     *http.Client
}

// NewAccount returns the account of a new test key, which nobody else uses.
func NewAccount(t T) *Account {
	t.Helper()
	random := make([]byte, 12)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	return AccountOf(t, "svc_test_"+hex.EncodeToString(random))
}

// AccountOf returns the account of an API key.
func AccountOf(t T, key string) *Account {
	t.Helper()
	base := os.Getenv("STANDIN_URL")
	if base == "" {
		t.Fatal(&Error{Message: "STANDIN_URL is not set; run the tests with: standin exec -- go test ./..."})
	}
	return &Account{
		BaseURL:    strings.TrimRight(base, "/"),
		Key:        key,
		t:          t,
		adminToken: os.Getenv("STANDIN_ADMIN_TOKEN"),
		// The sandbox is on this machine or beside it, so no proxy is asked.
		client: &http.Client{Transport: &http.Transport{Proxy: nil}},
	}
}

// Messages returns the messages that people would have received, newest first. An empty number stands for everybody.
func (a *Account) Messages(to string) []any {
	a.t.Helper()
	return a.list("/inbox", url.Values{"to": {to}})
}

// WaitForMessage waits for the next message that no earlier wait has returned. Default timeout: 5s.
func (a *Account) WaitForMessage(to string, timeout ...string) Map {
	a.t.Helper()
	return a.Control("GET", "/inbox/wait", nil, url.Values{"to": {to}, "timeout": timeout})
}

// WaitForCode waits for the next message with a one-time code and returns the code. Default timeout: 5s.
func (a *Account) WaitForCode(to string, timeout ...string) string {
	a.t.Helper()
	for {
		if codes, _ := a.WaitForMessage(to, timeout...)["codes"].([]any); len(codes) > 0 {
			return codes[0].(string)
		}
	}
}

// Now returns the account's time, in ISO 8601.
func (a *Account) Now() string {
	a.t.Helper()
	return a.Control("GET", "/clock", nil, nil)["now"].(string)
}

// Advance advances the clock, such as by "2m". It returns once everything due on the way has run and been delivered.
func (a *Account) Advance(by string) Map {
	a.t.Helper()
	return a.Control("POST", "/clock/advance", Map{"by": by}, nil)
}

// Freeze freezes the clock at an ISO 8601 time, or now if it is empty.
func (a *Account) Freeze(at string) Map {
	a.t.Helper()
	body := Map{}
	if at != "" {
		body["at"] = at
	}
	return a.Control("POST", "/clock/freeze", body, nil)
}

// Resume lets the clock run again.
func (a *Account) Resume() Map {
	a.t.Helper()
	return a.Control("POST", "/clock/resume", nil, nil)
}

// AddRule adds a rule, such as Map{"on": "createPayout", "outcome": "rejected", "times": 1}.
func (a *Account) AddRule(rule Map) Map {
	a.t.Helper()
	return a.Control("POST", "/rules", rule, nil)
}

// Rules returns the rules of the account, newest first.
func (a *Account) Rules() []any {
	a.t.Helper()
	return a.list("/rules", nil)
}

// Load loads a built-in scenario by its name.
func (a *Account) Load(scenario string) Map {
	a.t.Helper()
	return a.Control("POST", "/scenarios/"+url.PathEscape(scenario)+"/load", nil, nil)
}

// Given loads a scenario of the test's own from what is given at its beginning, such as payments.
func (a *Account) Given(given Map) Map {
	a.t.Helper()
	return a.Control("POST", "/scenarios", Map{"name": "the test's own", "given": given}, nil)
}

// RunScenario runs a built-in scenario on a new account and returns its steps.
func (a *Account) RunScenario(name string) []any {
	a.t.Helper()
	text, err := a.send("POST", "/scenarios/"+url.PathEscape(name)+"/run", nil, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	steps := []any{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var read Map
		if err := json.Unmarshal([]byte(line), &read); err != nil {
			a.t.Fatal(err)
		}
		if message, failed := read["error"]; failed {
			a.t.Fatal(&ScenarioFailed{fmt.Sprintf("%s: %v", name, message)})
		}
		if read["step"] == nil {
			continue
		}
		if read["passed"] == false {
			a.t.Fatal(&ScenarioFailed{fmt.Sprintf("%s, step %v (%v): %v", name, read["step"], read["title"], read["problems"])})
		}
		steps = append(steps, read)
	}
	return steps
}

// Reset empties the account.
func (a *Account) Reset() {
	a.t.Helper()
	a.Control("POST", "/reset", nil, nil)
}

// ExpectRequest expects a request with these parts: path, query, headers, body, status, times.
func (a *Account) ExpectRequest(operation string, parts Map) Map {
	a.t.Helper()
	body := Map{"operation": operation}
	for name, part := range parts {
		body[name] = part
	}
	found := a.Control("POST", "/requests/expect", body, nil)
	if found["matched"] != true {
		a.t.Fatal(&ExpectationFailed{formatExpectation(operation, found)})
	}
	return found
}

// Records returns the records of a state machine such as "payout", newest first.
func (a *Account) Records(machine string) []any {
	a.t.Helper()
	return a.list("/machines/"+url.PathEscape(machine)+"/records", nil)
}

// Record returns a record with its state, its legal moves and its history.
func (a *Account) Record(id string) Map {
	a.t.Helper()
	return a.Control("GET", "/records/"+url.PathEscape(id), nil, nil)
}

// Move makes a move of a record by hand, such as "reject". Most moves need nothing given.
func (a *Account) Move(id, move string, given Map) Map {
	a.t.Helper()
	if given == nil {
		given = Map{}
	}
	return a.Control("POST", "/records/"+url.PathEscape(id)+"/moves/"+url.PathEscape(move), given, nil)
}

// Trigger sends an event to the account's endpoints, with example data if data is nil.
func (a *Account) Trigger(event string, data Map) Map {
	a.t.Helper()
	body := Map{"event": event}
	if data != nil {
		body["data"] = data
	}
	return a.Control("POST", "/events", body, nil)
}

// Events returns the events of the account, newest first. An empty kind stands for all.
func (a *Account) Events(event string) []any {
	a.t.Helper()
	return a.list("/events", url.Values{"event": {event}})
}

// WaitForEvent waits for the next event that no earlier wait has returned. Default timeout: 5s.
func (a *Account) WaitForEvent(event string, timeout ...string) Map {
	a.t.Helper()
	return a.Control("GET", "/events/wait", nil, url.Values{"event": {event}, "timeout": timeout})
}

// Deliveries returns the webhook deliveries with their attempts, newest first. An empty kind stands for all events.
func (a *Account) Deliveries(event string) []any {
	a.t.Helper()
	return a.list("/deliveries", url.Values{"event": {event}})
}

// Conduct returns what the client did that would hurt it with the real service.
func (a *Account) Conduct() []any {
	a.t.Helper()
	return a.Control("GET", "/conduct", nil, url.Values{"scope": {"account"}})["findings"].([]any)
}

// LastActivities returns what happened on the account last, one line each, oldest first.
func (a *Account) LastActivities(limit int) string {
	a.t.Helper()
	var lines []string
	for _, item := range a.list("/activity", url.Values{"limit": {strconv.Itoa(limit)}}) {
		activity := item.(Map)
		line := activity["at"].(string)[11:19] + " " + activity["title"].(string)
		lines = append([]string{line}, lines...)
	}
	return strings.Join(lines, "\n")
}

// Control calls the control API below /_sandbox and returns the JSON object of the reply. Empty values of the query are left out.
func (a *Account) Control(method, path string, body Map, query url.Values) Map {
	a.t.Helper()
	text, err := a.send(method, path, body, query)
	if err != nil {
		a.t.Fatal(err)
	}
	var reply Map
	if err := json.Unmarshal(text, &reply); err != nil {
		a.t.Fatal(err)
	}
	return reply
}

func (a *Account) list(path string, query url.Values) []any {
	a.t.Helper()
	return a.Control("GET", path, nil, query)["items"].([]any)
}

func (a *Account) send(method, path string, body Map, query url.Values) ([]byte, error) {
	given := url.Values{}
	for name, values := range query {
		if len(values) > 0 && values[0] != "" {
			given.Set(name, values[0])
		}
	}
	address := a.BaseURL + "/_sandbox" + path
	if len(given) > 0 {
		address += "?" + given.Encode()
	}
	var data io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		data = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, address, data)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Service-Key", a.Key)
	request.Header.Set("Content-Type", "application/json")
	if a.adminToken != "" {
		request.Header.Set("Authorization", "Bearer "+a.adminToken)
	}
	reply, err := a.client.Do(request)
	if err != nil {
		return nil, &Error{Message: fmt.Sprintf("no sandbox answers at %s (%v)", a.BaseURL, err)}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode >= 400 {
		return nil, errorOf(reply.StatusCode, text)
	}
	return text, nil
}

// VerifyWebhook returns whether X-Service-Signature is right for the raw body of a webhook.
func VerifyWebhook(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

func errorOf(status int, text []byte) *Error {
	var reply struct {
		Error *struct{ Code, Message, Param string }
	}
	if json.Unmarshal(text, &reply) != nil || reply.Error == nil {
		return &Error{Status: status, Message: fmt.Sprintf("the sandbox answered with %d: %.200s", status, text)}
	}
	return &Error{Status: status, Code: reply.Error.Code, Param: reply.Error.Param, Message: reply.Error.Message}
}

func formatExpectation(operation string, found Map) string {
	lines := []string{fmt.Sprintf("%s was received %v times, expected %v", operation, found["count"], found["expected"])}
	for _, item := range found["nearest"].([]any) {
		near := item.(Map)
		request := near["request"].(Map)
		lines = append(lines, fmt.Sprintf("  %v %v", request["method"], request["path"]))
		for _, item := range near["differences"].([]any) {
			difference := item.(Map)
			actual := "nothing"
			if value, there := difference["actual"]; there {
				actual = formatJSON(value)
			}
			lines = append(lines, fmt.Sprintf("    %v: expected %s, got %s", difference["at"], formatJSON(difference["expected"]), actual))
		}
	}
	return strings.Join(lines, "\n")
}

func formatJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
