import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A shop and its tests, with the JDK and the control kit of clients/java, which is copied beside it. Run with:
 * javac *.java, standin exec -- java ShopTest. With JUnit, each test method becomes a @Test and check becomes an
 * assertion; standin exec -- mvn test runs them.
 */
public class ShopTest {
  /** NGN 20,000 that has settled, less the fee of 1 %. */
  static final Map<String, ?> earned20k = Map.of(
      "payout_account", Map.of("bank_code", "058", "account_number", "0123456789"),
      "payments", List.of(Map.of("amount", 20000, "settled", true)));

  static void aRejectedPayoutComesBackToTheBalance() throws Exception {
    Standin.Account account = new Standin().account();
    account.given(earned20k);
    Shop shop = new Shop(account.baseUrl, account.key);
    double before = shop.available();
    account.addRule(Map.of("on", "createPayout", "outcome", "rejected", "times", 1));

    shop.payOut(7000);
    check(shop.available() == before - 7000, "the payout is taken from the balance at once");
    account.advance("2m");
    check(shop.available() == before, "the money is back");
    account.expectRequest("createPayout", Map.of("body", Map.of("amount", 7000)));
  }

  static void aSignedWebhookTellsTheShop() throws Exception {
    Standin.Account account = new Standin().account();
    account.given(earned20k);
    Shop shop = new Shop(account.baseUrl, account.key);
    HttpServer server = shop.listen();
    account.addRule(Map.of("on", "createPayout", "outcome", "rejected", "times", 1));

    String id = shop.payOut(7000);
    // Everything due within these two minutes of the account's clock has been delivered when this returns.
    account.advance("2m");
    check("rejected".equals(shop.payouts.get(id)), "the shop was told, and has " + shop.payouts);
    server.stop(0);
  }

  static void aPhoneIsVerifiedWithTheCodeThatWasSent() throws Exception {
    Standin.Account account = new Standin().account();
    Shop shop = new Shop(account.baseUrl, account.key);
    String id = shop.sendCode("08031234567");
    check(!shop.isRightCode(id, "000000"), "another code is wrong");
    check(shop.isRightCode(id, account.waitForCode("08031234567")), "the code that was sent is right");
  }

  public static void main(String[] args) throws Exception {
    aRejectedPayoutComesBackToTheBalance();
    aSignedWebhookTellsTheShop();
    aPhoneIsVerifiedWithTheCodeThatWasSent();
    System.out.println("3 tests passed.");
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  /** Knows the service, but not the sandbox. */
  static class Shop {
    private static final HttpClient http = HttpClient.newHttpClient();
    final Map<String, String> payouts = new ConcurrentHashMap<>();
    private final String baseUrl;
    private final String key;
    private String secret;

    Shop(String baseUrl, String key) {
      this.baseUrl = baseUrl;
      this.key = key;
    }

    String sendCode(String phone) throws Exception {
      return text(call("POST", "/v1/phone/verify/start", "{\"phone\":\"" + phone + "\"}"), "id");
    }

    boolean isRightCode(String id, String code) throws Exception {
      String body = "{\"id\":\"" + id + "\",\"code\":\"" + code + "\"}";
      return call("POST", "/v1/phone/verify/check", body).contains("\"verified\":true");
    }

    /** Requests a payout in naira and returns its id. */
    String payOut(int amount) throws Exception {
      String payout = call("POST", "/v1/business/payouts", "{\"amount\":" + amount + "}");
      payouts.put(text(payout, "id"), text(payout, "status"));
      return text(payout, "id");
    }

    /** Returns the naira available for payouts. */
    double available() throws Exception {
      return Double.parseDouble(text(call("GET", "/v1/business/overview", null), "available"));
    }

    HttpServer listen() throws Exception {
      HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.createContext("/", exchange -> {
        byte[] rawBody = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(take(rawBody, exchange.getRequestHeaders().getFirst("X-Service-Signature")), -1);
        exchange.close();
      });
      server.start();
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
      secret = text(call("POST", "/v1/webhooks", "{\"url\":\"" + url + "\"}"), "secret");
      return server;
    }

    private int take(byte[] rawBody, String signature) throws IOException {
      if (!isGenuine(rawBody, signature)) return 401;
      String delivery = new String(rawBody, StandardCharsets.UTF_8);
      String data = delivery.substring(delivery.indexOf("\"data\""));
      String event = text(delivery, "event");
      // Deliveries can arrive out of order; a final status stays.
      if (event.equals("payout.requested")) payouts.putIfAbsent(text(data, "id"), "requested");
      else if (event.startsWith("payout.")) payouts.put(text(data, "id"), text(data, "status"));
      return 200;
    }

    private String call(String method, String path, String json) throws Exception {
      HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
          .header("X-Service-Key", key)
          .header("Content-Type", "application/json")
          .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
          .build();
      var reply = http.send(request, BodyHandlers.ofString());
      if (reply.statusCode() >= 300)
        throw new IOException(method + " " + path + ": " + reply.statusCode() + " " + reply.body());
      return reply.body();
    }

    private boolean isGenuine(byte[] rawBody, String signature) throws IOException {
      if (signature == null) return false;
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
        return MessageDigest.isEqual(
            signature.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
      } catch (GeneralSecurityException impossible) {
        throw new IOException(impossible);
      }
    }
  }

  /** Returns the first field of this name, or the first item of its array. Use a JSON library in real code. */
  static String text(String json, String field) {
    var matcher = Pattern.compile("\"" + field + "\"\\s*:\\s*\\[?\\s*\"?([^\",}\\]]*)").matcher(json);
    if (!matcher.find()) throw new AssertionError(field + " is not in " + json);
    return matcher.group(1).strip();
  }
}
