package family

// The space of ATOP: up to four layers, of which the first are the accelerators, links between any two layers and links within a
// layer. Eleven kinds of hyperparameters say where they are; here each hyperparameter is a parameter of its own, in the order of
// the constants below, so that a study can fix or restrict any of them.
const (
	layeredLayers = 4 // L_max of the paper
	layeredDims   = 2 // D_max; the paper's runs have 4, which no network of its tables needs
	layeredPairs  = layeredLayers * (layeredLayers - 1) / 2

	layeredPairAt  = layeredLayers // N_1 to N_4 come first
	layeredPairLen = 4             // H of the lower layer, H of the upper, E, B
	layeredInnerAt = layeredPairAt + layeredPairs*layeredPairLen
	// D, S^1, P^k, A, C, B; S^2 follows from S^1.
	layeredInnerLen = 2 + layeredDims + layeredDims*(layeredDims+1)*layeredDims + layeredDims*layeredDims + 1

	// layeredMost bounds the accelerators (the paper's largest run has 16,384), layeredNodes what forwards: who reaches whom is
	// found by sets of all of them, 2 MB at this number; the paper's largest network has 2,064 switches.
	layeredMost  = 16384
	layeredNodes = 4096
	layeredRates = 4 // largest bandwidth factor
)

// layeredPairOf are the layers of a pair, lower first, from 0 on.
var layeredPairOf = [layeredPairs][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}

// layeredInnerOf are the layers of links within a layer, in the order of their parameters: those of switches, then the accelerators.
var layeredInnerOf = [layeredLayers]int{1, 2, 3, 0}

// Link classes: that of endpoints is 0. With relays, nic links are a class of their own. Then pairs of layers of switches, then
// links within layers in the order of layeredInnerOf.
func layeredNic(relay bool) int {
	if relay {
		return 1
	}
	return 0
}

// layeredPairClass is the link class of a pair of layers.
func layeredPairClass(relay bool, pair int) int {
	if pair < layeredLayers-1 {
		return layeredNic(relay)
	}
	return layeredNic(relay) + pair - (layeredLayers - 2)
}

// layeredInnerClass is the link class of links within layers, by the place of the layer in layeredInnerOf.
func layeredInnerClass(relay bool, k int) int {
	return layeredNic(relay) + 1 + layeredPairs - (layeredLayers - 1) + k
}

// layeredClass is the switch class of a layer from 0 on: that of the accelerators is the last.
func layeredClass(layer int) int { return (layer + layeredLayers - 1) % layeredLayers }

// layeredInners is how many layers may have links within.
func layeredInners(relay bool) int {
	if relay {
		return layeredLayers
	}
	return layeredLayers - 1
}
