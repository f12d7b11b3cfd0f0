package study

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Load reads a study and everything it names. Paths in it are relative to it. The study is nil if
// the list has an error; warnings alone leave it usable. families are those that it may search: the
// built-in ones if none are given; a program with families of its own passes
// append(family.All(), its own...).
func Load(path string, families ...*topology.Family) (*Study, diag.List) {
	return LoadFrom(path, os.ReadFile, families...)
}

// LoadFrom is Load with another source of files: an archive, a run directory, the example. read
// gets the path of the study and, joined with its folder, the paths that it names.
func LoadFrom(path string, read func(string) ([]byte, error), families ...*topology.Family) (*Study, diag.List) {
	if len(families) == 0 {
		families = family.All()
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

// loader is what reading a study passes around.
type loader struct {
	read  func(string) ([]byte, error)
	s     *Study
	diags diag.List
	cat   catalog.LoadOptions
	// objectiveAt is where each objective stands.
	objectiveAt []diag.Pos
	countAt     diag.Pos // of [endpoints] count
}

// input reads a file and remembers it.
func (ld *loader) input(path string, at diag.Pos, what string) ([]byte, bool) {
	data, err := ld.read(path)
	if err != nil {
		why := err.Error()
		switch {
		case os.IsNotExist(err):
			why = "there is no such file"
		case os.IsPermission(err):
			why = "permission denied"
		case errors.Is(err, syscall.EISDIR):
			why = "it is a folder"
		}
		if at.Line == 0 {
			ld.diags.Errorf(at, "cannot read the %s: %s", what, why)
		} else {
			ld.diags.Errorf(at, "cannot read the %s %q: %s", what, path, why)
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

// study reads the tree of a study. What depends on other parts comes after them: money needs the
// rates, limits the currency, the index all of them.
func (ld *loader) study(t *tomlfile.Table) {
	s := ld.s
	if v := t.Take("name"); v != nil {
		s.Name, _ = v.Text()
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
	ld.search(t.Sub("search"))
	ld.verify(t.Sub("verify"))
	ld.latency(t.Sub("latency"))
	if r := t.Sub("require"); r != nil {
		s.Require = constraints.Thresholds(s.Currency, r, "require", &ld.diags)
	}
	const elsewhere = "limits stand in a file of their own: constraints = [\"site.toml\"]"
	t.Done(map[string]string{"switch": elsewhere, "routing": elsewhere, "cable": elsewhere, "building": elsewhere, "procurement": elsewhere, "limits": elsewhere,
		"constraint": "constraints", "catalogue": "catalog", "catalogues": "catalog", "objectives": "objective",
		"families": "space", "family": "space", "budget": "search", "hosts": "endpoints", "scale": "endpoints"})
	ld.constraints(files)
	ld.catalogue(cats)
	ld.merge()
	ld.simulated()
	ld.window()
}

// window checks that limits on the number of endpoints leave something of the count asked for.
func (ld *loader) window() {
	s := ld.s
	if s.Constraints == nil || s.MaxEndpoints == 0 {
		return
	}
	for _, l := range s.Constraints.Limits {
		switch {
		case l.Key != metric.Endpoints:
		case l.Max && l.Bound < float64(s.MinEndpoints):
			ld.diags.Errorf(l.Origin.Pos, "endpoints must be at most %.0f here and at least %d at %s (endpoints.count): nothing can meet both", l.Bound, s.MinEndpoints, ld.countAt)
		case !l.Max && l.Bound > float64(s.MaxEndpoints):
			ld.diags.Errorf(l.Origin.Pos, "endpoints must be at least %.0f here and at most %d at %s (endpoints.count): nothing can meet both", l.Bound, s.MaxEndpoints, ld.countAt)
		}
	}
}

// simulated checks that metrics which only the simulator measures are measured at all, and says
// what asking for them means.
func (ld *loader) simulated() {
	s := ld.s
	uniform := slices.Contains(s.Verify.Traffic, "uniform")
	use := func(k metric.Key, pos diag.Pos, steers bool) {
		if metric.Keys[k].Level != 4 {
			return
		}
		name := metric.Keys[k].Name
		switch {
		case s.Verify.Finalists == 0:
			ld.diags.Errorf(pos, "%s is measured on finalists, and [verify] finalists is 0", name)
		case !uniform:
			ld.diags.Errorf(pos, "%s is that under uniform traffic, which [verify] traffic does not name", name)
		case steers:
			ld.diags.Warnf(pos, "%s is measured on the finalists alone, at most %d: the search is steered by another metric in its place, and the front is judged again among them; toposearch plan says how",
				name, s.Verify.Finalists)
		}
	}
	for i, o := range s.Objectives {
		use(o.Key, ld.objectiveAt[i], true)
	}
	if s.Constraints != nil {
		for _, l := range s.Constraints.Limits {
			use(l.Key, l.Origin.Pos, true)
		}
	}
	for _, l := range s.Require {
		use(l.Key, l.Origin.Pos, false)
	}
}

// named is a file that the study names and where.
type named struct {
	path string
	pos  diag.Pos
}

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

// catalogs reads catalog = ["a.csv"], or a table that also says what the files do not.
func (ld *loader) catalogs(v *tomlfile.Value) []named {
	if v == nil || v.Kind != tomlfile.TableKind {
		return ld.names(v)
	}
	t := v.Table
	out := ld.names(t.Take("files"))
	if m := t.Take("decimal"); m != nil {
		if d, ok := m.Text(); ok && d != "." && d != "," {
			m.Errorf("decimal is %q\nwrite \".\" or \",\"", d)
		} else if ok {
			ld.cat.Decimal = d[0]
		}
	}
	if e := t.Take("encoding"); e != nil {
		if c, ok := e.Text(); ok && c != "latin1" && c != "utf-8" {
			e.Errorf("encoding %q is not known\nwrite \"utf-8\" or \"latin1\"", c)
		} else if ok && c == "latin1" {
			ld.cat.Encoding = c
		}
	}
	if c := t.Take("currency"); c != nil {
		ld.cat.Currency = currency(c)
	}
	if d := t.Take("as_of"); d != nil && d.Is(tomlfile.Date) {
		ld.cat.AsOf = d.Str[:min(len(d.Str), 10)]
	}
	t.Done(map[string]string{"file": "files", "date": "as_of"})
	return out
}

func (ld *loader) constraints(files []named) {
	var in []constraints.File
	for _, f := range files {
		if data, ok := ld.input(f.path, f.pos, "constraint file"); ok {
			in = append(in, constraints.File{Path: f.path, Data: data})
		}
	}
	set, l := constraints.Read(ld.s.Currency, in...)
	ld.diags.Add(l...)
	ld.s.Constraints = set
}

// catalogue reads the price lists, or takes the built-in one where none is named.
func (ld *loader) catalogue(files []named) {
	if len(files) == 0 {
		ld.s.Catalogue = catalog.Builtin()
		return
	}
	var in []catalog.File
	for _, f := range files {
		book, sheet, ok := catalog.SplitSheet(f.path)
		data, found := ld.input(book, f.pos, "catalogue")
		if !found {
			continue
		}
		name := book
		if ok && sheet != "" {
			name = book + "#" + sheet
		}
		in = append(in, catalog.File{Path: name, Data: data})
	}
	if len(in) == 0 {
		return
	}
	c, l := catalog.ReadFiles(ld.cat, in...)
	ld.diags.Add(l...)
	if len(in) < len(files) {
		return // a missing file is reported; its parts would be missed by everything else
	}
	ld.s.Catalogue = c
	ld.unpriced(in)
}

// merge puts limits, site and prices into one set of options and prepares the catalogue.
func (ld *loader) merge() {
	s := ld.s
	if s.Constraints == nil || s.Catalogue == nil {
		return
	}
	var asked evaluator.Options // models are checked also beside other faults
	s.Constraints.Apply(&asked)
	ld.models(asked.Site.SwitchModels)
	if ld.diags.HasErrors() {
		return
	}
	s.Options.Catalog = s.Catalogue
	s.Options.BandwidthGbps, s.Options.PerServer = s.BandwidthGbps, s.PerServer
	s.Options.Scaleup, s.Options.ScaleupGbps, s.Options.Domain = s.Scaleup, s.ScaleupGbps, s.Domain
	s.Options.Currency, s.Options.Rates = s.Currency.Code, s.Currency.Rates
	s.Constraints.Apply(&s.Options)
	lim := constraints.SwitchLimits(&s.Options.Site)
	x, err := s.Catalogue.Prepare(lim, constraints.Reach(&s.Options.Site), s.Currency)
	if err != nil {
		ld.diags.Errorf(diag.Pos{File: s.Path}, "%v", err)
		return
	}
	s.Index = x
	ld.noNICs()
	ld.noLeadTimes()
	if _, ok := x.RateAtLeast(0); !ok {
		ld.noSwitch()
	} else {
		ld.noCables(x)
	}
	if lim.MaxBuffer > 0 {
		for i := range s.Catalogue.Parts {
			if p := &s.Catalogue.Parts[i]; p.Kind == catalog.KindSwitch && p.BufferBytes == 0 {
				at, _ := s.Constraints.OriginOf("switch.buffer")
				ld.diags.Warnf(at.Pos, "the catalogue does not say how large the buffer of %s is: it is taken to meet the limit", p.PartNo)
				break
			}
		}
	}
}

// models checks the switch models that constraint files name against the catalogue.
func (ld *loader) models(models []string) {
	at, _ := ld.s.Constraints.OriginOf("switch.models")
	var known []string
	for i := range ld.s.Catalogue.Parts {
		if p := &ld.s.Catalogue.Parts[i]; p.Kind == catalog.KindSwitch {
			known = append(known, p.PartNo)
		}
	}
	for _, m := range models {
		if !slices.Contains(known, m) {
			ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: at.Pos, Summary: fmt.Sprintf("there is no switch %q in catalogue %s", m, ld.s.Catalogue.Name), Detail: diag.Suggest(m, known)})
		}
	}
}
