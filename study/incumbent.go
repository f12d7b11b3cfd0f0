package study

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"toposearch/diag"
	"toposearch/internal/tomlfile"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// incumbents reads [[incumbent]].
func (ld *loader) incumbents(t *tomlfile.Table) {
	v := t.Take("incumbent")
	if v == nil {
		return
	}
	items := v.Items
	if v.Kind == tomlfile.TableKind {
		items = []*tomlfile.Value{v}
	} else if !v.Is(tomlfile.List) {
		return
	}
	for _, it := range items {
		if it.Kind != tomlfile.TableKind {
			it.Errorf("an incumbent is a table\nwrite [[incumbent]] with design = \"fattree(k=64,l=2)\", a family such as \"fattree\", or \"file:running.json\"")
			continue
		}
		x, at := Incumbent{Pos: it.Pos}, it.Table.Take("design")
		if n := it.Table.Take("name"); n != nil {
			x.Name, _ = n.Text()
		}
		it.Table.Done(map[string]string{"file": "design", "network": "design", "family": "design"})
		if at == nil {
			it.Errorf("the incumbent has no design\nwrite design = \"fattree(k=64,l=2)\", a family such as \"fattree\", or \"file:running.json\"")
		} else if text, ok := at.Text(); ok {
			x.Asked, x.Pos = text, at.Pos
			if ld.incumbent(at, &x) {
				ld.s.Incumbents = append(ld.s.Incumbents, x)
			}
		}
	}
}

// incumbent finds out which network is meant, and whether it has as many endpoints as are asked for.
func (ld *loader) incumbent(v *tomlfile.Value, x *Incumbent) bool {
	s := ld.s
	for _, f := range s.Known {
		if f.Name == strings.TrimSpace(x.Asked) {
			x.Family, x.Best = f, true
			return true
		}
	}
	d, n, ok := ld.network(v, x.Asked, "incumbent", "a design, a family whose best is taken")
	if !ok {
		return false
	}
	x.Family, x.Values = d.Family, d.V
	if s.MaxEndpoints > 0 && (n < s.MinEndpoints || n > s.MaxEndpoints) {
		remedy := "name a design of that size, or its family alone, whose best of that size is taken; or let count hold it"
		if strings.HasPrefix(x.Asked, "file:") {
			remedy = "let count hold it, such as count = { min = " + fmt.Sprint(min(n, s.MinEndpoints)) + ", max = " + fmt.Sprint(max(n, s.MaxEndpoints)) + " }"
		}
		v.Errorf("the incumbent %s has %d endpoints, and %d to %d are asked for (endpoints.count, %s): it does not do the same\n%s", x.Asked, n, s.MinEndpoints, s.MaxEndpoints, ld.countAt, remedy)
		return false
	}
	return true
}

// network finds the design or the file that is meant, and its endpoints; what and others say what it is, and what else could be named.
func (ld *loader) network(v *tomlfile.Value, asked, what, others string) (d topology.Design, endpoints int64, ok bool) {
	s := ld.s
	path, isFile := strings.CutPrefix(asked, "file:")
	if isFile && path == "" {
		v.Errorf("file: lacks the path of a network file\nwrite \"file:running.json\"")
		return d, 0, false
	}
	if isFile {
		data, ok := ld.input(ld.beside(path), v.Pos, "network of the "+what)
		if !ok {
			return d, 0, false
		}
		f, faults := netfile.Parse(filepath.ToSlash(ld.beside(path)), data)
		ld.diags.Add(faults...)
		if faults.HasErrors() {
			return d, 0, false
		}
		d = topology.Design{Family: f.Family, V: []int{}}
	} else {
		names := make([]string, len(s.Known))
		for i, f := range s.Known {
			names[i] = f.Name
		}
		var err error
		if d, err = topology.ParseDesign(asked, s.Known); err != nil {
			head, _, _ := strings.Cut(asked, "(")
			v.Errorf("%v\n%s", err, cmp.Or(diag.Suggest(head, names), "toposearch families lists them; name "+others+", or \"file:running.json\""))
			return d, 0, false
		}
	}
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		why := err.Error()
		if bad := (*topology.Infeasible)(nil); errors.As(err, &bad) {
			why = bad.Error()
		}
		v.Errorf("there is no network %s: %s", asked, why)
		return d, 0, false
	}
	return d, size.Endpoints, true
}
