// The page of `fairdeal explore`. What is on the screen stands in the address, so the
// back button undoes and a tab can be doubled. The server makes the page of an address;
// here what a reader does is sent to it, and what differs is put into the page.

const tab = crypto.randomUUID();
const at = (id) => document.getElementById(id);
let asked = 0, timer = 0, queue = Promise.resolve();

async function post(place, values = {}) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ tab, address: location.search, ...values });
  try {
    const how = { method: "POST", headers, body, keepalive: place === "leave" };
    return await (await fetch(place, how)).json();
  } catch {
    return { error: "The server does not answer: it may have ended." };
  }
}

// Ask with what was changed, by the names of controls, or go to an address. One by one,
// as each change is one to the address that the one before led to.
function ask(changes = {}, going = {}) {
  const number = (asked += 1);
  clearTimeout(timer);
  queue = queue.then(async () => {
    const found = await post("ask", { changes, ...going });
    if (found.error) return alert(found.error);
    const way = Object.keys({ ...changes, ...going }).length ? "pushState" : "replaceState";
    if (found.address !== location.search) history[way]({}, "", found.address);
    if (number === asked) show(at("board"), found, number);
    if (going.line) at("levers")?.scrollIntoView();
  });
}

async function poll(number, news) {
  const found = await post("answer", { news });
  if (number !== asked) return;
  if (found.error) return alert(found.error);
  show(at("live"), found, number);
}

// Put HTML into a node; what is the same stays, so focus and open rows do, too.
function show(node, { html, again, news }, number) {
  if (html) {
    const made = node.cloneNode(false);
    made.innerHTML = html;
    morph(node, made, node.id === "board");
    filter();
    document.title = document.querySelector("h1").textContent;
  }
  if (again) timer = setTimeout(poll, 50, number, news);
}

function morph(old, made, typed) {
  if (old.nodeName !== made.nodeName || old.id !== made.id) return old.replaceWith(made);
  if (!old.attributes) return old.data === made.data || (old.data = made.data);
  const said = typed || old.getAttribute("value") !== made.getAttribute("value");
  for (const { name } of [...old.attributes]) {
    if (!made.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if ("keep" in made.dataset) return;
  const [mine, theirs] = [[...old.childNodes], [...made.childNodes]];
  mine.slice(theirs.length).forEach((one) => one.remove());
  theirs.forEach((one, n) => (mine[n] ? morph(mine[n], one, typed) : old.append(one)));
  if (!said || !old.name) return;
  if (old.value !== made.value) old.value = made.value;
  if (old.checked !== made.checked) old.checked = made.checked;
}

function filter() {
  const wanted = at("filter")?.value.toLowerCase() ?? "";
  for (const one of document.querySelectorAll(".rule")) {
    one.hidden = !`${one.id} ${one.ariaLabel}`.toLowerCase().includes(wanted);
  }
}

addEventListener("change", ({ target }) => {
  if (!target.name || target.form) return;
  ask({ [target.name]: target.type === "checkbox" ? String(target.checked) : target.value });
});

addEventListener("submit", (event) => {
  event.preventDefault();
  ask(Object.fromEntries(new FormData(event.target)));
});

addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    ask({}, { address: link.getAttribute("href"), line: link.matches(".scorecard a") });
  }
  const { name, value } = event.target.closest("button[type=button]") ?? {};
  if (name === "undo") history.back();
  if (name === "copy") navigator.clipboard.writeText(at(value).textContent);
  if (name === "save") post("save").then(({ error }) => (error ? alert(error) : ask()));
  if (name === "watch") {
    at("told").hidden = false;
    at("told").textContent = "Looking through games ...";
    const { text, error } = await post("watch", { kind: value });
    at("told").textContent = text ?? error;
  }
});

addEventListener("input", ({ target }) => target.id === "filter" && filter());
addEventListener("popstate", () => ask());
addEventListener("pagehide", () => post("leave"));
ask();
