import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * Needs org.testcontainers:testcontainers-junit-jupiter, and Standin.java of clients/java beside it. The image is built
 * from deploy/Containerfile and tagged standin.
 */
@Testcontainers
class StandinContainerTest {
  @Container
  static final GenericContainer<?> sandbox =
      new GenericContainer<>("standin")
          .withEnv("STANDIN_CONTROL", "open")
          .withEnv("STANDIN_MEMORY", "true")
          .withExposedPorts(4010)
          .waitingFor(Wait.forHttp("/healthz"));

  private final HttpClient http = HttpClient.newHttpClient();

  private String post(Standin.Account account, String path, String json) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(account.baseUrl + path))
            .header("X-Service-Key", account.key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void aPersonGetsACodeAndVerifiesAPhone() throws Exception {
    String url = "http://" + sandbox.getHost() + ":" + sandbox.getMappedPort(4010);
    Standin.Account account = new Standin(url, null).account();
    String started = post(account, "/v1/phone/verify/start", "{\"phone\": \"08031234567\"}");
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(started);
    assertTrue(id.find(), started);
    String code = account.waitForCode("08031234567");
    String body = "{\"id\": \"" + id.group(1) + "\", \"code\": \"" + code + "\"}";
    assertTrue(post(account, "/v1/phone/verify/check", body).contains("\"verified\":true"));
  }
}
