//! Asks one model: the cache first, then the budget, then the server, with retries.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::api::{self, ModelReply, Prompt, StopReason, TokenUsage};
use super::budget::Budget;
use super::cache::{Cache, CacheError, Exchange, ModelRequest, RecordedReply};
use super::concurrency::ConcurrencyLimit;
use super::config::Model;
use super::key::ApiKey;
use super::response::Response;
use super::retry::{LONGEST_REQUESTED_WAIT, Remedy, remedy, wait};
use super::transport::Transport;

/// Bytes of a token, for estimates.
const BYTES_A_TOKEN: f64 = 3.5;
/// Characters of a body that an error shows.
const SHOWN_OF_BODY: usize = 500;
/// Characters of a body in which the key is looked for, so that none that begins in the shown ones is cut.
const READ_FOR_ERRORS: usize = 8192;

/// A model's answer and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelAnswer {
    pub reply: ModelReply,
    /// Digest of the request.
    pub digest: String,
    /// Money that the answer cost when the server gave it, also if it comes from the cache now.
    pub cost: f64,
    /// Time that the server took, in milliseconds.
    pub latency_ms: u64,
    pub cached: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The server calls this request wrong; others may be sent.
    #[error("{model} refuses the request ({status}): {message}")]
    Rejected {
        model: String,
        status: u16,
        /// The server's words, without the key.
        message: String,
    },
    #[error("{model}: {message}")]
    Unreachable { model: String, message: String },
    /// Nothing more can be asked of this model: no money, no permission, no key, or too long a wait.
    #[error("{model}: {message}")]
    Stopped { model: String, message: String },
    /// Only the cache may be asked, and it has no answer.
    #[error("{0}: the answer is not in the cache")]
    NotCached(String),
    /// An answer cannot be kept or read.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// One model with all that asking it takes. Workers share it.
#[derive(Debug)]
pub struct Client {
    model: Model,
    key: ApiKey,
    transport: Option<Transport>,
    url: String,
    cache: Arc<Cache>,
    budget: Arc<Budget>,
    concurrency: ConcurrencyLimit,
}

