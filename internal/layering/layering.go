// Package layering holds the order in which the packages of this module build on each other. Its tests
// fail the build that breaks it, and one in which files of a package refer to each other in circles.
package layering

// Layers lists every folder with Go code from the bottom up; internal stands for those below it, which
// may import each other. A folder may import folders of lower layers only; a test may import any folder
// that has its top folder, too.
var Layers = [][]string{
	{"diag"},
	{"internal"},
	{"topology", "catalog", "evaluator/cut", "evaluator/flow", "evaluator/metric", "workload/collective"},
	{"topology/family", "topology/netfile", "topology/survey", "workload", "workload/jobs"},
	{"topology/foreign", "topology/topotest", "topology/family/familytest"},
	{"routing"},
	{"evaluator/market", "evaluator/cluster", "evaluator/adversary", "workload/placed", "routing/opensm"},
	{"evaluator/floor", "evaluator/route", "routing/opensm/trial"},
	{"evaluator/bound", "evaluator/growth"},
	{"evaluator", "simcore"},
	{"simcore/flit", "simcore/cutthrough", "simcore/route", "simcore/traffic", "simcore/queue", "simcore/script"},
	{"simcore/booksim", "simcore/simtest"},
	{"constraints", "objectives", "selftest", "simulate", "multicast"},
	{"study", "search/fidelity"},
	{"search"},
	{"search/branch", "search/verify", "search/searchtest"},
	{"search/evolve", "search/wire"},
	{"search/run", "search/chip"},
	{"search/remote"},
	{"search/bench"},
	{"report/book", "report/number", "report/where"},
	{"compare"},
	{"report/draw"},
	{"report/plan"},
	{"report/picture"},
	{"report", "reproduce"},
	{"serve"},
	{"cmd/toposearch"},
}
