// Package compare sets designs, and runs, side by side: what each has and what that comes to, and why one is dearer, faster or gone.
//
// Of designs the bills are compared part by part, in minor units of the currency, so that differences of parts add up to the difference of
// the costs exactly (bill.go), link classes by name (classes.go), routes by how many pairs of endpoints they bring nearer (hops.go), and all
// metrics (metrics.go); sentences say the same in words, with numbers that add up as they are printed (words.go). Of runs (runs.go) every change
// of a design is divided into what the model, the prices and the rest of the inputs did to it, by evaluating it under each in turn.
package compare
