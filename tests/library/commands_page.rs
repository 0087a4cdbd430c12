//! `docs/commands.md` agrees with what the program parses.

#[test]
fn the_page_of_commands_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md");
    let wanted = sqlfault::cli::reference();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &wanted).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    let line = written.lines().zip(wanted.lines()).position(|(left, right)| left != right).map(|at| at + 1);
    assert!(written == wanted, "docs/commands.md is not current from line {line:?}; run this test with UPDATE=1");
}
