import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Controls accounts of a running Standin sandbox: by default the one that {@code standin exec} starts, at STANDIN_URL.
 * Needs Java 17 or newer and nothing else. JSON objects are maps, arrays are lists, and numbers are doubles.
 *
 * <pre>{@code
 * Standin.Account account = new Standin().account();
 * Shop shop = new Shop(account.baseUrl, account.key);
 * shop.sendCode("08031234567");
 * assertTrue(shop.confirm(account.waitForCode("08031234567")));
 * }</pre>
 *
 * With JUnit 5, {@code @ExtendWith(StandinExtension.class)} gives each test that takes one an account of its own.
 */
public final class Standin {
  private static final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      // The sandbox is on this machine or beside it, so no proxy is asked.
      .proxy(ProxySelector.of(null))
      .build();

  private final String url;
  private final String adminToken;

  public Standin() {
    this(System.getenv("STANDIN_URL"), System.getenv("STANDIN_ADMIN_TOKEN"));
  }

  /** Takes the sandbox at a URL. {@code adminToken} is null where the sandbox asks for none. */
  public Standin(String url, String adminToken) {
    if (url == null || url.isEmpty())
      throw new Refused(0, "", "STANDIN_URL is not set; run the tests with: standin exec -- mvn test", null);
    this.url = url.replaceAll("/+$", "");
    this.adminToken = adminToken;
  }

  /** Returns the account of a new test key, which nobody else uses. */
  public Account account() {
    return account("svc_test_" + UUID.randomUUID().toString().replace("-", ""));
  }

  /** Returns the account of an API key. */
  public Account account(String key) {
    return new Account(key);
  }

  /** Thrown when the sandbox refuses a call. */
  public static final class Refused extends RuntimeException {
    /** HTTP status, 0 if nothing answered. */
    public final int status;
    /** Error code such as {@code validation_error}. */
    public final String code;
    /** Field that was wrong, or null. */
    public final String param;

    Refused(int status, String code, String message, String param) {
      super(code.isEmpty() ? message : code + ": " + message);
      this.status = status;
      this.code = code;
      this.param = param;
    }
  }

  /** Thrown when an expected request was not received. The message names how the nearest requests differ. */
  public static final class ExpectationFailed extends AssertionError {
    ExpectationFailed(String message) {
      super(message);
    }
  }

  /** Thrown when a step of a scenario failed. The message names the step and its problems. */
  public static final class ScenarioFailed extends AssertionError {
    ScenarioFailed(String message) {
      super(message);
    }
  }

  public final class Account {
    /** For the client under test. */
    public final String key;
    public final String baseUrl = url;

    private Account(String key) {
      this.key = key;
    }

    /** Returns the messages that people would have received, newest first. Null stands for everybody. */
    public List<Map<String, Object>> messages(String to) {
      return items(control("GET", "/inbox", null, query("to", to)));
    }

    /** Waits for the next message that no earlier wait has returned. Throws Refused {@code wait_timeout}. */
    public Map<String, Object> waitForMessage(String to, String timeout) {
      return control("GET", "/inbox/wait", null, query("to", to, "timeout", timeout));
    }

    /** Waits up to 5 s for the next message with a one-time code and returns the code. */
    public String waitForCode(String to) {
      return waitForCode(to, "5s");
    }

    public String waitForCode(String to, String timeout) {
      while (true) {
        List<?> codes = (List<?>) waitForMessage(to, timeout).get("codes");
        if (!codes.isEmpty()) return (String) codes.get(0);
      }
    }

    /** Returns the account's time, in ISO 8601. */
    public String now() {
      return (String) control("GET", "/clock", null, Map.of()).get("now");
    }

    /** Advances the clock, such as by 2m. Returns once everything due on the way has run and been delivered. */
    public Map<String, Object> advance(String by) {
      return control("POST", "/clock/advance", Map.of("by", by), Map.of());
    }

    /** Freezes the clock at an ISO 8601 time, or now if it is null. */
    public Map<String, Object> freeze(String at) {
      return control("POST", "/clock/freeze", at == null ? Map.of() : Map.of("at", at), Map.of());
    }

    /** Lets the clock run again. */
    public Map<String, Object> resume() {
      return control("POST", "/clock/resume", null, Map.of());
    }

    /** Adds a rule, such as {@code Map.of("on", "createPayout", "outcome", "rejected", "times", 1)}. */
    public Map<String, Object> addRule(Map<String, ?> rule) {
      return control("POST", "/rules", rule, Map.of());
    }

    /** Returns the rules of the account, newest first. */
    public List<Map<String, Object>> rules() {
      return items(control("GET", "/rules", null, Map.of()));
    }

    /** Loads a built-in scenario by its name. */
    public Map<String, Object> load(String scenario) {
      return control("POST", "/scenarios/" + encode(scenario) + "/load", null, Map.of());
    }

