// What is selected, shared by charts and table. One selection: words and comparisons of the filter
// box, families that are off, and intervals of metrics drawn in any chart. It stands in the
// address (#q=...&b=cost:1e6..2e6), so that a selection can be mailed.
"use strict";
const TS = (() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  D.names = D.names || []; D.families = D.families || []; D.axes = D.axes || [];
  D.beside = D.beside || [];
  D.picks = D.picks || []; D.table = D.table || []; D.parallel = D.parallel || [];
  const axis = new Map(D.axes.map(a => [a.key, a]));
  const S = { q: "", off: new Set(), iv: new Map(), pins: [], x: D.x, y: D.y, log: false };
  const listeners = [];

  let selected = new Array(D.names.length).fill(true), bad = [];
  function select() {
    const p = TSWhere.parse(S.q, D.names, D.axes);
    bad = p.bad.length ? ["not understood: " + p.bad.join(" ")].concat(p.none) : p.none;
    for (let i = 0; i < D.names.length; i++) {
      let ok = !S.off.has(D.fam[i]) && p.tests.every(t => t(i));
      if (ok) for (const [key, ranges] of S.iv) {
        const x = axis.get(key).v[i];
        if (x === null || !ranges.some(r => x >= r[0] && x <= r[1])) { ok = false; break; }
      }
      selected[i] = ok;
    }
  }

  const num = x => String(+x.toPrecision(9));
  function write() {
    const parts = [];
    if (S.q) parts.push("q=" + encodeURIComponent(S.q));
    if (S.off.size) parts.push("off=" + [...S.off].map(f => encodeURIComponent(D.families[f].name)).join(","));
    if (S.iv.size) parts.push("b=" + [...S.iv].map(([k, r]) => k + ":" + r.map(p => num(p[0]) + ".." + num(p[1])).join(",")).join(";"));
    if (S.pins.length) parts.push("pin=" + S.pins.join(","));
    if (S.x !== D.x || S.y !== D.y) parts.push("axes=" + S.x + "," + S.y);
    if (S.log) parts.push("log=1");
    try { history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search); } catch (e) { /* some viewers forbid it */ }
  }

  function read() {
    const h = location.hash.slice(1);
    if (!h.includes("=")) return false;
    S.q = ""; S.off.clear(); S.iv.clear(); S.pins = []; S.x = D.x; S.y = D.y; S.log = false;
    for (const part of h.split("&")) {
      const at = part.indexOf("="), k = part.slice(0, at);
      let v = part.slice(at + 1);
      try { v = decodeURIComponent(v); } catch (e) { /* taken as it stands */ }
      if (k === "q") S.q = v;
      if (k === "off") for (const f of v.split(",")) { const i = D.families.findIndex(x => x.name === f); if (i >= 0) S.off.add(i); }
      if (k === "b") for (const b of v.split(";")) {
        const [key, ranges] = b.split(":");
        if (!axis.has(key) || !ranges) continue;
        const rs = ranges.split(",").map(r => r.split("..").map(Number)).filter(r => r.length === 2 && r.every(Number.isFinite));
        if (rs.length) S.iv.set(key, rs);
      }
      if (k === "pin") S.pins = v.split(",").map(Number).filter(i => Number.isInteger(i) && i >= 0 && i < D.names.length).slice(0, 4);
      if (k === "axes") { const [x, y] = v.split(","); if (axis.has(x) && axis.has(y)) { S.x = x; S.y = y; } }
      if (k === "log") S.log = v === "1";
    }
    return true;
  }

  // Everything that changes the selection ends here; `from` is the chart that needs no redraw of
  // its own brush.
  function changed(from) {
    select();
    write();
    for (const f of listeners) f(from);
  }

  function setInterval_(key, ranges, from) {
    const old = S.iv.get(key);
    if (!ranges || !ranges.length) { if (!old) return; S.iv.delete(key); }
    else { if (old && JSON.stringify(old) === JSON.stringify(ranges)) return; S.iv.set(key, ranges); }
    changed(from);
  }

  function pin(i) {
    const at = S.pins.indexOf(i);
    if (at >= 0) S.pins.splice(at, 1);
    else { if (S.pins.length >= 4) S.pins.shift(); S.pins.push(i); }
    changed("pin");
  }

  function reset() {
    S.q = ""; S.off.clear(); S.iv.clear(); S.pins = [];
    changed("reset");
  }

  function format(a, v) {
    if (v === null || v === undefined) return "–";
    const s = (v / a.div).toFixed(a.dec), neg = s.startsWith("-"), t = neg ? s.slice(1) : s;
    const [whole, frac] = t.split(".");
    return (neg ? "−" : "") + whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (frac ? "." + frac : "");
  }

  // What a run that goes on has found since (report.Delta): designs at the places u.drop leave, others come in at u.at. Figures of an
  // axis may have another unit from then on. Designs that are compared stay compared if they stay.
  function update(u) {
    const pinned = S.pins.map(i => D.names[i]);
    const move = (list, add) => { for (const i of u.drop) list.splice(i, 1); u.at.forEach((i, j) => list.splice(i, 0, add[j])); };
    u.axes.forEach(b => {
      const a = axis.get(b.key);
      if (b.lo && !a.lo) { a.lo = a.v.slice(); a.hi = a.v.slice(); }
      move(a.v, b.v); move(a.method, b.method);
      if (b.lo) { move(a.lo, b.lo); move(a.hi, b.hi); } else { delete a.lo; delete a.hi; }
      for (const k of ["unit", "div", "dec"]) a[k] = b[k];
    });
    move(D.names, u.names); move(D.fam, u.fam); move(D.sim, u.sim);
    D.picks = u.picks || []; D.parallel = u.parallel || [];
    S.pins = pinned.map(name => D.names.indexOf(name)).filter(i => i >= 0);
    for (const f of moved) f(u, move);
    changed("update");
  }
  const moved = [];

  const titled = a => a.unit ? a.title + ", " + a.unit : a.title;
  return { D, S, get n() { return D.names.length; }, axis, read, update, onMove: f => moved.push(f), changed, select, setInterval: setInterval_, pin, reset, format, titled,
    on: f => listeners.push(f), selected: () => selected, bad: () => bad };
})();
