//! What must hold for a call of any function with any arguments: it ends soon, with a value or an error, and nothing
//! panics. Shared by the fuzz target and `tests/library/function_sizes.rs`.

use std::time::{Duration, Instant};

use sqlfault::code::functions;
use sqlfault::engine::sqlite::Limits;
use sqlfault::engine::table::Database;
use sqlfault::engine::{ExecutionContext, embedded};

/// Longest time for one call. Functions whose time grows with the product of two sizes stop after a good second, a
/// hundred times slower where nothing is optimised.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 4 });

/// When the query is ended. A lambda is a loop of the query, not of one function, and may take as long.
const LIMIT: Duration = Duration::from_secs(2);

/// NULLs, extremes, and sizes that multiply.
const ARGUMENTS: &[&str] = &[
    "NULL", "0", "1", "-1", "2", "16", "100000", "2147483647", "(-2147483647 - 1)", "9223372036854775807",
    "(-9223372036854775807 - 1)", "1.5D", "-0.0D", "1e308D", "CAST('NaN' AS DOUBLE)", "12.345", "true", "''", "'a'",
    "'é😀'", "'a,b;c:d'", "'2024-02-29'", "'9999-12-31 23:59:59.999999'", "DATE '2024-02-29'",
    "TIMESTAMP '2024-02-29 23:59:59.999999'", "'+aéb'", "'%1$s%1$s%-2147483647d%.2147483647f%n'",
    "'#,##0.000000000000000000000000'", "'yyyy-MM-dd HH:mm:ss'", "'$.a[*].b[2147483648]'", "'(a*)*|b{1,900}'",
    "'$0$0$0$0$0$0$0$0'", "'{\"a\":[1,null,{\"b\":2}]}'", "repeat('a', 1000000)", "repeat('%_', 20000)",
    "repeat('y', 100000)", "repeat('[]', 50)", "repeat('9', 200000)", "repeat('$0', 200000)", "repeat('aé,', 100000)",
    "array()", "array(1, NULL, 3)", "array('a', 'b')", "sequence(1, 60000)", "map('a', 1, 'b', NULL)",
    "named_struct('a', 1)", "x -> x", "(x, y) -> x", "INTERVAL 1 DAY",
];

/// How a function is called.
#[derive(Clone, Copy)]
enum Form {
    Once,
    /// Over three rows with other arguments in the first, as aggregates are.
    OverRows,
    GroupBy,
    Running,
    Sliding,
    Distinct,
    Filter,
}

const FORMS: [Form; 7] =
    [Form::Once, Form::OverRows, Form::GroupBy, Form::Running, Form::Sliding, Form::Distinct, Form::Filter];

/// One call: the first two bytes choose the function, the third the form and the number of arguments, one each the
/// arguments, the last the number of rows.
pub fn call(bytes: &[u8]) {
    let [first, second, number, chosen @ ..] = bytes else { return };
    let all: Vec<_> = functions::all().collect();
    let function = all[usize::from(u16::from_le_bytes([*first, *second])) % all.len()];
    let most = function.maximum.unwrap_or(function.minimum + 3);
    let form = FORMS[usize::from(*number) % FORMS.len()];
    let count = function.minimum + usize::from(*number) / FORMS.len() % (most - function.minimum + 1);
    let argument = |at: usize| ARGUMENTS[usize::from(chosen.get(at).copied().unwrap_or(0)) % ARGUMENTS.len()];
    let by_row = |at: usize| match form {
        Form::Once => argument(at).to_owned(),
        _ => format!("CASE WHEN n = 1 THEN {} ELSE {} END", argument(at), argument(at + count)),
    };
    let arguments = (0..count).map(by_row).collect::<Vec<_>>().join(", ");
    let is_long = chosen.last().is_some_and(|byte| byte % 4 == 0) && !matches!(form, Form::Once | Form::OverRows);
    let rows = format!("(SELECT explode(sequence(1, {})) AS n) t", if is_long { 20_000 } else { 3 });
    let name = &function.name;
    run(&match form {
        Form::Once => format!("SELECT {name}({arguments}) AS v"),
        Form::OverRows => format!("SELECT {name}({arguments}) AS v FROM {rows}"),
        Form::GroupBy => format!("SELECT n % 2 AS k, {name}({arguments}) AS v FROM {rows} GROUP BY n % 2"),
        Form::Running => format!("SELECT {name}({arguments}) OVER (PARTITION BY n % 2 ORDER BY n) AS v FROM {rows}"),
        Form::Sliding => {
            let frame = "ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING";
            format!("SELECT {name}({arguments}) OVER (ORDER BY n {frame}) AS v FROM {rows}")
        }
        Form::Distinct => format!("SELECT {name}(DISTINCT {arguments}) AS v FROM {rows}"),
        Form::Filter => format!("SELECT {name}({arguments}) FILTER (WHERE n > 1) AS v FROM {rows}"),
    });
}

/// One query that calls a function.
pub fn run(sql: &str) {
    let started = Instant::now();
    let limits = Limits { time: LIMIT, ..Limits::default() };
    let outcome = embedded::run_within(sql, ExecutionContext::default().by_ref(), &Database::default(), &limits);
    let elapsed = started.elapsed();
    if let Err(error) = outcome {
        assert!(!error.to_string().contains("unwinding panic"), "a function panics: {sql}");
    }
    assert!(elapsed < LONGEST, "{sql} takes {elapsed:?}");
}
