package search

import "errors"

// ErrInputsChanged: an input, or its copy, no longer has the bytes that the run was started with.
var ErrInputsChanged = errors.New("the inputs of the run have changed")

// ErrLine: a line of a journal holds something else than it should.
var ErrLine = errors.New("not a line that a journal holds")

// Store keeps what was computed, in order: the journal of a run. While it replays what an earlier call
// wrote, reading gives that, and nothing can be written.
type Store interface {
	// Replaying reports whether there are lines left to replay.
	Replaying() bool
	// Next replays the entry of a design; ok is false if there are no more lines.
	Next(design string, e *Entry) (ok bool, err error)
	// NextNote replays a line that is not about a design if it begins with the given prefix.
	NextNote(prefix string) (line []byte, ok bool, err error)
	// Write appends the entries of a batch and waits until they are on the disk.
	Write(es []*Entry) error
	// Note appends a line that is not about a design.
	Note(v any) error
	// Foreign is the error of a line that does not belong to this run, and says why.
	Foreign(why error) error
}
