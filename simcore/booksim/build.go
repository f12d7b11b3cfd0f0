package booksim

// unmodelled are topologies of BookSim2 that this program does not have.
var unmodelled = map[string]string{
	"tree4":     "the wiring of its doubled upper links is not known; fattree with k = 4 and n = 3 has as many nodes",
	"dragonfly": "write dragonflynew",
}

// build makes the fabric that the settings name; nil after an error.
func (s *Settings) build() *fabric {
	name := s.str("topology")
	if why, known := unmodelled[name]; known {
		s.errorAt("topology", "", "%s is not modelled: %s", name, why)
		return nil
	}
	makers := map[string]func(*Settings) *fabric{"mesh": (*Settings).grid, "torus": (*Settings).grid,
		"cmesh": (*Settings).cmesh, "flatfly": (*Settings).flatfly, "dragonflynew": (*Settings).dragonfly,
		"fattree": (*Settings).fattree, "fly": (*Settings).fly, "anynet": (*Settings).anynet,
		"qtree": (*Settings).qtree}
	make, ok := makers[name]
	if !ok {
		s.errorAt("topology", "there are anynet, cmesh, dragonflynew, fattree, flatfly, fly, mesh, qtree and torus",
			"there is no topology %q", name)
		return nil
	}
	if f := make(s); f != nil && f.routing != nil {
		return f
	}
	return nil
}
