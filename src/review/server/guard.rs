//! Who is let in: requests that name this host, come from this page, and know the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::Access;

/// What a request must show.
pub(super) struct Guard {
    pub(super) port: u16,
    pub(super) accesses: Vec<Access>,
}

/// Whose page asks.
#[derive(Clone)]
pub(super) struct Annotator(pub(super) String);

impl Guard {
    /// Another host's name that leads here (DNS rebinding) is not ours.
    fn host_is_ours(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
        host.is_some_and(|host| self.names().iter().any(|name| name == host))
    }

    /// A page of another origin says so itself: browsers send `Origin` with every POST and `Sec-Fetch-Site` always.
    fn origin_is_ours(&self, headers: &HeaderMap) -> bool {
        let ours = |value: &HeaderValue| {
            let origin = value.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            origin.is_some_and(|origin| self.names().iter().any(|name| name == origin))
        };
        let mut sites = headers.get_all("sec-fetch-site").iter();
        headers.get_all(header::ORIGIN).iter().all(ours) && sites.all(|site| site == "same-origin" || site == "none")
    }

    fn names(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
    }

    fn annotator<'a>(&'a self, path: &str) -> Option<Annotator> {
        let token = path.split('/').nth(1).unwrap_or_default();
        // Every access is compared, and every byte, so that the time tells nothing.
        let keep = |found, access: &'a Access| if same(&access.token, token) { Some(access) } else { found };
        let found: Option<&Access> = self.accesses.iter().fold(None, keep);
        found.map(|access| Annotator(access.annotator.clone()))
    }
}

fn same(secret: &str, given: &str) -> bool {
    let differing = secret.bytes().zip(given.bytes()).fold(0, |all, (left, right)| all | (left ^ right));
    differing == 0 && secret.len() == given.len()
}

/// Lets a request through, or says what it lacks.
pub(super) async fn check(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let refuse = |message: &'static str| (StatusCode::FORBIDDEN, message).into_response();
    let response = if !guard.host_is_ours(request.headers()) {
        refuse("This page answers to 127.0.0.1 only.\n")
    } else if !guard.origin_is_ours(request.headers()) {
        refuse("This page does not answer to other pages.\n")
    } else if let Some(annotator) = guard.annotator(request.uri().path()) {
        request.extensions_mut().insert(annotator);
        next.run(request).await
    } else {
        refuse("The token is missing or of an earlier session. Open the address that `sqlfault review` printed.\n")
    };
    with_headers(response)
}

/// Nothing is kept, framed, sniffed, or loaded from elsewhere.
fn with_headers(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 6] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}
