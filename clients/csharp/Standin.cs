// The kit compiles with C# 6 and Mono too, which know no nullable references.
#pragma warning disable 8600, 8601, 8603, 8604, 8618, 8625
using System;
using System.Collections;
using System.Collections.Generic;
using System.Dynamic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

namespace Standin
{
    /// <summary>
    /// Controls accounts of a running Standin sandbox: by default the one that <c>standin exec</c> starts, at STANDIN_URL.
    /// Needs nothing but .NET. What is sent may be an anonymous object or a dictionary. JSON objects that are returned are
    /// dictionaries; assigned to a <c>dynamic</c> variable, their fields read as properties. Numbers are doubles.
    /// <code>
    /// var account = new Sandbox().Account();
    /// var shop = new Shop(account.BaseUrl, account.Key);
    /// await shop.SendCodeAsync("08031234567");
    /// Assert.True(await shop.ConfirmAsync(await account.WaitForCodeAsync("08031234567")));
    /// </code>
    /// </summary>
    public sealed class Sandbox
    {
        // The sandbox is on this machine or beside it, so no proxy is asked.
        static readonly HttpClient http = new HttpClient(new HttpClientHandler { UseProxy = false });

        readonly string url;
        readonly string adminToken;

        /// <summary>Takes the sandbox at a URL. <paramref name="adminToken"/> is null where the sandbox asks for none.</summary>
        public Sandbox(string url = null, string adminToken = null)
        {
            url = url ?? Environment.GetEnvironmentVariable("STANDIN_URL");
            if (string.IsNullOrEmpty(url))
                throw new RefusedException(0, "", "STANDIN_URL is not set; run the tests with: standin exec -- dotnet test", null);
            this.url = url.TrimEnd('/');
            this.adminToken = adminToken ?? Environment.GetEnvironmentVariable("STANDIN_ADMIN_TOKEN");
        }

        /// <summary>Returns the account of an API key. The default is a new test key, which nobody else uses.</summary>
        public Account Account(string key = null) =>
            new Account(this, key ?? "svc_test_" + Guid.NewGuid().ToString("N"));

        internal string Url => url;

        internal async Task<string> SendAsync(string key, string method, string path, object body, IEnumerable<KeyValuePair<string, string>> query)
        {
            var given = string.Join("&", (query ?? new Dictionary<string, string>())
                .Where(pair => pair.Value != null)
                .Select(pair => pair.Key + "=" + Uri.EscapeDataString(pair.Value)));
            var request = new HttpRequestMessage(new HttpMethod(method), url + "/_sandbox" + path + (given == "" ? "" : "?" + given));
            request.Headers.Add("X-Service-Key", key);
            if (adminToken != null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", adminToken);
            if (body != null) request.Content = new StringContent(Json.Write(body), Encoding.UTF8, "application/json");
            try
            {
                using (var reply = await http.SendAsync(request).ConfigureAwait(false))
                {
                    var text = await reply.Content.ReadAsStringAsync().ConfigureAwait(false);
                    if (!reply.IsSuccessStatusCode) throw RefusalOf((int)reply.StatusCode, text);
                    return text;
                }
            }
            catch (HttpRequestException error)
            {
                var reason = (error.InnerException ?? error).Message;
                throw new RefusedException(0, "", "no sandbox answers at " + url + " (" + reason + ")", null);
            }
        }

        static RefusedException RefusalOf(int status, string text)
        {
            try
            {
                var error = (IDictionary<string, object>)((IDictionary<string, object>)Json.Read(text))["error"];
                var param = error.ContainsKey("param") ? (string)error["param"] : null;
                return new RefusedException(status, (string)error["code"], (string)error["message"], param);
            }
            catch (Exception noEnvelope) when (noEnvelope is XmlException || noEnvelope is InvalidCastException || noEnvelope is KeyNotFoundException)
            {
                return new RefusedException(status, "", "the sandbox answered with " + status + ": " + text, null);
            }
        }
    }

    /// <summary>Thrown when the sandbox refuses a call.</summary>
    public sealed class RefusedException : Exception
    {
        internal RefusedException(int status, string code, string message, string param)
            : base(code == "" ? message : code + ": " + message)
        {
            Status = status;
            Code = code;
            Param = param;
        }

        /// <summary>HTTP status, 0 if nothing answered.</summary>
        public int Status { get; }

        /// <summary>Error code such as <c>validation_error</c>.</summary>
        public string Code { get; }

