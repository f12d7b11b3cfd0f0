// Package family holds the published constructions that a search chooses from, one file each.
// A family is a *topology.Family value: parameters, counts in closed form, wiring, natural
// routes, placement, symmetry, source. To add one, write its file and add its line to all.go;
// the contract test (topotest.Family) then runs on it without further ado.
package family
