//! For tests: a server on the loopback that answers by script.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub enum Act {
    /// Status, headers (each `name: value`) and body.
    Say(u16, &'static str, String),
    /// Announces more bytes than it sends, then hangs up.
    BreakOff,
    HangUp,
    /// Never answers, until the client leaves.
    Silence,
    /// Sends a good status and then a blank every few milliseconds, until the client leaves.
    Drip,
}

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Request line and headers, lower case.
    pub head: String,
    pub body: String,
}

/// The server. It ends with the process.
pub struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers the requests in order, the last act again and again.
    pub fn start(acts: Vec<Act>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (kept, acts) = (Arc::clone(&seen), Arc::new(Mutex::new(VecDeque::from(acts))));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, acts) = (Arc::clone(&kept), Arc::clone(&acts));
                std::thread::spawn(move || serve(stream, &kept, &acts));
            }
        });
        Server { address, seen }
    }

    /// A server that speaks TLS with this certificate for the key of all tests, and answers nothing.
    pub fn tls(certificate: &'static [u8]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (kept, settings) = (Arc::clone(&seen), Arc::new(tls(certificate)));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let connection = rustls::ServerConnection::new(Arc::clone(&settings)).unwrap();
                kept.lock().unwrap().extend(read(rustls::StreamOwned::new(connection, stream)));
            }
        });
        Server { address, seen }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn tls(certificate: &'static [u8]) -> rustls::ServerConfig {
    use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
    let key = PrivatePkcs8KeyDer::from(include_bytes!("../../tests/data/tls/key.der").as_slice());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    builder.with_no_client_auth().with_single_cert(vec![CertificateDer::from(certificate)], key.into()).unwrap()
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Seen>>, acts: &Mutex<VecDeque<Act>>) {
    let Some(request) = read(&stream) else { return };
    let act = {
        let mut acts = acts.lock().unwrap();
        seen.lock().unwrap().push(request);
        if acts.len() > 1 { acts.pop_front() } else { acts.front().cloned() }
    };
    // The client may have left; that is part of some scripts.
    let _ = match act {
        Some(Act::Say(status, headers, body)) => write!(
            stream,
            "HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n{}{}\r\n{body}",
            body.len(),
            headers,
            if headers.is_empty() { "" } else { "\r\n" },
        ),
        Some(Act::BreakOff) => write!(stream, "HTTP/1.1 200 x\r\ncontent-length: 1000\r\n\r\n{{\"choices\": ["),
        Some(Act::Drip) => drip(&mut stream),
        Some(Act::Silence) => stream.read(&mut [0; 1]).map(|_| ()),
        Some(Act::HangUp) | None => Ok(()),
    };
}

fn drip(stream: &mut TcpStream) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 x\r\ncontent-length: 1000000\r\n\r\n")?;
    // The read is only a wait between two blanks: the client says no more.
    stream.set_read_timeout(Some(std::time::Duration::from_millis(20)))?;
    loop {
        stream.write_all(b" ")?;
        if stream.read(&mut [0; 1]).is_ok_and(|length| length == 0) {
            return Ok(());
        }
    }
}

fn read(stream: impl Read) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut seen = Seen::default();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        seen.head.push_str(&line.to_lowercase());
    }
    let length = seen.head.lines().find_map(|line| line.strip_prefix("content-length:")).map(str::trim);
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    seen.body = String::from_utf8(body).ok()?;
    Some(seen)
}
