use super::*;
use crate::code::edit::Edits;

/// A script so long that pasting it is more than a quotation.
const REFERENCE: &str = "WITH paid AS (\n  SELECT o.order_id, o.user_id, o.amount, o.pay_time, o.status\n  FROM dw.orders o\n  \
    LEFT JOIN dw.refunds r ON o.order_id = r.order_id\n  WHERE o.dt >= '2024-03-01' AND o.status = 'PAID' AND r.order_id IS NULL\n),\n\
    daily AS (\n  SELECT user_id, to_date(pay_time) AS pay_day, SUM(amount) AS total, COUNT(DISTINCT order_id) AS orders\n  \
    FROM paid\n  GROUP BY user_id, to_date(pay_time)\n  HAVING SUM(amount) > 100\n)\n\
    SELECT d.user_id, u.city, d.pay_day, COALESCE(d.total, 0) AS total,\n  \
    ROW_NUMBER() OVER (PARTITION BY d.user_id ORDER BY d.pay_day DESC) AS rn\n\
    FROM daily d\nJOIN dw.users u ON d.user_id = u.user_id\nORDER BY d.total DESC\nLIMIT 10";

/// A fault: its code in the reference and in the issue, the label's explanation, and the same explanation in other
/// words.
struct Fault {
    right: &'static str,
    wrong: &'static str,
    label: &'static str,
    meaning: &'static str,
}

const FAULTS: [Fault; 16] = [
    Fault {
        right: "o.status = 'PAID'",
        wrong: "o.status <> 'PAID'",
        label: "`<>` keeps the opposite rows.",
        meaning: "The status filter is inverted: it lets through everything that was not paid.",
    },
    Fault {
        right: "LEFT JOIN dw.refunds",
        wrong: "JOIN dw.refunds",
        label: "An inner join drops orders without a refund.",
        meaning: "Orders that have no refund are lost; they have to be kept even when nothing is found on the other side.",
    },
    Fault {
        right: "o.dt >= '2024-03-01'",
        wrong: "o.dt > '2024-03-01'",
        label: "`>` leaves out the first day.",
        meaning: "The lower bound on dt should be inclusive; as written the first of March is skipped.",
    },
    Fault {
        right: "o.status = 'PAID' AND r.order_id",
        wrong: "o.status = 'PAID' OR r.order_id",
        label: "`OR` lets rows through that meet one condition only.",
        meaning: "Both the status test and the refund test need to hold at the same time, not just one of them.",
    },
    Fault {
        right: "r.order_id IS NULL",
        wrong: "r.order_id IS NOT NULL",
        label: "The NULL test is turned round.",
        meaning: "Refunded orders are meant to go, so the refund key has to be absent; the check is negated.",
    },
    Fault {
        right: "SUM(amount) AS total",
        wrong: "MAX(amount) AS total",
        label: "The largest value is reported as the total.",
        meaning: "Only the biggest single amount is shown where all amounts should be added up.",
    },
    Fault {
        right: "COUNT(DISTINCT order_id)",
        wrong: "COUNT(order_id)",
        label: "Orders that occur several times are counted several times.",
        meaning: "An order with several lines counts more than once; each order_id should count uniquely.",
    },
    Fault {
        right: "GROUP BY user_id, to_date(pay_time)",
        wrong: "GROUP BY user_id, pay_time",
        label: "Groups are by second instead of by day.",
        meaning: "The grouping is too fine: it uses the full pay_time, so that every second is a group of its own, not each day.",
    },
    Fault {
        right: "HAVING SUM(amount) > 100",
        wrong: "HAVING SUM(amount) > 10",
        label: "The threshold is wrong.",
        meaning: "The threshold on the summed amount is too low by a factor of ten.",
    },
    Fault {
        right: "COALESCE(d.total, 0)",
        wrong: "d.total",
        label: "A missing total stays NULL.",
        meaning: "When the total is missing the report shows an empty cell where a zero is expected.",
    },
    Fault {
        right: "PARTITION BY d.user_id ORDER BY d.pay_day DESC",
        wrong: "PARTITION BY d.user_id ORDER BY d.pay_day",
        label: "Numbers start at the oldest day.",
        meaning: "rn = 1 must be the most recent pay_day of the user, but the sort runs from the oldest.",
    },
    Fault {
        right: "PARTITION BY d.user_id ORDER",
        wrong: "ORDER",
        label: "Numbers run over all users.",
        meaning: "The numbering does not start again for every user: the window is not split per user_id.",
    },
    Fault {
        right: "ON d.user_id = u.user_id",
        wrong: "ON d.user_id = u.city",
        label: "The join compares another column.",
        meaning: "The users are looked up with the wrong column; the key on both sides is the user's id, not the city.",
    },
    Fault {
        right: "to_date(pay_time) AS pay_day",
        wrong: "date_add(to_date(pay_time), 1) AS pay_day",
        label: "Days are shifted by one.",
        meaning: "Every pay_day is reported a day late.",
    },
    Fault {
        right: "ORDER BY d.total DESC",
        wrong: "ORDER BY d.total",
        label: "The smallest totals come first.",
        meaning: "The list is sorted ascending, so the top ten are those with the lowest totals.",
    },
    Fault {
        right: "LIMIT 10",
        wrong: "LIMIT 100",
        label: "Too many rows are given.",
        meaning: "The list is cut after a hundred entries; only the top ten are wanted.",
    },
];