    /** Loads a scenario of the test's own from what is given at its beginning, such as payments. */
    public Map<String, Object> given(Map<String, ?> given) {
      return control("POST", "/scenarios", Map.of("name", "the test's own", "given", given), Map.of());
    }

    /** Runs a built-in scenario on a new account and returns its steps. Throws ScenarioFailed. */
    public List<Map<String, Object>> runScenario(String name) {
      List<Map<String, Object>> steps = new ArrayList<>();
      for (String json : send("POST", "/scenarios/" + encode(name) + "/run", null, Map.of()).strip().split("\n")) {
        Map<String, Object> line = object(new Json(json).read());
        if (line.containsKey("error")) throw new ScenarioFailed(name + ": " + line.get("error"));
        if (!line.containsKey("step")) continue;
        if (line.get("passed").equals(false))
          throw new ScenarioFailed(name + ", step " + line.get("title") + ": " + line.get("problems"));
        steps.add(line);
      }
      return steps;
    }

    /** Empties the account. */
    public void reset() {
      control("POST", "/reset", null, Map.of());
    }

    /** Expects a request with these parts: path, query, headers, body, status, times. Throws ExpectationFailed. */
    public Map<String, Object> expectRequest(String operation, Map<String, ?> parts) {
      Map<String, Object> body = new HashMap<>(parts);
      body.put("operation", operation);
      Map<String, Object> found = control("POST", "/requests/expect", body, Map.of());
      if (found.get("matched").equals(false)) throw new ExpectationFailed(formatExpectation(operation, found));
      return found;
    }

    /** Returns the records of a state machine such as payout, newest first. */
    public List<Map<String, Object>> records(String machine) {
      return items(control("GET", "/machines/" + encode(machine) + "/records", null, Map.of()));
    }

    /** Returns a record with its state, its legal moves and its history. */
    public Map<String, Object> record(String id) {
      return control("GET", "/records/" + encode(id), null, Map.of());
    }

    /** Makes a move of a record by hand, such as reject. Most moves need nothing given: an empty map. */
    public Map<String, Object> move(String id, String move, Map<String, ?> given) {
      return control("POST", "/records/" + encode(id) + "/moves/" + encode(move), given, Map.of());
    }

    /** Sends an event to the account's endpoints, with example data if data is null. */
    public Map<String, Object> trigger(String event, Map<String, ?> data) {
      return control("POST", "/events", data == null ? Map.of("event", event) : Map.of("event", event, "data", data), Map.of());
    }

    /** Returns the events of the account, newest first. Null stands for all kinds. */
    public List<Map<String, Object>> events(String event) {
      return items(control("GET", "/events", null, query("event", event)));
    }

    /** Waits for the next event that no earlier wait has returned. Throws Refused {@code wait_timeout}. */
    public Map<String, Object> waitForEvent(String event, String timeout) {
      return control("GET", "/events/wait", null, query("event", event, "timeout", timeout));
    }

    /** Returns the webhook deliveries with their attempts, newest first. Null stands for all kinds of events. */
    public List<Map<String, Object>> deliveries(String event) {
      return items(control("GET", "/deliveries", null, query("event", event)));
    }

    /** Returns what the client did that would hurt it with the real service. */
    @SuppressWarnings("unchecked")
    public List<Map<String, Object>> conduct() {
      return (List<Map<String, Object>>) control("GET", "/conduct", null, query("scope", "account")).get("findings");
    }

    /** Returns what happened on the account last, one line each, oldest first. */
    public String lastActivities(int limit) {
      List<String> lines = new ArrayList<>();
      for (Map<String, Object> item : items(control("GET", "/activity", null, query("limit", String.valueOf(limit)))))
        lines.add(0, item.get("at").toString().substring(11, 19) + " " + item.get("title"));
      return String.join("\n", lines);
    }

    /** Calls the control API below /_sandbox and returns the JSON object of the reply. Throws Refused. */
    public Map<String, Object> control(String method, String path, Map<String, ?> body, Map<String, String> query) {
      return object(new Json(send(method, path, body, query)).read());
    }

    private String send(String method, String path, Map<String, ?> body, Map<String, String> query) {
      String given = query.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
          .collect(Collectors.joining("&"));
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/_sandbox" + path + (given.isEmpty() ? "" : "?" + given)))
          .header("X-Service-Key", key)
          .header("Content-Type", "application/json")
          .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
      if (adminToken != null) request.header("Authorization", "Bearer " + adminToken);
      HttpResponse<String> reply;
      try {
        reply = http.send(request.build(), BodyHandlers.ofString());
      } catch (IOException error) {
        throw new Refused(0, "", "no sandbox answers at " + url + " (" + error.getMessage() + ")", null);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new Refused(0, "", "the call was interrupted", null);
      }
      if (reply.statusCode() >= 400) throw refusalOf(reply.statusCode(), reply.body());
      return reply.body();
    }
  }

