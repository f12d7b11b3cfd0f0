package run

import "errors"

// Errors that end with exit status 7.
var (
	// ErrInUse: another process works in the run directory.
	ErrInUse = errors.New("the run directory is in use")
	// ErrVersion: the run was made by a version whose figures are not ours.
	ErrVersion = errors.New("the run was made by another version")
	// ErrNoRun: the path holds no manifest.
	ErrNoRun = errors.New("is not a run directory")
	// ErrExists: the directory asked for holds something already.
	ErrExists = errors.New("exists")
)

// ErrJournal is wrapped by every fault of a journal: it cannot be written, or does not belong to
// the run. What was journalled before stays.
var ErrJournal = errors.New("journal")

// ErrNoneOfFamily: a family has no network of the size that a study asks for.
var ErrNoneOfFamily = errors.New("there is no such network")
