// Reads the conditions of the filter box, as package report/where does: comparisons of metrics with values in their units,
// words that a name contains, and words with a minus before them that it does not contain.
"use strict";
const TSWhere = (() => {
  const comparison = /([A-Za-z][A-Za-z_0-9]*)\s*(<=|>=|!=|==|=|<|>)\s*([-+]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?:(\s*)([A-Za-zµμ][A-Za-z0-9µμ²/]*))?/y;
  const gap = /(?:[\s,]|&&|and(?:\s|$))+/y;

  function wordEnd(text, at) {
    let depth = 0;
    for (let i = at; i < text.length; i++) {
      const r = text[i];
      if (r === "(") depth++;
      else if (r === ")") depth--;
      else if (/\s/.test(r) || r === "," && depth <= 0) return i;
    }
    return text.length;
  }

  // The metric of a name or of a beginning that no other has.
  function axisOf(name, axes) {
    const low = name.toLowerCase(), own = axes.find(a => a.key === low);
    if (own) return own;
    const hits = axes.filter(a => a.key.startsWith(low));
    return hits.length === 1 ? hits[0] : null;
  }

  const compare = {
    "<": (x, y, same) => x < y && !same, "<=": (x, y, same) => x < y || same, ">": (x, y, same) => x > y && !same,
    ">=": (x, y, same) => x > y || same, "!=": (x, y, same) => !same, "=": (x, y, same) => same, "==": (x, y, same) => same,
  };

  // Tests of designs by their number, conditions that cannot be read, and those that no design meets, with why.
  function parse(q, names, axes) {
    const tests = [], bad = [], none = [];
    q = q.trim();
    for (let at = 0; ;) {
      gap.lastIndex = at;
      const g = gap.exec(q);
      if (g) at = gap.lastIndex;
      if (at >= q.length) return { tests, bad, none };
      comparison.lastIndex = at;
      const m = comparison.exec(q);
      if (!m) {
        const end = wordEnd(q, at), word = q.slice(at, end), not = word.startsWith("-"), bare = word.slice(not ? 1 : 0).toLowerCase();
        at = end;
        if (bare === "" || /[<>!]/.test(bare) || bare.includes("=") && !bare.includes("(")) { bad.push(word); continue; }
        if (names.length && !names.some(s => s.toLowerCase().includes(bare))) none.push("no name contains " + bare);
        tests.push(i => names[i].toLowerCase().includes(bare) !== not);
        continue;
      }
      const a = axisOf(m[1], axes), units = a && a.units || {};
      let text = m[0], x = parseFloat(m[3].replaceAll("_", ""));
      if (m[5] && Object.hasOwn(units, m[5])) x *= units[m[5]];
      else if (m[5] && m[4] === "") { bad.push(text); at += text.length; continue; }
      else if (m[5]) text = text.slice(0, -m[5].length);
      at += text.length;
      if (!a || !Number.isFinite(x)) { bad.push(text.trim()); continue; }
      const holds = compare[m[2]], test = i => {
        const v = a.v[i];
        return v !== null && holds(v, x, Math.abs(v - x) <= 5e-9 * Math.abs(x));
      };
      tests.push(test);
      const have = a.v.filter(v => v !== null);
      if (have.length && !a.v.some((_, i) => test(i)))
        none.push(text.trim() + " is met by none, " + a.key + " is " + Math.min(...have).toPrecision(4) + " to " + Math.max(...have).toPrecision(4) + (a.base ? " " + a.base : ""));
    }
  }
  return { parse };
})();
