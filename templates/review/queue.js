"use strict";
// The list of tasks: only the entries in sight exist, and pages of the queue are fetched when they come into sight.

const ENTRY_HEIGHT = 48;
const PAGE_SIZE = 100;
const FILTERS = ["all", "open", "fair", "unfair", "ambiguous"];

const queue = { filter: "all", search: "", total: 0, items: new Map(), asked: new Set(), edition: 0 };

function showFilters() {
  byId("filters").replaceChildren(...FILTERS.map((name) => make("button", {
    type: "button", "aria-pressed": String(queue.filter === name), on: { click: () => setFilter(name) },
  }, name)));
}

async function setFilter(name) {
  queue.filter = name;
  showFilters();
  byId("list").scrollTop = 0;
  await reloadQueue();
}

async function search(words) {
  queue.search = words;
  byId("list").scrollTop = 0;
  await reloadQueue();
}

async function reloadQueue() {
  queue.edition += 1;
  queue.items.clear();
  queue.asked.clear();
  await fetchPage(0);
}

// Fetches the page that holds the entry at `offset`, once.
async function fetchPage(offset) {
  const first = Math.floor(offset / PAGE_SIZE) * PAGE_SIZE;
  if (queue.asked.has(first)) return;
  queue.asked.add(first);
  const edition = queue.edition;
  let page;
  try {
    page = await ask(`api/queue?filter=${queue.filter}&search=${encodeURIComponent(queue.search)}&offset=${first}`);
  } catch (error) {
    queue.asked.delete(first);
    say(error.message, "bad");
    return;
  }
  if (edition !== queue.edition) return;
  queue.total = page.total;
  page.items.forEach((item, index) => queue.items.set(first + index, item));
  drawQueue();
}

function drawQueue() {
  const list = byId("list");
  const space = byId("space");
  space.style.height = `${queue.total * ENTRY_HEIGHT}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / ENTRY_HEIGHT) - 4);
  const last = Math.min(queue.total - 1, Math.ceil((list.scrollTop + list.clientHeight) / ENTRY_HEIGHT) + 4);
  const entries = [];
  for (let at = first; at <= last; at += 1) {
    const item = queue.items.get(at);
    if (item) entries.push(entry(item, at));
    else fetchPage(at);
  }
  if (queue.total === 0) entries.push(make("p", { class: "empty" }, "no such task"));
  space.replaceChildren(...entries);
}

function entry(item, at) {
  const element = make("button", {
    type: "button", class: "entry", tabindex: "-1", "data-id": item.instance_id,
    "aria-current": String(item.instance_id === current.id), on: { click: () => openTask(item.instance_id) },
  }, make("b", {}, make("span", { class: `dot ${item.verdict || ""}` }), item.instance_id, make("i", {}, item.track)),
  make("small", {}, [item.domain, item.fault].filter(Boolean).join(" · ")));
  element.style.top = `${at * ENTRY_HEIGHT}px`;
  return element;
}

// Marks an entry after a click without fetching the list again.
function markEntry(instanceId, verdict, fault = "") {
  for (const item of queue.items.values()) if (item.instance_id === instanceId) Object.assign(item, { verdict, fault: verdict ? fault || item.fault : "" });
  drawQueue();
}

function placeOf(instanceId) {
  for (const [at, item] of queue.items) if (item.instance_id === instanceId) return at;
  return -1;
}

async function itemAt(at) {
  if (at < 0 || at >= queue.total) return null;
  if (!queue.items.has(at)) await fetchPage(at);
  return queue.items.get(at) || null;
}

// The next or previous task of the list.
async function step(direction) {
  const item = await itemAt(placeOf(current.id) + direction);
  if (item) await openTask(item.instance_id);
}

// The next task that this annotator has not judged; after the last one the search begins again at the first.
async function nextOpen() {
  const start = placeOf(current.id);
  for (let distance = 1; distance <= queue.total; distance += 1) {
    const item = await itemAt((start + distance) % queue.total);
    if (item && !item.verdict && item.instance_id !== current.id) return openTask(item.instance_id);
  }
  say("every task of this list is judged");
  return null;
}

function reveal(instanceId) {
  const at = placeOf(instanceId);
  const list = byId("list");
  if (at >= 0) {
    const top = at * ENTRY_HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ENTRY_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ENTRY_HEIGHT - list.clientHeight;
  }
  drawQueue();
}

byId("search").addEventListener("input", (event) => search(event.target.value));
byId("list").addEventListener("scroll", () => requestAnimationFrame(drawQueue));
addEventListener("resize", drawQueue);
