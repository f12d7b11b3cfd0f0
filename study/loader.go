package study

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/internal/infile"
	"toposearch/internal/tomlfile"
)

// loader is the state of reading one study: what has been read so far, and what was found.
type loader struct {
	read  func(string) ([]byte, error)
	s     *Study
	diags diag.List
	cat   catalog.LoadOptions
	// objectiveAt is where each objective stands.
	objectiveAt []diag.Pos
	countAt     diag.Pos // of [endpoints] count
	growthAt    diag.Pos // of [growth]
	routingAt   diag.Pos // of [verify] routing
	fidelityAt  diag.Pos // of [verify] fidelity
	tcoAt       diag.Pos // of [tco]
	workloadAt  diag.Pos // of [workload], or of the study that has none
	scaleupAt   diag.Pos // of [endpoints] scaleup
	// countScaleup is [cost] scaleup, nil if it is not given.
	countScaleup *tomlfile.Value
	partAt       map[string]diag.Pos // of parts around the network, by their key
	inOrder      bool                // [routing] in_order
	algorithms   []evaluator.Algorithm
	algorithmAt  []diag.Pos
}

// readInput reads a file that a study may name. The largest are price lists; other readers have limits of
// their own.
func readInput(path string) ([]byte, error) { return infile.Read(path, catalog.MaxBytes) }

// input reads a file and remembers it.
func (ld *loader) input(path string, at diag.Pos, what string) ([]byte, bool) {
	data, err := ld.read(path)
	if err != nil {
		if at.Line == 0 {
			ld.diags.Errorf(at, "cannot read the %s: %v", what, infile.Reason(err))
		} else {
			ld.diags.Errorf(at, "cannot read the %s %q: %v", what, path, infile.Reason(err))
		}
		return nil, false
	}
	if !slices.ContainsFunc(ld.s.Inputs, func(in Input) bool { return in.Path == path }) {
		sum := sha256.Sum256(data)
		ld.s.Inputs = append(ld.s.Inputs, Input{path, hex.EncodeToString(sum[:]), data})
	}
	return data, true
}

// beside resolves a path that the study names.
func (ld *loader) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(ld.s.Path), name)
}

// named is a file that the study names and where.
type named struct {
	path string
	pos  diag.Pos
}

// names reads a file name or a list of them.
func (ld *loader) names(v *tomlfile.Value) []named {
	if v == nil {
		return nil
	}
	var out []named
	items := v.Items
	if v.Kind == tomlfile.String {
		items = []*tomlfile.Value{v}
	} else if !v.Is(tomlfile.List) {
		return nil
	}
	for _, it := range items {
		if name, ok := it.Text(); ok {
			out = append(out, named{ld.beside(name), it.Pos})
		}
	}
	return out
}
