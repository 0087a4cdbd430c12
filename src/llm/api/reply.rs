//! What a model answers.

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It was done.
    Complete,
    /// A length limit cut it off.
    Truncated,
    /// It, or a filter of its provider, refused.
    Refused,
    /// The body says nothing that the protocol knows.
    Unknown,
}

/// Tokens an answer was charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TokenUsage {
    /// Read.
    pub input: u64,
    /// Written, reasoning included.
    pub output: u64,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelReply {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub stop: StopReason,
    /// The provider's word for it.
    pub finish_reason: String,
    /// The tokens it was charged for.
    pub tokens: TokenUsage,
}
