package topology

// MaxClasses bounds the link classes and the switch classes of a family, so that a Size has a
// fixed layout and needs no allocation. A torus of six dimensions uses 13, endpoint links, and
// inner and wrap-around links of each dimension, and a scale-up domain adds three.
const MaxClasses = 16

// LinkClass is a kind of link that a family names.
type LinkClass struct {
	Name string // "nic", "internal", "local", "global", "scaleup", ...
	Doc  string
}

// Names of link classes with a meaning outside their family (DESIGN.md section 3).
const (
	ClassNic      = "nic"      // endpoint (or its embedded switch) to a switch that is not embedded
	ClassInternal = "internal" // endpoint to its embedded switch: no cable, no cost, no hop
	ClassScaleup  = "scaleup"  // inside a server, over which its endpoints relay
	ClassScaleup2 = "scaleup2" // between the two levels of switches of a scale-up domain
)

// SwitchClass is a kind of switch that a family names.
type SwitchClass struct {
	Name string // "leaf", "spine", "global", ...
	Doc  string
	// Embedded switches forward inside an endpoint; they are not bought and have no box.
	Embedded bool
	// Relay marks an embedded switch that only joins the endpoints of a server to its scale-up
	// mesh (railonly, per_server with scaleup); it does not count in embedded_switches.
	Relay bool
	// OnChip says of an embedded switch that the ports of its endpoint are on the chip: it takes no network
	// cards.
	OnChip bool
	// SharesBox says that several switches of the class may be parts of one box, side by side and without a
	// path between them, where it has the ports for them: those that SwitchCount.Together says. Otherwise each
	// is a box of its own.
	SharesBox bool
	// StandsIn says of an embedded switch that it is that of a spare endpoint, which does nothing until another fails: the k switches
	// of the class divide the endpoints into k equal parts, each the spare of its part (Network.WithSpares). No endpoint
	// hangs on it.
	StandsIn bool
}

// IsScaleup tells whether a link class is inside a scale-up domain.
func IsScaleup(name string) bool { return name == ClassScaleup || name == ClassScaleup2 }
