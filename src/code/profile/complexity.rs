//! The complexity of a script.

use serde::{Deserialize, Serialize};

use super::figures::Profile;

/// Weights and threshold of the complexity filter `C(q) = α (depth + width) + β L`, L in code lines; a script is
/// complex enough when `C(q) > τ` (equations 2 and 3 of the Squirrel benchmark, which gives no values).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Complexity {
    /// Weight α of depth plus width.
    pub alpha: f64,
    /// Weight β of a code line.
    pub beta: f64,
    /// Threshold τ.
    pub tau: f64,
}

impl Default for Complexity {
    /// The threshold is the value of a script with the means of the published corpus: depth 8, width 12 and 120
    /// lines; β makes ten lines weigh as much as a level of depth.
    fn default() -> Self {
        Complexity { alpha: 1.0, beta: 0.1, tau: 32.0 }
    }
}

impl Complexity {
    /// `C(q)` of a profile.
    pub fn of(&self, profile: &Profile) -> f64 {
        self.alpha * (profile.depth + profile.width) as f64 + self.beta * profile.code_lines as f64
    }

    /// Whether a profile is above the threshold.
    pub fn accepts(&self, profile: &Profile) -> bool {
        self.of(profile) > self.tau
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complexity_grows_with_depth_width_and_lines_and_has_a_threshold() {
        let profile = |depth, width, code_lines| Profile { depth, width, code_lines, ..Profile::default() };
        let complexity = Complexity::default();
        assert_eq!(complexity.of(&profile(8, 12, 120)), 32.0);
        assert!(!complexity.accepts(&profile(8, 12, 120)));
        assert!(complexity.accepts(&profile(9, 12, 120)));
        assert!(complexity.accepts(&profile(8, 13, 120)));
        assert!(complexity.accepts(&profile(8, 12, 121)));
    }
}
