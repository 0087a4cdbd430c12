//! How long requests to Spark took, and how much of that was Spark's own work.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value as Json;

/// The work in one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageTimes {
    /// The number of statements, or of calls for `load` and `hive`.
    pub calls: u64,
    /// Seconds inside Spark.
    pub seconds: f64,
}

/// The work of a Spark process.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// By stage: `load` (tables of a database), `parse`, `analysis`, `run`, and `hive` (Hive's parser).
    pub stages: BTreeMap<String, StageTimes>,
    /// Requests answered.
    pub requests: u64,
    /// Seconds from sending a request to reading its answer, all requests together.
    pub waited: f64,
}

impl Times {
    pub(super) fn count(&mut self, answer: &Json, waited: Duration) {
        self.requests += 1;
        self.waited += waited.as_secs_f64();
        for (stage, entry) in answer["spent"].as_object().into_iter().flatten() {
            let known = self.stages.entry(stage.clone()).or_default();
            known.calls += entry[0].as_u64().unwrap_or(0);
            known.seconds += entry[1].as_f64().unwrap_or(0.0);
        }
    }

    /// Returns the share of the waiting time that was Spark's own work; 1 if there was no request.
    pub fn share(&self) -> f64 {
        let own: f64 = self.stages.values().map(|stage| stage.seconds).sum();
        if self.waited > 0.0 { own / self.waited } else { 1.0 }
    }

    /// Returns the time for the scripts themselves: parsing, analysing and running them, without loading their tables.
    pub fn on_scripts(&self) -> Duration {
        let seconds: f64 =
            ["parse", "analysis", "run"].iter().filter_map(|name| Some(self.stages.get(*name)?.seconds)).sum();
        Duration::from_secs_f64(seconds.max(0.0))
    }

    /// Returns a readable line: the rate of each stage per second, and Spark's share.
    pub fn line(&self) -> String {
        let rate = |(name, stage): (&String, &StageTimes)| {
            format!("{name} {:.1}/s", stage.calls as f64 / stage.seconds.max(f64::MIN_POSITIVE))
        };
        let rates: Vec<String> = self.stages.iter().map(rate).collect();
        let share = self.share() * 100.0;
        format!(
            "{} requests in {:.1} s: {}; {share:.1} % of it Spark's own",
            self.requests,
            self.waited,
            rates.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn seconds_inside_spark_are_set_against_the_seconds_waited() {
        let mut times = Times::default();
        assert_eq!(times.share(), 1.0);
        times.count(&json!({"spent": {"parse": [2, 0.5], "run": [1, 1.0]}}), Duration::from_secs(2));
        times.count(&json!({"spent": {"parse": [2, 0.5]}}), Duration::from_secs(2));
        times.count(&json!({"status": "fault"}), Duration::ZERO);
        assert_eq!(times.stages["parse"], StageTimes { calls: 4, seconds: 1.0 });
        assert_eq!(times.share(), 0.5);
        times.count(&json!({"spent": {"load": [1, 7.0]}}), Duration::ZERO);
        assert_eq!(times.on_scripts(), Duration::from_secs(2));
        times.stages.remove("load");
        assert_eq!(times.line(), "4 requests in 4.0 s: parse 4.0/s, run 1.0/s; 50.0 % of it Spark's own");
    }
}
