package draw

import "strings"

// Rules are the colours and widths of what pictures draw, for a page that defines the variables of vars and for files of
// their own. Levels h0 to h5 go from light to dark on white and from dark to light on black, each wider than the one
// before, so that they are told apart without colours, too.
const Rules = `svg .bx{fill:var(--bg);stroke:var(--text);stroke-width:1.2}svg .bk{fill:var(--soft);stroke:var(--line);stroke-width:1}` +
	`svg .bd{fill:var(--bg);stroke:var(--text);stroke-width:1}svg .ln{fill:none;stroke:var(--c);stroke-width:2.4}svg .ed{fill:none;stroke:var(--c);stroke-width:.8;opacity:.75}` +
	`svg .nd{fill:var(--c);stroke:var(--bg);stroke-width:.6}svg .gp{fill:var(--muted)}` +
	`.h0{--c:var(--h0)}.h1{--c:var(--h1)}.h2{--c:var(--h2)}.h3{--c:var(--h3)}.h4{--c:var(--h4)}.h5{--c:var(--h5)}` +
	`svg .tr{fill:none;stroke:var(--c);stroke-linecap:square}svg .h0{stroke-width:1.6}svg .h1{stroke-width:2.4}svg .h2{stroke-width:3.2}svg .h3{stroke-width:4.2}svg .h4{stroke-width:5.2}svg .h5{stroke-width:6.4}` +
	`svg .w0{stroke-width:.7}svg .w1{stroke-width:1.4}svg .w2{stroke-width:2.1}svg .w3{stroke-width:2.8}svg .w4{stroke-width:3.5}svg .w5{stroke-width:4.2}svg .d1{stroke-dasharray:7 3}svg .d2{stroke-dasharray:2 3}svg .d3{stroke-dasharray:9 3 2 3}` +
	`:root{--h0:#a9b8c6;--h1:#efbd63;--h2:#e58a1f;--h3:#c94f00;--h4:#8c2a00;--h5:#4a0d00}` +
	`@media(prefers-color-scheme:dark){:root{--h0:#52606d;--h1:#7d6026;--h2:#b37b2c;--h3:#e78f35;--h4:#ffbf80;--h5:#fff0dc}}` +
	`@media print{:root{--h0:#a9b8c6;--h1:#efbd63;--h2:#e58a1f;--h3:#c94f00;--h4:#8c2a00;--h5:#4a0d00}}`

// vars are what the page defines: its colours, and texts.
const vars = `:root{--bg:#fff;--soft:#f6f7f9;--text:#1b1f24;--muted:#5c6670;--line:#c9d0d8;` +
	`--f0:#0072b2;--f1:#d55e00;--f2:#009e73;--f3:#b5548f;--f4:#c98a00;--f5:#3d9bd1;--f6:#6b4fa0;--f7:#555d66}` +
	`@media(prefers-color-scheme:dark){:root{--bg:#14171a;--soft:#1c2126;--text:#e7eaed;--muted:#9ba6b1;--line:#3a424a;` +
	`--f0:#4aa8e0;--f1:#f0843a;--f2:#2fc79b;--f3:#e08cc0;--f4:#e8b23c;--f5:#8fd0f5;--f6:#b39ae6;--f7:#a7b0b9}svg{background:#14171a}}` +
	`@media print{:root{--bg:#fff;--soft:#f6f7f9;--text:#000;--muted:#4a525a;--line:#c9d0d8;` +
	`--f0:#0072b2;--f1:#d55e00;--f2:#009e73;--f3:#b5548f;--f4:#c98a00;--f5:#3d9bd1;--f6:#6b4fa0;--f7:#555d66}svg{background:#fff}}` +
	`.f0{--c:var(--f0)}.f1{--c:var(--f1)}.f2{--c:var(--f2)}.f3{--c:var(--f3)}.f4{--c:var(--f4)}.f5{--c:var(--f5)}.f6{--c:var(--f6)}.f7{--c:var(--f7)}` +
	`svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,Arial,"Liberation Sans",sans-serif;fill:var(--muted)}` +
	`svg .lb{fill:var(--text);font-size:12px;font-weight:600}svg .at{fill:var(--text);font-size:12px}svg .pn{font-size:9px;fill:var(--text)}` +
	`svg .gr{stroke:var(--line);fill:none}svg .ax{stroke:var(--muted);fill:none}svg .ai{fill:none;stroke:var(--line)}` +
	`.k0{fill:color-mix(in srgb,var(--f0) 30%,var(--bg))}.k1{fill:var(--f1)}.k2{fill:color-mix(in srgb,var(--f0) 65%,var(--bg))}`

// Style makes a file readable on its own, on white, on black and on paper.
const Style = `<style>` + vars + Rules + `</style>`

// charPx is the width of a letter of 11 to 12 pixels in the widest of the fonts of Rules, and widePx that of one that fills
// a square, as Chinese ones do.
const charPx, widePx = 6.9, 12.5

// Width is what a text takes at most.
func Width(s string) (px float64) {
	for _, r := range Clean(s) {
		if r >= 0x1100 {
			px += widePx
		} else {
			px += charPx
		}
	}
	return px
}

// Clip shortens a text to what fits into so many pixels, with three dots.
func Clip(s string, most float64) string {
	s = Clean(s)
	if Width(s) <= most {
		return s
	}
	var b strings.Builder
	at := Width("…")
	for _, r := range s {
		if at += Width(string(r)); at > most {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}
