//! A Spark process that ends, or says what is no answer: no verdict on any script, and the command ends.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use crate::program::Bench;

/// A Python that says it has Spark, comes up, and then does this with every request.
fn python(bench: &Bench, then: &str) -> String {
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *'import pyspark'*) echo 4.3.0; exit 0;; esac\n\
         echo '{{\"event\": \"ready\", \"spark\": \"4.3.0\"}}'\nwhile read -r request; do {then}; done\n"
    );
    let path = bench.file("python", text);
    let java = bench.file("java/bin/java", "#!/bin/sh\necho 'openjdk version \"17\"' >&2\n");
    for program in [&path, &java] {
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    path.display().to_string()
}

/// Attack | a Spark process that answers with garbage, with an answer to nothing, or dies at every request | – | started again once, then exit 3 with its reason; nothing is planted
#[test]
fn a_spark_that_talks_garbage_or_dies_gives_no_verdict() {
    for then in ["echo 'no JSON at all'", "echo '[[['", "exit 1", "kill -9 $$", "printf '\\377\\376\\n'"] {
        let bench = Bench::new();
        let named = python(&bench, then);
        bench.file("s.sql", "SELECT a FROM t WHERE a > 1");
        bench.file("t.sql", "CREATE TABLE t (a INT)");
        let mut inject = bench.command(&["inject", "s.sql", "--schema", "t.sql", "--engine", "spark"]);
        inject.env("SQLFAULT_PYTHON", named).env("JAVA_HOME", bench.path("java"));
        let said = bench.shown(&inject.output().unwrap());
        assert!(said.starts_with("exit 3\n"), "{then}: {said}");
        assert!(said.contains("the Spark process ended"), "{then}: {said}");
    }
}
