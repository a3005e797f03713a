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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A shop and its tests, with the JDK only. Run with: npx standin exec -- java ShopTest.java. With JUnit, each test method
 * becomes a @Test and check becomes an assertion; npx standin exec -- mvn test runs them.
 */
public class ShopTest {
  static final String url = System.getenv("STANDIN_URL");

  static void aRejectedPayoutComesBackToTheBalance() throws Exception {
    Account account = new Account();
    account.earn20k();
    Shop shop = new Shop(account.key);
    double before = shop.available();
    account.control("POST", "/rules", "{\"on\":\"createPayout\",\"outcome\":\"rejected\",\"times\":1}");

    shop.payOut(7000);
    check(shop.available() == before - 7000, "the payout is taken from the balance at once");
    account.control("POST", "/clock/advance", "{\"by\":\"2m\"}");
    check(shop.available() == before, "the money is back");
    String sent = account.control("POST", "/requests/expect", "{\"operation\":\"createPayout\",\"body\":{\"amount\":7000}}");
    check(sent.contains("\"matched\":true"), sent);
  }

  static void aSignedWebhookTellsTheShop() throws Exception {
    Account account = new Account();
    account.earn20k();
    Shop shop = new Shop(account.key);
    HttpServer server = shop.listen();
    account.control("POST", "/rules", "{\"on\":\"createPayout\",\"outcome\":\"rejected\",\"times\":1}");

    String id = shop.payOut(7000);
    // Everything due within these two minutes of the account's clock has been delivered when this returns.
    account.control("POST", "/clock/advance", "{\"by\":\"2m\"}");
    check("rejected".equals(shop.payouts.get(id)), "the shop was told, and has " + shop.payouts);
    server.stop(0);
  }

  static void aPhoneIsVerifiedWithTheCodeThatWasSent() throws Exception {
    Account account = new Account();
    Shop shop = new Shop(account.key);
    String id = shop.sendCode("08031234567");
    String message = account.control("GET", "/inbox/wait?to=08031234567", null);
    check(!shop.isRightCode(id, "000000"), "another code is wrong");
    check(shop.isRightCode(id, text(message, "codes")), "the code that was sent is right");
  }

  public static void main(String[] args) throws Exception {
    if (url == null) {
      System.err.println("STANDIN_URL is not set; run the tests with: npx standin exec -- java ShopTest.java");
      System.exit(1);
    }
    aRejectedPayoutComesBackToTheBalance();
    aSignedWebhookTellsTheShop();
    aPhoneIsVerifiedWithTheCodeThatWasSent();
    System.out.println("3 tests passed.");
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  /** A new key has an account of its own. */
  static class Account {
    final String key = "svc_test_" + UUID.randomUUID();

    void earn20k() throws Exception {
      control("POST", "/scenarios", """
          {"name": "NGN 20,000 has settled", "given": {
            "payout_account": {"bank_code": "058", "account_number": "0123456789"},
            "payments": [{"amount": 20000, "settled": true}]}}""");
    }

    String control(String method, String path, String json) throws Exception {
      return call(key, method, "/_sandbox" + path, json);
    }
  }

  /** Knows the service, but not the sandbox. */
  static class Shop {
    final Map<String, String> payouts = new ConcurrentHashMap<>();
    private final String key;
    private String secret;

    Shop(String key) {
      this.key = key;
    }

    String sendCode(String phone) throws Exception {
      return text(call(key, "POST", "/v1/phone/verify/start", "{\"phone\":\"" + phone + "\"}"), "id");
    }

    boolean isRightCode(String id, String code) throws Exception {
      String body = "{\"id\":\"" + id + "\",\"code\":\"" + code + "\"}";
      return call(key, "POST", "/v1/phone/verify/check", body).contains("\"verified\":true");
    }

    /** Requests a payout in naira and returns its id. */
    String payOut(int amount) throws Exception {
      String payout = call(key, "POST", "/v1/business/payouts", "{\"amount\":" + amount + "}");
      payouts.put(text(payout, "id"), text(payout, "status"));
      return text(payout, "id");
    }

    /** Returns the naira available for payouts. */
    double available() throws Exception {
      return Double.parseDouble(text(call(key, "GET", "/v1/business/overview", null), "available"));
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
      secret = text(call(key, "POST", "/v1/webhooks", "{\"url\":\"" + url + "\"}"), "secret");
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

  static final HttpClient http = HttpClient.newHttpClient();

  static String call(String key, String method, String path, String json) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
        .header("X-Service-Key", key)
        .header("Content-Type", "application/json")
        .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
        .build();
    var reply = http.send(request, BodyHandlers.ofString());
    if (reply.statusCode() >= 300)
      throw new IOException(method + " " + path + ": " + reply.statusCode() + " " + reply.body());
    return reply.body();
  }

  /** Returns the first field of this name, or the first item of its array. Use a JSON library in real code. */
  static String text(String json, String field) {
    var matcher = Pattern.compile("\"" + field + "\"\\s*:\\s*\\[?\\s*\"?([^\",}\\]]*)").matcher(json);
    if (!matcher.find()) throw new AssertionError(field + " is not in " + json);
    return matcher.group(1).strip();
  }
}
