// The scatter chart and the parallel coordinates.
"use strict";
(() => {
  const { D, S, axis } = TS;
  if (!TS.n || typeof echarts === "undefined") return;
  document.documentElement.classList.add("on");
  for (const e of document.querySelectorAll(".js")) e.hidden = false;
  const $ = id => document.getElementById(id);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const symbols = {
    circle: "circle", rect: "rect", triangle: "triangle", diamond: "diamond",
    down: "path://M0 100L-95-75L95-75z", plus: "path://M-35-100H35V-35H100V35H35V100H-35V35H-100V-35H-35z",
    hexagon: "path://M-100 0L-50-87L50-87L100 0L50 87L-50 87z",
    star: "path://M0-100L26-33L95-31L40 12L59 81L0 42L-59 81L-40 12L-95-31L-26-33z",
  };
  const scatter = echarts.init($("scatter")), par = echarts.init($("parallel"));
  let theme;
  // Lines fade by the alpha of their colour: opacity belongs to the axes, which set it for what
  // they select by themselves.
  function readTheme() {
    theme = { text: css("--text"), muted: css("--muted"), line: css("--line"), bg: css("--bg"), soft: css("--soft"), accent: css("--accent"),
      fam: D.families.map(f => css("--f" + f.color)) };
  }
  const font = getComputedStyle(document.body).fontFamily;
  const many = 200; // designs from which on points and lines are drawn finer
  const esc = s => s.replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");

  // Of a design, all that the table says; names come from files and are escaped. Incumbents have the numbers -1, -2, ...
  function tip(i) {
    const b = i < 0 && D.beside[-1 - i], name = b ? b.title + (b.title === b.name ? "" : ": " + b.name) : D.names[i], sim = b ? b.sim : D.sim[i];
    const rows = [...new Set([S.x, S.y, ...D.table])].slice(0, 9).map(k => {
      const a = axis.get(k);
      return "<tr><td>" + esc(a.title) + "</td><td style='text-align:right;padding-left:14px'>" + TS.format(a, b ? b.v[k] : a.v[i]) + " " + esc(a.unit) + "</td></tr>";
    }).join("");
    return "<b>" + esc(name) + "</b><table style='font-size:12px'>" + rows + "</table>" + (sim !== "–" ? "simulation " + esc(sim) : "");
  }
  // Those whose figures are known and no farther from the front than twice its spread; one farther out would press it together (beside.go).
  function beside(keys) {
    const spans = keys.map(k => {
      const vs = axis.get(k).v.filter(v => v !== null), lo = Math.min(...vs), hi = Math.max(...vs), span = hi - lo || Math.abs(hi);
      return [lo - 2 * span, hi + 2 * span];
    });
    return D.beside.map((b, j) => ({ b, i: -1 - j })).filter(({ b }) => keys.every((k, j) => { const v = b.v[k]; return v !== null && v !== undefined && v >= spans[j][0] && v <= spans[j][1]; }));
  }
  const tooltip = () => ({ confine: true, backgroundColor: theme.bg, borderColor: theme.line, textStyle: { color: theme.text, fontSize: 12, fontFamily: font } });

  function valueAxis(key, where) {
    const a = axis.get(key), log = S.log && a.v.every(v => v === null || v > 0);
    return { type: log ? "log" : "value", scale: true, name: TS.titled(a), nameLocation: "middle", nameGap: where === "x" ? 30 : 52,
      nameTextStyle: { color: theme.text, fontSize: 12, fontFamily: font }, axisLine: { show: true, lineStyle: { color: theme.muted } },
      axisLabel: { color: theme.muted, fontSize: 11, fontFamily: font, hideOverlap: true, formatter: v => tick(v / a.div) },
      splitLine: { lineStyle: { color: theme.line } }, minorTick: { show: false } };
  }
  const tick = v => { const [w, f] = String(+v.toPrecision(6)).split("."); return w.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (f ? "." + f : ""); };

  // Names of picks stand where they cover no other name or ring, and as few points as can be.
  function callouts(seen, x, y) {
    const marks = TS.n > 1500 ? [] : D.names.map((_, i) => x[i] === null || y[i] === null ? [-99, -99] : scatter.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [x[i], y[i]]));
    const all = [...seen].map(([i, names]) => ({ i, names, ring: true, at: scatter.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [x[i], y[i]]) }))
      .concat(beside([S.x, S.y]).map(({ b, i }) => ({ i, names: [b.title], ring: false, at: scatter.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [b.v[S.x], b.v[S.y]]) })));
    const taken = all.map(p => [p.at[0] - 10, p.at[1] - 10, p.at[0] + 10, p.at[1] + 10]), W = scatter.getWidth(), narrow = W < 480;
    return all.map(p => {
      const w = 12 + 7.2 * Math.max(...(narrow ? p.names : [p.names.join(", ")]).map(s => s.length)), h = narrow ? 16 * p.names.length : 18, [cx, cy] = p.at;
      const spots = [["right", 0], ["left", 0], ["top", 0], ["bottom", 0], ["right", 18], ["right", -18], ["left", 18], ["left", -18], ["right", 36], ["right", -36], ["left", 36], ["left", -36], ["top", -18], ["top", -36], ["bottom", 18]].map(([position, dy]) => {
        const a = position === "right" ? cx + 13 : position === "left" ? cx - 13 - w : cx - w / 2;
        const b = dy + (position === "top" ? cy - 13 - h : position === "bottom" ? cy + 13 : cy - h / 2);
        return { position, offset: [0, dy], box: [a, b, a + w, b + h] };
      });
      const free = ({ box: [a, b, c, d] }) => a > 66 && c < W && b > 0 && d < scatter.getHeight() - 44 && taken.every(t => c <= t[0] || a >= t[2] || d <= t[1] || b >= t[3]);
      const inside = ({ box: [a, b, c, d] }) => a > 66 && c < W && b > 0 && d < scatter.getHeight() - 44;
      const under = ({ box: [a, b, c, d] }) => marks.filter(m => m[0] > a - 6 && m[0] < c + 6 && m[1] > b - 6 && m[1] < d + 6).length;
      const best = spots.filter(free).map(s => [under(s), s]).reduce((m, s) => !m || s[0] < m[0] ? s : m, null)?.[1] || spots.find(inside) || spots[0];
      taken.push(best.box);
      return { at: p.at, ring: p.ring, position: best.position, dy: best.offset[1], text: p.names.join(narrow ? ",\n" : ", ") };
    });
  }

  // Rings and names are laid over the chart: as a series they would have it drawn once more, with all its points.
  let over = null;
  function drawCallouts(list) {
    const zr = scatter.getZr(), { Group, Circle, Text } = echarts.graphic;
    if (over) zr.remove(over);
    over = new Group({ silent: true });
    for (const { at: [cx, cy], ring, position, dy, text } of list) {
      if (ring) over.add(new Circle({ shape: { cx, cy, r: 10 }, style: { fill: "none", stroke: theme.text, lineWidth: 1.2 }, silent: true, z: 10 }));
      const side = position === "left" ? -15 : position === "right" ? 15 : 0, up = position === "top" ? -15 : position === "bottom" ? 15 : 0;
      over.add(new Text({ x: cx + side, y: cy + up + dy, silent: true, z: 10,
        style: { text, fill: theme.text, backgroundColor: theme.bg + "b8", padding: [1, 3], font: "600 12px " + font, lineHeight: 14,
          align: side < 0 ? "right" : side ? "left" : "center", verticalAlign: up < 0 ? "bottom" : up ? "top" : "middle" } }));
    }
    zr.add(over);
  }

  function drawScatter() {
    const n = TS.n, big = n > many, sel = TS.selected(), x = axis.get(S.x).v, y = axis.get(S.y).v, data = [], top = [];
    // Picks and what is compared lie on top of designs with the same figures: a series of their own,
    // since ECharts keeps the order in which points of a series were first drawn.
    const above = new Set([...D.picks.map(p => p.i), ...S.pins]);
    const order = [...Array(n).keys()].sort((a, b) => sel[a] - sel[b] || a - b);
    for (const i of order) {
      if (x[i] === null || y[i] === null) continue;
      const f = D.families[D.fam[i]] || { color: 7, shape: "circle" }, pinned = S.pins.includes(i);
      (above.has(i) ? top : data).push({ value: [x[i], y[i], i], symbol: symbols[f.shape], symbolSize: pinned ? 15 : n > 600 ? 7 : big ? 9 : 12,
        itemStyle: { color: sel[i] ? theme.fam[D.fam[i]] : theme.muted, opacity: sel[i] ? (n > 600 && !pinned ? 0.75 : 0.95) : 0.18, borderColor: pinned ? theme.text : theme.bg, borderWidth: pinned ? 2 : n > 600 ? 0 : big ? 0.4 : 0.8 } });
    }
    const seen = new Map();
    for (const p of D.picks) if (x[p.i] !== null && y[p.i] !== null) seen.set(p.i, [...(seen.get(p.i) || []), p.name]);
    scatter.setOption({
      animation: false, backgroundColor: "transparent", grid: { left: 70, right: 18, top: 14, bottom: 46 },
      tooltip: { trigger: "item", ...tooltip(), formatter: p => tip(p.value[2]) },
      // Points take their looks from the selection alone, so the brush is given no series to restyle.
      brush: { xAxisIndex: 0, yAxisIndex: 0, seriesIndex: [], brushMode: "single", transformable: false, throttleType: "debounce", throttleDelay: 60, brushStyle: { color: "rgba(90,140,200,.12)", borderColor: theme.accent, borderWidth: 1 } },
      toolbox: { show: false }, xAxis: valueAxis(S.x, "x"), yAxis: valueAxis(S.y, "y"),
      series: [{ id: "points", type: "scatter", data, large: false, progressive: 0 },
        { id: "above", type: "scatter", data: top, z: 3 },
        { id: "beside", type: "scatter", symbol: "diamond", symbolSize: 15, z: 4, itemStyle: { color: "transparent", borderColor: theme.text, borderWidth: 1.6 },
          data: beside([S.x, S.y]).map(({ b, i }) => [b.v[S.x], b.v[S.y], i]) }],
    }, { replaceMerge: ["series"] });
    drawCallouts(callouts(seen, x, y));
  }

  function drawParallel() {
    const n = TS.n, big = n > many, sel = TS.selected(), wide = par.getWidth(), keys = D.parallel.slice(0, wide < 420 ? 4 : wide < 520 ? 5 : 7);
    const order = [...Array(n).keys()].sort((a, b) => sel[a] - sel[b] || a - b), more = beside(keys);
    par.setOption({
      animation: false, backgroundColor: "transparent",
      tooltip: { trigger: "item", ...tooltip(), formatter: p => p.data && p.data.i !== undefined ? tip(p.data.i) : "" },
      parallel: { left: 44, right: 56, top: 62, bottom: 26,
        parallelAxisDefault: { type: "value", realtime: false } },
      parallelAxis: keys.map((k, j) => {
        const a = axis.get(k), vs = a.v.filter(v => v !== null).concat(more.map(({ b }) => b.v[k])), lo = Math.min(...vs), hi = Math.max(...vs), flat = lo === hi;
        return { id: k, dim: j, areaSelectStyle: { width: 18, borderWidth: 1, borderColor: theme.accent, color: theme.accent, opacity: 0.25 }, name: a.title.replace(/^(.{5,}?) (.*)$/, "$1\n$2") + (a.unit ? "\n" + a.unit : ""), inverse: a.better < 0, scale: true, min: flat ? lo - 1 : lo, max: flat ? hi + 1 : hi,
          nameLocation: a.better < 0 ? "start" : "end", nameGap: 12,
          nameTextStyle: { color: theme.text, fontSize: 11, lineHeight: 14, fontFamily: font },
          axisLine: { lineStyle: { color: theme.muted } }, axisTick: { lineStyle: { color: theme.muted } },
          axisLabel: { color: theme.muted, fontSize: 10, fontFamily: font, hideOverlap: true, backgroundColor: theme.bg + "c8", padding: [0, 1], customValues: flat ? [lo] : [lo, hi], formatter: v => TS.format(a, v) }, splitNumber: 4 };
      }),
      series: [{ id: "lines", type: "parallel", progressive: 0, smooth: false, inactiveOpacity: 1, activeOpacity: 1,
        data: order.map(i => {
          const pinned = S.pins.includes(i);
          return { i, value: keys.map(k => { const v = axis.get(k).v[i]; return v === null ? "-" : v; }),
            lineStyle: { color: !sel[i] ? theme.muted + "18" : pinned ? theme.text : theme.fam[D.fam[i]] + (n > 1500 ? "3c" : n > 600 ? "60" : big ? "88" : "d8"), width: pinned ? 2.6 : big ? 1 : 1.6, opacity: 1 } };
        }).concat(more.map(({ b, i }) => ({ i, value: keys.map(k => b.v[k]), lineStyle: { color: theme.text, width: 1.6, type: "dashed", opacity: 1 } }))) }],
    }, { replaceMerge: ["series", "parallelAxis"] });
  }

  // Brushes follow the selection when it was made elsewhere.
  // Each action draws its chart once more, so only brushes that are or were there get one.
  let busy = false;
  const brushed = new Set();
  function syncBrushes(from) {
    busy = true;
    for (const k of D.parallel) {
      const had = brushed.has(k), iv = S.iv.get(k);
      if (iv) brushed.add(k); else brushed.delete(k);
      if (from !== "parallel" && (had || iv)) par.dispatchAction({ type: "axisAreaSelect", parallelAxisId: k, intervals: iv || [] });
    }
    const x = S.iv.get(S.x), y = S.iv.get(S.y), area = x && y && x.length === 1 && y.length === 1, had = brushed.has("");
    if (area || from === "scatter") brushed.add(""); else brushed.delete("");
    if (from !== "scatter" && (had || area)) {
      scatter.dispatchAction({ type: "brush", areas: area ? [{ brushType: "rect", xAxisIndex: 0, yAxisIndex: 0, coordRange: [x[0], y[0]] }] : [] });
    }
    busy = false;
  }
  // ECharts draws a selection that was set by an action in a solid grey, whatever its style says
  // (6.1.0), and so hides the lines under it.
  par.on("rendered", () => {
    for (const e of par.getZr().storage.getDisplayList(false)) {
      if (e.name === "main" && e.type === "rect" && e.style.fill !== theme.accent) e.setStyle({ fill: theme.accent, opacity: 0.28, stroke: theme.accent, lineWidth: 1 });
    }
  });
  par.on("axisareaselected", p => {
    if (busy || !p.parallelAxisId) return;
    TS.setInterval(p.parallelAxisId, (p.intervals || []).map(r => [Math.min(r[0], r[1]), Math.max(r[0], r[1])]), "parallel");
  });
  scatter.on("brushEnd", p => {
    if (busy) return;
    const r = p.areas && p.areas[0] && p.areas[0].coordRange;
    if (r) {
      S.iv.set(S.x, [[Math.min(...r[0]), Math.max(...r[0])]]);
      S.iv.set(S.y, [[Math.min(...r[1]), Math.max(...r[1])]]);
    } else { S.iv.delete(S.x); S.iv.delete(S.y); }
    TS.changed("scatter");
  });
  scatter.on("click", p => p.value && p.value[2] >= 0 && TS.pin(p.value[2]));
  par.on("click", p => p.data && p.data.i >= 0 && TS.pin(p.data.i));

  // Drawing an area is on by default for a mouse; a finger scrolls until it is asked for.
  const area = $("area");
  area.checked = !matchMedia("(pointer:coarse)").matches;
  const cursor = () => scatter.dispatchAction({ type: "takeGlobalCursor", key: "brush", brushOption: area.checked ? { brushType: "rect", brushMode: "single" } : { brushType: false } });
  area.onchange = cursor;

  for (const id of ["x", "y"]) {
    const box = $(id);
    for (const a of D.axes) if (new Set(a.v).size > 1 || a.key === S[id]) box.add(new Option(TS.titled(a), a.key, false, a.key === S[id]));
    box.onchange = () => { S[id] = box.value; TS.changed("axes"); };
  }
  $("log").onchange = () => { S.log = $("log").checked; TS.changed("axes"); };
  $("scatter").addEventListener("keydown", e => {
    if (!["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"].includes(e.key)) return;
    e.preventDefault();
    const x = axis.get(S.x).v, sel = TS.selected(), order = [...Array(TS.n).keys()].filter(i => sel[i] && x[i] !== null).sort((a, b) => x[a] - x[b] || a - b);
    if (!order.length) return;
    const last = S.pins.length ? order.indexOf(S.pins[S.pins.length - 1]) : -1, step = e.key === "ArrowRight" || e.key === "ArrowUp" ? 1 : -1;
    const next = order[last < 0 ? 0 : Math.min(order.length - 1, Math.max(0, last + step))];
    S.pins = S.pins.slice(0, -1).filter(i => i !== next).concat(next);
    TS.changed("pin");
  });

  function draw(from) {
    $("x").value = S.x; $("y").value = S.y; $("log").checked = S.log;
    drawScatter(); drawParallel(); syncBrushes(from);
    if (from === "theme") cursor(); // which draws the chart once more, and lasts
  }
  TS.on(draw);
  TS.theme = () => { readTheme(); draw("theme"); };
  readTheme();
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", TS.theme);
  let size = "";
  const sizes = new ResizeObserver(() => {
    const now = [$("scatter"), $("parallel")].map(e => e.clientWidth + "x" + e.clientHeight).join();
    if (size && size !== now) { scatter.resize(); par.resize(); draw("resize"); }
    size = now;
  });
  sizes.observe($("scatter"));
  sizes.observe($("parallel"));
})();