impl Fault {
    fn issue(&self) -> String {
        assert_eq!(REFERENCE.matches(self.right).count(), 1, "{}", self.right);
        REFERENCE.replace(self.right, self.wrong)
    }

    /// Returns the worth of an explanation of the fault, from 0 to 1.
    fn worth(&self, explanation: &str) -> f64 {
        let (text, start) = (self.issue(), REFERENCE.find(self.right).unwrap());
        // The smallest edit that repairs it, on token boundaries.
        let same = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        let reversed = |text: &str| text.chars().rev().collect::<String>();
        let bound = |at: usize| self.wrong[..at].rfind([' ', '(']).map_or(0, |at| at + 1);
        let before = bound(same(self.right, self.wrong));
        let after = same(&reversed(&self.right[before..]), &reversed(&self.wrong[before..]));
        let tail = &self.wrong[self.wrong.len() - after..];
        let after = tail.find([' ', ')', ',']).map_or(0, |at| tail.len() - at);
        let edit = Edit {
            start: start + before,
            end: start + self.wrong.len() - after,
            text: self.right[before..self.right.len() - after].to_owned(),
        };
        assert_eq!(Edits::new(vec![edit.clone()]).unwrap().apply(&text).unwrap(), REFERENCE);
        match grade(explanation, [&edit].into_iter(), &Script::new(text), &[self.label]) {
            Grade::Exact => 1.0,
            Grade::Partial => 0.5,
            Grade::Error | Grade::Redundant => 0.0,
        }
    }
}

/// The mean worth over all faults.
fn mean(explain: impl Fn(&Fault) -> String) -> f64 {
    FAULTS.iter().map(|fault| fault.worth(&explain(fault))).sum::<f64>() / FAULTS.len() as f64
}

#[test]
fn the_meaning_in_other_words_is_worth_nearly_all() {
    let worth: Vec<(f64, &str)> = FAULTS.iter().map(|fault| (fault.worth(fault.meaning), fault.meaning)).collect();
    let mean = worth.iter().map(|(worth, _)| worth).sum::<f64>() / worth.len() as f64;
    assert!(mean >= 0.8, "{mean} {worth:#?}");
    assert_eq!(self::mean(|fault| format!("{} Replace `{}` by `{}`.", fault.label, fault.wrong, fault.right)), 1.0);
}

#[test]
fn what_explains_nothing_is_worth_nearly_nothing() {
    let names =
        "order_id user_id amount pay_time status orders refunds dt paid to_date pay_day total users city daily rn";
    let words: Vec<&str> = WORDS.concepts.iter().flat_map(|concept| &concept.words).map(String::as_str).collect();
    let all_concepts = words.join(" ");
    assert!(WORDS.concepts.len() > 20 && !WORDS.values.is_empty() && !WORDS.names.is_empty());
    let shuffled = |text: String| text.lines().rev().collect::<Vec<_>>().join("\n");
    let gamed: [(&str, f64); 7] = [
        ("the issue pasted", mean(Fault::issue)),
        ("the issue pasted after a few words", mean(|fault| format!("This is wrong: {}", fault.issue()))),
        ("the reference pasted", mean(|_| REFERENCE.to_owned())),
        ("its lines in another order", mean(|fault| shuffled(fault.issue()))),
        ("a list of names", mean(|_| names.to_owned())),
        ("a list of everything that can be wrong", mean(|_| all_concepts.clone())),
        ("vague words", mean(|_| "Something here is not as it should be.".to_owned())),
    ];
    for (what, worth) in gamed {
        assert!(worth <= 0.2, "{what}: {worth}");
    }
}

#[test]
fn the_meaning_of_another_fault_is_worth_little() {
    let next = |fault: &Fault| {
        let at = FAULTS.iter().position(|other| std::ptr::eq(other, fault)).unwrap();
        FAULTS[(at + 5) % FAULTS.len()].meaning.to_owned()
    };
    let worth = mean(next);
    assert!(worth <= 0.35, "{worth}");
}
