package run

import (
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/topology"
)

// archiveOf is the front as a search holds it.
func archiveOf(p *search.Problem, f *search.Front) (*search.Archive, error) {
	a := new(search.Archive)
	for i := range f.Front {
		r := &f.Front[i]
		v := make(objectives.Vector, len(p.Objectives))
		for j, o := range p.Objectives {
			v[j] = o.Cost(r.Objectives[o.Name()])
		}
		d, err := topology.ParseDesign(r.Design, p.Study.Known)
		if err != nil {
			return nil, err
		}
		for sp := range p.Spaces {
			if p.Spaces[sp].Fam.Name == r.Family {
				a.Add(search.Member{Candidate: search.Candidate{Space: sp, V: d.V}, Vector: v, Name: r.Design, Held: p.Held(v)})
			}
		}
	}
	return a, nil
}

// coveredBy names the first member that dominates v, or else the first from which it is within the tolerance; "" if there is none.
func coveredBy(members []search.Member, v objectives.Vector) (by string, near bool) {
	for i := range members {
		if objectives.Dominates(members[i].Vector, v) {
			return members[i].Name, false
		}
	}
	for i := range members {
		if objectives.Dominates(members[i].At(), v) {
			return members[i].Name, true
		}
	}
	return "", false
}

func domination(near bool) string {
	if near {
		return "within the tolerance of "
	}
	return "dominated by "
}
