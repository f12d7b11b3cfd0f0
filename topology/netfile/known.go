package netfile

import (
	"encoding/json"
	"fmt"

	"toposearch/topology"
)

// Known is what a construction tells of a network and its graph does not. The zero value says nothing.
type Known struct {
	Rule        *topology.Rule // the natural routing; nil: not said
	VCReason    string         // why it is free of deadlock
	NonBlocking int64          // endpoints of the largest block with full bisection; 0: not said
	Media       []topology.LinkMedium
	OwnRacks    bool // blocks are racks of the construction
	// Together is, by switch class, how many consecutive switches may share boxes; see topology.SwitchCount.
	Together [topology.MaxClasses]int64
}

// anyClass is the word for topology.Any.
const anyClass = "*"

// routingJSON is a rule as the file has it.
type routingJSON struct {
	Name   string   `json:"name"`
	States int      `json:"states"`
	ByHop  bool     `json:"vcs_by_hop,omitempty"`
	Why    string   `json:"why,omitempty"`
	Steps  [][6]any `json:"steps"`
}

// mediumJSON is a topology.LinkMedium as the file has it.
type mediumJSON struct {
	Medium  string   `json:"medium"`
	Groups  int      `json:"groups,omitempty"`
	Classes []string `json:"classes"`
}

// members are the keys of the file that hold what is known, each behind a comma.
func (k *Known) members(n *topology.Network) (text string) {
	add := func(key string, value any) {
		b, _ := json.Marshal(value) // of texts and numbers: cannot fail
		text += fmt.Sprintf(",\n  %q: %s", key, b)
	}
	if len(k.Media) > 0 {
		media := make([]mediumJSON, len(k.Media))
		for i, m := range k.Media {
			media[i] = mediumJSON{Medium: m.Medium, Groups: m.Groups}
			for _, c := range m.Classes {
				media[i].Classes = append(media[i].Classes, n.LinkClasses[c].Name)
			}
		}
		add("media", media)
	}
	if k.OwnRacks {
		add("own_racks", true)
	}
	if k.NonBlocking > 0 {
		add("nonblocking_region", k.NonBlocking)
	}
	if r := k.Rule; r != nil {
		link := func(c uint8) string {
			if c == topology.Any {
				return anyClass
			}
			return n.LinkClasses[c].Name
		}
		box := func(c uint8) string {
			if c == topology.Any {
				return anyClass
			}
			return n.SwitchClasses[c].Name
		}
		out := routingJSON{r.Name, r.States, r.HopVCs, k.VCReason, make([][6]any, len(r.Steps))}
		for i, s := range r.Steps {
			out.Steps[i] = [6]any{s.From, link(s.Kind.Link), box(s.Kind.From), box(s.Kind.To), s.To, s.VC}
		}
		add("routing", out)
	}
	return text
}
