import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Charges a customer. Bug: a charge whose reply was lost is created again, under another reference. */
public class ChargeTwice {
  static final HttpClient client = HttpClient.newHttpClient();
  static boolean isRepaired;

  static HttpResponse<String> send(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("SERVICE_BASE_URL") + path))
        .timeout(Duration.ofSeconds(10))
        .header("X-Service-Key", System.getenv("SERVICE_KEY"))
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(body))
        .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Reads, and repeats what was refused for a while, or whose reply was lost. */
  static String read(String path) throws Exception {
    for (int attempt = 1; attempt <= 4; attempt++) {
      try {
        var reply = send("GET", path, "");
        if (reply.statusCode() < 300 && reply.body().endsWith("}")) return reply.body();
      } catch (java.io.IOException lost) {
        // It is asked again.
      }
      Thread.sleep(1000L * attempt);
    }
    throw new IllegalStateException(path);
  }

  static String charge(String reference) throws Exception {
    var reply = send("POST", "/v1/business/charges", "{\"amount\": 5000, \"customer_name\": \"Chidi Obi\", "
        + "\"customer_email\": \"chidi@example.com\", \"description\": \"Order 1042\", \"reference\": \"" + reference + "\"}");
    if (reply.statusCode() != 201) throw new IllegalStateException(reply.body());
    return reply.body();
  }

  public static void main(String[] args) throws Exception {
    isRepaired = args.length == 1 && args[0].equals("repaired");
    send("POST", "/_sandbox/scenarios", "{\"name\": \"set-up\", \"given\": {\"business\": {}}}");
    String made;
    try {
      made = charge("order-1042");
    } catch (java.io.IOException lost) {
      made = isRepaired ? read("/v1/business/payments") : charge("order-1042-again");
      if (!made.contains("\"amount\"")) made = charge("order-1042-again");
    }
    if (!made.matches("(?s).*\"amount\":5000[,}].*")) throw new IllegalStateException(made);
  }
}
