//! A server on the loopback that speaks chat completions as a test tells it to.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The server; it keeps the body of every request.
pub struct Chat {
    /// What the models file has as `base_url`.
    pub url: String,
    /// Hears of the request that is never answered.
    pub hung: Receiver<()>,
    bodies: Arc<Mutex<Vec<String>>>,
}

/// Returns the answer to a request by its number, from 0, and body; the server hangs up on `None`.
type Say = dyn Fn(usize, &str) -> Option<String> + Send + Sync;

impl Chat {
    /// A server that answers every request.
    pub fn start(say: impl Fn(usize, &str) -> Option<String> + Send + Sync + 'static) -> Chat {
        Chat::hanging(None, say)
    }

    /// A server that never answers request number `hang` (from 0), and says so.
    pub fn hanging(hang: Option<usize>, say: impl Fn(usize, &str) -> Option<String> + Send + Sync + 'static) -> Chat {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let (kept, say): (_, Arc<Say>) = (Arc::clone(&bodies), Arc::new(say));
        let (sender, hung) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, say, sender) = (Arc::clone(&kept), Arc::clone(&say), sender.clone());
                std::thread::spawn(move || answer(stream, &kept, &*say, (hang, &sender)));
            }
        });
        Chat { url, hung, bodies }
    }

    /// The bodies of all requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.bodies.lock().unwrap().clone()
    }
}

/// The last message of a request.
pub fn question(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    Some(body["messages"].as_array()?.last()?["content"].as_str()?.to_owned())
}

fn answer(
    mut stream: TcpStream,
    kept: &Mutex<Vec<String>>,
    say: &Say,
    (hang, hung): (Option<usize>, &Sender<()>),
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let body = body(&mut reader)?;
    let number = {
        let mut kept = kept.lock().unwrap();
        kept.push(body.clone());
        kept.len() - 1
    };
    if hang == Some(number) {
        hung.send(()).ok()?;
        // Until the other side is gone.
        let _ = reader.read(&mut [0; 1]);
        return None;
    }
    let reply = json!({"choices": [{"message": {"content": say(number, &body)?}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10}})
    .to_string();
    write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{reply}", reply.len()).ok()
}

/// The body of one request; `None` if the client closes before it is whole.
fn body(reader: &mut impl BufRead) -> Option<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}
