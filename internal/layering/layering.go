// Package layering holds the order in which the packages of this module build on each other.
// Its test fails the build that breaks it.
package layering

// Layers lists the top folders from the bottom up. A package may import its own folder, any
// folder of a lower layer, and internal; folders in one layer may not import each other.
var Layers = [][]string{
	{"topology", "catalog"},
	{"simcore"},
	{"evaluator"},
	{"constraints", "objectives"},
	{"study"},
	{"search"},
	{"report", "reproduce"},
	{"cmd"},
}
