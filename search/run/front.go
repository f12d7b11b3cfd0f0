package run

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"toposearch/evaluator"
	"toposearch/search"
)

// ErrFront: front.json is not as it was written. Run makes it again from the journal.
var ErrFront = errors.New("is not as it was written")

// ReadFront reads the front.json of a run directory: ErrFront if it has not the bytes that the run wrote.
func ReadFront(dir string) (*search.Front, error) {
	path := filepath.Join(dir, frontName)
	b, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := ReadManifest(dir); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the run in %s has no front yet: it is searching still, or was stopped before a front was saved; toposearch status %s tells, toposearch resume %s continues it: %w", dir, dir, dir, err)
	}
	if err != nil {
		return nil, err
	}
	again := "toposearch resume " + dir + " writes it again from the journal"
	var f search.Front
	state, err := decodeSigned(b, path, &f)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w; %s", err, ErrFront, again)
	case state == signedOther:
		return nil, fmt.Errorf("%s %w: its bytes do not have the SHA-256 in its last line; %s", path, ErrFront, again)
	case state == signedNot && !older(dir):
		return nil, fmt.Errorf("%s %w: the SHA-256 at its end is missing; %s", path, ErrFront, again)
	case f.Schema != search.FrontSchema:
		return nil, fmt.Errorf("%s has schema %q; this version reads %q", path, f.Schema, search.FrontSchema)
	}
	return &f, nil
}

// older reports whether a run was made by another version of the program, which may not have written hashes.
func older(dir string) bool {
	m, err := ReadManifest(dir)
	return err == nil && m.Evaluator != evaluator.Version
}
