// Package branch searches by branch and bound: it finds the front of spaces that can be enumerated, the
// closest design of a family that has no feasible one, and the best size of a family for a radix.
//
// The three divide the same boxes (box.go): the first parameters of a family fixed, the next in a range,
// the rest free. The first two also narrow a box by what the family says of its parameters and enclose the
// counts of its designs in one way (bounder.go), enclose their metrics (search.Enclosure), judge these
// (constraints.Judge), and keep what waits in the same queue (queue.go). They differ in what they do with a
// bound, and so are drivers of their own:
//
//   - An Enumeration wants every design that none dominates. It works on batches of boxes in parallel, each
//     task (task.go, walk.go, tuple.go) depth first against the front of the last border, so that nothing
//     depends on the number of workers; the bound of a box is a vector. Tuples wait between ever closer
//     judgements. What is left is asked to be evaluated.
//   - A search for the closest design (closest.go, closestrun.go) wants one design, the least violation by a
//     target. It goes best first, one box at a time, since each design found excludes boxes at once, evaluates
//     by itself, and may end before it has seen everything, for which it also dives.
//   - FindFit (fit.go, fitter.go) asks for counts alone, with no study and no prices: depth first, the bound of
//     a box compared with the best size so far.
//
// Made one, every box of an enumeration would be bounded and queued singly: its tasks take a few hundred ns a
// box, and its batches decide what is journalled.
package branch
