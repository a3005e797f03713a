// Command play plays ../behaviour.yaml: it reads a call of the kit per line of JSON, and answers with its result or error.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"standin"
)

// failure stands for a test that a method of the kit has ended.
type failure struct{ err error }

type player struct{}

func (player) Helper()           {}
func (player) Fatal(args ...any) { panic(failure{args[0].(error)}) }

var account *standin.Account

func text(given standin.Map, name string) string {
	value, _ := given[name].(string)
	return value
}

func object(given standin.Map, name string) standin.Map {
	value, _ := given[name].(standin.Map)
	return value
}

func without(given standin.Map, name string) standin.Map {
	delete(given, name)
	return given
}

func timeout(given standin.Map) []string {
	if value := text(given, "timeout"); value != "" {
		return []string{value}
	}
	return nil
}

func call(name string, given standin.Map) any {
	switch name {
	case "account":
		if key := text(given, "key"); key != "" {
			account = standin.AccountOf(player{}, key)
		} else {
			account = standin.NewAccount(player{})
		}
		return standin.Map{"key": account.Key, "base_url": account.BaseURL}
	case "messages":
		return account.Messages(text(given, "to"))
	case "wait_for_message":
		return account.WaitForMessage(text(given, "to"), timeout(given)...)
	case "wait_for_code":
		return account.WaitForCode(text(given, "to"), timeout(given)...)
	case "now":
		return account.Now()
	case "advance":
		return account.Advance(text(given, "by"))
	case "freeze":
		return account.Freeze(text(given, "at"))
	case "resume":
		return account.Resume()
	case "add_rule":
		return account.AddRule(given)
	case "rules":
		return account.Rules()
	case "load":
		if scenario := object(given, "scenario"); scenario != nil {
			return account.Given(object(scenario, "given"))
		}
		return account.Load(text(given, "scenario"))
	case "run_scenario":
		return account.RunScenario(text(given, "name"))
	case "reset":
		account.Reset()
		return nil
	case "expect_request":
		operation := text(given, "operation")
		return account.ExpectRequest(operation, without(given, "operation"))
	case "records":
		return account.Records(text(given, "machine"))
	case "record":
		return account.Record(text(given, "id"))
	case "move":
		return account.Move(text(given, "id"), text(given, "move"), nil)
	case "trigger":
		return account.Trigger(text(given, "event"), object(given, "data"))
	case "events":
		return account.Events(text(given, "event"))
	case "wait_for_event":
		return account.WaitForEvent(text(given, "event"), timeout(given)...)
	case "deliveries":
		return account.Deliveries(text(given, "event"))
	case "conduct":
		return account.Conduct()
	case "last_activities":
		return account.LastActivities(10)
	case "verify_webhook":
		return standin.VerifyWebhook([]byte(text(given, "body")), text(given, "signature"), text(given, "secret"))
	case "control":
		query := url.Values{}
		for name := range object(given, "query") {
			query.Set(name, text(object(given, "query"), name))
		}
		return account.Control(text(given, "method"), text(given, "path"), object(given, "body"), query)
	}
	panic("the kit lacks " + name)
}

// answer makes a call, and returns what it gave or why it failed.
func answer(name string, given standin.Map) (reply standin.Map) {
	defer func() {
		failed := recover()
		if failed == nil {
			return
		}
		ended, isEnded := failed.(failure)
		if !isEnded {
			panic(failed)
		}
		told := standin.Map{"message": ended.err.Error()}
		var refused *standin.Error
		var unexpected *standin.ExpectationFailed
		if errors.As(ended.err, &refused) {
			told["code"], told["status"], told["param"] = refused.Code, refused.Status, refused.Param
		} else if errors.As(ended.err, &unexpected) {
			told["code"] = "ExpectationFailed"
		} else {
			told["code"] = "ScenarioFailed"
		}
		reply = standin.Map{"error": told}
	}()
	return standin.Map{"result": call(name, given)}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked struct {
			Call string
			With standin.Map
		}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		reply, err := json.Marshal(answer(asked.Call, asked.With))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(reply))
	}
}
