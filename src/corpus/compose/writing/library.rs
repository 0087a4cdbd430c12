//! All house styles, with the lines of headers and remarks.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::history::History;
use super::remark::Remarks;
use super::style::{HouseStyle, Style};
use crate::corpus::compose::draw::Draw;
use crate::store::yaml::{YamlFileError, embedded_texts, read_file_text, texts_in};

static STYLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates/style");

/// Lines of header comments.
const HEADER: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/comment/header.yaml"));

/// Remarks between the lines.
const REMARK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/comment/remark.yaml"));

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
    pub fn embedded() -> Result<Styles, YamlFileError> {
        Styles::new(embedded_texts(&STYLES, "templates/style"))
    }

    /// Reads the styles in a folder of the user's.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no style.
    pub fn read_folder(folder: &Path) -> Result<Styles, YamlFileError> {
        Styles::new(texts_in(folder)?)
    }

    /// Reads styles from pairs of file and text.
    ///
    /// # Errors
    ///
    /// If one of them does not read.
    pub fn new(texts: Vec<(PathBuf, String)>) -> Result<Styles, YamlFileError> {
        let house = |(path, text): &(PathBuf, String)| read_file_text::<HouseStyle>(path, text);
        let mut houses = texts.iter().map(house).collect::<Result<Vec<_>, _>>()?;
        houses.sort_by(|one, other| one.name.cmp(&other.name));
        let history = read_file_text(Path::new("templates/comment/header.yaml"), HEADER)?;
        let remarks = read_file_text(Path::new("templates/comment/remark.yaml"), REMARK)?;
        Ok(Styles { houses, history, remarks })
    }

    /// Draws a house by weight, and a style within it; `None` if there is no house.
    pub fn draw(&self, draw: Draw) -> Option<Style> {
        let weights: Vec<f64> = self.houses.iter().map(|house| house.weight).collect();
        let house = self.houses.get(draw.at("house").weighted(&weights)?)?;
        Some(house.draw(draw.at("hand")))
    }

    /// Draws the styles of up to three people who write files of one script: names, layers and parameters are those of
    /// the first, whose house it is. There is none if there is no house.
    pub fn styles(&self, draw: Draw) -> Vec<Style> {
        let Some(first) = self.draw(draw) else { return Vec::new() };
        let others = (1..draw.at("people").one_of([1, 1, 2, 2, 3])).filter_map(|number| {
            let other = self.draw(draw.nth("person", number))?;
            Some(Style {
                layers: first.layers,
                parameter: first.parameter.clone(),
                shift: first.shift,
                shape: first.shape,
                aliases: first.aliases,
                stars: first.stars,
                settings: first.settings.clone(),
                ..other
            })
        });
        let others: Vec<Style> = others.collect();
        std::iter::once(first).chain(others).collect()
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
