package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// The hash at the end of front.json is that of all before the comma in front of it, as anybody can compute.
func TestFrontHash(t *testing.T) {
	st := studyOf(t, study.Random)
	_, _, text := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), create(t, st), search.Options{})
	var f struct{ SHA256 string }
	searchtest.Must(t, json.Unmarshal([]byte(text), &f))
	before, _, _ := strings.Cut(text, ",\n  \"sha256\"")
	if sum := sha256.Sum256([]byte(before)); f.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("hash %s, want %x", f.SHA256, sum)
	}
}

// Exhaustive: a front of which a byte has changed, or a line was removed, doubled, swapped with another or cut, is
// not read, and the error says what to do.
func TestAnyByteOfAFront(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	searchtest.Must(t, writeSigned(filepath.Join(dir, manifestName), &Manifest{Schema: ManifestSchema, Evaluator: evaluator.Version}))
	path := filepath.Join(dir, frontName)
	front := &search.Front{Schema: search.FrontSchema, Study: "é", Objectives: []string{"cost"},
		Front: []search.Record{{Design: "ring(n=4)", Objectives: map[string]float64{"cost": 1e6, "latency": 17.25}}, {Design: "bus(n=4)"}}}
	searchtest.Must(t, writeSigned(path, front))
	text := read(t, path)
	if f, err := ReadFront(dir); err != nil || f.Front[0].Objectives["latency"] != 17.25 {
		t.Fatal(f, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	searchtest.Must(t, err)
	defer f.Close()
	try := func(what string, at int, changed []byte) {
		t.Helper()
		if string(changed) == text {
			return
		}
		_, err := f.WriteAt(changed, 0)
		searchtest.Must(t, errors.Join(err, f.Truncate(int64(len(changed)))))
		if _, err := ReadFront(dir); !errors.Is(err, ErrFront) || !strings.Contains(err.Error(), "toposearch resume "+dir) {
			t.Fatalf("%s at %d: %v", what, at, err)
		}
	}
	for i := range text {
		for bit := range 8 {
			b := []byte(text)
			b[i] ^= 1 << bit
			try("a flipped bit", i, b)
		}
		try("cut", i, []byte(text[:i]))
	}
	lines := strings.SplitAfter(text, "\n")
	for i := range lines[:len(lines)-1] {
		try("a line removed", i, []byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")))
		try("a line doubled", i, []byte(strings.Join(slices.Insert(slices.Clone(lines), i, lines[i]), "")))
		for k := range i {
			swapped := slices.Clone(lines)
			swapped[i], swapped[k] = swapped[k], swapped[i]
			try("two lines swapped", i, []byte(strings.Join(swapped, "")))
		}
	}
}

// Fronts of earlier versions have no hash and are read; of this version they all have one.
func TestFrontWithoutHash(t *testing.T) {
	dir := t.TempDir()
	b, err := json.MarshalIndent(&search.Front{Schema: search.FrontSchema}, "", "  ")
	searchtest.Must(t, err)
	searchtest.Must(t, os.WriteFile(filepath.Join(dir, frontName), b, 0o644))
	for version, want := range map[string]error{evaluator.Version: ErrFront, "0": nil} {
		searchtest.Must(t, writeSigned(filepath.Join(dir, manifestName), &Manifest{Schema: ManifestSchema, Evaluator: version}))
		if _, err := ReadFront(dir); !errors.Is(err, want) {
			t.Errorf("evaluator %s: %v, want %v", version, err, want)
		}
	}
}

// A manifest of which a digit has changed, of the seed for one, is not what a run goes on from; a checkpoint is
// one that is lost.
func TestChangedManifest(t *testing.T) {
	st := studyOf(t, study.Random)
	d := create(t, st)
	path := filepath.Join(d.Path, manifestName)
	b, err := os.ReadFile(path)
	searchtest.Must(t, err)
	searchtest.Must(t, os.WriteFile(path, bytes.Replace(b, []byte(`"seed": 7`), []byte(`"seed": 5`), 1), 0o644))
	if _, err := LoadStudy(d.Path); err == nil || !strings.Contains(err.Error(), "manifest.json is not as it was written") {
		t.Errorf("a changed manifest: %v", err)
	}
	cp := &checkpoint{Schema: checkpointSchema, State: StateFinished, Exit: 3, ElapsedNs: 15}
	searchtest.Must(t, cp.save(d.Path))
	if got, err := readCheckpoint(d.Path); err != nil || got.Exit != 3 || got.ElapsedNs != 15 {
		t.Errorf("read %+v, %v", got, err)
	}
	path = filepath.Join(d.Path, checkpointName)
	b, err = os.ReadFile(path)
	searchtest.Must(t, err)
	searchtest.Must(t, os.WriteFile(path, bytes.Replace(b, []byte(`"exit": 3`), []byte(`"exit": 0`), 1), 0o644))
	if got, err := readCheckpoint(d.Path); err != nil || got.State != "" || got.ElapsedNs != 0 {
		t.Errorf("a changed checkpoint: %+v, %v", got, err)
	}
}
