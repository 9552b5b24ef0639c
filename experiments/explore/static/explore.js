// The page of `fairdeal explore`. What is on the screen stands in the address (after #):
// the settings, and who plays. So the back button undoes, and a tab can be doubled.
// All text is set as text, never as markup.

const at = (id) => document.getElementById(id);
const tab = crypto.randomUUID();
const shown = { about: null, state: null, lines: {}, asked: 0 };
let timer = 0;

function make(name, values = {}, ...inside) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (key in one && key !== "list") one[key] = value;
    else one.setAttribute(key, value);
  }
  one.append(...inside);
  return one;
}

async function post(place, values) {
  const answer = await fetch(place, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tab, ...values }),
  });
  const found = await answer.json().catch(() => ({ error: answer.statusText }));
  return found;
}

// -- what is on the screen, as the address says it

function read() {
  const start = shown.about.start;
  const words = new URLSearchParams(location.hash.slice(1));
  const state = {
    settings: new Map(start.settings),
    players: start.players, strategy: start.strategy, most: start.most, line: "",
  };
  if (!location.hash) return state;
  state.settings = new Map();
  for (const text of words.getAll("set")) {
    const cut = text.indexOf("=");
    try {
      state.settings.set(text.slice(0, cut), JSON.parse(text.slice(cut + 1)));
    } catch { /* no value: as if it were not there */ }
  }
  state.players = Number(words.get("players") ?? start.players);
  state.strategy = words.get("strategy") ?? start.strategy;
  state.most = Number(words.get("most") ?? start.most);
  state.line = words.get("line") ?? "";
  return state;
}

function address({ settings, players, strategy, most, line }) {
  const words = new URLSearchParams({ players, strategy, most });
  if (line) words.set("line", line);
  for (const [key, value] of settings) words.append("set", `${key}=${JSON.stringify(value)}`);
  return `#${words}`;
}

function go(change) {
  const state = { ...shown.state, settings: new Map(shown.state.settings) };
  change(state);
  if (address(state) !== location.hash) location.hash = address(state);
}

function set(key, value, before) {
  go(({ settings }) => {
    if (JSON.stringify(value) === JSON.stringify(before)) settings.delete(key);
    else settings.set(key, value);
  });
}

// -- asking

async function ask() {
  shown.state = read();
  at("levers").hidden = !shown.state.line;
  for (const name of ["levers-list", "found-list", "found-note"]) at(name).replaceChildren();
  shown.finding = false;
  at("told").hidden = true;
  for (const name of ["players", "strategy", "most"]) at(name).value = shown.state[name];
  for (const update of updates) update();
  const asked = (shown.asked += 1);
  clearTimeout(timer);
  const found = await post("ask", { ...plain(), line: shown.state.line });
  if (asked !== shown.asked) return;
  wrong(found.error);
  if (found.error) return;
  told(found);
  shown.number = found.number;
  timer = setTimeout(poll, 60);
}

function plain() {
  const { settings, players, strategy, most } = shown.state;
  return { settings: [...settings], players, strategy, most };
}

function told(found) {
  at("sentences").replaceChildren(...(found.sentences.length ? found.sentences : ["Nothing: these are the base rules."]).map((text) => make("li", { textContent: text })));
  at("variant").textContent = found.variant;
  at("commands").textContent = found.commands.join("\n");
  at("saved").textContent = found.saved ? `saved: ${found.saved}` : "";
  at("reset").disabled = shown.state.settings.size === 0;
}

async function poll() {
  const found = await post("answer", {}).catch(() => ({ error: "The server has ended." }));
  if (found.number === undefined) return wrong(found.error);
  if (found.number === shown.number) show(found);
  const levers = shown.state.line && (shown.finding || !found.levers?.done) && !found.error;
  if (!found.done || levers) timer = setTimeout(poll, 200);
}

