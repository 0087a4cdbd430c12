use super::super::judgement::sample;
use super::super::test_run::test_run;
use super::*;
use crate::store::locate;

fn judgement(instance_id: &str, verdict: FairnessVerdict) -> NewJudgement {
    NewJudgement {
        instance_id: instance_id.to_owned(),
        verdict,
        why: "several readings".to_owned(),
        note: String::new(),
        alternative: None,
    }
}

fn query(filter: Filter, offset: usize) -> QueueQuery {
    QueueQuery { filter, offset, search: String::new() }
}

#[test]
fn an_annotator_sees_the_others_only_when_all_three_have_judged() {
    let run = test_run(2);
    let session = ReviewSession::open(run.path()).unwrap();
    for name in ["ann", "bob"] {
        session.judge(name, judgement("task0000", FairnessVerdict::Fair)).unwrap();
    }
    let seen = |name| session.view("task0000", name).unwrap().others.len();
    assert_eq!((seen("ann"), seen("cyd")), (0, 0));
    assert_eq!(session.agreement().kappa.tasks, 0);
    assert!(session.page("cyd", &query(Filter::All, 0)).items.iter().all(|item| item.verdict.is_none()));
    session.judge("cyd", judgement("task0000", FairnessVerdict::Unfair)).unwrap();
    assert_eq!((seen("ann"), seen("cyd")), (2, 2));
    assert_eq!(session.agreement().disagreements.len(), 1);
}

#[test]
fn the_queue_is_what_was_queued_and_what_somebody_judged() {
    let run = test_run(3);
    let decisions = r#"{"instance_id":"task0000","decision":"kept"}
{"instance_id":"task0001","decision":"queued","solved":0}
{"instance_id":"task0002","decision":"queued"}
{"instance_id":"task0002","decision":"removed"}
"#;
    std::fs::write(locate(run.path(), decisions::FILE), decisions).unwrap();
    let ids = |session: &ReviewSession| session.queue().iter().map(|task| task.instance_id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&ReviewSession::open(run.path()).unwrap()), ["task0001"]);
    let directory = RunDirectory::resume(run.path()).unwrap();
    Ledger::open(&directory).unwrap().append(vec![sample("task0002", "ann", FairnessVerdict::Fair)]).unwrap();
    drop(directory);
    assert_eq!(ids(&ReviewSession::open(run.path()).unwrap()), ["task0001", "task0002"]);
}

#[test]
fn a_thousand_tasks_come_a_hundred_at_a_time() {
    let run = test_run(1000);
    let session = ReviewSession::open(run.path()).unwrap();
    let page = session.page("ann", &query(Filter::All, 950));
    assert_eq!((page.total, page.items.len(), page.items[0].position), (1000, 50, 950));
    assert_eq!(session.page("ann", &query(Filter::Open, 0)).items.len(), PAGE);
    assert_eq!(session.page("ann", &query(Filter::Fair, 0)).total, 0);
    assert_eq!(session.page("ann", &query(Filter::All, 5000)).items, []);
}

#[test]
fn the_same_click_twice_is_one_line() {
    let run = test_run(1);
    let session = ReviewSession::open(run.path()).unwrap();
    for _ in 0..2 {
        session.judge("ann", judgement("task0000", FairnessVerdict::Unfair)).unwrap();
    }
    let lines = std::fs::read_to_string(locate(run.path(), super::super::ledger::FILE)).unwrap();
    assert_eq!(lines.lines().count(), 1);
}

#[test]
fn a_task_that_is_not_in_the_queue_and_an_unfair_without_reason_are_refused() {
    let run = test_run(1);
    let session = ReviewSession::open(run.path()).unwrap();
    assert!(session.judge("ann", judgement("nothing", FairnessVerdict::Fair)).is_err());
    let silent = NewJudgement { why: " ".to_owned(), ..judgement("task0000", FairnessVerdict::Unfair) };
    assert!(session.judge("ann", silent).is_err());
    assert!(session.view("nothing", "ann").is_err());
}

