using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Standin;

/// <summary>Plays ../behaviour.yaml: reads a call of the kit per line of JSON, and answers with its result or error.</summary>
static class Play
{
    static Account account;

    static void Main() => PlayAsync().GetAwaiter().GetResult();

    static async Task PlayAsync()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var answers = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true, NewLine = "\n" };
        for (var line = await lines.ReadLineAsync(); line != null; line = await lines.ReadLineAsync())
        {
            var asked = (IDictionary<string, object>)Json.Read(line);
            var answer = new Dictionary<string, object>();
            try
            {
                answer["result"] = await CallAsync((string)asked["call"], (IDictionary<string, object>)asked["with"]);
            }
            catch (RefusedException refused)
            {
                answer["error"] = new { code = refused.Code, status = refused.Status, param = refused.Param, message = refused.Message };
            }
            catch (ExpectationFailedException failed)
            {
                answer["error"] = new { code = "ExpectationFailed", message = failed.Message };
            }
            await answers.WriteLineAsync(Json.Write(answer));
        }
    }

    static async Task<object> CallAsync(string name, IDictionary<string, object> given)
    {
        Func<string, string> Text = field => given.ContainsKey(field) ? given[field] as string : null;
        var timeout = Text("timeout") ?? "5s";
        switch (name)
        {
            case "account":
                account = new Sandbox().Account(Text("key"));
                return new { key = account.Key, base_url = account.BaseUrl };
            case "messages": return await account.MessagesAsync(Text("to"));
            case "wait_for_message": return await account.WaitForMessageAsync(Text("to"), timeout);
            case "wait_for_code": return await account.WaitForCodeAsync(Text("to"), timeout);
            case "now": return await account.NowAsync();
            case "advance": return await account.AdvanceAsync(Text("by"));
            case "freeze": return await account.FreezeAsync(Text("at"));
            case "resume": return await account.ResumeAsync();
            case "add_rule": return await account.AddRuleAsync(given);
            case "rules": return await account.RulesAsync();
            case "load":
                return given["scenario"] is string
                    ? await account.LoadAsync(Text("scenario"))
                    : await account.GivenAsync(((IDictionary<string, object>)given["scenario"])["given"]);
            case "run_scenario": return await account.RunScenarioAsync(Text("name"));
            case "reset":
                await account.ResetAsync();
                return null;
            case "expect_request":
                return await account.ExpectRequestAsync(Text("operation"), given);
            case "records": return await account.RecordsAsync(Text("machine"));
            case "record": return await account.RecordAsync(Text("id"));
            case "move": return await account.MoveAsync(Text("id"), Text("move"));
            case "trigger": return await account.TriggerAsync(Text("event"), given.ContainsKey("data") ? given["data"] : null);
            case "events": return await account.EventsAsync(Text("event"));
            case "wait_for_event": return await account.WaitForEventAsync(Text("event"), timeout);
            case "deliveries": return await account.DeliveriesAsync(Text("event"));
            case "conduct": return await account.ConductAsync();
            case "last_activities": return await account.LastActivitiesAsync();
            case "verify_webhook":
                return Webhook.IsSigned(Encoding.UTF8.GetBytes(Text("body")), Text("signature"), Text("secret"));
            case "control":
                var body = given.ContainsKey("body") ? given["body"] : null;
                var query = given.ContainsKey("query") ? (IDictionary<string, object>)given["query"] : new Dictionary<string, object>();
                var parameters = query.ToDictionary(pair => pair.Key, pair => (string)pair.Value);
                return await account.ControlAsync(Text("method"), Text("path"), body, parameters);
            default: throw new ArgumentException("the kit lacks " + name);
        }
    }
}
