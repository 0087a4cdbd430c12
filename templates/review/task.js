"use strict";
// One task: what the solver is told, the script with its edit, results, witness rows, attempts, definitions.

const CONTEXT_LINES = 4;

function codeLine(line, single) {
  const side = line.reference === null ? "out" : line.issue === null ? "in" : "";
  const pieces = line.pieces.map((piece) => {
    const inner = piece.class ? make("span", { class: piece.class }, piece.text) : document.createTextNode(piece.text);
    return piece.changed ? make("mark", {}, inner) : inner;
  });
  return make("div", { class: `l ${single ? "" : side}` },
    make("i", {}, line.issue === null ? "" : String(line.issue)),
    make("i", {}, single || line.reference === null ? "" : String(line.reference)),
    make("u", {}, single || !side ? "" : side === "in" ? "+" : "−"),
    make("span", {}, pieces));
}

// The script; stretches far from the edit are folded to one line that opens at a click.
function script(lines) {
  const near = new Array(lines.length).fill(false);
  lines.forEach((line, index) => {
    if (line.issue !== null && line.reference !== null) return;
    for (let at = index - CONTEXT_LINES; at <= index + CONTEXT_LINES; at += 1) if (at in near) near[at] = true;
  });
  const box = make("div", { class: "card code", id: "code" });
  let index = 0;
  while (index < lines.length) {
    let end = index;
    while (end < lines.length && near[end] === near[index]) end += 1;
    const part = lines.slice(index, end);
    if (near[index] || part.length < 4) box.append(...part.map((line) => codeLine(line, false)));
    else box.append(fold(part));
    index = end;
  }
  return box;
}

function fold(part) {
  const open = () => button.replaceWith(...part.map((line) => codeLine(line, false)));
  const button = make("button", { type: "button", class: "fold", on: { click: open } }, `⋯ ${plural(part.length, "line")}`);
  return button;
}

function cell(value, extra = "") {
  if (value === null) return make("td", { class: `null ${extra}` }, "NULL");
  return make("td", { class: `${typeof value === "number" ? "number" : ""} ${extra}`, title: String(value) }, String(value));
}

// Columns that differ, and enough of the others to know the row.
function shownColumns(table, all) {
  const every = table.columns.map((_, index) => index);
  if (all || table.columns.length <= 7) return every;
  const changed = new Set(table.rows.flatMap((pair) => pair.changed));
  if (changed.size === 0) return every;
  const keys = every.filter((index) => !changed.has(index)).slice(0, 3);
  return every.filter((index) => changed.has(index) || keys.includes(index));
}

function side(table, which, columns) {
  const mark = which === "reference" ? "in" : "out";
  const rows = table.rows.map((pair) => {
    const row = pair[which];
    const alone = !pair.reference || !pair.issue;
    if (!row) return make("tr", { class: "absent" }, columns.map(() => make("td", {}, "–")));
    const cells = columns.map((index) => cell(row[index] ?? null, pair.changed.includes(index) ? `changed-${mark}` : ""));
    return make("tr", { class: alone || pair.changed.length ? `differs ${mark}` : "" }, cells);
  });
  const head = make("tr", {}, columns.map((index) => make("th", {}, table.columns[index])));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, rows));
}

function results(task, all) {
  return task.results.map((table) => {
    const columns = shownColumns(table, all);
    const hidden = table.columns.length - columns.length;
    const name = table.target || "result of the query";
    const rest = table.hidden ? ` · ${table.hidden} more differ` : "";
    const half = (title, which, count) => make("div", { class: "card" },
      make("h3", {}, `${title} · ${plural(count, "row")}`), side(table, which, columns));
    const pair = [half("Issue gives", "issue", table.issue_rows), half("Reference gives", "reference", table.reference_rows)];
    const lists = make("div", { class: "sides" }, pair);
    tieScrolling(pair);
    const note = hidden ? `${plural(hidden, "column")} that do not differ folded${rest}` : rest.slice(3);
    return make("section", { class: "results" }, make("h2", {}, name, make("small", {}, note),
      hidden || all ? make("button", { type: "button", class: "plain", on: { click: () => showColumns(!all) } },
        all ? "fold columns " : "all columns ", make("kbd", {}, "c")) : null), lists);
  });
}

// Both halves of a pair of results scroll together.
function tieScrolling([left, right]) {
  const tie = (from, to) => from.addEventListener("scroll", () => {
    if (to.scrollTop !== from.scrollTop) to.scrollTop = from.scrollTop;
    if (to.scrollLeft !== from.scrollLeft) to.scrollLeft = from.scrollLeft;
  });
  tie(left, right);
  tie(right, left);
}

function filled(tables) {
  return tables.map((table) => make("div", { class: "card" }, make("table", {},
    make("caption", {}, `${table.table} `, make("small", {}, plural(table.total, "row"),
      table.total > table.rows.length ? `, the first ${table.rows.length} shown` : "")),
    make("thead", {}, make("tr", {}, table.columns.map((name) => make("th", {}, name)))),
    make("tbody", {}, table.rows.map((row) => make("tr", {}, row.map((value) => cell(value))))))));
}

const SIGNS = { in: "+ ", out: "− ", place: "" };

