package netfile

import (
	"slices"

	"toposearch/topology"
)

// Limits of what is read: media as many as the program counts, three dimensions of circuit switches and a board;
// of a rule several times what the richest family has.
const (
	mostMedia  = 4
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
	if i == mostMedia {
		r.src.at(at, "", "more than %d media", mostMedia)
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
	if m.Medium == "ocs" && (c == 0 || slices.Contains(r.g.place.Boards, c)) {
		r.src.at(at, "", "links of class %q do not run over circuit switches: they hang endpoints, or are traces", name)
		return
	}
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