function wrong(text) {
  at("error").hidden = !text;
  at("error").textContent = text ?? "";
  at("score").classList.toggle("stale", Boolean(text));
  at("progress").textContent = text ? "Nothing is played." : at("progress").textContent;
  document.querySelectorAll(".wrong").forEach((one) => (one.hidden = true));
  if (!text) return;
  const rule = rules.find(({ key }) => text.includes(`${key}:`) || text.includes(`${key}.`));
  if (!rule) return;
  const beside = rule.node.querySelector(".wrong");
  beside.textContent = text;
  beside.hidden = false;
}

// -- the scorecard

function show(found) {
  if (found.error) wrong(found.error);
  const slow = shown.state.strategy.startsWith("search") ? " Strong play is slow." : "";
  if (!found.error) {
    const games = `${found.games.toLocaleString("en")} games by each rule set`;
    at("progress").textContent = found.done ? `${games}: finished.` : `${found.games ? games : "Playing"} ...${slow}`;
  }
  for (const line of found.about) shown.lines[line.id] = line;
  if (found.lines.length) {
    const focus = document.activeElement?.dataset?.line;
    at("lines").replaceChildren(...found.lines.map(row));
    if (focus) at("lines").querySelector(`[data-line="${CSS.escape(focus)}"]`)?.focus();
  }
  levers(found.levers);
  finding(found.found);
  if (found.lines.length && (found.done || found.number !== shown.listed)) {
    shown.listed = found.number;
    post("tried", {}).then(tried);
  }
}

function row({ id, base, here, change }) {
  const line = shown.lines[id];
  const button = make("button", { type: "button", textContent: line.title, title: `${line.asks} ${line.meaning}`, onclick: () => point(id) });
  button.dataset.line = id;
  button.setAttribute("aria-pressed", String(shown.state.line === id));
  const head = make("th", { scope: "row" }, button, make("span", { className: "interval" }, ` ${line.fair}`));
  const difference = make("td", { className: "difference" });
  difference.dataset.label = "difference";
  if (change) {
    difference.append(change.text, make("span", { className: `words ${change.word}`, textContent: spoken(change) }));
  }
  const picture = make("td", { className: "picture" }, draw(line, base, here));
  return make("tr", {}, head, number("base", base, line), number("changed", here, line), difference, picture);
}

function spoken({ word, words }) {
  return ["better", "worse"].includes(word) ? `${word}: ${words}` : words;
}

function number(label, one, line) {
  const cell = make("td", { title: line.meaning });
  cell.dataset.label = label;
  if (!one) return cell;
  cell.append(one.text, make("span", { className: "interval", textContent: `[${one.interval}]` }));
  cell.append(make("span", { className: `verdict ${one.verdict.replaceAll(" ", "-")}`, textContent: `${one.shape} ${one.verdict}` }));
  return cell;
}

function draw(line, base, here) {
  const svg = (name, values) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) one.setAttribute(key, value);
    return one;
  };
  const picture = svg("svg", { viewBox: "0 0 200 40", preserveAspectRatio: "none", "aria-hidden": "true" });
  const sides = [["base", base, 14], ["here", here, 28]].filter(([, one]) => one);
  const ends = [line.least, line.most].filter((end) => end !== null);
  const all = [...sides.flatMap(([, one]) => [one.low, one.high]), ...(line.fair ? ends : [])];
  if (!all.length) return picture;
  const room = (Math.max(...all) - Math.min(...all)) * 0.1 || 1;
  const low = Math.min(...all) - room, high = Math.max(...all) + room;
  const x = (value) => (200 * (value - low)) / (high - low);
  if (line.fair) {
    const from = line.least === null ? 0 : x(line.least), to = line.most === null ? 200 : x(line.most);
    picture.append(svg("rect", { class: "zone", x: from, y: 2, width: Math.max(to - from, 0), height: 36 }));
  }
  picture.append(svg("line", { class: "axis", x1: 0, x2: 200, y1: 38, y2: 38 }));
  for (const [name, one, y] of sides) {
    picture.append(svg("line", { class: name, x1: x(one.low), x2: x(one.high), y1: y, y2: y }));
    for (const dot of ["dot", "dot inner"]) picture.append(svg("path", { class: `${name} ${dot}`, d: `M ${x(one.value)} ${y} h 0.01` }));
  }
  return picture;
}

// -- levers, take along, what was tried

