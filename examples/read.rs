//! Reads scripts and prints what does not parse.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let start = std::time::Instant::now();
        let script = sqlfault::code::script::Script::new(text);
        let time = start.elapsed();
        for (id, error) in script.errors() {
            println!(
                "{path}:{} {error} | {:.60}",
                script.place(error.span.start),
                script.slice(*id).replace('\n', " ")
            );
        }
        println!("{path}: {} nodes {:?}", script.tree().len(), time);
    }
}
