"use strict";
// Builds elements. Text is always text: nothing from a record is ever read as HTML.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name in element && typeof value !== "string") {
      element[name] = value;
    } else if (value !== undefined && value !== null) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

// Asks the program. Throws an Error with its words when it says no, and with `offline` set when it is not there.
async function ask(path, body) {
  let reply;
  try {
    reply = await fetch(path, body === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw Object.assign(new Error("the program is not running; nothing is lost, start it again"), { offline: true });
  }
  const text = await reply.text();
  let content;
  try { content = JSON.parse(text); } catch { content = { error: text }; }
  if (!reply.ok) throw new Error(content.error || `error ${reply.status}`);
  return content;
}

function say(text, kind = "") {
  const state = byId("state");
  state.textContent = text;
  state.className = `state ${kind}`;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const VERDICTS = ["fair", "unfair", "ambiguous"];
