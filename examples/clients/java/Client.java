// A client of `tessera serve` in Java, with the standard library alone.
//
//    java Client.java HTTP_PORT REDIS_PORT KEY

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

public class Client {
    static final int ATTEMPTS = 5;

    record Created(String id, boolean replayed) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    Client(String base) {
        this.base = base;
    }

    /** 200 live, 410 deleted, 404 never issued, 400 mistyped. */
    HttpResponse<String> ask(String method, String path, String body, String... fields)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body));
        if (fields.length > 0) request.headers(fields);
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /**
     * Makes an order, once: whatever happens on the way, the same key gives the same ID. So a request without an
     * answer, or that the service asks to repeat, is sent again as it is.
     */
    Created create(String tenant, String collection, String key) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; ++attempt) {
            try {
                var answer = ask("POST", "/v1/tenants/" + tenant + "/" + collection, "", "Idempotency-Key", key);
                if (answer.statusCode() == 201) {
                    var location = answer.headers().firstValue("Location").orElseThrow();
                    return new Created(location.substring(location.lastIndexOf('/') + 1),
                            answer.headers().firstValue("Idempotent-Replayed").isPresent());
                }
                if (answer.statusCode() < 500 && answer.statusCode() != 429) {
                    throw new IllegalArgumentException(answer.body());
                }
            } catch (IOException lost) {
                // The service may have done it: the key makes it safe to ask again.
            }
            Thread.sleep(100L * attempt);
        }
        throw new IOException("no answer; repeat with the same key");
    }

    /** The next number of a scope, over the Redis protocol. */
    static long incr(int port, String scope) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            var command = "*2\r\n$4\r\nINCR\r\n$" + scope.length() + "\r\n" + scope + "\r\n";
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            var line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
            if (line == null || !line.startsWith(":")) throw new IOException("redis: " + line);
            return Long.parseLong(line.substring(1));
        }
    }

    public static void main(String[] words) throws IOException, InterruptedException {
        if (words.length != 3) throw new IllegalArgumentException("usage: Client HTTP_PORT REDIS_PORT KEY");
        var client = new Client("http://127.0.0.1:" + words[0]);

        var ids = client.ask("POST", "/v1/ids", "{\"kind\":\"uuidv7\",\"count\":3}", "Accept", "text/plain").body();
        System.out.println("ids " + String.join(" ", ids.split("\\s+")));

        for (int i = 0; i < 2; ++i) {
            var order = client.create("acme", "orders", words[2]);
            System.out.println("created " + order.id() + " " + order.replayed());
        }
        var second = client.create("acme", "orders", words[2] + "-2").id();
        for (var method : new String[] {"GET", "DELETE", "GET"}) {
            System.out.println(method + " " + client.ask(method, "/v1/tenants/acme/orders/" + second, "").statusCode());
        }
        System.out.println("number " + incr(Integer.parseInt(words[1]), "ORDER"));
    }
}
