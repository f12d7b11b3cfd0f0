package study

import (
	"slices"

	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/internal/tomlfile"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Load reads a study and everything it names. Paths in it are relative to it. The study is nil if
// the list has an error; warnings alone leave it usable. families are those that it may search: the
// built-in ones if none are given; a program with families of its own passes
// append(family.Known(), its own...).
func Load(path string, families ...*topology.Family) (*Study, diag.List) {
	return LoadFrom(path, readInput, families...)
}

// LoadFrom is Load with another source of files: an archive, a run directory, the example. read
// gets the path of the study and, joined with its folder, the paths that it names.
func LoadFrom(path string, read func(string) ([]byte, error), families ...*topology.Family) (*Study, diag.List) {
	if len(families) == 0 {
		families = family.Known()
	}
	ld := &loader{read: read, s: &Study{Path: path, Known: families}}
	data, ok := ld.input(path, diag.Pos{File: path}, "study")
	if ok {
		if t := tomlfile.Parse(path, data, &ld.diags); t != nil {
			ld.study(t)
		}
	}
	for _, in := range ld.s.Inputs {
		ld.diags.FillSource(in.Path, in.Bytes)
	}
	ld.diags.Sort()
	if ld.diags.HasErrors() {
		return nil, ld.diags
	}
	ld.s.Warnings = slices.Clone(ld.diags)
	return ld.s, ld.diags
}

// maxName bounds the name of a study: with a number behind it, it is the name of a folder, which has at most
// 255 bytes.
const maxName = 200

// study reads the tree of a study. What depends on other parts comes after them: money needs the
// rates, limits the currency, the index all of them.
func (ld *loader) study(t *tomlfile.Table) {
	s := ld.s
	s.given = t.Names()
	if v := t.Take("name"); v != nil {
		s.Name, _ = v.Text()
		if len(s.Name) > maxName {
			v.Errorf("the name has %d bytes; at most %d are read\nit names the folder of the run and heads its report", len(s.Name), maxName)
		}
	} else {
		s.Name = "study"
	}
	if v := t.Take("seed"); v != nil {
		n, _ := v.Integer(0, 1<<62)
		s.Seed = uint64(n)
	} else {
		s.Seed = 1
	}
	ld.cost(t.Sub("cost"))
	files := ld.names(t.Take("constraints"))
	cats := ld.catalogs(t.Take("catalog"))
	ld.endpoints(t, t.Sub("endpoints"))
	ld.space(t.Sub("space"))
	ld.objectives(t)
	ld.alike()
	ld.routing(t.Sub("routing"))
	ld.search(t.Sub("search"))
	ld.workloadAt = t.Pos
	ld.training(t.Sub("workload"))
	ld.verify(t.Sub("verify"))
	ld.latency(t.Sub("latency"))
	ld.availability(t.Sub("availability"))
	ld.tco(t.Sub("tco"))
	ld.incumbents(t)
	over, prices := ld.whatIf(t.Sub("what_if"))
	ld.growth(t.Sub("growth"))
	if r := t.Sub("require"); r != nil {
		s.Require = constraints.Thresholds(s.Currency, r, "require", &ld.diags)
	}
	const elsewhere = "limits stand in a file of their own: constraints = [\"site.toml\"]"
	t.Done(map[string]string{"switch": elsewhere, "cable": elsewhere, "building": elsewhere, "procurement": elsewhere, "limits": elsewhere,
		"constraint": "constraints", "catalogue": "catalog", "catalogues": "catalog", "objectives": "objective",
		"families": "space", "family": "space", "budget": "search", "hosts": "endpoints", "incumbents": "incumbent", "scale": "endpoints"})
	ld.constraints(files, over)
	ld.catalogue(cats)
	for _, p := range prices {
		ld.reprice(p)
	}
	ld.merge()
	ld.jobsAsked()
	ld.growthAsked()
	ld.routingLimits()
	ld.simulated()
	ld.verifiable()
	ld.window()
}