        /// <summary>Field that was wrong, or null.</summary>
        public string Param { get; }
    }

    /// <summary>Thrown when an expected request was not received. The message names how the nearest requests differ.</summary>
    public sealed class ExpectationFailedException : Exception
    {
        internal ExpectationFailedException(string message) : base(message) { }
    }

    /// <summary>Thrown when a step of a scenario failed. The message names the step and its problems.</summary>
    public sealed class ScenarioFailedException : Exception
    {
        internal ScenarioFailedException(string message) : base(message) { }
    }

    /// <summary>An account of the sandbox. Refused calls throw <see cref="RefusedException"/>.</summary>
    public sealed class Account
    {
        readonly Sandbox sandbox;

        internal Account(Sandbox sandbox, string key)
        {
            this.sandbox = sandbox;
            Key = key;
        }

        /// <summary>For the client under test.</summary>
        public string Key { get; }

        /// <summary>For the client under test.</summary>
        public string BaseUrl => sandbox.Url;

        /// <summary>Returns the messages that people would have received, newest first.</summary>
        public Task<IReadOnlyList<IDictionary<string, object>>> MessagesAsync(string to = null) =>
            ItemsAsync("/inbox", Query("to", to));

        /// <summary>Waits for the next message that no earlier wait has returned. Throws <c>wait_timeout</c>.</summary>
        public Task<IDictionary<string, object>> WaitForMessageAsync(string to = null, string timeout = "5s") =>
            ControlAsync("GET", "/inbox/wait", query: Query("to", to, "timeout", timeout));

        /// <summary>Waits for the next message with a one-time code and returns the code.</summary>
        public async Task<string> WaitForCodeAsync(string to = null, string timeout = "5s")
        {
            while (true)
            {
                var codes = (IList<object>)(await WaitForMessageAsync(to, timeout).ConfigureAwait(false))["codes"];
                if (codes.Count > 0) return (string)codes[0];
            }
        }

        /// <summary>Returns the account's time, in ISO 8601.</summary>
        public async Task<string> NowAsync() => (string)(await ControlAsync("GET", "/clock").ConfigureAwait(false))["now"];

        /// <summary>Advances the clock, such as by 2m. Returns once everything due on the way has run and been delivered.</summary>
        public Task<IDictionary<string, object>> AdvanceAsync(string by) => ControlAsync("POST", "/clock/advance", new { by });

        /// <summary>Freezes the clock at an ISO 8601 time. The default is now.</summary>
        public Task<IDictionary<string, object>> FreezeAsync(string at = null) =>
            ControlAsync("POST", "/clock/freeze", at == null ? (object)new { } : new { at });

        /// <summary>Lets the clock run again.</summary>
        public Task<IDictionary<string, object>> ResumeAsync() => ControlAsync("POST", "/clock/resume");

        /// <summary>Adds a rule, such as <c>new { on = "createPayout", outcome = "rejected", times = 1 }</c>.</summary>
        public Task<IDictionary<string, object>> AddRuleAsync(object rule) => ControlAsync("POST", "/rules", rule);

        /// <summary>Returns the rules of the account, newest first.</summary>
        public Task<IReadOnlyList<IDictionary<string, object>>> RulesAsync() => ItemsAsync("/rules");

        /// <summary>Loads a built-in scenario by its name.</summary>
        public Task<IDictionary<string, object>> LoadAsync(string scenario) =>
            ControlAsync("POST", "/scenarios/" + Uri.EscapeDataString(scenario) + "/load");

        /// <summary>Loads a scenario of the test's own from what is given at its beginning, such as payments.</summary>
        public Task<IDictionary<string, object>> GivenAsync(object given) =>
            ControlAsync("POST", "/scenarios", new { name = "the test's own", given });

        /// <summary>Runs a built-in scenario on a new account and returns its steps. Throws <see cref="ScenarioFailedException"/>.</summary>
        public async Task<IReadOnlyList<IDictionary<string, object>>> RunScenarioAsync(string name)
        {
            var steps = new List<IDictionary<string, object>>();
            var path = "/scenarios/" + Uri.EscapeDataString(name) + "/run";
            var lines = await sandbox.SendAsync(Key, "POST", path, null, null).ConfigureAwait(false);
            foreach (var text in lines.Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries))
            {
                var line = (IDictionary<string, object>)Json.Read(text);
                if (line.ContainsKey("error")) throw new ScenarioFailedException(name + ": " + line["error"]);
                if (!line.ContainsKey("step")) continue;
                if (Equals(line["passed"], false))
                    throw new ScenarioFailedException(name + ", step " + line["title"] + ": " + Json.Write(line["problems"]));
                steps.Add(line);
            }
            return steps;
        }