async function point(id) {
  const line = (shown.state.line = shown.state.line === id ? "" : id);
  history.replaceState(null, "", address(shown.state));
  for (const one of at("lines").querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.line === line));
  at("levers").hidden = !line;
  at("levers-list").replaceChildren();
  shown.finding = false;
  at("found-note").replaceChildren();
  at("found-list").replaceChildren();
  at("levers-note").textContent = "Playing the first of them ...";
  await post("point", { line });
  clearTimeout(timer);
  timer = setTimeout(poll, 60);
}

function levers(found) {
  const { line } = shown.state;
  if (!line || !found || found.line !== line) return;
  at("goal-unit").textContent = shown.lines[line]?.unit ?? "value";
  at("levers-title").textContent = `What would move it: ${shown.lines[line]?.title ?? line}`;
  const far = found.done ? `${found.all ?? 0} changes` : `${found.played} of ${found.all} changes so far`;
  at("levers-note").textContent = `${far} of one rule, from what is on the screen; ${found.games ?? 0} games each. What is sure among them stands first. A click sets it.`;
  at("levers-list").replaceChildren(...found.rows.map((one) => {
    const word = make("span", { className: one.word, textContent: one.marked ? one.word : "not sure" });
    return make("li", {}, setter(one.label, one.sentence, one.settings), ` ${one.text}: `, word);
  }));
}

function setter(words, title, settings) {
  const button = make("button", { type: "button", textContent: words, title });
  button.onclick = () => go((state) => settings.forEach(([key, value]) => state.settings.set(key, value)));
  return button;
}

async function find(event) {
  event.preventDefault();
  const { line } = shown.state;
  const { goal, scale } = shown.lines[line];
  const bound = Number(at("goal-bound").value) / scale;
  at("found-list").replaceChildren();
  at("found-note").textContent = "Looking ...";
  await post("point", { line, goal: `${line} ${at("goal-side").value} ${bound}${goal}` });
  shown.finding = true;
  clearTimeout(timer);
  timer = setTimeout(poll, 60);
}

function finding(found) {
  if (!found) return;
  shown.finding = !found.done;
  if (!found.done) at("found-note").textContent = `Looking for ${found.goal}: ${found.games.toLocaleString("en")} of ${found.all.toLocaleString("en")} games of this round.`;
  else at("found-note").textContent = found.error || `${found.goal}: ${found.tried} changes raced; these were held to it on ${found.at.toLocaleString("en")} fresh games. A click sets one.`;
  at("found-list").replaceChildren(...found.rows.map((one) => make("li", {}, setter(one.sentence, "", one.settings), ` ${one.value}: ${one.word}`, one.moved.length ? `; also moves ${one.moved.join(", ")}` : "")));
}

async function watch(kind) {
  at("told").hidden = false;
  at("told").textContent = "Looking through games ...";
  const found = await post("watch", { ...plain(), kind });
  at("told").textContent = found.error ?? found.text;
}

async function save() {
  const found = await post("save", plain());
  wrong(found.error);
  if (!found.error) told(found);
}

function tried({ tried: list }) {
  const lines = Object.values(shown.lines);
  at("tried-head").replaceChildren(make("tr", {}, ...["rules", "players", "games", ...lines.map(({ title }) => title)].map((text) => make("th", { scope: "col", textContent: text }))));
  at("tried-list").replaceChildren(...list.toReversed().map((one) => {
    const button = make("button", { type: "button", textContent: one.sentences.join(" ") || "base rules" });
    button.onclick = () => go((state) => Object.assign(state, { settings: new Map(one.settings), players: one.players, strategy: one.strategy, most: one.most }));
    const scores = lines.map(({ id, meaning }) => make("td", { textContent: one.scores[id] ? `${one.scores[id].shape} ${one.scores[id].text}` : "", title: meaning }));
    return make("tr", {}, make("td", {}, button), make("td", { textContent: `${one.players} ${one.strategy}` }), make("td", { textContent: one.games.toLocaleString("en") }), ...scores);
  }));
}

// -- the rules as controls

const rules = [];
const updates = [];

