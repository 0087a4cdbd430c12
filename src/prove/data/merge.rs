//! One row where a script reads a table several times.
//!
//! Rows made for each reading on its own give a dimension table several rows a key, which real ones do not have. Where
//! what the readings ask goes together, one row can serve them all.

use super::constraint::{Constraint, Constraints, Place, Port, Wish};
use super::meets::meets;
use super::reach::Reach;
use crate::code::tree::BinaryOperator;

/// The same constraints with readings of one table made one wherever they do not exclude each other.
pub fn merge(reach: &Reach<'_>, constraints: &Constraints) -> Constraints {
    let mut host: Vec<usize> = (0..reach.readings.len()).collect();
    for guest in 0..host.len() {
        let earlier =
            (0..guest).filter(|at| host[*at] == *at && reach.readings[*at].table == reach.readings[guest].table);
        let mut fitting = earlier.filter(|at| fits(constraints, &host, *at, guest));
        if let Some(found) = fitting.next() {
            host[guest] = found;
        }
    }
    moved(constraints, &host)
}

/// Whether a row made for `host` and all that is merged into it can serve `guest`.
fn fits(constraints: &Constraints, hosts: &[usize], host: usize, guest: usize) -> bool {
    if constraints.excluded.contains(&guest) || constraints.excluded.contains(&host) {
        return false;
    }
    let members: Vec<usize> = (0..guest).filter(|reading| hosts[*reading] == host).collect();
    let crossed = constraints.equal.iter().chain(&constraints.unequal).chain(&constraints.ordered).any(|(a, b)| {
        let between = (members.contains(&a.place.reading) && b.place.reading == guest)
            || (members.contains(&b.place.reading) && a.place.reading == guest);
        between && a.place.column != b.place.column
    });
    !crossed && members.iter().all(|member| agree(constraints, *member, guest))
}

fn agree(constraints: &Constraints, a: usize, b: usize) -> bool {
    let of = |reading: usize| constraints.required.iter().filter(move |(place, _)| place.reading == reading);
    of(a).all(|(place, left)| {
        let right = constraints.required.get(&Place { reading: b, column: place.column });
        right.into_iter().flatten().all(|other| left.iter().all(|one| compatible(one, other)))
    })
}

/// Whether one value can meet both; only what a constant decides is looked at.
fn compatible(one: &Constraint, other: &Constraint) -> bool {
    let constant = |wish: &Wish| match wish {
        Wish::Compare(BinaryOperator::Equal | BinaryOperator::NullSafeEqual, value) => Some(vec![value.clone()]),
        Wish::OneOf(values) => Some(values.clone()),
        _ => None,
    };
    if one.wrappers != other.wrappers {
        return true;
    }
    let nulls = [&one.wish, &other.wish].into_iter().filter(|wish| **wish == Wish::Null).count();
    match (constant(&one.wish), constant(&other.wish)) {
        _ if nulls == 1 => false,
        (Some(values), _) => values.iter().any(|value| meets(&other.wish, value)),
        (None, Some(values)) => values.iter().any(|value| meets(&one.wish, value)),
        (None, None) => true,
    }
}

fn moved(constraints: &Constraints, host: &[usize]) -> Constraints {
    let place = |place: &Place| Place { reading: host[place.reading], column: place.column };
    let port = |port: &Port| Port { place: place(&port.place), wrappers: port.wrappers.clone() };
    let pairs = |pairs: &[(Port, Port)]| -> Vec<(Port, Port)> {
        pairs.iter().map(|(a, b)| (port(a), port(b))).filter(|(a, b)| a != b).collect()
    };
    let mut merged = Constraints {
        wanted: constraints.wanted.iter().map(|(at, wish)| (place(at), wish.clone())).collect(),
        letters: constraints.letters.iter().map(|(at, letters)| (port(at), letters.clone())).collect(),
        equal: pairs(&constraints.equal),
        unequal: pairs(&constraints.unequal),
        ordered: pairs(&constraints.ordered),
        optional: constraints.optional.iter().copied().filter(|reading| host[*reading] == *reading).collect(),
        excluded: constraints.excluded.clone(),
        merged: (0..host.len()).filter(|reading| host[*reading] != *reading).collect(),
        crowded: constraints.crowded.iter().map(port).collect(),
        ..Constraints::default()
    };
    for (at, wishes) in &constraints.required {
        for wish in wishes {
            merged.require(Port { place: place(at), wrappers: wish.wrappers.clone() }, wish.wish.clone());
        }
    }
    for (at, shapes) in &constraints.shapes {
        merged.shapes.entry(place(at)).or_default().extend(shapes.iter().cloned());
    }
    merged
}
