//! Sends one request and brings back its status, its body and what its headers say about retrying.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use reqwest::blocking;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

use super::config::Model;
use super::key::ApiKey;
use super::response::Response;
use super::{api, body, retry};

/// Time to reach a server.
const CONNECT: Duration = Duration::from_secs(10);

/// The way to one server.
#[derive(Debug)]
pub struct Transport {
    client: blocking::Client,
    url: String,
    headers: HeaderMap,
    /// Longest time of a whole exchange.
    limit: Duration,
}

impl Transport {
    /// Prepares the way; nothing is sent.
    pub fn new(model: &Model, key: &ApiKey) -> Result<Transport, String> {
        Transport::with(Transport::settings(model), model, key)
    }

    pub(super) fn settings(model: &Model) -> blocking::ClientBuilder {
        static PROVIDER: OnceLock<()> = OnceLock::new();
        PROVIDER.get_or_init(|| {
            // An error means that a provider is installed already, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let mut builder = blocking::Client::builder()
            .connect_timeout(CONNECT)
            .timeout(Duration::from_secs_f64(model.timeout_seconds))
            // A redirect would carry the key to another server.
            .redirect(Policy::none());
        if is_loopback(&model.base_url) {
            builder = builder.no_proxy();
        }
        if model.base_url.starts_with("http://") {
            // Slim machines have no certificates; plain HTTP needs none.
            builder = builder.tls_certs_only([]);
        }
        builder
    }

    /// Prepares the way with a client of these settings.
    pub(super) fn with(settings: blocking::ClientBuilder, model: &Model, key: &ApiKey) -> Result<Transport, String> {
        let limit = Duration::from_secs_f64(model.timeout_seconds);
        let client = settings.build().map_err(|error| format!("no HTTP client: {}", chain(&error)))?;
        let url = format!("{}{}", model.base_url.trim_end_matches('/'), api::path(model));
        Ok(Transport { client, url, headers: headers(model, key)?, limit })
    }

    /// Sends a body.
    ///
    /// # Errors
    ///
    /// When no whole answer comes back, in words without the address.
    pub fn post(&self, body: &serde_json::Value) -> Result<Response, String> {
        let deadline = Instant::now() + self.limit;
        let request = self.client.post(&self.url).headers(self.headers.clone()).json(body);
        let response = request.send().map_err(|error| chain(&error.without_url()))?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
        let asked_wait = retry::asked_wait(header("retry-after-ms").as_deref(), header("retry-after").as_deref(), now);
        let should_retry = header("x-should-retry").and_then(|value| value.parse().ok());
        let body = body::read(response, deadline)?;
        Ok(Response { status, body, asked_wait, should_retry })
    }
}

fn headers(model: &Model, key: &ApiKey) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    let mut put = |name: &str, value: &str, secret: bool| {
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("{name} is not a header"))?;
        let mut value = HeaderValue::from_str(value).map_err(|_| format!("the value of header {name} is unusable"))?;
        value.set_sensitive(secret);
        headers.insert(header, value);
        Ok::<(), String>(())
    };
    for (name, value) in api::demanded_headers(model) {
        put(&name, &value, false)?;
    }
    if let Some(key) = key.expose() {
        let (name, value) = api::key_header(model, key);
        put(&name, &value, true)?;
    }
    Ok(headers)
}

fn is_loopback(base_url: &str) -> bool {
    let host = base_url.split("://").nth(1).unwrap_or_default();
    ["127.", "localhost", "[::1]"].iter().any(|start| host.starts_with(start))
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |words, cause| format!("{words}: {cause}"))
}
