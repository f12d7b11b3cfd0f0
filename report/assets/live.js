// The page while its run goes on: parts of it and designs come as increments over one connection (server-sent events). A browser that
// lost it asks for what came after the last it has seen; what the server no longer has is loaded anew.
"use strict";
(() => {
  const box = document.getElementById("live") || document.getElementById("runs");
  if (!box) return;
  const base = box.dataset.base, link = document.getElementById("live-link");
  const quiet = 40000; // ms; the server says something every 15 s
  let source, last = box.dataset.version, heard = Date.now();
  const say = (text, bad) => { if (link.textContent !== text) link.textContent = text; link.className = bad ? "down" : ""; };

  // What somebody is pointing at or has opened stays: only what differs is replaced, and focus comes back.
  function part(id, html) {
    const e = document.getElementById(id);
    if (!e) return;
    const on = document.activeElement, mine = on && e.contains(on) ? on.dataset.do : "";
    e.innerHTML = html;
    if (mine) { const b = [...e.querySelectorAll("[data-do]")].find(x => x.dataset.do === mine); if (b) b.focus(); }
  }

  const took = []; // ms that the last updates of the front took
  function apply(d) {
    if (d.reload) { location.reload(); return; }
    for (const id in d.parts || {}) part(id, d.parts[id]);
    if (d.front && typeof TS !== "undefined" && TS.n) {
      const t = performance.now();
      TS.update(d.front);
      took.push(performance.now() - t);
      if (took.length > 20) took.shift();
    }
  }

  function open() {
    if (source) source.close();
    source = new EventSource(base + "events?from=" + encodeURIComponent(last));
    source.onopen = () => { heard = Date.now(); say("live"); };
    source.onmessage = e => {
      heard = Date.now();
      if (e.lastEventId) last = e.lastEventId;
      apply(JSON.parse(e.data));
    };
    source.addEventListener("beat", () => { heard = Date.now(); });
    source.onerror = () => {
      say(source.readyState === EventSource.CLOSED
        ? "not live: the server does not let this page in any more, it was probably started anew; open the address that it printed"
        : "not live: the server does not answer; runs go on without it. Trying again", true);
      if (source.readyState === EventSource.CLOSED) source = null;
    };
  }
  // A page that was asleep, or whose connection died without a word, asks anew.
  setInterval(() => { if (source && Date.now() - heard > quiet) { heard = Date.now(); open(); } }, 5000);
  addEventListener("visibilitychange", () => { if (!document.hidden && source && Date.now() - heard > quiet) open(); });
  addEventListener("pagehide", () => { if (source) source.close(); });
  addEventListener("pageshow", e => { if (e.persisted) open(); });

  async function send(path, body, from) {
    const note = text => { let p = from.parentElement.querySelector(".answer"); if (!p) { p = document.createElement("span"); p.className = "answer"; from.parentElement.append(p); } p.textContent = text; };
    from.disabled = true;
    note("asked…");
    try {
      const r = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Toposearch-Token": box.dataset.token }, body: JSON.stringify(body) });
      const a = await r.json().catch(() => ({ error: "the server answers with status " + r.status }));
      note(a.error || a.text || "");
      if (a.open) location.href = a.open;
    } catch (e) {
      note("the server does not answer; nothing was changed");
    }
    from.disabled = false;
  }
  box.addEventListener("click", e => {
    const b = e.target.closest("button[data-do]");
    if (!b) return;
    if (b.dataset.ask && !b.dataset.sure) { // asks first, in the place of the button
      const text = document.createElement("span"), yes = b.cloneNode(), no = document.createElement("button");
      text.textContent = b.dataset.ask;
      text.className = "ask";
      yes.textContent = "Yes, stop";
      yes.dataset.sure = "1";
      no.type = "button";
      no.textContent = "No";
      no.onclick = () => { for (const x of [text, yes, no]) x.remove(); b.hidden = false; b.focus(); };
      b.hidden = true;
      b.after(text, yes, no);
      no.focus();
      return;
    }
    if (b.dataset.do === "start") send("/start", { study: b.dataset.study }, b);
    else send(base + b.dataset.do, {}, b);
  });
  globalThis.TSLive = { apply, took: () => took.slice() };
  // Buttons work at once; increments come when the scripts that draw are there, which a slow line takes seconds for.
  addEventListener("DOMContentLoaded", open);
})();
