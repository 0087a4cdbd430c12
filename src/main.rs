//! Thin start of the command line.

fn main() {}
