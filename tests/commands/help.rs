//! What the program says of itself, and how much: help, completions, manual pages, `-q`, `-v`, `NO_COLOR`.

use crate::common::write_run;
use crate::program::Bench;

#[test]
fn help_stands_in_groups_and_every_command_has_examples() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]);
    let place = |words: &str| help.find(words).unwrap_or_else(|| panic!("{words} is not in {help}"));
    assert!(place("Make tasks:") < place("  build ") && place("  build ") < place("Look at a run:"), "{help}");
    assert!(
        place("Let solvers try:") < place("  score ") && place("  score ") < place("People and trainers:"),
        "{help}"
    );
    assert!(bench.run(&["sift", "--help"]).contains("Examples:\n  sqlfault sift runs/7\n"));
}

#[test]
fn colours_are_left_out_where_nobody_wants_them() {
    let bench = Bench::new();
    let help = |no_color: Option<&str>| {
        let mut command = bench.command(&["--help"]);
        command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        no_color.into_iter().for_each(|value| {
            command.env("NO_COLOR", value);
        });
        command.output().unwrap().stdout
    };
    assert!(help(None).contains(&0x1b), "CLICOLOR_FORCE asks for colours");
    assert!(!help(Some("1")).contains(&0x1b));
}

#[test]
fn shells_get_completions_and_manual_pages_stand_in_a_folder() {
    let bench = Bench::new();
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef sqlfault"), ("fish", "complete -c sqlfault")] {
        let script = bench.run(&["completions", shell]);
        assert!(
            script.starts_with("exit 0\n") && script.contains(word) && script.contains("too-easy-above"),
            "{shell}"
        );
    }
    assert!(bench.run(&["completions", "cmd"]).starts_with("exit 2\n"));
    assert!(bench.run(&["man"]).contains(".TH sqlfault 1"));
    let folder = bench.path("man1");
    let said = bench.run(&["man", folder.to_str().unwrap()]);
    assert_eq!(said, "exit 0\n");
    let page = std::fs::read_to_string(folder.join("sqlfault-sift.1")).unwrap();
    assert!(page.contains("too\\-easy\\-above") && page.contains("Examples:"), "{page}");
    bench.file("file", "");
    assert!(bench.run(&["man", bench.path("file/man1").to_str().unwrap()]).starts_with("exit 5\n"));
}

#[test]
fn a_long_command_says_how_long_it_took_and_what_comes_next_where_somebody_listens() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    let output = |more: &[&str]| {
        let output = bench.command(&[&["check", "run"], more].concat()).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [plain, loud, quiet] = [output(&[]), output(&["-v"]), output(&["--quiet"])];
    assert!(plain[0] == loud[0] && loud[0] == quiet[0], "standard output is the same");
    assert_eq!([&plain[1], &quiet[1]], ["", ""]);
    let closing = loud[1].lines().last().unwrap();
    assert!(closing.ends_with(" s; next: sqlfault repair run --solver linter"), "{closing}");
    let said = |more: &[&str]| bench.run(&[&["repair", "run", "--solver", "linter"], more].concat());
    let stages = said(&["-v"]);
    assert!(stages.contains("repair: 3\nrepair in 0."), "{stages}");
    assert!(stages.contains("; next: sqlfault sift run\n"), "{stages}");
    std::fs::remove_file(bench.path("run/attempts.jsonl")).unwrap();
    assert!(!said(&["-q"]).contains("repair: 3\n"));
    assert!(bench.run(&["check", "run", "-q", "-v"]).starts_with("exit 2\n"));
}
