package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/internal/infile"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// ManifestSchema names the form of manifest.json.
const ManifestSchema = "toposearch.manifest/1"

// Manifest is manifest.json: what a run was started from. Clock times and machine stand here and
// nowhere else in a run directory.
type Manifest struct {
	Schema    string          `json:"schema"`
	Program   string          `json:"program"`   // version of toposearch
	Evaluator string          `json:"evaluator"` // evaluator.Version
	Study     string          `json:"study"`     // name
	Seed      uint64          `json:"seed"`
	Strategy  string          `json:"strategy"`
	Inputs    []ManifestInput `json:"inputs"` // the study first
	Command   []string        `json:"command"`
	// Folder is where the command was given: relative paths are meant from there.
	Folder  string    `json:"folder,omitempty"`
	Started time.Time `json:"started"`
	Machine string    `json:"machine"`
	// Budget is that which a resumed run was given in the place of the study's, nil without.
	Budget *Budget `json:"budget,omitempty"`

	altered bool // it is not as it was written
}

// Budget is what a search may use in all; 0 is no limit of that kind.
type Budget struct {
	Time        time.Duration `json:"time_ns,omitempty"`
	Evaluations int64         `json:"evaluations,omitempty"`
}

// String is the budget in words.
func (b Budget) String() string {
	n := fmt.Sprintf("%d evaluations", b.Evaluations)
	switch {
	case b.Time > 0 && b.Evaluations > 0:
		return fmt.Sprintf("%s or %s", b.Time, n)
	case b.Time > 0:
		return b.Time.String()
	case b.Evaluations > 0:
		return n
	}
	return "no limit"
}

// ManifestInput is a file the run depends on and its copy in the run directory.
type ManifestInput struct {
	Path   string `json:"path"`   // as named
	Copy   string `json:"copy"`   // relative to the run directory
	SHA256 string `json:"sha256"` // of the bytes, hexadecimal
}

// ReadManifest reads the manifest of a run directory, without its lock.
func ReadManifest(path string) (*Manifest, error) {
	file := filepath.Join(path, manifestName)
	b, err := readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w: no manifest.json is there", path, ErrNoRun)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w: %w", path, ErrNoRun, err)
	}
	var m Manifest
	state, err := decodeSigned(b, file, &m)
	if err != nil {
		return nil, err
	}
	m.altered = state == signedOther
	if m.Schema != ManifestSchema {
		return nil, fmt.Errorf("%s: %w: its manifest is %q, ours %q", path, ErrVersion, m.Schema, ManifestSchema)
	}
	return &m, nil
}

// Changed names the inputs whose files are there and no longer have the bytes that the run was
// started with. A run directory that was moved to where they are not has none.
func (m *Manifest) Changed() []string {
	var out []string
	for _, in := range m.Inputs {
		path := in.Path
		if !filepath.IsAbs(path) {
			if m.Folder == "" {
				continue
			}
			path = filepath.Join(m.Folder, path)
		}
		b, err := readFile(path)
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != in.SHA256 {
			out = append(out, in.Path)
		}
	}
	return out
}

// load reads the study from the copies in a run directory, with the seed and the budget of the run.
func (m *Manifest) load(path string, families []*topology.Family) (*study.Study, error) {
	return m.loadChanged(path, "", families)
}

// loadChanged is load with a text behind that of the study.
func (m *Manifest) loadChanged(path, behind string, families []*topology.Family) (*study.Study, error) {
	if m.altered {
		return nil, fmt.Errorf("%s is not as it was written: seed and budget of the run may be others; restore it from a copy, or start a new run (with --reuse %s it computes nothing twice)",
			filepath.Join(path, manifestName), path)
	}
	if len(m.Inputs) == 0 {
		return nil, fmt.Errorf("%s: its manifest names no study", path)
	}
	file := filepath.Join(path, filepath.FromSlash(m.Inputs[0].Copy))
	same := true // the study, but for what is put behind it
	st, faults := study.LoadFrom(file, func(name string) ([]byte, error) {
		b, err := infile.Read(name, catalog.MaxBytes) // the largest are price lists
		if name != file || err != nil {
			return b, err
		}
		sum := sha256.Sum256(b)
		same = hex.EncodeToString(sum[:]) == m.Inputs[0].SHA256
		return study.Changed(b, behind), nil
	}, families...)
	if err := faults.Err(); err != nil {
		if behind != "" {
			return nil, changeFaults(faults)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	known := make(map[string]bool, len(m.Inputs))
	for _, in := range m.Inputs {
		known[in.SHA256] = true
	}
	for i, in := range st.Inputs {
		if !known[in.SHA256] && i > 0 || i == 0 && !same {
			return nil, fmt.Errorf("%s: %w: %s", path, search.ErrInputsChanged, in.Path)
		}
	}
	st.Seed = m.Seed
	if b := m.Budget; b != nil {
		st.Search.Time, st.Search.Evaluations = b.Time, b.Evaluations
	}
	return st, nil
}

// changeFaults are the errors in a text behind a study, which stands in no file, with their remedies.
func changeFaults(faults diag.List) error {
	var lines []string
	for _, f := range faults {
		if f.Severity != diag.Error {
			continue
		}
		text := f.Summary
		if f.Detail != "" {
			text += "; " + f.Detail
		}
		lines = append(lines, text)
	}
	return errors.New(strings.Join(lines, "\n"))
}

// ours is an error if the figures of a run are of another model.
func (m *Manifest) ours(path string) error {
	if m.Evaluator != evaluator.Version {
		return fmt.Errorf("%s: %w: evaluator %s, ours is %s; start a new run (its report and front stay as they are)", path, ErrVersion, m.Evaluator, evaluator.Version)
	}
	return nil
}

// LoadStudy loads the study of a run from the copies of its inputs, to compute more about it:
// ErrInputsChanged if one of them is not what the run was started with, ErrVersion if what is computed now
// would not belong to the figures that the run holds. families are as in study.Load.
func LoadStudy(path string, families ...*topology.Family) (*study.Study, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.ours(path); err != nil {
		return nil, err
	}
	return m.load(path, families)
}