  /** Returns whether X-Service-Signature is right for the raw body of a webhook. */
  public static boolean verifyWebhook(byte[] body, String signature, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
      return MessageDigest.isEqual(expected, (signature == null ? "" : signature).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Refused refusalOf(int status, String text) {
    try {
      Map<String, Object> error = object(object(new Json(text).read()).get("error"));
      return new Refused(status, (String) error.get("code"), (String) error.get("message"), (String) error.get("param"));
    } catch (RuntimeException noJson) {
      return new Refused(status, "", "the sandbox answered with " + status + ": " + text, null);
    }
  }

  private static String formatExpectation(String operation, Map<String, Object> found) {
    StringBuilder text = new StringBuilder(operation)
        .append(" was received ").append(Json.write(found.get("count"))).append(" times, expected ").append(found.get("expected"));
    for (Object near : (List<?>) found.get("nearest")) {
      Map<String, Object> request = object(object(near).get("request"));
      text.append("\n  ").append(request.get("method")).append(' ').append(request.get("path"));
      for (Object item : (List<?>) object(near).get("differences")) {
        Map<String, Object> difference = object(item);
        String actual = difference.containsKey("actual") ? Json.write(difference.get("actual")) : "nothing";
        text.append("\n    ").append(difference.get("at")).append(": expected ")
            .append(Json.write(difference.get("expected"))).append(", got ").append(actual);
      }
    }
    return text.toString();
  }

  /** Returns names and values in turn as a map, without values that are null. */
  private static Map<String, String> query(String... pairs) {
    Map<String, String> query = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) if (pairs[i + 1] != null) query.put(pairs[i], pairs[i + 1]);
    return query;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> items(Map<String, Object> reply) {
    return (List<Map<String, Object>>) reply.get("items");
  }

  /** Reads and writes JSON, which the JDK does not. */
  static final class Json {
    private final String text;
    private int at = 0;

    Json(String text) {
      this.text = text;
    }

    /** Reads the whole text as one value: a map, a list, a String, a Double, a Boolean or null. */
    Object read() {
      Object value = value();
      if (next() != '\0') throw wrong();
      return value;
    }

    private Object value() {
      return switch (next()) {
        case '{' -> map();
        case '[' -> list();
        case '"' -> string();
        case 't' -> word("true", true);
        case 'f' -> word("false", false);
        case 'n' -> word("null", null);
        default -> number();
      };
    }

    private Map<String, Object> map() {
      Map<String, Object> map = new LinkedHashMap<>();
      at++;
      while (next() != '}') {
        String name = string();
        if (next() != ':') throw wrong();
        at++;
        map.put(name, value());
        if (next() == ',') at++;
      }
      at++;
      return map;
    }

    private List<Object> list() {
      List<Object> list = new ArrayList<>();
      at++;
      while (next() != ']') {
        list.add(value());
        if (next() == ',') at++;
      }
      at++;
      return list;
    }

    private String string() {
      if (next() != '"') throw wrong();
      StringBuilder read = new StringBuilder();
      for (at++; text.charAt(at) != '"'; at++) {
        char character = text.charAt(at);
        if (character != '\\') {
          read.append(character);
          continue;
        }
        char escaped = text.charAt(++at);
        switch (escaped) {
          case 'u' -> {
            read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
            at += 4;
          }
          case 'n' -> read.append('\n');
          case 't' -> read.append('\t');
          case 'r' -> read.append('\r');
          case 'b' -> read.append('\b');
          case 'f' -> read.append('\f');
          default -> read.append(escaped);
        }
      }
      at++;
      return read.toString();
    }

    private Object word(String word, Object value) {
      if (!text.startsWith(word, at)) throw wrong();
      at += word.length();
      return value;
    }

    private Double number() {
      int from = at;
      while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
      if (from == at) throw wrong();
      return Double.valueOf(text.substring(from, at));
    }

    /** Skips spaces and returns the character there, without taking it. NUL at the end. */
    private char next() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
      return at < text.length() ? text.charAt(at) : '\0';
    }

    private IllegalArgumentException wrong() {
      return new IllegalArgumentException("no JSON at " + at + ": " + text.substring(0, Math.min(200, text.length())));
    }

    static String write(Object value) {
      if (value instanceof Map<?, ?> map)
        return map.entrySet().stream()
            .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
      if (value instanceof Iterable<?> items) {
        List<String> written = new ArrayList<>();
        for (Object item : items) written.add(write(item));
        return "[" + String.join(",", written) + "]";
      }
      if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15)
        return String.valueOf(number.longValue());
      if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
      StringBuilder text = new StringBuilder("\"");
      for (char character : value.toString().toCharArray()) {
        if (character == '"' || character == '\\') text.append('\\').append(character);
        else if (character < ' ') text.append(String.format("\\u%04x", (int) character));
        else text.append(character);
      }
      return text.append('"').toString();
    }
  }
}
