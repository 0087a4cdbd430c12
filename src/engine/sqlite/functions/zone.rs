//! Time zones: fixed offsets, and named zones by the rules in force since 2007.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta, Weekday};
use rusqlite::types::Value;

use super::arguments::{Arguments, Refusal};
use super::date::{moment, moment_text};
use super::{Body, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_from_utc_timestamp", |a| {
        let (moment, zone) = moment_and_zone(a)?;
        shown(moment.checked_add_signed(zone.offset_at(moment))?)
    }),
    ("h_to_utc_timestamp", |a| {
        let (moment, zone) = moment_and_zone(a)?;
        shown(zone.to_utc(moment)?)
    }),
];

/// When a zone's clocks are an hour ahead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summer {
    /// Never.
    None,
    /// From the last Sunday of March to that of October, 01:00 UTC.
    Europe,
    /// From the second Sunday of March to the first of November, 02:00 local time.
    America,
    /// From the first Sunday of October to the first of April, 02:00 standard time.
    Australia,
}

/// A zone: minutes ahead of UTC in winter, and when summer time holds.
#[derive(Clone, Copy)]
pub(super) struct Zone {
    minutes: i64,
    summer: Summer,
}

use Summer::{America, Australia, Europe};

const NAMED: &[(&str, i64, Summer)] = &[
    ("AFRICA/JOHANNESBURG", 120, Summer::None),
    ("AFRICA/LAGOS", 60, Summer::None),
    ("AFRICA/NAIROBI", 180, Summer::None),
    ("AMERICA/ARGENTINA/BUENOS_AIRES", -180, Summer::None),
    ("AMERICA/BOGOTA", -300, Summer::None),
    ("AMERICA/CHICAGO", -360, America),
    ("AMERICA/DENVER", -420, America),
    ("AMERICA/LIMA", -300, Summer::None),
    ("AMERICA/LOS_ANGELES", -480, America),
    ("AMERICA/NEW_YORK", -300, America),
    ("AMERICA/PHOENIX", -420, Summer::None),
    ("AMERICA/SAO_PAULO", -180, Summer::None),
    ("AMERICA/TORONTO", -300, America),
    ("AMERICA/VANCOUVER", -480, America),
    ("ASIA/BANGKOK", 420, Summer::None),
    ("ASIA/CHONGQING", 480, Summer::None),
    ("ASIA/DHAKA", 360, Summer::None),
    ("ASIA/DUBAI", 240, Summer::None),
    ("ASIA/HARBIN", 480, Summer::None),
    ("ASIA/HO_CHI_MINH", 420, Summer::None),
    ("ASIA/HONG_KONG", 480, Summer::None),
    ("ASIA/JAKARTA", 420, Summer::None),
    ("ASIA/KARACHI", 300, Summer::None),
    ("ASIA/KOLKATA", 330, Summer::None),
    ("ASIA/CALCUTTA", 330, Summer::None),
    ("ASIA/KUALA_LUMPUR", 480, Summer::None),
    ("ASIA/MANILA", 480, Summer::None),
    ("ASIA/RIYADH", 180, Summer::None),
    ("ASIA/SEOUL", 540, Summer::None),
    ("ASIA/SHANGHAI", 480, Summer::None),
    ("ASIA/SINGAPORE", 480, Summer::None),
    ("ASIA/TAIPEI", 480, Summer::None),
    ("ASIA/TOKYO", 540, Summer::None),
    ("AUSTRALIA/BRISBANE", 600, Summer::None),
    ("AUSTRALIA/MELBOURNE", 600, Australia),
    ("AUSTRALIA/SYDNEY", 600, Australia),
    ("EUROPE/AMSTERDAM", 60, Europe),
    ("EUROPE/BERLIN", 60, Europe),
    ("EUROPE/BRUSSELS", 60, Europe),
    ("EUROPE/DUBLIN", 0, Europe),
    ("EUROPE/HELSINKI", 120, Europe),
    ("EUROPE/ISTANBUL", 180, Summer::None),
    ("EUROPE/LISBON", 0, Europe),
    ("EUROPE/LONDON", 0, Europe),
    ("EUROPE/MADRID", 60, Europe),
    ("EUROPE/MOSCOW", 180, Summer::None),
    ("EUROPE/PARIS", 60, Europe),
    ("EUROPE/ROME", 60, Europe),
    ("EUROPE/STOCKHOLM", 60, Europe),
    ("EUROPE/VIENNA", 60, Europe),
    ("EUROPE/WARSAW", 60, Europe),
    ("EUROPE/ZURICH", 60, Europe),
    ("CET", 60, Europe),
    ("CST", -360, America),
    ("CTT", 480, Summer::None),
    ("EST", -300, Summer::None),
    ("HONGKONG", 480, Summer::None),
    ("IST", 330, Summer::None),
    ("JAPAN", 540, Summer::None),
    ("JST", 540, Summer::None),
    ("PRC", 480, Summer::None),
    ("PST", -480, America),
    ("ROK", 540, Summer::None),
    ("SINGAPORE", 480, Summer::None),
    ("US/CENTRAL", -360, America),
    ("US/EASTERN", -300, America),
    ("US/PACIFIC", -480, America),
    ("ETC/GMT", 0, Summer::None),
    ("ETC/UTC", 0, Summer::None),
    ("GMT", 0, Summer::None),
    ("UT", 0, Summer::None),
    ("UTC", 0, Summer::None),
    ("Z", 0, Summer::None),
];

