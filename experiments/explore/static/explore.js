// The page of `fairdeal explore`. What is on the screen stands in the address, so the
// back button undoes and a tab can be doubled. The server makes the page of an address;
// here what a reader does is sent to it, and what differs is put into the page.

const tab = crypto.randomUUID();
const board = document.getElementById("board");
let asked = 0, timer = 0, queue = Promise.resolve();

async function post(place, values) {
  const answer = await fetch(place, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tab, address: location.search, ...values }),
  }).catch(() => null);
  if (!answer) return { error: "The server has ended: start it again." };
  return answer.json().catch(() => ({ error: answer.statusText }));
}

// Ask with what was changed, by the names of controls, or go to an address. One by one,
// as each change is one to the address that the one before led to.
function ask(changes = {}, address = null) {
  const number = (asked += 1);
  clearTimeout(timer);
  queue = queue.then(async () => {
    const found = await post("ask", { changes, ...(address === null ? {} : { address }) });
    if (found.error) return alert(found.error);
    const moved = address !== null || Object.keys(changes).length;
    if (found.address !== location.search) {
      history[moved ? "pushState" : "replaceState"]({}, "", found.address);
    }
    if (number !== asked) return;
    fit(board, found.html, true);
    if (found.again) timer = setTimeout(poll, 60, number);
  });
  return queue;
}

async function poll(number) {
  const found = await post("answer", {});
  if (number !== asked) return;
  if (found.error) return alert(found.error);
  fit(document.getElementById("live"), found.html, false);
  if (found.again) timer = setTimeout(poll, 200, number);
}

// Put HTML into a node; what is the same stays, so focus and open rows do, too.
function fit(node, html, typed) {
  const made = node.cloneNode(false);
  made.innerHTML = html;
  morph(node, made, typed);
  filter();
}

function morph(old, made, typed) {
  if (old.nodeName !== made.nodeName || old.id !== made.id) return old.replaceWith(made);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  const said = old.getAttribute("value") !== made.getAttribute("value");
  for (const { name } of [...old.attributes]) {
    if (!made.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if ("keep" in made.dataset) return;
  const [mine, theirs] = [[...old.childNodes], [...made.childNodes]];
  mine.slice(theirs.length).forEach((one) => one.remove());
  theirs.forEach((one, at) => (mine[at] ? morph(mine[at], one, typed) : old.append(one)));
  if (!(typed || said) || !old.name || old.type === "search") return;
  if (old.value !== made.value) old.value = made.value;
  if (old.checked !== made.checked) old.checked = made.checked;
}

function filter() {
  const wanted = document.getElementById("filter")?.value.toLowerCase() ?? "";
  for (const one of document.querySelectorAll(".rule")) {
    const words = `${one.id} ${one.getAttribute("aria-label")}`.toLowerCase();
    one.hidden = !words.includes(wanted);
  }
}

addEventListener("change", ({ target }) => {
  if (!target.name || target.form) return;
  ask({ [target.name]: target.type === "checkbox" ? String(target.checked) : target.value });
});

addEventListener("submit", (event) => {
  event.preventDefault();
  ask(Object.fromEntries(new FormData(event.target)));
  event.target.querySelector("[name=row]")?.form.reset();
});

addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    ask({}, link.getAttribute("href"));
  }
  const { name, value } = event.target.closest("button[type=button]") ?? {};
  if (name === "undo") history.back();
  if (name === "copy") navigator.clipboard.writeText(document.getElementById(value).textContent);
  if (name === "save") {
    const { error } = await post("save", {});
    if (error) alert(error);
    ask();
  }
  if (name === "watch") {
    const told = document.getElementById("told");
    told.hidden = false;
    told.textContent = "Looking through games ...";
    const { text, error } = await post("watch", { kind: value });
    told.textContent = text ?? error;
  }
});

addEventListener("input", ({ target }) => target.id === "filter" && filter());
addEventListener("popstate", () => ask());
ask();
