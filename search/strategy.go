package search

import "context"

// Strategy proposes candidates and learns from their scores. It is deterministic: what it asks
// follows from the problem and from what it was told.
type Strategy interface {
	// Ask gives the next batch, nil when the strategy has nothing left to ask. An error is a
	// cancellation.
	Ask(ctx context.Context) ([]Candidate, error)
	// Tell gives the scores of the last batch, in its order.
	Tell(scores []Score)
}

// progressing is what a strategy may also tell of itself: the boxes and designs that it has come by, and the part
// of its work that is done.
type progressing interface {
	Progress() (visited int64, fraction float64)
	// Proved is the part of the hypervolume of the complete front that the front has for certain, and the epsilon within which it is complete, 0 if that is not known.
	Proved() (part, within float64)
}

// familywise is what a strategy tells that searches families one by one.
type familywise interface {
	Families() (done, all int)
}
