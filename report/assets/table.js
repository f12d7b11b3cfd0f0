// The table, the filter, the comparison, and the opening of designs.
"use strict";
(() => {
  const { D, S, axis } = TS;
  const $ = id => document.getElementById(id);
  const make = (tag, text, cls) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (cls) e.className = cls; return e; };
  const svg = f => { const t = document.createElement("span"); t.innerHTML = '<svg class="key" viewBox="0 0 16 16" aria-hidden="true"><path class="mk f' + f.color + '" d="' + f.mark + '"/></svg>'; return t.firstChild; };

  function openTarget() {
    const e = location.hash.startsWith("#d-") && $(location.hash.slice(1));
    if (e && e.tagName === "DETAILS") { e.open = true; e.scrollIntoView(); }
  }
  addEventListener("hashchange", () => { openTarget(); if (TS.n && TS.read()) TS.changed("hash"); });
  addEventListener("beforeprint", () => { for (const e of document.querySelectorAll("details")) e.open = true; });
  document.addEventListener("click", e => {
    const a = e.target.closest && e.target.closest('a[href^="#d-"]');
    if (a) { const d = $(a.getAttribute("href").slice(1)); if (d) d.open = true; }
  });
  if (!TS.n) { openTarget(); return; }

  const body = $("table").tBodies[0], rows = [];
  function adopt(tr) {
    const b = make("button", "+", "add"), r = { tr, b };
    b.type = "button";
    b.onclick = () => TS.pin(rows.indexOf(r));
    tr.cells[0].prepend(b);
    return r;
  }
  for (const tr of body.rows) {
    const i = +tr.dataset.i;
    rows[i] = adopt(tr);
    rows[i].b.setAttribute("aria-label", "Compare " + D.names[i]);
  }

  // A run that goes on brings designs and takes others away.
  const keys = [...$("table").tHead.rows[0].cells].map(th => th.dataset.key).slice(2);
  const classes = { agrees: "good", contradicts: "bad", "–": "" };
  function newRow(name, fam, sim) {
    const tr = document.createElement("tr"), th = make("th");
    th.scope = "row";
    th.append(svg(D.families[fam] || { color: 7, mark: "" }), name);
    tr.append(th, make("td", sim, "st " + (classes[sim] ?? "warn")), ...keys.map(() => make("td")));
    const r = adopt(tr);
    r.b.setAttribute("aria-label", "Compare " + name);
    return r;
  }
  TS.onMove((u, move) => {
    for (const i of u.drop) rows[i].tr.remove();
    move(rows, u.names.map((name, j) => newRow(name, u.fam[j], u.sim[j])));
    $("table").tHead.querySelectorAll("th[data-key]").forEach(th => {
      const a = axis.get(th.dataset.key), unit = th.querySelector("button span");
      if (a && unit) unit.textContent = a.unit;
    });
    const fresh = new Set(u.at);
    rows.forEach((r, i) => {
      r.tr.dataset.i = i;
      keys.forEach((k, j) => {
        const a = axis.get(k), td = r.tr.cells[j + 2], text = TS.format(a, a.v[i]);
        if (td.textContent !== text) td.textContent = text;
        if (!fresh.has(i)) return;
        const exact = a.v[i] === null || !a.lo || a.lo[i] === a.hi[i];
        td.classList.toggle("iv", !exact);
        if (!exact) td.title = "between " + TS.format(a, a.lo[i]) + " and " + TS.format(a, a.hi[i]);
      });
      for (const b of r.tr.cells[0].querySelectorAll("b")) b.remove();
      D.picks.filter(p => p.i === i).forEach(p => r.tr.cells[0].append(" ", make("b", p.name)));
    });
    if (sortKey) sort(); else body.append(...rows.map(r => r.tr));
    chips();
  });
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
    const order = [...Array(TS.n).keys()].sort((a, b) => {
      if (v[a] === null || v[b] === null) return (v[a] === null) - (v[b] === null) || a - b;
      const c = typeof v[a] === "number" ? v[a] - v[b] : v[a] < v[b] ? -1 : v[a] > v[b] ? 1 : 0;
      return c * sortDir || a - b;
    });
    body.append(...order.map(i => rows[i].tr));
  }

  // A button for each family that has a design.
  let pressed = [];
  function chips() {
    pressed = D.families.map((f, i) => {
      const count = D.fam.filter(x => x === i).length;
      if (!count) return null;
      const b = make("button");
      b.type = "button";
      b.append(svg(f), make("span", f.name + " " + count));
      b.onclick = () => { if (!S.off.delete(i)) S.off.add(i); TS.changed("chips"); };
      return b;
    });
    $("families").replaceChildren(...pressed.filter(b => b));
  }
  chips();

  let timer;
  $("q").oninput = () => { clearTimeout(timer); timer = setTimeout(() => { S.q = $("q").value; TS.changed("q"); }, 120); };
  $("reset").onclick = TS.reset;
  $("csv").onclick = () => {
    const cell = s => /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
    const sel = TS.selected(), lines = [["design", ...D.axes.map(a => a.key)].join(",")];
    for (let i = 0; i < TS.n; i++) if (sel[i]) lines.push([cell(D.names[i]), ...D.axes.map(a => a.v[i] === null ? "" : a.v[i])].join(","));
    const a = make("a");
    a.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    a.download = "selection.csv";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  };

  // Up to four designs side by side: all figures, the best of each row in bold, with what each differs by from the first; then what
  // is bought for each, whose differences add up to that of the costs, and the simulated latencies.
  function compare() {
    const box = $("compare");
    box.hidden = !S.pins.length;
    const t = make("table"), h = t.createTHead().insertRow(), b = t.createTBody(), first = S.pins[0];
    h.append(make("th", ""));
    for (const i of S.pins) h.append(pinHead(i));
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
        if (j && vs[0] !== null && vs[j] !== null && vs[j] !== vs[0]) td.append(make("small", difference(a, vs[0], vs[j])));
        r.append(td);
      });
    }
    const parts = [t];
    if (S.pins.length > 1) parts.push(...bills(first), ...curves());
    box.querySelector(".scroll").replaceChildren(...parts);
  }
  function pinHead(i) {
    const th = make("th");
    th.append(D.detail[i] ? Object.assign(make("a", D.names[i]), { href: "#" + D.detail[i] }) : make("span", D.names[i]));
    return th;
  }

  // What is printed of a difference is that of the two figures as they are printed.
  function difference(a, x, y) {
    const p = Math.pow(10, a.dec), d = Math.round(y / a.div * p) - Math.round(x / a.div * p);
    if (!d) return " ±0";
    return " " + (d > 0 ? "+" : "") + TS.format({ div: 1, dec: a.dec }, d / p);
  }
  const grouped = s => s.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  function money(minor, sign) {
    const p = Math.pow(10, D.digits), m = Math.abs(minor), whole = Math.floor(m / p), rest = m % p;
    return (minor < 0 ? "−" : sign ? "+" : "") + grouped(String(whole)) + (rest ? "." + String(rest).padStart(D.digits, "0") : "");
  }

  // The bills of the pinned designs part by part, in exact minor units.
  function bills(first) {
    const missing = S.pins.filter(i => !D.bills[i]);
    if (missing.length) return [make("h4", "Bills"), make("p", "Without a bill here: " + missing.map(i => D.names[i]).join(", ") + ". The page holds those of designs in full; toposearch compare has any.", "note")];
    const t = make("table", undefined, "bills"), h = t.createTHead().insertRow(), b = t.createTBody(), rows = new Map();
    h.append(make("th", "Ordered, " + D.money));
    for (const i of S.pins) h.append(pinHead(i));
    S.pins.forEach((i, j) => {
      for (const [part, used, n, minor] of D.bills[i]) {
        if (!rows.has(part)) rows.set(part, S.pins.map(() => [0, 0]));
        rows.get(part)[j][0] += n;
        rows.get(part)[j][1] += minor;
      }
    });
    const line = (name, cells, cls) => {
      const r = b.insertRow();
      r.className = cls || "";
      r.append(make("th", name));
      cells.forEach(([n, minor], j) => {
        const td = make("td", (n === null ? "" : grouped(String(n)) + " · ") + money(minor));
        if (j && minor !== cells[0][1]) td.append(make("small", " " + money(minor - cells[0][1], true)));
        r.append(td);
      });
    };
    const spread = c => Math.max(...c.map(x => Math.abs(x[1] - c[0][1])));
    for (const [part, cells] of [...rows].sort((x, y) => spread(y[1]) - spread(x[1]) || (x[0] < y[0] ? -1 : 1))) line(part, cells);
    line("Total", S.pins.map((_, j) => [null, [...rows.values()].reduce((s, c) => s + c[j][1], 0)]), "total");
    return [make("h4", "Bills"), t];
  }

  // Latency against offered load, a line for each design, for each traffic that several were simulated under.
  function curves() {
    const by = new Map();
    S.pins.forEach((i, j) => { for (const c of D.curves[i] || []) { const k = c.traffic + ", " + c.unit; if (!by.has(k)) by.set(k, []); by.get(k).push([j, c.points.filter(p => p[1] !== null).sort((a, b) => a[0] - b[0])]); } });
    const out = [];
    for (const [name, lines] of by) {
      if (lines.length < 2) continue;
      const all = lines.flatMap(l => l[1]), clear = all.filter(p => !p[2]), top = 1.15 * Math.max(...(clear.length ? clear : all).map(p => p[1])), right = Math.max(...all.map(p => p[0]));
      const x = v => 46 + 370 * v / right, y = v => 186 - 170 * Math.min(v, top) / top, f = v => v.toFixed(1);
      let g = '<path d="M46 16V186H416" fill="none" stroke="currentColor" stroke-opacity=".5"/>';
      g += '<text x="46" y="202">0</text><text x="416" y="202" text-anchor="end">load ' + +right.toPrecision(3) + '</text><text x="40" y="22" text-anchor="end">' + +top.toPrecision(3) + "</text>";
      for (const [j, ps] of lines) {
        g += '<path class="pin' + j + '" fill="none" d="' + ps.filter(p => !p[2]).map((p, k) => (k ? "L" : "M") + f(x(p[0])) + " " + f(y(p[1]))).join("") + '"/>';
        for (const p of ps) g += '<circle class="pin' + j + '" r="3" cx="' + f(x(p[0])) + '" cy="' + f(y(p[1])) + '"' + (p[2] ? ' fill="none"' : "") + "/>";
      }
      const fig = make("figure", undefined, "pins"), s = make("div");
      s.innerHTML = '<svg viewBox="0 0 430 210" role="img">' + g + "</svg>";
      s.firstChild.setAttribute("aria-label", "Latency against offered load, " + name);
      const legend = make("figcaption", "Latency, " + name + ": ");
      for (const [j] of lines) legend.append(make("span", D.names[S.pins[j]], "pin" + j), " ");
      legend.append("Hollow: saturated.");
      fig.append(s, legend);
      out.push(fig);
    }
    return out.length ? [make("h4", "Simulated"), ...out] : [];
  }

  function draw() {
    const sel = TS.selected();
    let shown = 0;
    rows.forEach((r, i) => { // what is written is laid out anew, changed or not
      if (r.tr.hidden === sel[i]) r.tr.hidden = !sel[i];
      shown += sel[i];
      const pinned = S.pins.includes(i);
      if (r.pinned === pinned) return;
      r.pinned = pinned;
      r.tr.classList.toggle("pin", pinned);
      r.b.setAttribute("aria-pressed", pinned);
      r.b.textContent = pinned ? "✓" : "+";
    });
    pressed.forEach((b, i) => b && b.setAttribute("aria-pressed", !S.off.has(i)));
    if (document.activeElement !== $("q")) $("q").value = S.q;
    const bad = TS.bad();
    const many = x => String(x).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    $("count").textContent = (shown === TS.n ? many(TS.n) + (TS.n === 1 ? " design" : " designs") : many(shown) + " of " + many(TS.n) + " designs") + (bad.length ? ", " + bad.join(", ") : "");
    compare();
  }
  TS.on(draw);
  TS.read();
  TS.select();
  if (TS.theme) TS.theme();
  draw();
  openTarget();
})();