impl Zone {
    /// `Asia/Shanghai`, `UTC`, `GMT+8`, `UTC-05:30`, `+08:00`.
    pub fn read(name: &str) -> Option<Self> {
        let upper = name.trim().to_uppercase();
        if let Some((_, minutes, summer)) = NAMED.iter().find(|(known, ..)| *known == upper) {
            return Some(Self { minutes: *minutes, summer: *summer });
        }
        let offset = ["UTC", "GMT", "UT"].iter().find_map(|prefix| upper.strip_prefix(prefix)).unwrap_or(&upper);
        let sign = if offset.starts_with('-') { -1 } else { 1 };
        let digits = offset.strip_prefix(['+', '-'])?;
        let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
        let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
        let fits = (0..=18).contains(&hours) && (0..60).contains(&minutes);
        fits.then_some(Self { minutes: sign * (hours * 60 + minutes), summer: Summer::None })
    }

    /// How far the zone is ahead at a moment of UTC.
    pub fn offset_at(&self, utc: NaiveDateTime) -> TimeDelta {
        let summer = self.summer_of(utc).is_some_and(|(start, end, inside)| (start <= utc && utc < end) == inside);
        TimeDelta::minutes(self.minutes + if summer { 60 } else { 0 })
    }

    /// A moment of the zone in UTC; one that is there twice is the earlier.
    pub fn to_utc(self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let summer = local.checked_sub_signed(TimeDelta::minutes(self.minutes + 60))?;
        let standard = local.checked_sub_signed(TimeDelta::minutes(self.minutes))?;
        let fits = summer.checked_add_signed(self.offset_at(summer)) == Some(local);
        Some(if fits { summer } else { standard })
    }

    /// Two changes of the clock in a moment's year, in UTC, and whether summer lies between them.
    fn summer_of(&self, utc: NaiveDateTime) -> Option<(NaiveDateTime, NaiveDateTime, bool)> {
        let year = utc.year();
        let standard = TimeDelta::minutes(self.minutes);
        let at = |date: NaiveDate, hour: u32| date.and_hms_opt(hour, 0, 0);
        Some(match self.summer {
            Summer::None => return None,
            Europe => (at(sunday(year, 3, 5)?, 1)?, at(sunday(year, 10, 5)?, 1)?, true),
            America => {
                let end = at(sunday(year, 11, 1)?, 1)?;
                (at(sunday(year, 3, 2)?, 2)?.checked_sub_signed(standard)?, end.checked_sub_signed(standard)?, true)
            }
            Australia => {
                let (end, start) = (at(sunday(year, 4, 1)?, 2)?, at(sunday(year, 10, 1)?, 2)?);
                (end.checked_sub_signed(standard)?, start.checked_sub_signed(standard)?, false)
            }
        })
    }
}

/// The `count`-th Sunday of a month; the last one for 5.
fn sunday(year: i32, month: u32, count: u8) -> Option<NaiveDate> {
    let found = NaiveDate::from_weekday_of_month_opt(year, month, Weekday::Sun, count);
    found.or_else(|| NaiveDate::from_weekday_of_month_opt(year, month, Weekday::Sun, count - 1))
}

fn moment_and_zone(a: &Arguments<'_>) -> Option<(NaiveDateTime, Zone)> {
    let (moment, name) = (moment(a, 0)?, a.text(1)?);
    Some((moment, Zone::read(&name).or_else(|| a.refuse(Refusal::Zone))?))
}

fn shown(moment: NaiveDateTime) -> Option<Value> {
    text(moment_text(&moment))
}
