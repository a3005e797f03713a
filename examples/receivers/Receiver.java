import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A webhook receiver on the JDK alone, 17 or newer. Run it with
 *
 * <pre>WEBHOOK_SECRET=whsec_... PORT=3000 java Receiver.java</pre>
 */
public class Receiver {
  static final int LARGEST = 1024 * 1024;
  static final byte[] SECRET = System.getenv("WEBHOOK_SECRET").getBytes(StandardCharsets.UTF_8);

  // A repeated delivery has the same bytes and signature. In production, store signatures in a database as a unique key.
  static final Set<String> seen = ConcurrentHashMap.newKeySet();

  static boolean isGenuine(byte[] rawBody, String signature) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
    return MessageDigest.isEqual(
        signature.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  static int handle(byte[] rawBody, String signature) throws GeneralSecurityException {
    if (!isGenuine(rawBody, signature)) return 401;
    if (!new Json(new String(rawBody, StandardCharsets.UTF_8)).isObject()) return 400;
    if (seen.add(signature)) {
      // Queue the event here and process it later: the answer must be sent within ten seconds.
      System.out.println(rawBody.length + " bytes");
    }
    return 204;
  }

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(statusFor(exchange), -1);
    }
  }

  static int statusFor(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) return 405;
    byte[] rawBody = exchange.getRequestBody().readNBytes(LARGEST + 1);
    if (rawBody.length > LARGEST) return 413;
    String signature = exchange.getRequestHeaders().getFirst("X-Service-Signature");
    try {
      return handle(rawBody, signature == null ? "" : signature);
    } catch (GeneralSecurityException error) {
      return 500;
    }
  }

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receiver::receive);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }
}

/** Checks whether a text is JSON, as the JDK has no parser. With Jackson or Gson, let it read the bytes instead. */
class Json {
  private static final int MAX_DEPTH = 64;
  private final String text;
  private int at = 0;

  Json(String text) {
    this.text = text;
  }

  boolean isObject() {
    skipSpaces();
    return at < text.length() && text.charAt(at) == '{' && value(0) && at == text.length();
  }

  /** Reads one value and the spaces around it. */
  private boolean value(int depth) {
    skipSpaces();
    boolean read = depth < MAX_DEPTH && (string() || members(depth) || items(depth) || word());
    skipSpaces();
    return read;
  }

  private boolean members(int depth) {
    if (!take('{')) return false;
    skipSpaces();
    if (take('}')) return true;
    do {
      skipSpaces();
      if (!string()) return false;
      skipSpaces();
      if (!take(':') || !value(depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  private boolean items(int depth) {
    if (!take('[')) return false;
    skipSpaces();
    if (take(']')) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  private boolean string() {
    if (!take('"')) return false;
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == '"') return true;
      if (next < ' ' || (next == '\\' && !escape())) return false;
    }
    return false;
  }

  private boolean escape() {
    if (at == text.length()) return false;
    char next = text.charAt(at++);
    if (next != 'u') return "\"\\/bfnrt".indexOf(next) >= 0;
    at += 4;
    return at <= text.length() && text.substring(at - 4, at).matches("[0-9a-fA-F]{4}");
  }

  private boolean word() {
    int start = at;
    while (at < text.length() && "+-.".indexOf(text.charAt(at)) >= 0
        || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) at++;
    return text.substring(start, at).matches("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  }

  private boolean take(char mark) {
    boolean there = at < text.length() && text.charAt(at) == mark;
    if (there) at++;
    return there;
  }

  private void skipSpaces() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
  }
}
