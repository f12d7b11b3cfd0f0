package run

import (
	"fmt"
	"os"
	"path/filepath"

	"toposearch/internal/disk"
	"toposearch/study"
)

// WriteWhatIf makes a folder with the inputs of a run in which a text stands behind that of the study, as AskWhatIf takes it, and gives the path of the
// study. The folder must not be there.
func WriteWhatIf(path, behind, out string) (string, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return "", err
	}
	if _, err := m.loadChanged(path, behind, nil); err != nil {
		return "", fmt.Errorf("%w: %w", ErrChange, err)
	}
	if _, err := os.Lstat(out); err == nil {
		return "", fmt.Errorf("%s %w; choose another folder", out, ErrExists)
	}
	file := ""
	for i, in := range m.Inputs {
		b, err := readFile(filepath.Join(path, filepath.FromSlash(in.Copy)))
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(inputsName, filepath.FromSlash(in.Copy))
		if err != nil {
			return "", err
		}
		to := filepath.Join(out, rel)
		if i == 0 {
			b, file = study.Changed(b, behind), to
		}
		if err := disk.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := disk.WriteBytes(to, b); err != nil {
			return "", err
		}
	}
	return file, nil
}
