//! A headless browser.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use base64::Engine;
use serde_json::{Value, json};

/// A session of Chromium; it ends with this value.
pub struct Driver {
    process: Child,
    session: String,
    client: reqwest::blocking::Client,
    _profile: tempfile::TempDir,
}

impl Driver {
    /// Starts a session; `None` if chromedriver is absent.
    pub fn start() -> Option<Driver> {
        let mut process =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let told = lines.find(|line| line.contains("started successfully on port")).unwrap();
        let port: String = told.chars().filter(char::is_ascii_digit).collect();
        std::thread::spawn(move || lines.count());
        // reqwest is built without a default TLS provider; plain HTTP needs one to be named all the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::blocking::Client::builder().no_proxy().build().unwrap();
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        let flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--window-size=1500,1000", &folder,
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": flags } } } });
        let base = format!("http://127.0.0.1:{port}/session");
        let reply: Value = client.post(&base).json(&wanted).send().unwrap().json().unwrap();
        let id = reply["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {reply}"));
        Some(Driver { process, session: format!("{base}/{id}"), client, _profile: profile })
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let reply = self.client.post(format!("{}/{path}", self.session)).json(&body).send().unwrap();
        let fine = reply.status().is_success();
        let mut content: Value = reply.json().unwrap();
        assert!(fine, "{path}: {content}");
        content["value"].take()
    }

    /// Opens an address.
    pub fn go(&self, url: &str) {
        self.post("url", json!({ "url": url }));
    }

    /// Runs a script in the page and returns its value.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Runs an asynchronous script and returns the value with which it calls its last argument.
    pub fn run_later(&self, script: &str) -> Value {
        self.post("execute/async", json!({ "script": script, "args": [] }))
    }

    /// Gives the page a size, which may be smaller than any window.
    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": metrics });
        self.post("goog/cdp/execute", command);
    }

    /// Whether nothing of the page stands beside the window.
    pub fn holds(&self) -> bool {
        let root = "document.documentElement";
        self.run(&format!("return {root}.scrollWidth <= {root}.clientWidth")) == true
    }

    /// Takes a picture of what is in sight, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let reply: Value = self.client.get(format!("{}/screenshot", self.session)).send().unwrap().json().unwrap();
        base64::engine::general_purpose::STANDARD.decode(reply["value"].as_str().unwrap()).unwrap()
    }

    /// Presses keys one after the other, wherever the focus is.
    pub fn keys(&self, keys: &str) {
        let press = |key: char| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let presses: Vec<Value> = keys.chars().flat_map(press).collect();
        self.post("actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": presses }] }));
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser may be gone already; then there is nothing to end.
        let _ = self.client.delete(&self.session).send();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