        /// <summary>Empties the account.</summary>
        public Task ResetAsync() => ControlAsync("POST", "/reset");

        /// <summary>
        /// Expects a request with these parts: path, query, headers, body, status, times. Throws
        /// <see cref="ExpectationFailedException"/>.
        /// </summary>
        public async Task<IDictionary<string, object>> ExpectRequestAsync(string operation, object parts = null)
        {
            var body = Json.FieldsOf(parts ?? new { }).ToDictionary(field => field.Key, field => field.Value);
            body["operation"] = operation;
            var found = await ControlAsync("POST", "/requests/expect", body).ConfigureAwait(false);
            if (Equals(found["matched"], false)) throw new ExpectationFailedException(FormatExpectation(operation, found));
            return found;
        }

        /// <summary>Returns the records of a state machine such as payout, newest first.</summary>
        public Task<IReadOnlyList<IDictionary<string, object>>> RecordsAsync(string machine) =>
            ItemsAsync("/machines/" + Uri.EscapeDataString(machine) + "/records");

        /// <summary>Returns a record with its state, its legal moves and its history.</summary>
        public Task<IDictionary<string, object>> RecordAsync(string id) =>
            ControlAsync("GET", "/records/" + Uri.EscapeDataString(id));

        /// <summary>Makes a move of a record by hand, such as reject. Most moves need nothing given.</summary>
        public Task<IDictionary<string, object>> MoveAsync(string id, string move, object given = null) =>
            ControlAsync("POST", "/records/" + Uri.EscapeDataString(id) + "/moves/" + Uri.EscapeDataString(move), given ?? new { });

        /// <summary>Sends an event to the account's endpoints, with example data if none is given.</summary>
        public Task<IDictionary<string, object>> TriggerAsync(string kind, object data = null)
        {
            var body = new Dictionary<string, object> { ["event"] = kind };
            if (data != null) body["data"] = data;
            return ControlAsync("POST", "/events", body);
        }

        /// <summary>Returns the events of the account, newest first.</summary>
        public Task<IReadOnlyList<IDictionary<string, object>>> EventsAsync(string kind = null) =>
            ItemsAsync("/events", Query("event", kind));

        /// <summary>Waits for the next event that no earlier wait has returned. Throws <c>wait_timeout</c>.</summary>
        public Task<IDictionary<string, object>> WaitForEventAsync(string kind = null, string timeout = "5s") =>
            ControlAsync("GET", "/events/wait", query: Query("event", kind, "timeout", timeout));

        /// <summary>Returns the webhook deliveries with their attempts, newest first.</summary>
        public Task<IReadOnlyList<IDictionary<string, object>>> DeliveriesAsync(string kind = null) =>
            ItemsAsync("/deliveries", Query("event", kind));

        /// <summary>Returns what the client did that would hurt it with the real service.</summary>
        public async Task<IReadOnlyList<IDictionary<string, object>>> ConductAsync() =>
            ListIn(await ControlAsync("GET", "/conduct", query: Query("scope", "account")).ConfigureAwait(false), "findings");

        /// <summary>Returns what happened on the account last, one line each, oldest first.</summary>
        public async Task<string> LastActivitiesAsync(int limit = 10)
        {
            var items = await ItemsAsync("/activity", Query("limit", limit.ToString(CultureInfo.InvariantCulture))).ConfigureAwait(false);
            return string.Join("\n", items.Reverse().Select(item => ((string)item["at"]).Substring(11, 8) + " " + item["title"]));
        }

        /// <summary>Calls the control API below /_sandbox and returns the JSON object of the reply.</summary>
        public async Task<IDictionary<string, object>> ControlAsync(
            string method, string path, object body = null, IDictionary<string, string> query = null) =>
            (IDictionary<string, object>)Json.Read(await sandbox.SendAsync(Key, method, path, body, query).ConfigureAwait(false));

        async Task<IReadOnlyList<IDictionary<string, object>>> ItemsAsync(string path, IDictionary<string, string> query = null) =>
            ListIn(await ControlAsync("GET", path, query: query).ConfigureAwait(false), "items");

