//! Intervals. One that is added to a moment is written part by part; one that is a value is a number: of months, or of
//! microseconds.

use super::piece::SqlPiece::{Sql, Value};
use super::{Translated, Translator};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::{IntervalUnits, Type};
use crate::code::{IntervalAmount, IntervalPart, MICROSECONDS_OF_DAY, interval_amounts};

impl Translator<'_> {
    /// Returns the parts of an `Interval` node.
    pub fn interval(&self, node: NodeId) -> Translated<Vec<IntervalAmount>> {
        match interval_amounts(self.script, node) {
            Some(amounts) => Ok(amounts),
            None => self.refuse(node, "this interval"),
        }
    }

    /// Writes `,months,days,microseconds`.
    pub fn interval_parts(&mut self, interval: NodeId, negative: bool) -> Translated {
        let amounts = self.interval(interval)?;
        for part in IntervalPart::ALL {
            self.write(if negative { ",-" } else { "," });
            self.sum_of_part(&amounts, part)?;
        }
        Ok(())
    }

    fn sum_of_part(&mut self, amounts: &[IntervalAmount], part: IntervalPart) -> Translated {
        let of_part = || amounts.iter().filter(|amount| amount.part() == part);
        let constant: i64 = of_part().map(|amount| amount.constant()).sum();
        self.write("(");
        self.write(&constant.to_string());
        for amount in of_part() {
            if let IntervalAmount::Scaled { count, unit } = amount {
                self.write("+");
                self.expression(*count)?;
                self.write_numbered("*", unit.factor as usize);
            }
        }
        self.write(")");
        Ok(())
    }

    /// Writes an `Interval` node as a number.
    pub fn interval_as_number(&mut self, node: NodeId) -> Translated {
        let amounts = self.interval(node)?;
        match self.type_of(node) {
            Type::Interval(IntervalUnits::Mixed) => self.refuse(node, "months and days in one value"),
            Type::Interval(IntervalUnits::Months) => self.sum_of_part(&amounts, IntervalPart::Months),
            _ => {
                self.write("(");
                self.sum_of_part(&amounts, IntervalPart::Days)?;
                self.write(&format!("*{MICROSECONDS_OF_DAY}+"));
                self.sum_of_part(&amounts, IntervalPart::Microseconds)?;
                self.write(")");
                Ok(())
            }
        }
    }

    /// Arithmetic with dates, timestamps and intervals.
    pub fn temporal(&mut self, node: NodeId, left: NodeId, operator: BinaryOperator, right: NodeId) -> Translated {
        use BinaryOperator::{Divide, Minus, Multiply, Plus};
        let interval = |node: NodeId| self.type_of(node).is_interval();
        match (operator, interval(left), interval(right)) {
            (Plus, true, false) => self.moved(node, right, left, false),
            (Plus | Minus, false, true) => self.moved(node, left, right, operator == Minus),
            (Plus | Minus, true, true) => self.pieces(&[
                Sql("("),
                Value(left),
                Sql(if operator == Plus { "+" } else { "-" }),
                Value(right),
                Sql(")"),
            ]),
            (Multiply, true, false) => self.scaled("h_multiply_interval(", left, right),
            (Multiply, false, true) => self.scaled("h_multiply_interval(", right, left),
            (Divide, true, false) => self.scaled("h_divide_interval(", left, right),
            (Minus, false, false) if interval(node) => {
                self.pieces(&[Sql("h_microseconds_between("), Value(left), Sql(","), Value(right), Sql(")")])
            }
            (Plus, false, false) if *self.type_of(right) == Type::Date => {
                self.moved_by_days(node, right, left, operator)
            }
            (Plus | Minus, false, false) => self.moved_by_days(node, left, right, operator),
            _ => self.refuse(node, "this arithmetic of dates and intervals"),
        }
    }

    /// A date plus or minus a number of days.
    fn moved_by_days(&mut self, node: NodeId, date: NodeId, days: NodeId, operator: BinaryOperator) -> Translated {
        if *self.type_of(date) != Type::Date || !self.type_of(days).is_integer() {
            return self.refuse(node, "this arithmetic of dates and intervals");
        }
        self.write(if operator == BinaryOperator::Minus { "h_date_sub(" } else { "h_date_add(" });
        self.pieces(&[Value(date), Sql(","), Value(days), Sql(")")])
    }

    /// A moment plus or minus an interval.
    fn moved(&mut self, node: NodeId, moment: NodeId, by: NodeId, negative: bool) -> Translated {
        let target = if *self.type_of(node) == Type::Date { Type::Date } else { Type::Timestamp };
        self.write("h_add_interval(");
        self.converted(moment, &target)?;
        let bare = self.without_brackets(by);
        if self.kind(bare) == Kind::Interval {
            self.interval_parts(bare, negative)?;
        } else {
            let minus = if negative { "-" } else { "" };
            let (before, after) = match self.type_of(by) {
                Type::Interval(IntervalUnits::Months) => (format!(",{minus}("), "),0,0".to_owned()),
                Type::Interval(IntervalUnits::Days) => (format!(",0,{minus}("), format!("/{MICROSECONDS_OF_DAY}),0")),
                Type::Interval(IntervalUnits::Time) => (format!(",0,0,{minus}("), ")".to_owned()),
                _ => return self.refuse(node, "this arithmetic of dates and intervals"),
            };
            self.pieces(&[Sql(&before), Value(by), Sql(&after)])?;
        }
        self.write(")");
        Ok(())
    }

    fn scaled(&mut self, function: &str, interval: NodeId, by: NodeId) -> Translated {
        self.pieces(&[Sql(function), Value(interval), Sql(",")])?;
        self.number_operand(by)?;
        self.write(")");
        Ok(())
    }

    /// `CAST(interval AS INT)`: days if it counts in days, else seconds. A written interval is counted in its own unit,
    /// which its type does not tell.
    pub fn interval_cast(&mut self, interval: NodeId, target: &Type) -> Translated {
        let written = self.kind(self.without_brackets(interval)) == Kind::Interval;
        let unit = match self.type_of(interval) {
            Type::Interval(IntervalUnits::Days) => MICROSECONDS_OF_DAY,
            Type::Interval(IntervalUnits::Time) if !written => 1_000_000,
            _ => return self.refuse(interval, "a cast of this interval"),
        };
        if !target.is_integer() {
            return self.refuse(interval, "a cast of this interval");
        }
        self.pieces(&[Sql("("), Value(interval), Sql(&format!("/{unit})"))])
    }

    /// `extract(HOUR FROM interval)`: whole units below the next greater one.
    pub fn part_of_interval(&mut self, call: NodeId, unit: &str, interval: NodeId) -> Translated {
        let months = *self.type_of(interval) == Type::Interval(IntervalUnits::Months);
        let after = match (unit, months) {
            ("year", true) => "/12)".to_owned(),
            ("month", true) => "%12)".to_owned(),
            ("day", false) => format!("/{MICROSECONDS_OF_DAY})"),
            ("hour", false) => format!("%{MICROSECONDS_OF_DAY}/3600000000)"),
            ("minute", false) => "%3600000000/60000000)".to_owned(),
            _ => return self.refuse(call, "this part of an interval"),
        };
        self.pieces(&[Sql("("), Value(interval), Sql(&after)])
    }
}
