package branch

import (
	"slices"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
)

// relaxed is a problem with another value of one setting of the site, by which parts are excluded from the
// choice and not only designs: what a larger switch or a longer cable would admit is known only when it may
// be chosen.
type relaxed struct {
	name          string
	bound, needed float64 // as it is; as it is in p
	origin        string
	p             *search.Problem
	target        target // of a search in p
}

// setsEvaluation reports whether a limit of this name also excludes parts.
func setsEvaluation(name string) bool {
	return metric.Unsold(name) || name == constraints.NameLead
}

// relaxations are the settings that may be relaxed: the largest number of ports of a switch, by the models on
// the list that have more, fewest first; the longest cable; and when parts come.
func relaxations(p *search.Problem) ([]relaxed, error) {
	if _, ok := p.Model.(*evaluator.Evaluator); !ok {
		return nil, nil
	}
	var out []relaxed
	opt := p.Study.Options
	if most := opt.Site.MaxSwitchPorts; most > 0 {
		for _, ports := range largerSwitches(opt.Catalog, most) {
			o := opt
			o.Site.MaxSwitchPorts = ports
			q, err := under(p, o, metric.RejectPorts)
			if err != nil {
				return nil, err
			}
			out = append(out, relaxed{metric.RejectPorts, float64(most), float64(ports), originOfSetting(p, metric.RejectPorts), q, target{kind: nothing}})
		}
	}
	for i := range p.Limits {
		o := opt
		switch name := p.Limits[i].Name; {
		case name == metric.RejectReach && opt.Site.ReachM > 0:
			o.Site.ReachM = 0
		case name == constraints.NameLead:
			o.Site.LeadWeeks = 0
		default:
			continue
		}
		q, err := under(p, o, "")
		if err != nil {
			return nil, err
		}
		out = append(out, relaxed{name: p.Limits[i].Name, p: q, target: target{kind: oneLimit, limit: i}})
	}
	return out, nil
}

// Loosened are the problems with neither a longest cable nor a longest lead time, each with a larger switch as the largest, the last with all on the list; none where
// the site has no such limit. What misses these limits has no parts, and so neither a cost nor a latency, unless it may be
// bought all the same. The limits themselves stay. They are one by one because the switch that is chosen among all may have more ports than the
// least limit asks for that admits the design: it misses by those.
func Loosened(p *search.Problem) ([]*search.Problem, error) {
	if _, ok := p.Model.(*evaluator.Evaluator); !ok {
		return nil, nil
	}
	o := p.Study.Options
	if o.Site.MaxSwitchPorts == 0 && o.Site.ReachM == 0 && o.Site.LeadWeeks == 0 {
		return nil, nil
	}
	o.Site.ReachM, o.Site.LeadWeeks = 0, 0
	most := []int{0}
	if o.Site.MaxSwitchPorts > 0 {
		if larger := largerSwitches(o.Catalog, o.Site.MaxSwitchPorts); len(larger) > 1 {
			most = append(larger[:len(larger)-1], 0)
		}
	}
	var out []*search.Problem
	for _, o.Site.MaxSwitchPorts = range most {
		q, err := under(p, o, "")
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

// under is the problem with other options and without the limits of a name.
func under(p *search.Problem, o evaluator.Options, without string) (*search.Problem, error) {
	m, err := evaluator.New(o)
	if err != nil {
		return nil, err
	}
	q := *p
	q.Model = m
	q.Limits = slices.DeleteFunc(slices.Clone(p.Limits), func(l constraints.Limit) bool { return l.Name == without && l.Max })
	return &q, nil
}

// largerSwitches are the numbers of ports beyond most of the switches on a list, the built-in one if it is nil.
func largerSwitches(list *catalog.Catalogue, most int) (ports []int) {
	if list == nil {
		list = catalog.Builtin()
	}
	for i := range list.Parts {
		if p := &list.Parts[i]; p.Kind == catalog.KindSwitch && p.Approved && p.Ports > most {
			ports = append(ports, p.Ports)
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// originOfSetting is the place of a setting or limit by name, "" if there is none.
func originOfSetting(p *search.Problem, name string) string {
	if p.Study.Constraints == nil {
		return ""
	}
	for _, o := range p.Study.Constraints.Settings {
		if o.Name == name {
			return o.Place()
		}
	}
	for i := range p.Limits {
		if p.Limits[i].Name == name {
			return p.Limits[i].Origin.Place()
		}
	}
	return ""
}
