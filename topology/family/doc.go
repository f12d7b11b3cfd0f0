// Package family holds the published constructions that a search chooses from, one file each.
// A family is a *topology.Family value: parameters, counts in closed form, wiring, natural
// routes, placement, symmetry, source. To add one, write its file and add its line to all.go;
// the contract test (topotest.Family) then runs on it without further ado.
//
// The values of a design reach a family as a slice. A type of its own, dragonflyParams for the
// dragonfly, gives them names by methods that read the slice in place: counts are made millions of times a
// second, and a struct of more than four fields would be copied through memory each time.
package family
