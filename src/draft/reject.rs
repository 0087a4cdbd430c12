//! Why an answer of a model is not used.

/// Why an answer is no mutant. The words are the reasons in a run's funnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reject {
    /// The server did not answer.
    #[error("the model could not be asked")]
    NoAnswer,
    /// The model would not.
    #[error("the model refuses")]
    Refused,
    /// A limit of length was reached.
    #[error("the answer is cut off")]
    CutOff,
    /// Neither JSON nor SQL where one was asked for.
    #[error("the answer cannot be read")]
    Unreadable,
    /// An error type that was not offered.
    #[error("the error type was not offered")]
    UnknownType,
    /// Nothing but blanks, comments or letter case differs.
    #[error("the script is unchanged")]
    Unchanged,
    /// There are too many edits, or they lie far apart or in several statements.
    #[error("it changes several places")]
    SeveralPlaces,
    /// It changes more tokens than a single mistake does.
    #[error("the change is too large")]
    TooLarge,
    /// The operator of the fault would not change this place in this way.
    #[error("the change is not the error type that was asked for")]
    OtherFault,
}
