"use strict";
// The judgement, the keys, and the way of a click to the disk.

const REASONS = {
  unfair: ["words do not fit the bug", "not a bug", "needs knowledge not given", "several repairs are right", "not realistic"],
  ambiguous: ["two readings", "hard to tell", "needs domain knowledge"],
};
const current = { id: null, task: null, draft: null };
const page = { total: 0, annotator: "", run: "" };

// A click waits here until the program says that it is on the disk; it outlives the page and the program.
const waiting = {
  key: () => `sqlfault-review:${page.run}:${page.annotator}`,
  all() { try { return JSON.parse(localStorage.getItem(this.key())) || {}; } catch { return {}; } },
  put(click) { localStorage.setItem(this.key(), JSON.stringify({ ...this.all(), [click.instance_id]: click })); },
  // A newer click on the same task may have come meanwhile: only the one that was stored goes.
  drop(click) {
    const all = this.all();
    if (JSON.stringify(all[click.instance_id]) === JSON.stringify(click)) delete all[click.instance_id];
    localStorage.setItem(this.key(), JSON.stringify(all));
  },
};

async function save(click) {
  waiting.put(click);
  say("saving …", "wait");
  try {
    const saved = await ask("api/judgement", click);
    waiting.drop(click);
    showCount(saved.judged);
    markEntry(click.instance_id, saved.judgement.verdict);
    if (click.instance_id === current.id) {
      current.task.mine = saved.judgement;
      if (saved.checked) showOutcome(saved.checked);
      if (current.task.is_blind) await showAnswer(click.instance_id);
    }
    say("saved");
    return true;
  } catch (error) {
    // What the program refuses would be refused again; what it did not hear is kept.
    if (!error.offline) waiting.drop(click);
    say(error.message, "bad");
    return false;
  }
}

// The verdict is on the disk, so the answer may be seen.
async function showAnswer(instanceId) {
  const task = await ask(`api/task/${encodeURIComponent(instanceId)}`);
  if (instanceId !== current.id) return;
  current.task = task;
  showTask(task, page.total);
  byId("question").textContent = QUESTIONS.after;
  markEntry(instanceId, task.mine.verdict, task.labels[0]?.fault);
}

const QUESTIONS = { before: "Is it solvable from this?", after: "Is it fair to ask?" };

// What was said before each click of this visit, the last one last.
const said = [];

function remember(instanceId, before) {
  said.push({ instanceId, before });
  byId("undo").disabled = false;
}

// Takes the last click back: what was said before holds again.
async function undo() {
  const last = said.pop();
  byId("undo").disabled = said.length === 0;
  if (!last) return;
  const { instanceId, before } = last;
  try {
    if (before) {
      const { verdict, why = "", note = "", alternative = null } = before;
      await ask("api/judgement", { instance_id: instanceId, verdict, why, note, alternative });
    } else {
      showCount(await ask("api/withdrawal", { instance_id: instanceId }));
    }
  } catch (error) {
    said.push(last);
    byId("undo").disabled = false;
    say(error.message, "bad");
    return;
  }
  markEntry(instanceId, before ? before.verdict : null);
  current.draft = null;
  await openTask(instanceId);
  say("taken back");
}

async function resend() {
  for (const click of Object.values(waiting.all())) await save(click);
}

function draftOf(task) {
  const mine = waiting.all()[task.instance_id] || task.mine || {};
  return { verdict: mine.verdict || null, why: mine.why || "", note: mine.note || "", alternative: mine.alternative || "" };
}

async function openTask(instanceId) {
  await leave();
  let task;
  try {
    task = await ask(`api/task/${encodeURIComponent(instanceId)}`);
  } catch (error) {
    say(error.message, "bad");
    return;
  }
  Object.assign(current, { id: instanceId, task, draft: draftOf(task) });
  showTask(task, page.total);
  showVerdict();
  reveal(instanceId);
  history.replaceState(null, "", `#${instanceId}`);
  byId("task").focus({ preventScroll: true });
}

// Words typed but not sent go with the verdict they belong to.
async function leave() {
  const { draft, task } = current;
  if (!draft || !draft.verdict || !changed()) return;
  if (draft.verdict === "unfair" && !draft.why.trim()) return;
  const before = task.mine;
  if (await save({ instance_id: task.instance_id, ...draft, alternative: draft.alternative || null })) remember(task.instance_id, before);
}

function changed() {
  const mine = current.task.mine || {};
  const { draft } = current;
  return ["verdict", "why", "note", "alternative"].some((key) => (draft[key] || "").trim() !== (mine[key] || "").trim());
}

async function judge(verdict) {
  if (!current.task) return;
  if (current.draft.verdict !== verdict) current.draft.why = "";
  current.draft.verdict = verdict;
  showVerdict();
  if (verdict === "fair") await leave();
  else byId("why").focus();
  if (verdict === "ambiguous") await leave();
}

