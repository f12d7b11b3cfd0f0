package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"toposearch/internal/disk"
)

// setAside renames the journal of a run to the first free journal-N.jsonl, and gives that name.
func setAside(path string) (string, error) {
	dropSavepoint(path)
	for n := 1; ; n++ {
		to := filepath.Join(path, fmt.Sprintf("journal-%d.jsonl", n))
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		err := disk.Rename(filepath.Join(path, journalName), to)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("%w: %w", ErrJournal, err)
		}
		disk.SyncDir(path)
		return to, nil
	}
}

// asides are the journals of a run that were set aside.
func asides(path string) []string {
	files, _ := filepath.Glob(filepath.Join(globQuoted(path), "journal-*.jsonl")) // the pattern is well-formed
	return files
}

// globQuoted keeps characters of a path from being read as a pattern.
func globQuoted(path string) string {
	var b []rune
	for _, r := range path {
		switch r {
		case '*', '?', '[', '\\':
			if os.PathSeparator == '/' {
				b = append(b, '\\')
			}
		}
		b = append(b, r)
	}
	return string(b)
}
