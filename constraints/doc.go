// Package constraints holds what procurement and the building allow: limits on metrics, read from
// constraint files, with the file and line behind each. Several files combine, the strictest
// limit winning. What changes an evaluation rather than judging it (reach, models, floor, rack
// limits) goes into evaluator.Options.
//
// Judge decides by the limits, by the window of endpoints and by the objectives which designs are out, and by
// how much: from the values of metrics, and from intervals around them where a design, or all designs of a
// box, are only known so far.
package constraints
