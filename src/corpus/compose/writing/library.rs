//! All house styles, with the lines of headers and remarks.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::history::History;
use super::remark::Remarks;
use super::style::{HouseStyle, Style};
use crate::corpus::compose::draw::Draw;
use crate::store::yaml::{YamlError, read_yaml};

static STYLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates/style");

/// Lines of header comments.
const HEADER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/comment/header.yaml"));

/// Remarks between the lines.
const REMARK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/comment/remark.yaml"));

/// A style that does not read.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{line}: {message}")]
pub struct StyleError {
    /// Which file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// House styles.
#[derive(Debug)]
pub struct Styles {
    houses: Vec<HouseStyle>,
    history: History,
    remarks: Remarks,
}

impl Styles {
    /// Reads the styles carried in the binary.
    ///
    /// # Errors
    ///
    /// If one of them does not read.
    pub fn embedded() -> Result<Styles, StyleError> {
        let files = STYLES.files().filter_map(|file| Some((file.path().to_owned(), file.contents_utf8()?)));
        Styles::new(files.map(|(path, text)| (Path::new("templates/style").join(path), text.to_owned())).collect())
    }

    /// Reads the styles in a folder of the user's.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no style.
    pub fn read_folder(folder: &Path) -> Result<Styles, StyleError> {
        let texts = crate::store::yaml::texts_in(folder).map_err(|(path, source)| StyleError {
            path,
            line: 1,
            message: source.to_string(),
        })?;
        Styles::new(texts)
    }

    /// Reads styles from pairs of file and text.
    ///
    /// # Errors
    ///
    /// If one of them does not read.
    pub fn new(texts: Vec<(PathBuf, String)>) -> Result<Styles, StyleError> {
        let mut houses = Vec::new();
        for (path, text) in texts {
            let house: HouseStyle =
                read_yaml(&text).map_err(|error| StyleError { path, line: error.line, message: error.message })?;
            houses.push(house);
        }
        houses.sort_by(|one, other| one.name.cmp(&other.name));
        let failed = |name: &str, error: YamlError| StyleError {
            path: Path::new("templates/comment").join(name),
            line: error.line,
            message: error.message,
        };
        let history = read_yaml(HEADER).map_err(|error| failed("header.yaml", error))?;
        let remarks = read_yaml(REMARK).map_err(|error| failed("remark.yaml", error))?;
        Ok(Styles { houses, history, remarks })
    }

    /// Draws a house by weight, and a style within it; `None` if there is no house.
    pub fn draw(&self, draw: Draw) -> Option<Style> {
        let weights: Vec<f64> = self.houses.iter().map(|house| house.weight).collect();
        let house = self.houses.get(draw.at("house").weighted(&weights)?)?;
        Some(house.draw(draw.at("hand")))
    }

    /// Returns the lines of headers.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns what people remark between the lines.
    pub fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}
