//! The page on 127.0.0.1. It answers nobody but a browser that was given its address.

mod access;
mod guard;
mod routes;

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use super::ReviewError;
use super::judgement::check_name;
use super::session::ReviewSession;
use access::{Access, token};

/// A page that is about to be served.
pub struct ReviewServer {
    listener: std::net::TcpListener,
    port: u16,
    session: Arc<ReviewSession>,
    accesses: Vec<Access>,
}

/// An annotator and the address of their page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatorAddress {
    pub annotator: String,
    /// Where; it holds the secret.
    pub url: String,
}

impl ReviewServer {
    /// Takes a port of 127.0.0.1 (any free one for 0) for these annotators, each with a page of their own.
    ///
    /// # Errors
    ///
    /// When the port is taken, a name makes no sense, or the panel has no room for a name.
    pub fn bind(session: ReviewSession, annotators: &[String], port: u16) -> Result<ReviewServer, ReviewError> {
        annotators.iter().try_for_each(|name| check_name(name))?;
        session.ledger().admits(annotators)?;
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let access = |name: &String| Ok(Access { annotator: name.clone(), token: token()? });
        let accesses = annotators.iter().map(access).collect::<Result<Vec<Access>, std::io::Error>>()?;
        Ok(ReviewServer { listener, port, session: Arc::new(session), accesses })
    }

    /// Where each annotator finds their page.
    pub fn addresses(&self) -> Vec<AnnotatorAddress> {
        let address = |access: &Access| AnnotatorAddress {
            annotator: access.annotator.clone(),
            url: format!("http://127.0.0.1:{}/{}/", self.port, access.token),
        };
        self.accesses.iter().map(address).collect()
    }

    /// Serves until Ctrl-C.
    pub fn run(self) -> Result<(), ReviewError> {
        self.run_until(async {
            // Without a signal handler the page can still be ended by killing it; nothing is lost then either.
            let _ = tokio::signal::ctrl_c().await;
        })
    }

    /// Serves until `stop` is ready.
    fn run_until(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ReviewError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = routes::router(self.session, guard::Guard { port: self.port, accesses: self.accesses });
            axum::serve(listener, router).with_graceful_shutdown(stop).await?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
