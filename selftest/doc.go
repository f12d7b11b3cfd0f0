// Package selftest draws random designs of all families, with random price lists and sites, and checks
// figures against relations that hold whatever the right figures are: no figure is negative, infinite or
// zero by accident; bounds enclose values, and those of a later level lie inside those of an earlier one;
// loads sum up to distances; more links make no path longer; other names and numbers change nothing; the
// price of two networks is the sum of theirs.
//
// What is drawn depends on the seed and the number of the design alone, so that a report repeats with any
// number of workers, and one design can be checked again by itself.
//
//	draw.go      designs, from the whole range of their parameters or small
//	market.go    price lists and sites
//	levels.go    figures one by one, and one level against the next
//	network.go   loads, bounds and relations of networks that are built
//	wiring.go    a network taken apart, to be put together otherwise
//	checks.go    the checks by name
//	report.go    what was found
//	selftest.go  all of it, side by side
package selftest
