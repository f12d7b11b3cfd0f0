package placed

import "toposearch/routing"

// Hashes tell what the busiest link takes where every message keeps to one path that a hash picks, so that those whose paths meet share a link while others are idle.
// None is faster than what a rank sends. What two ranks send each other in one direction is one flow: steps that repeat a pattern meet the same collisions.
type Hashes struct {
	// Tree is what the busiest link takes of S, at an endpoint's rate, where each message is a share of S, each of so many ranks, on the first endpoints, sends own, and levels leave
	// or enter a subtree of each level, in shares of S.
	Tree func(ranks int, own float64, levels []float64, share float64) float64
	// Loads is it by what messages, each a share of S, load channels with if they are split evenly, and, of few, by how many these may be (routing.Loads.Spread).
	Loads func(l *routing.Loads, own, share float64) float64
}

// mostFollowed bounds the messages of a pattern whose paths are followed one by one, some 0.1 s. Of more each channel carries many, whose number all routes of a network tell.
const mostFollowed = 1 << 16