function rule(one, number) {
  const node = at("rule").content.cloneNode(true).firstElementChild;
  node.querySelector(".doc").textContent = one.doc;
  node.querySelector("code").textContent = one.key;
  node.querySelector(".marks").textContent = one.assumed ? "assumed" : "";
  const told = [one.unit && `unit: ${one.unit}`, `default: ${text(one.default)}`, `allowed: ${one.allowed}`, one.source && `source: ${one.source}`, one.assumed && `assumed: ${one.assumed}`];
  node.querySelector(".about").textContent = one.row ? [one.source && `source: ${one.source}`, one.assumed && `assumed: ${one.assumed}`].filter(Boolean).join("; ") : told.filter(Boolean).join("; ");
  const label = node.querySelector("label");
  const place = node.querySelector(".control");
  if (one.row) place.append(table(one));
  else if (one.schema.properties) place.append(...group(one));
  else {
    const input = control(one.key, one.schema, () => one.value ?? null, one.doc);
    input.id = label.htmlFor = `rule-${number}`;
    place.append(input);
  }
  updates.push(() => node.classList.toggle("moved", [...shown.state.settings.keys()].some((key) => key === one.key || key.startsWith(`${one.key}.`))));
  rules.push({ key: one.key, node, words: `${one.key} ${one.doc}`.toLowerCase() });
  return node;
}

const text = (value) => (typeof value === "string" ? value : value === null || value === undefined ? "not given" : Array.isArray(value) && typeof value[0] === "object" && value[0] !== null && "id" in value[0] ? `${value.length} rows` : JSON.stringify(value));

function control(key, schema, before, name) {
  const now = () => (shown.state.settings.has(key) ? shown.state.settings.get(key) : before());
  let input, value;
  if (schema.enum) {
    input = make("select", {}, ...schema.enum.map((one) => make("option", { value: one, textContent: one })));
    value = () => schema.enum.find((one) => String(one) === input.value);
  } else if (schema.type === "boolean") {
    input = make("input", { type: "checkbox" });
    value = () => input.checked;
  } else if (schema.type === "integer" || schema.type === "number") {
    input = make("input", { type: "number", min: schema.minimum ?? "", max: schema.maximum ?? "", step: schema.type === "integer" ? 1 : "any" });
    value = () => (input.value === "" ? before() : Number(input.value));
  } else {
    input = make("input", { type: "text", spellcheck: false });
    value = () => parsed(input.value, schema, before());
  }
  input.setAttribute("aria-label", `${name} (${key})`);
  input.addEventListener("change", () => set(key, value(), before()));
  updates.push(() => {
    const one = now();
    if (input.type === "checkbox") input.checked = Boolean(one);
    else input.value = one === null || one === undefined ? "" : typeof one === "object" ? JSON.stringify(one).slice(1, -1) : String(one);
    (input.closest("td") ?? input).classList.toggle("moved", shown.state.settings.has(key));
  });
  return input;
}

function parsed(given, schema, before) {
  if (given.trim() === "") return Array.isArray(before) && schema.type === "array" ? [] : before;
  if (schema.type === "string") return given;
  try { if (schema.type !== "array") return JSON.parse(given); } catch { /* a list, or a word */ }
  try { return JSON.parse(`[${given}]`); } catch { /* words without quotes */ }
  return schema.type === "array" ? given.split(",").map((one) => one.trim()) : given;
}

function group(one) {
  return Object.entries(one.schema.properties).map(([name, schema]) => make("label", { className: "group" }, name, control(`${one.key}.${name}`, schema, () => (one.value ?? {})[name] ?? null, one.doc)));
}