function showVerdict() {
  const { draft, task } = current;
  const told = { fair: "can be solved from what is shown", unfair: "cannot, or it is no bug", ambiguous: "several readings" };
  const choices = VERDICTS.map((verdict, index) => make("button", {
    type: "button", class: verdict, id: `choose-${verdict}`, "aria-pressed": String(draft.verdict === verdict), on: { click: () => judge(verdict) },
  }, make("span", {}, verdict[0].toUpperCase() + verdict.slice(1), make("br"), make("small", {}, told[verdict])), make("kbd", {}, String(index + 1))));
  const type = (name) => (event) => { draft[name] = event.target.value; };
  const reasons = REASONS[draft.verdict] || [];
  const why = make("input", { id: "why", value: draft.why, placeholder: "in a few words", on: { input: type("why"), change: leave } });
  why.value = draft.why;
  const note = make("textarea", { id: "note", placeholder: "anything worth keeping", on: { input: type("note"), change: leave } });
  note.value = draft.note;
  byId("verdict").replaceChildren(
    make("h2", { id: "question" }, task.is_blind ? QUESTIONS.before : QUESTIONS.after),
    make("div", { class: "choices" }, choices),
    reasons.length ? make("div", { class: "field" }, make("span", {}, draft.verdict === "unfair" ? "Why (needed)" : "Why", make("kbd", {}, "y")), why,
      make("div", { class: "reasons" }, reasons.map((reason) => make("button", { type: "button", on: { click: () => giveReason(reason) } }, reason)))) : "",
    make("label", { class: "field" }, make("span", {}, "Note", make("kbd", {}, "m")), note),
    make("div", { class: "alternative" },
      make("div", { class: "row" }, make("button", { type: "button", class: "button", id: "open-alternative", on: { click: openAlternative } },
        draft.alternative ? "Edit your solution" : "Another solution"), make("span", { class: "grow" }), make("kbd", {}, "a")),
      make("div", { id: "outcome" }), knownOutcome(task)),
    others(task),
    make("span", { class: "grow" }),
    make("button", { type: "button", class: "button main", id: "next", on: { click: nextOpen } }, "Next open task  ⏎"));
}

function giveReason(reason) {
  current.draft.why = reason;
  showVerdict();
  leave();
}

function knownOutcome(task) {
  const mine = task.mine;
  if (!mine || !mine.alternative) {
    return make("small", { class: "soft" }, task.alternatives.length ? `${plural(task.alternatives.length, "alternative")} known` : "as right as the reference, in other words");
  }
  return make("div", { class: `outcome ${mine.alternative_accepted ? "good" : "bad"}` },
    mine.alternative_accepted ? "gives the reference's results everywhere" : "does not give the reference's results");
}

function others(task) {
  if (!task.others.length) return "";
  return make("div", { class: "others" }, make("h2", {}, "The others"), task.others.map((other) => make("p", {},
    make("b", {}, other.annotator), " ", make("span", { class: other.verdict }, other.verdict),
    [other.why, other.note].filter(Boolean).map((words) => ` · ${words}`).join(""))));
}

function showOutcome(checked) {
  const box = document.querySelector("dialog[open] #checked") || byId("outcome");
  if (!box) return;
  const lines = checked.databases.map((one) => `${one.same ? "✓" : "✗"} ${one.database.replace("databases/", "")}: ${one.message}`);
  box.replaceChildren(make("div", { class: `outcome ${checked.accepted ? "good" : "bad"}` }, [checked.message, ...lines].join("\n")));
}

function showDialog(...content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(...content);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

function openAlternative() {
  const { draft, task } = current;
  const text = make("textarea", { id: "alternative", spellcheck: false, "aria-label": "Another solution" });
  text.value = draft.alternative || task.issue_sql;
  const run = async () => {
    byId("checked").replaceChildren(make("div", { class: "outcome soft" }, "running …"));
    try {
      const checked = await ask("api/check", { instance_id: task.instance_id, sql: text.value });
      showOutcome(checked);
      return checked;
    } catch (error) {
      byId("checked").replaceChildren(make("div", { class: "outcome bad" }, error.message));
      return null;
    }
  };
  const keep = async () => {
    draft.alternative = text.value.trim() === task.issue_sql.trim() ? "" : text.value;
    if (!draft.verdict) draft.verdict = "fair";
    byId("dialog").close();
    await leave();
    showVerdict();
  };
  const keys = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); keep(); }
  };
  text.addEventListener("keydown", keys);
  const suite = task.suite ? `run on all ${plural(task.suite, "database")} of the task` : "the run has no database for this script";
  showDialog(make("div", { class: "sheet wide" }, make("h2", {}, "Another solution"), make("span", { class: "soft" }, `Mend the script in your own way; it is ${suite}.`), text,
    make("div", { id: "checked" }),
    make("div", { class: "row" }, make("button", { type: "button", class: "button", id: "run-alternative", on: { click: run } }, "Run  Ctrl ⏎"),
      make("button", { type: "button", class: "button main", id: "keep-alternative", on: { click: keep } }, "Keep  Ctrl S"), make("span", { class: "grow" }), make("span", { class: "soft" }, "Esc leaves it"))));
  text.focus();
  text.setSelectionRange(0, 0);
  text.scrollTop = task.location ? Math.max(0, (task.location.line - 8) * 19) : 0;
}

