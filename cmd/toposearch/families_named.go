package main

import (
	"toposearch/diag"
	"toposearch/topology"
	"toposearch/topology/family"
)

// familiesNamed are the families of these names, all if there are none.
func familiesNamed(names []string) ([]*topology.Family, error) {
	if len(names) == 0 {
		return family.All(), nil
	}
	var list []*topology.Family
	for _, name := range names {
		f, ok := family.ByName(name)
		if !ok {
			return nil, usagef("there is no family %q%s", name, diag.Hint(name, familyNames()))
		}
		list = append(list, f)
	}
	return list, nil
}

func familyNames() []string {
	var names []string
	for _, f := range family.Known() {
		names = append(names, f.Name)
	}
	return names
}
