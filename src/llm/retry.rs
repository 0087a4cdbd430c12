//! What to do about a request that failed, and how long to wait.

use std::time::Duration;

/// Longest wait between attempts, unless the server asks for a longer one.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A server that wants a longer wait than this is not waited for.
pub const LONGEST_REQUESTED_WAIT: Duration = Duration::from_secs(120);

/// What to do about a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Ask again later.
    Retry,
    /// Ask again later, and less often.
    Slower,
    /// Nothing more can be asked of this model: no money, no permission.
    StopReason,
    /// This request is wrong; others may be sent.
    Reject,
}

/// Words of money errors, which some providers send with status 429 or 400.
const MONEY: [&str; 6] =
    ["insufficient_quota", "credit_balance", "credit balance", "billing", "quota_exceeded", "payment"];

/// The remedy for an HTTP status and its body.
///
/// Source: the official clients retry 408, 409, 429 and 5xx and obey `x-should-retry`; money errors do not heal.
pub fn remedy(status: u16, body: &str, should_retry: Option<bool>) -> Remedy {
    let lower = body.to_ascii_lowercase();
    let money = (400..500).contains(&status) && MONEY.iter().any(|word| lower.contains(word));
    match (status, should_retry) {
        (402, _) => Remedy::StopReason,
        _ if money => Remedy::StopReason,
        (401 | 403 | 404, _) => Remedy::StopReason,
        (429 | 529 | 503, _) => Remedy::Slower,
        (_, Some(true)) => Remedy::Retry,
        (_, Some(false)) => Remedy::Reject,
        (408 | 409 | 500.., _) => Remedy::Retry,
        _ => Remedy::Reject,
    }
}

/// The wait before retry `number` (from 0): doubling, with jitter between half and the whole. It is never less than the
/// server asks for, and at most a second more.
pub fn wait(first: Duration, number: u32, asked: Option<Duration>, jitter: f64) -> Duration {
    let doubled = first.saturating_mul(2u32.saturating_pow(number.min(16))).min(LONGEST_WAIT);
    let spread = doubled.mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0));
    asked.map_or(spread, |asked| asked.max(spread.min(asked + Duration::from_secs(1))))
}

/// The wait a server asks for: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date.
pub fn asked_wait(
    milliseconds: Option<&str>,
    after: Option<&str>,
    now: chrono::DateTime<chrono::Utc>,
) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    if let Some(wait) = milliseconds.and_then(number) {
        return Some(Duration::from_secs_f64((wait / 1_000.0).min(1e9)));
    }
    let after = after?;
    if let Some(seconds) = number(after) {
        return Some(Duration::from_secs_f64(seconds.min(1e9)));
    }
    let date = chrono::DateTime::parse_from_rfc2822(after.trim()).ok()?;
    Some((date.with_timezone(&chrono::Utc) - now).to_std().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_its_remedy() {
        let cases = [
            (429, "slow down", None, Remedy::Slower),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, None, Remedy::StopReason),
            (402, "", Some(true), Remedy::StopReason),
            (400, "Your credit balance is too low", None, Remedy::StopReason),
            (400, "context too long", None, Remedy::Reject),
            (400, "busy", Some(true), Remedy::Retry),
            (401, "", None, Remedy::StopReason),
            (408, "", None, Remedy::Retry),
            (500, "", None, Remedy::Retry),
            (500, "", Some(false), Remedy::Reject),
            (529, "overloaded", None, Remedy::Slower),
        ];
        for (status, body, should, wanted) in cases {
            assert_eq!(remedy(status, body, should), wanted, "{status} {body}");
        }
    }

    #[test]
    fn waits_double_with_jitter_and_obey_the_server() {
        let first = Duration::from_millis(500);
        assert_eq!(wait(first, 0, None, 1.0), first);
        assert_eq!(wait(first, 2, None, 0.0), Duration::from_secs(1));
        assert_eq!(wait(first, 30, None, 1.0), LONGEST_WAIT);
        assert!(wait(first, 0, Some(Duration::from_secs(7)), 0.3) >= Duration::from_secs(7));
        let now = chrono::DateTime::parse_from_rfc2822("Sat, 21 Nov 2026 10:00:00 GMT").unwrap().to_utc();
        assert_eq!(asked_wait(Some("1500"), Some("9"), now), Some(Duration::from_millis(1_500)));
        assert_eq!(asked_wait(None, Some("2.5"), now), Some(Duration::from_millis(2_500)));
        assert_eq!(asked_wait(None, Some("Sat, 21 Nov 2026 10:00:09 GMT"), now), Some(Duration::from_secs(9)));
        assert_eq!(asked_wait(None, Some("soon"), now), None);
    }
}
