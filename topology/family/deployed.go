package family

// With which routings networks are run, as topology.Family.Deployed has it. Natural routes alone, where a
// family names none, are how fat trees and their kin are run: up to any spine packet by packet or flow by flow, then down;
// tori in dimension order.
var (
	// deployedGroups: what leaves a group has one or few links to its destination's. Cray's and HPE's dragonflies choose
	// between direct routes and detours packet by packet, at the first switches (Faanes et al., SC 2012; De Sensi et al.,
	// SC 2020), Dragonfly+ progressively (Shpiner et al., HiPINEB 2017).
	deployedGroups = []string{"par", "ugal_l", "natural"}
	// deployedFlat: switches with one or few links between them, minimal routes alone are poor in the worst case: UGAL
	// is what the constructions were proposed and measured with (Kim, Dally, Abts, ISCA 2007; Ahn et al., SC 2009; Besta,
	// Hoefler, SC 2014; Lakhotia et al., SC 2022).
	deployedFlat = []string{"ugal_l", "natural"}
)
