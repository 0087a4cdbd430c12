//! Every seed passes its baseline, and its fake databases reach its SELECT blocks.
#![expect(clippy::print_stdout, reason = "the share is the report of this test")]

use sqlfault::corpus::embedded;
use sqlfault::prove::Subject;
use sqlfault::prove::coverage::measure;

/// Blocks that no database of the pool reaches, as a share of all; each is named by the test.
const MOST_UNREACHED: f64 = 0.01;

#[test]
fn every_seed_is_a_reference_and_its_blocks_find_rows() {
    let (mut blocks, mut unreached) = (0, Vec::new());
    for seed in embedded() {
        let seed = seed.expect("the seeds of the binary can be read");
        let subject = Subject::new(&seed).unwrap_or_else(|refusal| panic!("{}: {refusal}", seed.id));
        let coverage = measure(&subject);
        blocks += coverage.blocks;
        unreached.extend(coverage.unreached.iter().map(|line| format!("{}:{line}", seed.id)));
    }
    println!("{} of {blocks} blocks reached; the others: {unreached:?}", blocks - unreached.len());
    assert!(unreached.len() as f64 <= MOST_UNREACHED * blocks as f64, "not reached: {unreached:?}");
}