async function openAgreement() {
  const agreement = await ask("api/agreement");
  const { kappa } = agreement;
  const number = (value) => (value === null ? "–" : value.toFixed(2));
  const figure = (value, words) => make("div", {}, make("b", {}, value), make("span", {}, words));
  const [fair, unfair, ambiguous] = agreement.verdicts;
  const entries = agreement.disagreements.map((one) => make("button", { type: "button", on: { click: () => { byId("dialog").close(); openTask(one.instance_id); } } },
    make("b", { class: "mono" }, one.instance_id), one.settled ? " settled " : " ", one.blind.map((judgement) => [` ${judgement.annotator} `,
      make("b", { class: judgement.verdict }, judgement.verdict), judgement.why ? ` (${judgement.why})` : "", " · "]).flat().slice(0, -1)));
  showDialog(make("div", { class: "sheet" }, make("h2", {}, "Agreement"),
    make("span", { class: "soft" }, `On the tasks that all ${agreement.panel} annotators have judged, as they judged blind.`),
    make("div", { class: "numbers" }, figure(number(kappa.kappa), "Fleiss’ kappa"), figure(number(kappa.observed), "agree"), figure(number(kappa.expected), "by chance"),
      figure(String(kappa.tasks), "tasks"), figure(`${fair} / ${unfair} / ${ambiguous}`, "fair / unfair / ambiguous")),
    entries.length ? make("div", { class: "disagreements" }, entries) : make("span", { class: "soft" }, "No disagreement to show.")));
}

const KEYS = [
  ["1 2 3", "fair, unfair, ambiguous", null], ["Enter", "next task that you have not judged", nextOpen],
  ["j", "next task", () => step(1)], ["k", "previous task", () => step(-1)],
  ["y", "why", () => byId("why") && byId("why").focus()], ["m", "note", () => byId("note").focus()], ["a", "another solution", openAlternative],
  ["s", "to the script", () => jump("script")], ["r", "to the results", () => jump("results")], ["w", "to the witness rows", () => jump("witness")],
  ["t", "to the attempts of solvers", () => jump("attempts")], ["d", "definitions of the tables", definitionsKey],
  ["x", "unfold the whole script", unfold], ["c", "all columns of the results", () => showColumns()],
  ["o", "only tasks you have not judged", () => setFilter(queue.filter === "open" ? "all" : "open")],
  ["u", "undo the last click", undo], ["/", "search", () => byId("search").focus()],
  ["g", "agreement", openAgreement], ["?", "these keys", openHelp],
];

function openHelp() {
  const entries = KEYS.flatMap(([keys, words]) => [make("dt", {}, ...keys.split(" ").flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, words)]);
  showDialog(make("div", { class: "sheet" }, make("h2", {}, "Keys"), make("dl", { class: "keys" }, entries), make("span", { class: "soft" }, "Esc leaves a field or a window.")));
}

function jump(id) {
  const target = byId(id);
  if (target) target.scrollIntoView({ block: "start" });
}

function definitionsKey() {
  const box = byId("definitions");
  box.open = !box.open;
  if (box.open) jump("schema");
}

let everyColumn = false;
function showColumns(all = !everyColumn) {
  everyColumn = all;
  if (current.task && current.task.results.length) byId("results").replaceChildren(...results(current.task, all));
}

addEventListener("keydown", (event) => {
  const field = event.target.matches("input, textarea");
  if (field && (event.key === "Escape" || (event.key === "Enter" && ["why", "search"].includes(event.target.id)))) {
    if (!byId("dialog").open) { event.target.blur(); event.preventDefault(); byId("task").focus({ preventScroll: true }); }
    return;
  }
  if (field || byId("dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.matches("button, summary")) return;
  const verdict = VERDICTS[Number(event.key) - 1];
  const known = KEYS.find(([key, , action]) => key === event.key && action);
  if (!verdict && !known) return;
  event.preventDefault();
  if (verdict) judge(verdict);
  else known[2]();
});

function showCount(judged) {
  byId("count").textContent = `${judged} of ${page.total}`;
  byId("progress").firstElementChild.style.width = `${page.total ? (100 * judged) / page.total : 0}%`;
}

async function begin() {
  try {
    const overview = await ask("api/overview");
    Object.assign(page, { total: overview.total, annotator: overview.annotator, run: overview.run });
    byId("run").textContent = overview.run;
    byId("who").textContent = overview.annotator;
    showCount(overview.judged);
    showFilters();
    await reloadQueue();
    await resend();
    const wanted = decodeURIComponent(location.hash.slice(1));
    const first = await itemAt(0);
    if (wanted) await openTask(wanted);
    if (!current.id && first) await (first.verdict ? nextOpen() : openTask(first.instance_id));
    if (!current.id && first) await openTask(first.instance_id);
    if (!first) byId("task").replaceChildren(make("p", { class: "empty" }, "The queue is empty: no task of this run waits for people."));
    document.body.dataset.ready = "true";
  } catch (error) {
    say(error.message, "bad");
  }
}

byId("undo").addEventListener("click", undo);
byId("open-help").addEventListener("click", openHelp);
byId("open-agreement").addEventListener("click", openAgreement);
addEventListener("online", resend);
begin();