impl Client {
    /// Prepares a model. With `offline` nothing is ever sent and no key is needed.
    ///
    /// # Errors
    ///
    /// In words, without the key: a variable that is not set, a header that cannot be sent.
    pub fn new(model: &Model, cache: &Arc<Cache>, budget: &Arc<Budget>, offline: bool) -> Result<Client, String> {
        let variable = model.key_variable.as_deref().filter(|_| !offline);
        let key = ApiKey::from_environment(variable).map_err(|error| format!("model {}: {error}", model.name))?;
        let transport = if offline { None } else { Some(Transport::new(model, &key)?) };
        let url = format!("{}{}", model.base_url.trim_end_matches('/'), api::path(model));
        let concurrency = ConcurrencyLimit::new(model.concurrency);
        let (model, cache, budget) = (model.clone(), Arc::clone(cache), Arc::clone(budget));
        Ok(Client { model, key, transport, url, cache, budget, concurrency })
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The request that a prompt makes.
    pub fn request(&self, prompt: &Prompt) -> ModelRequest {
        ModelRequest { url: self.url.clone(), body: api::body(&self.model, prompt) }
    }

    /// Whether a prompt has its answer on disk.
    pub fn has(&self, prompt: &Prompt) -> bool {
        self.cache.find(&self.request(prompt).digest()).is_ok_and(|found| found.is_some())
    }

    /// Keeps an answer that came another way, such as a batch file. The time it took is not known.
    pub fn accept(&self, request: ModelRequest, body: &serde_json::Value) -> Result<(), CacheError> {
        let body = self.key.scrub_json(body.clone());
        self.cache.keep(&Exchange { request, answer: RecordedReply { body, latency_ms: 0, retries: 0 } })
    }

    /// What a prompt will cost if the answer has `output` bytes: tokens by the rule of thumb, and money.
    pub fn estimate(&self, prompt: &Prompt, output: usize) -> (TokenUsage, f64) {
        let tokens = |bytes: usize| (bytes as f64 / BYTES_A_TOKEN).ceil() as u64;
        let input = prompt.system.len() + prompt.turns.iter().map(String::len).sum::<usize>();
        let tokens = TokenUsage { input: tokens(input), output: tokens(output) };
        (tokens, self.cost(tokens))
    }

    /// The most that a prompt should cost: by the length limit of the models file, or else by twice the likely length.
    fn most(&self, prompt: &Prompt, expected: usize) -> f64 {
        let names =
            ["/max_tokens", "/max_completion_tokens", "/max_output_tokens", "/generationConfig/maxOutputTokens"];
        let body = serde_json::Value::Object(self.model.extra_body.clone());
        let limit = names.iter().find_map(|name| body.pointer(name)?.as_u64());
        let tokens = self.estimate(prompt, expected.saturating_mul(2)).0;
        self.cost(TokenUsage { input: tokens.input, output: limit.unwrap_or(tokens.output) })
    }

    fn cost(&self, tokens: TokenUsage) -> f64 {
        (tokens.input as f64 * self.model.price.input + tokens.output as f64 * self.model.price.output) / 1e6
    }

    /// Asks. `expected` is the likely length of the answer in bytes, for the cost limit.
    ///
    /// # Errors
    ///
    /// When there is no answer; see [`AskError`]. An answer is on disk before this returns.
    pub fn ask(&self, prompt: &Prompt, expected: usize) -> Result<ModelAnswer, AskError> {
        let request = self.request(prompt);
        let digest = request.digest();
        let lock = self.cache.lock(&digest);
        if let Some(exchange) = self.cache.find(&digest)? {
            return Ok(self.answer(&digest, &exchange, true));
        }
        let Some(transport) = &self.transport else { return Err(AskError::NotCached(self.model.name.clone())) };
        let reserved = self.most(prompt, expected);
        if !self.budget.reserve(reserved) {
            return Err(self.stopped("the cost limit is reached"));
        }
        let result = self.send(transport, &request).and_then(|answer| {
            let exchange = Exchange { request, answer };
            self.cache.keep(&exchange)?;
            Ok(self.answer(&digest, &exchange, false))
        });
        self.budget.settle(reserved, result.as_ref().map_or(0.0, |answer| answer.cost));
        drop(lock);
        result
    }

    fn answer(&self, digest: &str, exchange: &Exchange, cached: bool) -> ModelAnswer {
        let reply = api::read(self.model.protocol, &exchange.answer.body);
        let cost = self.cost(reply.tokens);
        ModelAnswer { reply, digest: digest.to_owned(), cost, latency_ms: exchange.answer.latency_ms, cached }
    }

    fn send(&self, transport: &Transport, request: &ModelRequest) -> Result<RecordedReply, AskError> {
        let mut last = String::new();
        for retries in 0..=self.model.retries {
            let permit = self.concurrency.acquire();
            let start = Instant::now();
            let sent = transport.post(&request.body);
            drop(permit);
            let latency_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            let (remedy, asked) = match sent {
                Err(error) => {
                    last = error;
                    (Remedy::Retry, None)
                }
                Ok(response) => match self.judge(&response) {
                    Ok(body) => {
                        self.concurrency.succeeded();
                        return Ok(RecordedReply { body, latency_ms, retries });
                    }
                    Err((remedy, message)) => {
                        last = message;
                        self.give_up(remedy, response.status, &last)?;
                        (remedy, response.asked_wait)
                    }
                },
            };
            self.wait_before_retry(remedy, retries, asked)?;
        }
        Err(AskError::Unreachable { model: self.model.name.clone(), message: self.key.scrub_error(&last) })
    }

    /// The body of a good answer, without the key; otherwise what to do and why.
    fn judge(&self, response: &Response) -> Result<serde_json::Value, (Remedy, String)> {
        if !(200..300).contains(&response.status) {
            let message = format!("status {}: {}", response.status, self.start(&response.body));
            return Err((remedy(response.status, &response.body, response.should_retry), message));
        }
        // Scrubbed after decoding: escapes that JSON allows would hide the key from a look at the raw text.
        let refused = |reason: String| (Remedy::Retry, format!("{reason}; it starts: {}", self.start(&response.body)));
        let body = serde_json::from_str::<serde_json::Value>(&response.body);
        let body = self.key.scrub_json(body.map_err(|error| refused(format!("the answer is not JSON ({error})")))?);
        if api::read(self.model.protocol, &body).stop == StopReason::Unknown {
            return Err(refused(format!(
                "the answer has not the schema of the {} protocol",
                self.model.protocol.name()
            )));
        }
        Ok(body)
    }

    /// Words of the server's that an error is to show, without the key.
    pub fn without_key(&self, words: &str) -> String {
        self.key.scrub_error(words)
    }

    /// The start of a body for an error, without the key. A body may be long, and every part of the key is looked for, so
    /// only what can reach into the start is read.
    fn start(&self, body: &str) -> String {
        let read: String = body.chars().take(READ_FOR_ERRORS).collect();
        self.key.scrub_error(&read).chars().take(SHOWN_OF_BODY).collect()
    }

    fn give_up(&self, remedy: Remedy, status: u16, message: &str) -> Result<(), AskError> {
        match remedy {
            Remedy::StopReason => Err(self.stopped(message)),
            Remedy::Reject => {
                let (model, message) = (self.model.name.clone(), message.to_owned());
                Err(AskError::Rejected { model, status, message })
            }
            Remedy::Retry | Remedy::Slower => Ok(()),
        }
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    ///
    /// When the server asks for a longer wait than [`LONGEST_REQUESTED_WAIT`].
    fn wait_before_retry(&self, remedy: Remedy, retries: u32, asked: Option<Duration>) -> Result<(), AskError> {
        if let Some(asked) = asked.filter(|asked| *asked > LONGEST_REQUESTED_WAIT) {
            return Err(self.stopped(&format!("the server wants us to wait {} seconds", asked.as_secs())));
        }
        if retries == self.model.retries {
            return Ok(());
        }
        let pause = wait(Duration::from_millis(self.model.first_wait_ms), retries, asked, chance());
        if remedy == Remedy::Slower {
            self.concurrency.overloaded(pause);
        }
        self.concurrency.wait(pause);
        Ok(())
    }

    fn stopped(&self, message: &str) -> AskError {
        AskError::Stopped { model: self.model.name.clone(), message: self.key.scrub_error(message) }
    }
}

/// A number from 0 to 1; the standard library draws its hash keys from the system.
fn chance() -> f64 {
    use std::hash::{BuildHasher, Hasher};
    (std::hash::RandomState::new().build_hasher().finish() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests;
