package catalog

import (
	_ "embed"
	"sync"
)

// The catalogue inside the program is one coherent list, from the survey of interconnect
// topologies in J. NUDT 48(2), 2026, Table 3, whose prices are of January 2026:
//
//   - a switch port of 200 Gb/s 497 USD and 6.75 W, of 100 Gb/s half of both; a switch is its
//     ports;
//   - a copper cable 159 USD at 100 Gb/s and 246 USD at 200, 0 W;
//   - an optical link, modules included, 751 USD at 100 Gb/s and 1350 USD at 200, each of its two
//     modules 3 W and 4.5 W;
//   - a NIC 20 W with one or two ports, unpriced.
//
// The survey has no optical circuit switch. Its price is 520 USD a port, from the table of component costs of
// W. Wang et al., TopoOpt, NSDI 2023; 136 ports and 108 W are those of Palomar, H. Liu et al., Lightwave Fabrics,
// SIGCOMM 2023. Its lead time is an assumption.
//
// The survey states one price for an optical link of any length. It is split into a fibre of
// 50 USD, whatever its stock length, and two modules that share the rest, so that fibre and two
// modules are exactly the survey's figure. At 400 and 800 Gb/s it is continued along the same laws (per
// doubling: copper x1.55, optical x1.80, port x2.0 in price; module x1.5, port x2.0 in watts);
// those rows are marked derived. Single-mode links are three times multimode ones, derived too.
//
// Reach is that of parts on sale: passive copper 5, 3, 2 and 2 m at 100, 200, 400 and 800 Gb/s
// (400 and 800: vendors stock 0.5 to 2 m), active copper 7 m to 400 and 5 m at 800 Gb/s, multimode
// 100 m to 200 Gb/s and 50 m above, single mode 500 m. Lead times are assumptions: 400 Gb/s
// switches come first, so that at equal price per Gb/s they are the ones chosen.
//
//go:embed builtin.csv
var builtinCSV []byte

var builtin = sync.OnceValue(func() *Catalogue {
	c, l := Read("builtin.csv", builtinCSV, LoadOptions{Decimal: '.'})
	if err := l.Err(); err != nil {
		panic("catalog: the built-in list: " + err.Error())
	}
	c.Name, c.Date = "builtin 2026-01", "2026-01-01"
	for i := range c.Parts {
		c.Parts[i].Pos.File = "builtin 2026-01"
	}
	return c
})

// Builtin is the price list inside the program, of January 2026. It is shared: do not change it.
func Builtin() *Catalogue { return builtin() }

// BuiltinCSV is its text, for a price list to start from.
func BuiltinCSV() []byte { return append([]byte(nil), builtinCSV...) }
