//! A client of `tessera serve` in Rust, with the standard library alone: HTTP and RESP over TCP.
//!
//!     rustc client.rs && ./client HTTP_PORT REDIS_PORT KEY

use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const ATTEMPTS: u64 = 5;
const BODY_MAX: usize = 1 << 20;

struct Answer {
    status: u16,
    fields: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

fn malformed() -> Error {
    Error::new(ErrorKind::InvalidData, "no HTTP")
}

fn connect(port: &str) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port.parse().map_err(|_| malformed())?))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    Ok(stream)
}

/// One request on a connection of its own. Neither `path` nor a field may come from outside unchecked.
fn ask(port: &str, method: &str, path: &str, fields: &str, body: &str) -> io::Result<Answer> {
    let mut stream = connect(port)?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n{fields}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?; // at once, and not in a packet for each piece
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|text| text.parse().ok()).ok_or_else(malformed)?;
    let mut fields = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => fields.push((name.to_ascii_lowercase(), value.to_string())),
            None => break,
        }
    }
    let mut answer = Answer { status, fields, body: String::new() };
    let size: usize = answer.field("content-length").parse().map_err(|_| malformed())?;
    let mut body = vec![0; size.min(BODY_MAX)];
    reader.read_exact(&mut body)?;
    answer.body = String::from_utf8(body).map_err(|_| malformed())?;
    Ok(answer)
}

/// Makes an order, once: whatever happens on the way, the same key gives the same ID. So a request without
/// an answer, or that the service asks to repeat, is sent again as it is.
fn create(port: &str, tenant: &str, collection: &str, key: &str) -> io::Result<(String, bool)> {
    let path = format!("/v1/tenants/{tenant}/{collection}");
    for attempt in 1..=ATTEMPTS {
        match ask(port, "POST", &path, &format!("Idempotency-Key: {key}\r\n"), "") {
            Ok(answer) if answer.status == 201 => {
                let id = answer.field("location").rsplit('/').next().unwrap_or("").to_string();
                return Ok((id, answer.field("idempotent-replayed") == "true"));
            }
            Ok(answer) if answer.status < 500 && answer.status != 429 => {
                return Err(Error::new(ErrorKind::Other, answer.body));
            }
            _ => std::thread::sleep(Duration::from_millis(100 * attempt)),
        }
    }
    Err(Error::new(ErrorKind::TimedOut, "no answer; repeat with the same key"))
}

/// The next number of a scope, over the Redis protocol.
fn incr(port: &str, scope: &str) -> io::Result<i64> {
    let mut stream = connect(port)?;
    stream.write_all(format!("*2\r\n$4\r\nINCR\r\n${}\r\n{scope}\r\n", scope.len()).as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    let number = line.strip_prefix(':').and_then(|digits| digits.trim_end().parse().ok());
    number.ok_or_else(|| Error::new(ErrorKind::Other, line))
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let (http, redis, key) = match words.as_slice() {
        [_, http, redis, key] => (http, redis, key),
        _ => return Err(Error::new(ErrorKind::InvalidInput, "usage: client HTTP_PORT REDIS_PORT KEY")),
    };

    let ids = ask(http, "POST", "/v1/ids", "Accept: text/plain\r\n", r#"{"kind":"uuidv7","count":3}"#)?;
    println!("ids {}", ids.body.split_whitespace().collect::<Vec<_>>().join(" "));

    for _ in 0..2 {
        let (id, replayed) = create(http, "acme", "orders", key)?;
        println!("created {id} {replayed}");
    }
    let (id, _) = create(http, "acme", "orders", &format!("{key}-2"))?;
    for method in ["GET", "DELETE", "GET"] {
        // 200 live, 410 deleted, 404 never issued, 400 mistyped
        println!("{method} {}", ask(http, method, &format!("/v1/tenants/acme/orders/{id}"), "", "")?.status);
    }
    println!("number {}", incr(redis, "ORDER")?);
    Ok(())
}
