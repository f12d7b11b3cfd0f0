package run

import (
	"fmt"

	"toposearch/study"
	"toposearch/topology"
)

// LoadChanged is LoadStudy with a text behind that of the study, such as a [what_if] table: ErrChange if that cannot be read. families are as in
// study.Load.
func LoadChanged(path, behind string, families ...*topology.Family) (*study.Study, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if err := m.ours(path); err != nil {
		return nil, err
	}
	st, err := m.loadChanged(path, behind, families)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChange, err)
	}
	return st, nil
}

// LoadInputs is LoadStudy of a run of any version of the program: what is computed under it now need not belong to the figures that the run holds.
func LoadInputs(path string, families ...*topology.Family) (*study.Study, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	return m.load(path, families)
}
