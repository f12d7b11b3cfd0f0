package study

import (
	"slices"
	"strings"

	"toposearch/constraints"
)

// Assumption is what a study takes for granted because no file says otherwise.
type Assumption struct {
	Key   string `json:"key"`   // that changes it: "[building] building_distance"
	Value string `json:"value"` // as it would be written: "300 m", or a sentence
	Doc   string `json:"doc"`   // what it is
}

// Assumed lists every assumption that figures of this study rest on, in the order of the help pages. What needs a table
// that the study does not have, such as [tco], is left out with it.
func (s *Study) Assumed() []Assumption {
	given := slices.Clone(s.given)
	if s.Verify.Fidelity == "" {
		given = append(given, "verify.simulations") // there are finalists only
	}
	if s.Verify.Cycles > 0 {
		given = append(given, "verify.precision")
	}
	if !s.Scaleup && s.Scaleups == nil {
		given = append(given, "endpoints.scaleup_bandwidth") // of no link
	}
	if s.Options.Site.EndpointAllInW > 0 {
		given = append(given, "building.endpoint_power")
	}
	if s.Constraints != nil {
		for _, o := range s.Constraints.Settings {
			given = append(given, o.Name)
		}
		for _, l := range s.Constraints.Limits {
			given = append(given, l.Name)
		}
	}
	var out []Assumption
	for _, x := range append(append(constraints.Keys(), Keys()...), WorkloadKeys()...) {
		if !s.restsOn(x.Name) {
			continue
		}
		for i := range x.Keys {
			k := &x.Keys[i]
			if k.Without() == "" || slices.ContainsFunc(given, func(name string) bool {
				return name == x.Name+"."+k.Name || strings.HasPrefix(name, x.Name+"."+k.Name+".")
			}) {
				continue
			}
			out = append(out, Assumption{"[" + x.Name + "] " + k.Name, strings.Trim(k.Without(), `"`), k.Doc})
		}
	}
	return out
}

// restsOn tells whether the figures of this study depend on the keys of a table.
func (s *Study) restsOn(table string) bool {
	switch table {
	case "building", "switch", "routing", "endpoints", "cost", "latency", "availability":
		return true
	case "verify":
		return s.Verify.Finalists > 0
	case "tco":
		return s.Options.Cluster.TCO != nil
	}
	if table == "workload" || table == "workload.accelerator" {
		return s.Options.Training != nil
	}
	return table == "workload.parallelism" && s.Options.Training != nil && s.Options.Training.Parallelism != nil
}
