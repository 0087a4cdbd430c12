use sqlfault::code::{parameters::Parameters, schema::Schema, scope::Scopes, script::Script};
use sqlfault::engine::sqlite::Sqlite;
#[derive(serde::Deserialize)]
struct Card { #[serde(default)] parameters: Parameters }
fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let read = |f: &str| std::fs::read_to_string(format!("{folder}/{f}")).unwrap();
    let schema = Schema::read(&read("schema.sql")).unwrap();
    let card: Card = serde_saphyr::from_str(&read("seed.yaml")).unwrap();
    let script = card.parameters.bind_script(&Script::new(read("script.sql"))).unwrap();
    let scopes = Scopes::resolve(&script, &schema);
    let t = Sqlite::translate(&script, &scopes, &schema, &card.parameters).unwrap();
    for q in t.queries() { println!("{q}\n"); }
}