function table(one) {
  const fields = Object.entries(one.row.properties).filter(([name]) => name !== "id");
  const head = make("tr", {}, make("th", { scope: "col", textContent: "id" }), ...fields.map(([name, field]) => make("th", { scope: "col", textContent: name, title: field.description ?? "" })), make("th", { scope: "col", textContent: "" }));
  const body = make("tbody");
  const line = (id, known) => {
    const remove = `${one.key}.${id}.remove`;
    const button = make("button", { type: "button" });
    const made = make("tr", {}, make("th", { scope: "row", textContent: id }), ...fields.map(([name, field]) => make("td", {}, control(`${one.key}.${id}.${name}`, field, () => known?.[name] ?? (field.type === "boolean" ? false : null), `${name} of ${id}`))), make("td", {}, button));
    button.addEventListener("click", () => go(({ settings }) => {
      const gone = settings.has(remove);
      for (const key of [...settings.keys()]) if (key.startsWith(`${one.key}.${id}.`)) settings.delete(key);
      if (!gone && known) settings.set(remove, true);
    }));
    updates.push(() => {
      const gone = shown.state.settings.get(remove) === true;
      made.classList.toggle("gone", gone);
      button.textContent = gone ? "put back" : "remove";
      button.setAttribute("aria-label", `${button.textContent} ${id}`);
    });
    return made;
  };
  const known = new Map((one.value ?? []).map((row) => [row.id, row]));
  body.append(...[...known].map(([id, row]) => line(id, row)));
  const added = new Map();
  updates.push(() => {
    const wanted = new Set();
    for (const key of shown.state.settings.keys()) {
      if (!key.startsWith(`${one.key}.`)) continue;
      const id = key.slice(one.key.length + 1).split(".")[0];
      if (!known.has(id)) wanted.add(id);
    }
    for (const [id, node] of added) node.hidden = !wanted.has(id);
    for (const id of wanted) {
      if (added.has(id)) continue;
      const from = updates.length;
      added.set(id, line(id, null));
      body.append(added.get(id));
      updates.slice(from).forEach((update) => update());
    }
  });
  return make("details", {}, make("summary", { textContent: `${known.size} rows` }), make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": one.doc }, make("table", {}, make("thead", {}, head), body)), adder(one, fields, known));
}

function adder(one, fields, known) {
  const id = make("input", { type: "text", "aria-label": `id of a new row of ${one.key}`, placeholder: "new-id" });
  const like = make("select", { "aria-label": "like row" }, ...[...known.keys()].map((name) => make("option", { value: name, textContent: name })));
  const button = make("button", { type: "button", textContent: "add" });
  button.addEventListener("click", () => {
    const name = id.value.trim();
    if (!name || known.has(name)) return id.focus();
    const row = known.get(like.value) ?? {};
    go(({ settings }) => {
      for (const [field] of fields) if (row[field] !== undefined && row[field] !== null) settings.set(`${one.key}.${name}.${field}`, row[field]);
    });
    id.value = "";
  });
  return make("p", { className: "control" }, "New row ", id, " like ", like, button);
}

// -- the start

async function start() {
  const about = (shown.about = await post("about", {}));
  document.title = `Explore ${about.title}`;
  at("title").textContent = `Explore ${about.title}`;
  const choices = (id, values, words) => at(id).append(...values.map((one) => make("option", { value: one, textContent: words(one) })));
  choices("players", about.players, String);
  choices("strategy", about.strategies, (one) => (one.startsWith("search") ? `${one} (strong play, slow)` : one));
  choices("most", about.most, (one) => one.toLocaleString("en"));
  at("rules").append(...about.controls.map(rule));
  at("players").onchange = () => go((state) => (state.players = Number(at("players").value)));
  at("strategy").onchange = () => go((state) => (state.strategy = at("strategy").value));
  at("most").onchange = () => go((state) => (state.most = Number(at("most").value)));
  at("undo").onclick = () => history.back();
  at("reset").onclick = () => go(({ settings }) => settings.clear());
  at("save").onclick = save;
  at("goal").onsubmit = find;
  for (const kind of about.watched) at("watch-kinds").append(make("button", { type: "button", textContent: `a ${kind} one`.replace("a closest", "the closest").replace("a lopsided", "the most lopsided"), onclick: () => watch(kind) }));
  at("table").onsubmit = (event) => event.preventDefault();
  at("filter").oninput = () => rules.forEach(({ node, words }) => (node.hidden = !words.includes(at("filter").value.toLowerCase())));
  addEventListener("hashchange", ask);
  await ask();
}

start();
