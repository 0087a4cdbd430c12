//! Time zones: fixed offsets, and named zones with their history from the IANA database.

use chrono::{FixedOffset, MappedLocalTime, NaiveDateTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;

/// The short names that Java reads beside those of the IANA database (`java.time.ZoneId.SHORT_IDS`).
const SHORT_IDS: &[(&str, &str)] = &[
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("EST", "-05:00"),
    ("HST", "-10:00"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("MST", "-07:00"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
];

/// A time zone as Spark reads it.
#[derive(Clone, Copy)]
pub(super) enum Zone {
    /// A fixed offset from UTC.
    Fixed(FixedOffset),
    /// A zone of the IANA database.
    Named(Tz),
}

impl Zone {
    /// Reads `Asia/Shanghai`, `UTC`, `GMT+8`, `UTC-05:30` or `+08:00`; `None` for what Spark refuses.
    pub fn read(name: &str) -> Option<Zone> {
        let name = name.trim();
        let name = SHORT_IDS.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| long);
        if matches!(name, "Z" | "UT") {
            return Some(Zone::Named(Tz::UTC));
        }
        name.parse().map(Zone::Named).ok().or_else(|| fixed(name))
    }

    /// Returns how far the zone is ahead of UTC at a moment given in UTC.
    pub fn offset_at(self, utc: NaiveDateTime) -> TimeDelta {
        let offset = match self {
            Zone::Fixed(offset) => offset,
            Zone::Named(zone) => zone.offset_from_utc_datetime(&utc).fix(),
        };
        TimeDelta::seconds(i64::from(offset.local_minus_utc()))
    }

    /// Converts local time in the zone to UTC. As in Java, a time that occurs twice is the earlier one, and a time that
    /// the clocks skip is moved forward by the length of the gap.
    pub fn to_utc(self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let Zone::Named(zone) = self else { return local.checked_sub_signed(self.offset_at(local)) };
        let offset = match zone.offset_from_local_datetime(&local) {
            MappedLocalTime::Single(offset) | MappedLocalTime::Ambiguous(offset, _) => offset.fix(),
            // The offset before the gap; no zone changes its clocks twice within a day.
            MappedLocalTime::None => {
                zone.offset_from_utc_datetime(&local.checked_sub_signed(TimeDelta::days(1))?).fix()
            }
        };
        local.checked_sub_signed(TimeDelta::seconds(i64::from(offset.local_minus_utc())))
    }
}

fn fixed(name: &str) -> Option<Zone> {
    let offset = ["UTC", "GMT", "UT"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let digits = offset.strip_prefix(['+', '-'])?;
    let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let fits = (0..=18).contains(&hours) && (0..60).contains(&minutes);
    fits.then(|| FixedOffset::east_opt(sign * (hours * 60 + minutes) * 60)).flatten().map(Zone::Fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_the_rules_of_their_year() {
        let at = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").unwrap();
        for (zone, local, utc) in [
            ("America/New_York", "2024-07-01 12:00:00", "2024-07-01 16:00:00"),
            // Until 2006 summer time began on the first Sunday of April.
            ("America/New_York", "2006-03-20 12:00:00", "2006-03-20 17:00:00"),
            // Shanghai had summer time from 1986 to 1991.
            ("Asia/Shanghai", "1988-07-01 12:00:00", "1988-07-01 03:00:00"),
            // Skipped: half past two is half past three of summer time.
            ("Europe/Berlin", "2024-03-31 02:30:00", "2024-03-31 01:30:00"),
            // Occurs twice: the earlier one.
            ("Europe/Berlin", "2024-10-27 02:30:00", "2024-10-27 00:30:00"),
            ("PST", "2024-01-01 00:00:00", "2024-01-01 08:00:00"),
            ("GMT+8", "2024-01-01 08:00:00", "2024-01-01 00:00:00"),
        ] {
            let found = Zone::read(zone).and_then(|zone| zone.to_utc(at(local)));
            assert_eq!(found, Some(at(utc)), "{zone} {local}");
        }
        assert!(Zone::read("Mars/Olympus").is_none());
        assert!(Zone::read("+19:00").is_none());
    }
}
