use super::*;

#[test]
fn a_wording_that_fills_one_phrase_twice_is_not_used() {
    assert!(says_twice("the amount amount counts") && !says_twice("the amount counts"));
}
