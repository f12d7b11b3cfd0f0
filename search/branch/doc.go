// Package branch searches by branch and bound: it finds the front of spaces that can be enumerated, and the
// closest design of a family that has no feasible one.
//
// Both searches divide the same boxes (box.go): the first parameters of a family fixed, the next in a range,
// the rest free. Both narrow a box by what the family says of its parameters and enclose the counts of its
// designs (bounder.go), enclose their metrics (search.Enclosure), judge these (constraints.Judge), and keep
// what waits in the same queue (queue.go). They differ in what they do with a bound, and so are two drivers:
//
//   - An Enumeration wants every design that none dominates. It works on batches of boxes in parallel, each
//     task depth first against the front of the last border, so that nothing depends on the number of workers;
//     the bound of a box is a vector. Tuples wait between ever closer looks at their metrics. What is left is
//     asked to be evaluated.
//   - A search for the closest design (closest.go) wants one design, the least violation. It goes best first,
//     one box at a time, since each design found excludes boxes at once, evaluates by itself, and may end
//     before it has seen everything, for which it also dives.
//
// Made one, every box of an enumeration would be bounded and queued singly: its tasks take a few hundred ns a
// box, and its batches are part of what is journalled.
package branch
