// Package layering holds the order in which the packages of this module build on each other, and how
// far the files of a package are from such an order. Its tests fail the build that breaks either.
package layering

// Layers lists every folder with Go code from the bottom up, but for those below internal, which any
// may import. A folder may import folders of lower layers only; a test may import any folder that
// has its top folder, too.
var Layers = [][]string{
	{"topology", "catalog", "evaluator/cut", "evaluator/flow", "evaluator/metric"},
	{"topology/family", "topology/netfile", "topology/topotest"},
	{"routing"},
	{"evaluator", "simcore"},
	{"simcore/flit", "simcore/cutthrough", "simcore/route", "simcore/traffic"},
	{"simcore/booksim", "simcore/simtest"},
	{"constraints", "objectives", "simulate"},
	{"study"},
	{"search"},
	{"search/branch", "search/verify", "search/searchtest"},
	{"search/evolve"},
	{"search/run"},
	{"report/number"},
	{"report/draw"},
	{"report/plan"},
	{"report", "reproduce"},
	{"cmd/toposearch"},
}

// cyclic gives, by folder, the number of files that refer to each other in circles. A folder that is not
// named has none. A number may fall, and then has to be lowered here; it may not rise.
var cyclic = map[string]int{
	"catalog":        12,
	"cmd/toposearch": 4,
	"constraints":    4,
	"evaluator":      48,
	"objectives":     2,
	"reproduce":      13,
	"search":         2,
	"search/branch":  10,
	"study":          4,
}
