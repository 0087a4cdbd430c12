//! What the page may ask.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use serde::Serialize;
use serde_json::json;

use super::guard::{self, Annotator, Guard};
use crate::review::ReviewError;
use crate::review::api::{CheckRequest, NewJudgement, QueueQuery, Withdrawal};
use crate::review::session::ReviewSession;

const PAGE: &str = include_str!("../../../templates/review/page.html");
const STYLE: &str = include_str!("../../../templates/review/style.css");
const SCRIPTS: [(&str, &str); 4] = [
    ("dom.js", include_str!("../../../templates/review/dom.js")),
    ("task.js", include_str!("../../../templates/review/task.js")),
    ("queue.js", include_str!("../../../templates/review/queue.js")),
    ("app.js", include_str!("../../../templates/review/app.js")),
];

type Caller = Extension<Annotator>;

pub(super) fn router(session: Arc<ReviewSession>, guard: Guard) -> Router {
    Router::new()
        .route("/{token}/", get(|| async { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE) }))
        .route("/{token}/file/{name}", get(file))
        .route("/{token}/api/overview", get(overview))
        .route("/{token}/api/queue", get(queue))
        .route("/{token}/api/task/{instance_id}", get(task))
        .route("/{token}/api/agreement", get(agreement))
        .route("/{token}/api/judgement", post(judgement))
        .route("/{token}/api/withdrawal", post(withdrawal))
        .route("/{token}/api/check", post(check))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .with_state(session)
}

async fn file(Path((_, name)): Path<(String, String)>) -> Response {
    let text = |kind: &'static str, text: &'static str| ([(header::CONTENT_TYPE, kind)], text).into_response();
    if name == "style.css" {
        return text("text/css; charset=utf-8", STYLE);
    }
    let script = SCRIPTS.iter().find(|(known, _)| *known == name);
    script.map_or_else(|| StatusCode::NOT_FOUND.into_response(), |(_, content)| text("text/javascript", content))
}

/// Runs `work` on a thread for blocking work, because it may run SQL or wait for the disk.
async fn answer<T, F>(work: F) -> Response
where
    T: Serialize + Send + 'static,
    F: FnOnce() -> Result<T, ReviewError> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(content)) => Json(content).into_response(),
        Ok(Err(error)) => {
            let status = match &error {
                ReviewError::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, Json(json!({ "error": error.to_string() }))).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": error.to_string() }))).into_response(),
    }
}

async fn overview(State(session): State<Arc<ReviewSession>>, Extension(Annotator(name)): Caller) -> Response {
    answer(move || Ok(session.overview(&name))).await
}

async fn queue(
    State(session): State<Arc<ReviewSession>>,
    Extension(Annotator(name)): Caller,
    Query(wanted): Query<QueueQuery>,
) -> Response {
    answer(move || Ok(session.page(&name, &wanted))).await
}

async fn task(
    State(session): State<Arc<ReviewSession>>,
    Extension(Annotator(name)): Caller,
    Path((_, instance_id)): Path<(String, String)>,
) -> Response {
    answer(move || session.view(&instance_id, &name)).await
}

async fn agreement(State(session): State<Arc<ReviewSession>>) -> Response {
    answer(move || Ok(session.agreement())).await
}

async fn judgement(
    State(session): State<Arc<ReviewSession>>,
    Extension(Annotator(name)): Caller,
    Json(judgement): Json<NewJudgement>,
) -> Response {
    answer(move || session.judge(&name, judgement)).await
}

async fn withdrawal(
    State(session): State<Arc<ReviewSession>>,
    Extension(Annotator(name)): Caller,
    Json(withdrawn): Json<Withdrawal>,
) -> Response {
    answer(move || session.withdraw(&name, &withdrawn.instance_id)).await
}

async fn check(
    State(session): State<Arc<ReviewSession>>,
    Extension(Annotator(name)): Caller,
    Json(attempted): Json<CheckRequest>,
) -> Response {
    answer(move || session.check_for(&name, &attempted.instance_id, &attempted.sql)).await
}