function diffLines(change) {
  const number = (value) => make("i", {}, value === null ? "" : String(value));
  const lines = change.lines.map((line) => make("span", { class: line.kind }, number(line.before), number(line.after), (SIGNS[line.kind] ?? "  ") + line.text));
  return change.hidden ? [...lines, make("span", { class: "place" }, `… ${plural(change.hidden, "more line")}`)] : lines;
}

const METRICS = { em: "EM", em_normalised: "EM norm", gm: "GM", mb: "MB", ex: "EX", accepted: "accepted" };

function marks(entry) {
  return entry.marks.map(([metric, has]) => make("span", { class: `mark ${has ? "good" : "bad"}` }, `${has ? "✓" : "✗"} ${METRICS[metric] || metric}`));
}

function changeOf(entry) {
  if (!entry.change) return entry.reply ? make("pre", { class: "diff" }, make("span", {}, entry.reply)) : null;
  if (!entry.change.lines.length) return make("p", { class: "soft" }, "nothing changed");
  return make("pre", { class: "diff" }, diffLines(entry.change));
}

const OUTCOMES = {
  equal: "solved", other_order: "rows in another order", other_rows: "other rows", other_columns: "other columns",
  other_tables: "other tables", rejected_at_parse: "does not parse", rejected_at_analysis: "refused by the rules",
  unsupported: "uses what the engine lacks", failed: "fails while it runs", timeout: "takes too long", gave_up: "gave up",
};

function attempts(task) {
  return task.attempts.map((entry) => {
    const word = entry.verdict || entry.outcome;
    const told = [entry.mode.replace(/_/g, " "), entry.rounds > 1 ? plural(entry.rounds, "round") : "", entry.detail];
    return make("div", { class: "card try" },
      make("h3", {}, entry.solver,
        make("span", { class: entry.accepted ? "good" : "bad" }, OUTCOMES[word] || word.replace(/_/g, " ")),
        make("small", {}, told.filter(Boolean).join(" · ")), marks(entry)),
      changeOf(entry));
  });
}

function given(result) {
  const { table, total, is_issue } = result;
  return filled([{ table: `${table.target || "result"}: ${is_issue ? "the script gives" : "wanted"}`, columns: table.columns, rows: table.rows, total }]);
}

// What a solver may look at besides the script.
function sample(task) {
  if (!task.sample.tables.length) return null;
  return section("sample", "Public sample", "rows that the solver may see", make("div", { class: "witness" }, filled(task.sample.tables), task.sample.results.flatMap(given)));
}

function section(id, title, small, content) {
  return make("section", { id }, make("h2", {}, title, small ? make("small", {}, small) : null), content);
}

function definitions(task) {
  const box = make("details", { class: "card", id: "definitions" }, make("summary", { class: "fold" },
    "Definitions of the tables"), make("div", { class: "code single" }, task.schema.map((line) => codeLine(line, true))));
  return box;
}

function placeOfEdit({ line, clause, cte }) {
  return `line ${line}, ${clause}${cte ? ` in ${cte}` : ""}`;
}

// The script as the solver gets it.
function issue(task) {
  return make("div", { class: "card code single", id: "code" }, task.lines.map((line) => codeLine(line, true)));
}

// Everything that tells the answer; nothing of it is here before the verdict.
function answer(task) {
  if (task.is_blind) return [make("p", { class: "soft", id: "blind" }, "The answer shows after your verdict.")];
  return [make("div", { id: "results" }, task.results.length ? results(task, false)
    : section("rejected", "Results", "the engine refuses the script, so there are none", [])),
  task.witness.length ? section("witness", "Witness", "the rows of the fake database that shows the difference",
    make("div", { class: "witness" }, filled(task.witness))) : null,
  section("attempts", "Solvers", task.attempts.length ? plural(task.attempts.length, "attempt") : "none has tried yet", attempts(task))];
}

function showTask(task, total) {
  const values = Object.entries(task.parameters).map(([name, value]) => `${name} = ${value}`).join(", ");
  const fault = task.labels[0] ? task.labels[0].fault : "";
  const parts = [
    make("h1", {}, make("code", {}, task.instance_id), make("span", { class: `pill ${task.track}` }, task.track),
      make("span", { class: "soft mono" }, fault)),
    make("p", { class: "meta" }, `${task.position + 1} of ${total} · ${task.domain} · ${task.script} · ${task.dialect}`,
      task.location ? [" · ", make("b", {}, placeOfEdit(task.location))] : null),
    make("blockquote", { class: task.track === "syntax" ? "context error" : "context", id: "context" }, task.context),
    make("ul", { class: "critique" }, task.critique.map((item) => make("li", {}, make("b", {}, item.clause), item.explanation))),
    make("section", { id: "script" }, make("h2", {}, "Script", make("small", {}, task.is_blind ? "as the solver gets it" : "− what the solver gets, + the reference",
      values ? ` · ${values}` : ""), task.is_blind ? null : make("button", { type: "button", class: "plain", on: { click: unfold } }, "unfold all ", make("kbd", {}, "x"))),
      task.is_blind ? issue(task) : script(task.lines)),
    sample(task),
    answer(task),
    section("schema", "Schema", "", definitions(task))];
  byId("task").replaceChildren(...parts.flat().filter(Boolean));
  byId("task").scrollTop = 0;
}

function unfold() {
  document.querySelectorAll("#code .fold").forEach((button) => button.click());
}
