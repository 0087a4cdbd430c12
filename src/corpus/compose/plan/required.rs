//! Conditions that allow for NULL in a column which another condition of the block requires.

use super::block::Block;
use super::graph::Plan;

const REQUIRED: &str = " IS NOT NULL";

/// Turns `(x IS NULL OR …)` into `…` where the rows are required to have an `x` anyway: nobody writes both.
pub fn without_needless_null_tests(plan: &mut Plan) {
    plan.blocks.iter_mut().for_each(simplify);
}

fn simplify(block: &mut Block) {
    let required: Vec<String> =
        block.filters.iter().filter_map(|filter| filter.strip_suffix(REQUIRED)).map(str::to_owned).collect();
    for column in required {
        let start = format!("({column} IS NULL OR ");
        for filter in &mut block.filters {
            let rest = filter.strip_prefix(&start).and_then(|rest| rest.strip_suffix(')'));
            if let Some(rest) = rest.filter(|rest| is_balanced(rest)) {
                *filter = rest.to_owned();
            }
        }
    }
}

/// Whether every parenthesis that closes was opened before.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::super::RowSource;
    use super::*;

    #[test]
    fn a_column_that_is_required_needs_no_test_for_null() {
        let mut plan = Plan::default();
        let (block, _) = plan.block(RowSource::Table("claim".to_owned()));
        let filters = ["(a.k IS NULL OR a.k NOT IN (SELECT 1))", "(a.j IS NULL OR a.j <> 'X')", "a.k IS NOT NULL"];
        plan.blocks[block].filters = filters.map(str::to_owned).into();
        without_needless_null_tests(&mut plan);
        let expected = ["a.k NOT IN (SELECT 1)", "(a.j IS NULL OR a.j <> 'X')", "a.k IS NOT NULL"];
        assert_eq!(plan.blocks[block].filters, expected);
    }
}
