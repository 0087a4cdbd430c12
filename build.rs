//! Rebuilds when files that are embedded change.

fn main() {
    println!("cargo:rerun-if-changed=taxonomy");
}