#[test]
fn a_view_has_the_edit_the_rows_and_both_results_after_the_verdict_and_nothing_of_them_before() {
    let run = test_run(1);
    let session = ReviewSession::open(run.path()).unwrap();
    let is_blind = || {
        let view = session.view("task0000", "ann").unwrap();
        let item = session.page("ann", &query(Filter::All, 0)).items.remove(0);
        let shown = serde_json::to_string(&view).unwrap() + &item.fault;
        // The reference counts every row, the issue those with an amount.
        let answers = ["COUNT(*)", "count-column", "changed\":true", "critique\":[{", "location\":{", "witness\":[{"];
        let told = answers.iter().filter(|answer| shown.contains(*answer)).count();
        assert_eq!(view.is_blind, told == 0, "{shown}");
        view.is_blind
    };
    assert!(is_blind());
    session.judge("ann", judgement("task0000", FairnessVerdict::Fair)).unwrap();
    assert!(!is_blind());
    let view = session.view("task0000", "ann").unwrap();
    let edited: Vec<_> = view.lines.iter().filter(|line| line.issue.is_none() || line.reference.is_none()).collect();
    assert_eq!(edited.len(), 2);
    assert_eq!((view.witness[0].table.as_str(), view.witness[0].columns.len()), ("shop.sales", 2));
    assert_eq!(view.results[0].rows[0].changed, [0]);
    assert_eq!(view.suite, 1);
}

#[test]
fn an_alternative_is_run_on_the_databases_when_it_comes_and_not_again_with_the_next_click() {
    let run = test_run(1);
    let session = ReviewSession::open(run.path()).unwrap();
    let with =
        |sql: &str| NewJudgement { alternative: Some(sql.to_owned()), ..judgement("task0000", FairnessVerdict::Fair) };
    let good = session.judge("ann", with("SELECT COUNT(1) AS n FROM shop.sales")).unwrap();
    assert_eq!(good.judgement.alternative_accepted, Some(true), "{:?}", good.checked);
    let again =
        session.judge("ann", NewJudgement { note: "x".to_owned(), ..with("SELECT COUNT(1) AS n FROM shop.sales") });
    assert_eq!(again.unwrap(), Saved { checked: None, ..desk_saved(&session) });
    for (bad, words) in [
        ("SELECT COUNT(amount) AS n FROM shop.sales", "0 of 1"),
        ("SELECT  COUNT(*) AS n\nFROM shop.sales", "is the reference"),
        ("SELECT ( FROM", "PARSE_SYNTAX_ERROR"),
        ("SELECT nothing FROM shop.sales", "UNRESOLVED_COLUMN"),
    ] {
        let checked = session.judge("ann", with(bad)).unwrap().checked.unwrap();
        assert!(!checked.accepted && checked.message.contains(words), "{bad}: {checked:?}");
    }
}

fn desk_saved(session: &ReviewSession) -> Saved {
    let ledger = session.ledger();
    let judgement = ledger.of("task0000", "ann").unwrap().clone();
    assert_eq!((judgement.alternative_accepted, judgement.note.as_str()), (Some(true), "x"));
    Saved { judgement, checked: None, judged: 1 }
}

#[test]
fn a_judgement_taken_back_is_none_also_after_a_restart() {
    let run = test_run(2);
    let session = ReviewSession::open(run.path()).unwrap();
    session.judge("ann", judgement("task0000", FairnessVerdict::Fair)).unwrap();
    session.judge("ann", judgement("task0001", FairnessVerdict::Fair)).unwrap();
    assert_eq!(session.withdraw("ann", "task0000").unwrap(), 1);
    assert_eq!(session.withdraw("ann", "task0000").unwrap(), 1, "twice is once");
    assert!(session.withdraw("ann", "nothing").is_err());
    drop(session);
    let session = ReviewSession::open(run.path()).unwrap();
    let open = session.page("ann", &query(Filter::Open, 0));
    assert_eq!(open.items.iter().map(|item| item.instance_id.as_str()).collect::<Vec<_>>(), ["task0000"]);
    assert!(session.view("task0000", "ann").unwrap().is_blind);
}

#[test]
fn words_are_looked_for_in_what_an_annotator_may_see() {
    let run = test_run(30);
    let session = ReviewSession::open(run.path()).unwrap();
    let found = |search: &str| {
        let query = QueueQuery { search: search.to_owned(), ..QueueQuery::default() };
        session.page("ann", &query).total
    };
    assert_eq!([found(""), found("  TASK0007 "), found("semantic shop"), found("shop nothing")], [30, 1, 30, 0]);
    let fault = session.fault(&session.queue()[0]).to_owned();
    assert_eq!(found(&fault), 0, "a fault is part of the answer");
    session.judge("ann", judgement("task0000", FairnessVerdict::Fair)).unwrap();
    assert_eq!(found(&fault), 1);
}