        static IReadOnlyList<IDictionary<string, object>> ListIn(IDictionary<string, object> reply, string field) =>
            ((IList<object>)reply[field]).Cast<IDictionary<string, object>>().ToList();

        static IDictionary<string, string> Query(params string[] pairs) =>
            Enumerable.Range(0, pairs.Length / 2).ToDictionary(index => pairs[2 * index], index => pairs[2 * index + 1]);

        static string FormatExpectation(string operation, IDictionary<string, object> found)
        {
            var text = new StringBuilder(operation + " was received " + found["count"] + " times, expected " + found["expected"]);
            foreach (IDictionary<string, object> near in (IList<object>)found["nearest"])
            {
                var request = (IDictionary<string, object>)near["request"];
                text.Append("\n  " + request["method"] + " " + request["path"]);
                foreach (IDictionary<string, object> difference in (IList<object>)near["differences"])
                    text.Append("\n    " + difference["at"] + ": expected " + Json.Write(difference["expected"]) + ", got "
                        + (difference.ContainsKey("actual") ? Json.Write(difference["actual"]) : "nothing"));
            }
            return text.ToString();
        }
    }

    /// <summary>Checks what a webhook receiver gets.</summary>
    public static class Webhook
    {
        /// <summary>Returns whether X-Service-Signature is right for the raw body of a webhook.</summary>
        public static bool IsSigned(byte[] body, string signature, string secret)
        {
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            {
                var expected = BitConverter.ToString(hmac.ComputeHash(body)).Replace("-", "").ToLowerInvariant();
                var given = signature ?? "";
                var difference = expected.Length ^ given.Length;
                // Takes the same time wherever the texts differ.
                for (var i = 0; i < expected.Length && i < given.Length; i++) difference |= expected[i] ^ given[i];
                return difference == 0;
            }
        }
    }

    /// <summary>Reads and writes JSON with what every .NET has.</summary>
    static class Json
    {
        /// <summary>Returns an ExpandoObject, a list, a string, a double, a bool or null. Throws XmlException for other text.</summary>
        internal static object Read(string text)
        {
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(Encoding.UTF8.GetBytes(text), XmlDictionaryReaderQuotas.Max))
                return ValueOf(XElement.Load(reader));
        }

        static object ValueOf(XElement element)
        {
            switch ((string)element.Attribute("type"))
            {
                case "object":
                    var fields = (IDictionary<string, object>)new ExpandoObject();
                    // A name that XML does not allow is in an attribute.
                    foreach (var field in element.Elements())
                        fields[(string)field.Attribute("item") ?? field.Name.LocalName] = ValueOf(field);
                    return fields;
                case "array": return element.Elements().Select(ValueOf).ToList();
                case "number": return double.Parse(element.Value, CultureInfo.InvariantCulture);
                case "boolean": return element.Value == "true";
                case "null": return null;
                default: return element.Value;
            }
        }

        /// <summary>Returns the entries of a dictionary, or the properties of another object.</summary>
        internal static IEnumerable<KeyValuePair<string, object>> FieldsOf(object value)
        {
            var fields = value as IDictionary<string, object>;
            if (fields != null) return fields;
            var entries = value as IDictionary;
            if (entries != null)
                return entries.Keys.Cast<string>().Select(name => new KeyValuePair<string, object>(name, entries[name]));
            return value.GetType().GetProperties()
                .Select(property => new KeyValuePair<string, object>(property.Name, property.GetValue(value)));
        }

        internal static string Write(object value)
        {
            if (value == null) return "null";
            if (value is bool) return (bool)value ? "true" : "false";
            if (value is string) return Quote((string)value);
            if (value is double) return ((double)value).ToString("R", CultureInfo.InvariantCulture);
            if (value is IConvertible) return ((IConvertible)value).ToString(CultureInfo.InvariantCulture);
            var isObject = value is IDictionary<string, object> || value is IDictionary || !(value is IEnumerable);
            if (!isObject) return "[" + string.Join(",", ((IEnumerable)value).Cast<object>().Select(Write)) + "]";
            return "{" + string.Join(",", FieldsOf(value).Select(field => Quote(field.Key) + ":" + Write(field.Value))) + "}";
        }

        static string Quote(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (var character in text)
            {
                if (character == '"' || character == '\\') quoted.Append('\\').Append(character);
                else if (character < ' ') quoted.Append("\\u").Append(((int)character).ToString("x4"));
                else quoted.Append(character);
            }
            return quoted.Append('"').ToString();
        }
    }
}
