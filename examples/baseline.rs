//! Runs the baseline of every seed and prints how it went.
fn main() {
    for seed in sqlfault::corpus::embedded() {
        let seed = match seed {
            Ok(seed) => seed,
            Err(error) => {
                println!("ERROR {error}");
                continue;
            }
        };
        let start = std::time::Instant::now();
        match sqlfault::prove::Subject::new(&seed) {
            Ok(subject) => {
                let rows: Vec<String> = subject
                    .pool
                    .iter()
                    .map(|s| {
                        format!(
                            "{}->{}",
                            s.database.row_count(),
                            s.result.tables.iter().map(|t| t.rows.len().to_string()).collect::<Vec<_>>().join("/")
                        )
                    })
                    .collect();
                println!("ok    {} {:?} {}", seed.id, start.elapsed(), rows.join(" "));
            }
            Err(refusal) => {
                println!("FAIL  {} {}", seed.id, format!("{refusal}").chars().take(400).collect::<String>())
            }
        }
    }
}
