//! Rows, which copies of a database share until one of them changes.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use super::value::Value;

/// One row: a slice of values.
///
/// A copy shares the values, and the first change of a copy makes values of its own. A search tries thousands of
/// databases that differ from each other in a few rows, and tables may be hundreds of columns wide.
#[derive(Clone, Deserialize)]
#[serde(from = "Vec<Value>")]
pub struct Row(Arc<[Value]>);

impl Row {
    /// Puts a value in a column. A row that holds it already stays shared.
    pub(crate) fn set(&mut self, column: usize, value: Value) {
        if self.0[column] != value {
            self[column] = value;
        }
    }

    /// Whether both are copies of one row of which neither has changed.
    pub(crate) fn is_shared_with(&self, other: &Row) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Row {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [Value] {
        Arc::make_mut(&mut self.0)
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.is_shared_with(other) || self.0 == other.0
    }
}

impl<const N: usize> PartialEq<[Value; N]> for Row {
    fn eq(&self, other: &[Value; N]) -> bool {
        **self == *other
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl From<Vec<Value>> for Row {
    fn from(values: Vec<Value>) -> Row {
        Row(values.into())
    }
}

impl<const N: usize> From<[Value; N]> for Row {
    fn from(values: [Value; N]) -> Row {
        Row(values.into())
    }
}

impl FromIterator<Value> for Row {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Row {
        Row(values.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Row {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_their_values_until_one_of_them_changes() {
        let row = Row::from([Value::Integer(1), Value::Null]);
        let mut copy = row.clone();
        assert!(copy.is_shared_with(&row));
        copy[1] = Value::Integer(2);
        assert!(!copy.is_shared_with(&row));
        assert_eq!((&row[1], &copy[1]), (&Value::Null, &Value::Integer(2)));
        copy[1] = Value::Null;
        assert_eq!(copy, row, "rows are equal by their values");
    }

    #[test]
    fn a_row_is_written_and_read_as_a_list() {
        let row = Row::from([Value::Integer(1), Value::Text("a".to_owned()), Value::Null]);
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(text, r#"[1,"a",null]"#);
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        assert_eq!(format!("{row:?}"), format!("{:?}", row.to_vec()));
    }
}
