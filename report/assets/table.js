// The table, the filter, the comparison, and the opening of designs.
"use strict";
(() => {
  const { D, S, n, axis } = TS;
  const $ = id => document.getElementById(id);
  const make = (tag, text, cls) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (cls) e.className = cls; return e; };
  const svg = f => { const t = document.createElement("span"); t.innerHTML = '<svg class="key" viewBox="0 0 16 16" aria-hidden="true"><path class="mk f' + f.color + '" d="' + f.mark + '"/></svg>'; return t.firstChild; };

  function openTarget() {
    const e = location.hash.startsWith("#d-") && $(location.hash.slice(1));
    if (e && e.tagName === "DETAILS") { e.open = true; e.scrollIntoView(); }
  }
  addEventListener("hashchange", () => { openTarget(); if (n && TS.read()) TS.changed("hash"); });
  addEventListener("beforeprint", () => { for (const e of document.querySelectorAll("details")) e.open = true; });
  document.addEventListener("click", e => {
    const a = e.target.closest && e.target.closest('a[href^="#d-"]');
    if (a) { const d = $(a.getAttribute("href").slice(1)); if (d) d.open = true; }
  });
  if (!n) { openTarget(); return; }

  const body = $("table").tBodies[0], rows = [];
  for (const tr of body.rows) {
    const i = +tr.dataset.i, b = make("button", "+", "add");
    b.type = "button";
    b.setAttribute("aria-label", "Compare " + D.names[i]);
    b.onclick = () => TS.pin(i);
    tr.cells[0].prepend(b);
    rows[i] = { tr, b };
  }
  $("tools").hidden = false;

  // Sorting: absent figures come last whichever way.
  let sortKey = "", sortDir = 1;
  for (const th of $("table").tHead.rows[0].cells) {
    const b = make("button");
    b.type = "button";
    b.append(...th.childNodes);
    th.append(b);
    b.onclick = () => {
      const k = th.dataset.key;
      sortDir = k === sortKey ? -sortDir : axis.has(k) && axis.get(k).better > 0 ? -1 : 1;
      sortKey = k;
      for (const o of $("table").tHead.rows[0].cells) o.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", sortDir > 0 ? "ascending" : "descending");
      sort();
    };
  }
  function sort() {
    const v = sortKey === "name" ? D.names : sortKey === "sim" ? D.sim : axis.get(sortKey).v;
    const order = [...Array(n).keys()].sort((a, b) => {
      if (v[a] === null || v[b] === null) return (v[a] === null) - (v[b] === null) || a - b;
      const c = typeof v[a] === "number" ? v[a] - v[b] : v[a] < v[b] ? -1 : v[a] > v[b] ? 1 : 0;
      return c * sortDir || a - b;
    });
    body.append(...order.map(i => rows[i].tr));
  }

  const chips = D.families.map((f, i) => {
    const count = D.fam.filter(x => x === i).length;
    if (!count) return null;
    const b = make("button");
    b.type = "button";
    b.append(svg(f), make("span", f.name + " " + count));
    b.onclick = () => { if (!S.off.delete(i)) S.off.add(i); TS.changed("chips"); };
    $("families").append(b);
    return b;
  });

  let timer;
  $("q").oninput = () => { clearTimeout(timer); timer = setTimeout(() => { S.q = $("q").value; TS.changed("q"); }, 120); };
  $("reset").onclick = TS.reset;
  $("csv").onclick = () => {
    const cell = s => /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
    const sel = TS.selected(), lines = [["design", ...D.axes.map(a => a.key)].join(",")];
    for (let i = 0; i < n; i++) if (sel[i]) lines.push([cell(D.names[i]), ...D.axes.map(a => a.v[i] === null ? "" : a.v[i])].join(","));
    const a = make("a");
    a.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    a.download = "selection.csv";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  };

  // Up to four designs side by side, all figures, the best of each row in bold.
  function compare() {
    const box = $("compare");
    box.hidden = !S.pins.length;
    const t = make("table"), h = t.createTHead().insertRow(), b = t.createTBody();
    h.append(make("th", ""));
    for (const i of S.pins) {
      const th = make("th");
      th.append(D.detail[i] ? Object.assign(make("a", D.names[i]), { href: "#" + D.detail[i] }) : make("span", D.names[i]));
      h.append(th);
    }
    for (const a of [...D.table.map(k => axis.get(k)), ...D.axes.filter(a => !D.table.includes(a.key))]) {
      const vs = S.pins.map(i => a.v[i]), have = vs.filter(v => v !== null);
      if (!have.length) continue;
      const best = a.better && new Set(have).size > 1 ? (a.better < 0 ? Math.min(...have) : Math.max(...have)) : null;
      const r = b.insertRow();
      r.append(make("th", TS.titled(a)));
      S.pins.forEach((i, j) => {
        const td = make("td", TS.format(a, vs[j]), vs[j] !== null && vs[j] === best ? "best" : "");
        const exact = !a.lo || a.lo[i] === a.hi[i];
        td.title = (exact ? "" : "between " + TS.format(a, a.lo[i]) + " and " + TS.format(a, a.hi[i]) + "; ") + (D.methods[a.method[i]] || "");
        if (!exact) td.classList.add("iv");
        r.append(td);
      });
    }
    box.querySelector(".scroll").replaceChildren(t);
  }

  function draw() {
    const sel = TS.selected();
    let shown = 0;
    rows.forEach((r, i) => {
      r.tr.hidden = !sel[i];
      shown += sel[i];
      const pinned = S.pins.includes(i);
      r.tr.classList.toggle("pin", pinned);
      r.b.setAttribute("aria-pressed", pinned);
      r.b.textContent = pinned ? "✓" : "+";
    });
    chips.forEach((b, i) => b && b.setAttribute("aria-pressed", !S.off.has(i)));
    if (document.activeElement !== $("q")) $("q").value = S.q;
    const bad = TS.bad();
    const many = x => String(x).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    $("count").textContent = (shown === n ? many(n) + (n === 1 ? " design" : " designs") : many(shown) + " of " + many(n) + " designs") + (bad.length ? ", " + bad.join(", ") : "");
    compare();
  }
  TS.on(draw);
  TS.read();
  TS.select();
  if (TS.theme) TS.theme();
  draw();
  openTarget();
})();
