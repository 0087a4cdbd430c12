//! Every reference passes its baseline, and its fake databases reach all its SELECT blocks and take most branches.
#![expect(clippy::print_stdout, reason = "the shares are the report of this test")]

use sqlfault::corpus::embedded;
use sqlfault::prove::Subject;

/// Largest share of the branches that no database may take; the test prints each of them.
const MOST_UNTAKEN: f64 = 0.06;

#[test]
fn every_script_is_a_reference_its_blocks_find_rows_and_its_branches_are_taken() {
    let (mut blocks, mut unreached) = (0, Vec::new());
    let (mut branches, mut unmeasured, mut untaken) = (0, 0, Vec::new());
    for reference in embedded() {
        let reference = reference.expect("the references of the binary can be read");
        let subject = Subject::new(&reference).unwrap_or_else(|refusal| panic!("{}: {refusal}", reference.id));
        let coverage = subject.coverage();
        blocks += coverage.blocks;
        unreached.extend(coverage.unreached.iter().map(|line| format!("{}:{line}", reference.id)));
        branches += coverage.branches;
        unmeasured += coverage.unmeasured;
        untaken.extend(coverage.untaken.iter().map(|branch| format!("{}:{branch}", reference.id)));
    }
    println!("{} of {blocks} blocks reached; the others: {unreached:?}", blocks - unreached.len());
    println!("{} of {branches} branches taken, {unmeasured} not measured; not taken:", branches - untaken.len());
    untaken.iter().for_each(|branch| println!("  {branch}"));
    assert!(unreached.is_empty(), "not reached: {unreached:?}");
    assert!(branches > 500 && untaken.len() as f64 <= MOST_UNTAKEN * branches as f64, "not taken: {untaken:?}");
}
