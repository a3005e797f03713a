import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Pattern;

/** Shows the wallet. Bug: the balance is found by its place in the text of the reply. */
public class FieldOrder {
  static final HttpClient client = HttpClient.newHttpClient();

  static String read(String path) throws Exception {
    for (int attempt = 1; attempt <= 4; attempt++) {
      try {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("SERVICE_BASE_URL") + path))
            .timeout(Duration.ofSeconds(10))
            .header("X-Service-Key", System.getenv("SERVICE_KEY"))
            .build();
        var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() < 300 && reply.body().endsWith("}")) return reply.body();
      } catch (java.io.IOException lost) {
        // It is asked again.
      }
      Thread.sleep(1000L * attempt);
    }
    throw new IllegalStateException(path);
  }

  public static void main(String[] args) throws Exception {
    boolean isRepaired = args.length == 1 && args[0].equals("repaired");
    String pattern = isRepaired ? "\"balance\":([0-9.]+)" : "^\\{\"balance\":([0-9.]+)";
    var found = Pattern.compile(pattern).matcher(read("/v1/balance"));
    if (!found.find() || Double.parseDouble(found.group(1)) != 1_000_000) throw new IllegalStateException("no balance");
  }
}
