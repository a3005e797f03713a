// Package shop pays out its earnings and verifies phones. It knows the service, but not the sandbox.
package shop

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Shop is a client of the service.
type Shop struct {
	BaseURL, Key string

	mutex         sync.Mutex
	payouts       map[string]string
	webhookSecret string
}

// New returns a shop that calls the service at a base URL.
func New(baseURL, key string) *Shop {
	return &Shop{BaseURL: baseURL, Key: key, payouts: map[string]string{}}
}

// Payout returns the last known status of a payout.
func (s *Shop) Payout(id string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.payouts[id]
}

// SendCode sends a code to a phone and returns the id of the verification.
func (s *Shop) SendCode(phone string) (string, error) {
	var reply struct{ ID string }
	err := s.call("POST", "/v1/phone/verify/start", map[string]any{"phone": phone}, &reply)
	return reply.ID, err
}

// IsRightCode tells whether a code is the one that was sent.
func (s *Shop) IsRightCode(id, code string) (bool, error) {
	var reply struct{ Verified bool }
	err := s.call("POST", "/v1/phone/verify/check", map[string]any{"id": id, "code": code}, &reply)
	return reply.Verified, err
}

// PayOut requests a payout in naira and returns its id.
func (s *Shop) PayOut(amount int) (string, error) {
	var reply struct{ ID, Status string }
	if err := s.call("POST", "/v1/business/payouts", map[string]any{"amount": amount}, &reply); err != nil {
		return "", err
	}
	s.learn("payout.requested", reply.ID, reply.Status)
	return reply.ID, nil
}

// Available returns the naira available for payouts.
func (s *Shop) Available() (float64, error) {
	var reply struct{ Available float64 }
	err := s.call("GET", "/v1/business/overview", nil, &reply)
	return reply.Available, err
}

// RegisterWebhook has the service send its events to a URL, which leads to ServeHTTP.
func (s *Shop) RegisterWebhook(url string) error {
	var reply struct{ Secret string }
	err := s.call("POST", "/v1/webhooks", map[string]any{"url": url}, &reply)
	s.webhookSecret = reply.Secret
	return err
}

// ServeHTTP handles a delivery.
func (s *Shop) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	raw, err := io.ReadAll(request.Body)
	mac := hmac.New(sha256.New, []byte(s.webhookSecret))
	mac.Write(raw)
	expected := hex.EncodeToString(mac.Sum(nil))
	if err != nil || !hmac.Equal([]byte(expected), []byte(request.Header.Get("X-Service-Signature"))) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var delivery struct {
		Event string
		Data  struct{ ID, Status string }
	}
	if json.Unmarshal(raw, &delivery) == nil && strings.HasPrefix(delivery.Event, "payout.") {
		s.learn(delivery.Event, delivery.Data.ID, delivery.Data.Status)
	}
}

// learn keeps the status of a payout. Deliveries can arrive out of order; a final status stays.
func (s *Shop) learn(event, id, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, known := s.payouts[id]; event != "payout.requested" || !known {
		s.payouts[id] = status
	}
}

func (s *Shop) call(method, path string, body, reply any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	request, err := http.NewRequest(method, s.BaseURL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("X-Service-Key", s.Key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, read)
	}
	return json.Unmarshal(read, reply)
}
