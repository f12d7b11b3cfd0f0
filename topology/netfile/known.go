package netfile

import (
	"encoding/json"
	"fmt"
	"slices"

	"toposearch/topology"
)

// Known is what a construction tells of a network and its graph does not. The zero value says nothing.
type Known struct {
	Rule        *topology.Rule // the natural routing; nil: not said
	VCReason    string         // why it is free of deadlock
	NonBlocking int64          // endpoints of the largest block with full bisection; 0: not said
	Media       []topology.LinkMedium
	OwnRacks    bool // blocks are racks of the construction
}

// OptionsOf are those that write down all that the family of a design knows.
func OptionsOf(d topology.Design) Options {
	f, rule := d.Family, topology.Minimal()
	if f.Natural != nil {
		rule = f.Natural(d.V)
	}
	opt := Options{Known: Known{Rule: &rule, VCReason: f.VCReason, Media: f.Media, OwnRacks: f.OwnRacks}}
	if f.NonBlocking != nil {
		opt.Known.NonBlocking = f.NonBlocking(d.V)
	}
	if f.Place != nil {
		p := f.Place(d.V)
		opt.Place = &p
	}
	return opt
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

// Limits of a rule that is read: several times those of the richest family.
const (
	mostStates = 128
	mostSteps  = 1 << 14
)

// medium reads an entry of media; its classes are looked up once all are known.
func (r *networkReader) medium() {
	var m topology.LinkMedium
	at, i := r.next(), len(r.g.known.Media)
	seen := r.object("an entry of media", map[string]func(){
		"medium": func() { m.Medium, at = r.text("medium") },
		"groups": func() { m.Groups = int(r.whole("groups", 1, maxSwitches)) },
		"classes": func() {
			r.array("classes", func() {
				name, at := r.text("a link class")
				r.late = append(r.late, func() { r.mediumClass(i, name, at) })
			})
		},
	})
	if r.end == nil && (m.Medium == "" || !slices.Contains(seen, "classes")) {
		r.src.at(at, "", "an entry of media has a medium and classes")
	}
	r.g.known.Media = append(r.g.known.Media, m)
}

func (r *networkReader) mediumClass(i int, name string, at int) {
	c, ok := r.names[name]
	if !ok {
		r.src.at(at, "", "no link class %q", name)
		return
	}
	m := &r.g.known.Media[i]
	m.Classes = append(m.Classes, c)
}

// routing reads the natural routing.
func (r *networkReader) routing() {
	rule, at := topology.Rule{States: 1}, r.next()
	r.g.known.Rule = &rule
	seen := r.object("routing", map[string]func(){
		"name":       func() { rule.Name, at = r.text("name") },
		"states":     func() { rule.States = int(r.whole("states", 1, mostStates)) },
		"vcs_by_hop": func() { rule.HopVCs = r.flag("vcs_by_hop") },
		"why":        func() { r.g.known.VCReason, _ = r.text("why") },
		"steps":      func() { r.array("steps", func() { r.step(&rule) }) },
	})
	switch {
	case r.end != nil:
	case rule.Name == "" || !slices.Contains(seen, "steps"):
		r.src.at(at, "", "routing has a name and steps")
	case len(rule.Steps) > mostSteps:
		r.src.at(at, "", "more than %d steps", mostSteps)
	}
	r.late = append(r.late, func() {
		for _, s := range rule.Steps {
			if int(s.From) >= rule.States || int(s.To) >= rule.States {
				r.src.at(at, "", "a step from state %d to state %d; they are numbered 0 to %d", s.From, s.To, rule.States-1)
				return
			}
		}
	})
}

// step reads [state, link class, from class, to class, next state, VC].
func (r *networkReader) step(rule *topology.Rule) {
	at, k := r.next(), len(rule.Steps)
	rule.Steps = append(rule.Steps, topology.Step{Kind: topology.Kind{Link: topology.Any, From: topology.Any, To: topology.Any}})
	i := 0
	r.array("a step", func() {
		s := &rule.Steps[k]
		switch i++; i {
		case 1:
			s.From = uint8(r.whole("the state of a step", 0, mostStates-1))
		case 2, 3, 4:
			which := i
			if name, at := r.text("a class of a step"); name != anyClass && len(r.late) < mostSteps*3 {
				r.late = append(r.late, func() { r.stepClass(&rule.Steps[k].Kind, which, name, at) })
			}
		case 5:
			s.To = uint8(r.whole("the next state of a step", 0, mostStates-1))
		case 6:
			s.VC = uint8(r.whole("the VC of a step", 0, 254))
		default:
			r.skip()
		}
	})
	if r.end == nil && i != 6 {
		r.src.at(at, "", "a step is [state, link class, class it leaves, class it enters, next state, VC]")
	}
}

// stepClass fills in a class of a step: that of the link, or of the switch that it leaves or enters.
func (r *networkReader) stepClass(k *topology.Kind, which int, name string, at int) {
	c, ok := r.names[name]
	if which > 2 {
		c = slices.IndexFunc(r.g.switchClasses, func(x topology.SwitchClass) bool { return x.Name == name })
		ok = c >= 0
	}
	if !ok {
		r.src.at(at, "", "no class %q", name)
		return
	}
	switch which {
	case 2:
		k.Link = uint8(c)
	case 3:
		k.From = uint8(c)
	default:
		k.To = uint8(c)
	}
}
