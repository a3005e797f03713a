import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Plays ../behaviour.yaml: reads a call of the kit per line of JSON, and answers with its result or error. */
final class Play {
  private static Standin.Account account;

  public static void main(String[] args) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<String, Object> asked = object(new Standin.Json(line).read());
      Map<String, Object> answer = new HashMap<>();
      try {
        answer.put("result", call((String) asked.get("call"), object(asked.get("with"))));
      } catch (Standin.Refused refused) {
        Map<String, Object> error = new HashMap<>();
        error.put("code", refused.code);
        error.put("status", refused.status);
        error.put("param", refused.param);
        error.put("message", refused.getMessage());
        answer.put("error", error);
      } catch (Standin.ExpectationFailed | Standin.ScenarioFailed failed) {
        answer.put("error", Map.of("code", failed.getClass().getSimpleName(), "message", failed.getMessage()));
      }
      System.out.println(Standin.Json.write(answer));
    }
  }

  private static Object call(String name, Map<String, Object> given) {
    String timeout = given.containsKey("timeout") ? text(given, "timeout") : "5s";
    return switch (name) {
      case "account" -> {
        account = given.containsKey("key") ? new Standin().account(text(given, "key")) : new Standin().account();
        yield Map.of("key", account.key, "base_url", account.baseUrl);
      }
      case "messages" -> account.messages(text(given, "to"));
      case "wait_for_message" -> account.waitForMessage(text(given, "to"), timeout);
      case "wait_for_code" -> account.waitForCode(text(given, "to"), timeout);
      case "now" -> account.now();
      case "advance" -> account.advance(text(given, "by"));
      case "freeze" -> account.freeze(text(given, "at"));
      case "resume" -> account.resume();
      case "add_rule" -> account.addRule(given);
      case "rules" -> account.rules();
      case "load" -> given.get("scenario") instanceof String scenario
          ? account.load(scenario)
          : account.given(object(object(given.get("scenario")).get("given")));
      case "run_scenario" -> account.runScenario(text(given, "name"));
      case "reset" -> {
        account.reset();
        yield null;
      }
      case "expect_request" -> {
        String operation = (String) given.remove("operation");
        yield account.expectRequest(operation, given);
      }
      case "records" -> account.records(text(given, "machine"));
      case "record" -> account.record(text(given, "id"));
      case "move" -> account.move(text(given, "id"), text(given, "move"), Map.of());
      case "trigger" -> account.trigger(text(given, "event"), object(given.get("data")));
      case "events" -> account.events(text(given, "event"));
      case "wait_for_event" -> account.waitForEvent(text(given, "event"), timeout);
      case "deliveries" -> account.deliveries(text(given, "event"));
      case "conduct" -> account.conduct();
      case "last_activities" -> account.lastActivities(10);
      case "verify_webhook" -> Standin.verifyWebhook(
          text(given, "body").getBytes(StandardCharsets.UTF_8), text(given, "signature"), text(given, "secret"));
      case "control" -> {
        Map<String, String> query = new HashMap<>();
        if (given.containsKey("query")) object(given.get("query")).forEach((key, value) -> query.put(key, (String) value));
        yield account.control(text(given, "method"), text(given, "path"), object(given.get("body")), query);
      }
      default -> throw new IllegalArgumentException("the kit lacks " + name);
    };
  }

  private static String text(Map<String, Object> given, String name) {
    return (String) given.get(name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }
}
