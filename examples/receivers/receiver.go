// A webhook receiver on Go's standard library alone. Run it with
//
//	WEBHOOK_SECRET=whsec_... PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

const largest = 1024 * 1024

var secret = []byte(os.Getenv("WEBHOOK_SECRET"))

// A repeated delivery has the same bytes and signature. In production, store signatures in a database as a unique key.
var seen sync.Map

func isGenuine(rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(signature), []byte(expected))
}

func handle(rawBody []byte, signature string) int {
	if !isGenuine(rawBody, signature) {
		return http.StatusUnauthorized
	}
	var event struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(rawBody, &event); err != nil {
		return http.StatusBadRequest
	}
	if _, again := seen.LoadOrStore(signature, true); !again {
		// Queue the event here and process it later: the answer must be sent within ten seconds.
		log.Println(event.Event)
	}
	return http.StatusNoContent
}

func receive(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, largest))
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	response.WriteHeader(handle(rawBody, request.Header.Get("X-Service-Signature")))
}

func main() {
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
