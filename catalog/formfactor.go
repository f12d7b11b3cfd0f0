package catalog

import "strings"

// Plugs tells whether a cable or module of a form factor goes into a cage of another, as far as their names say: QSFP modules of any generation fit cages of
// any, and those of QSFP-DD, which take their modules, too (QSFP-DD MSA hardware specification: its cages accept QSFP modules, not the other way about); SFP
// likewise; everything else fits its like. A cable with different ends names both ("OSFP to QSFP112"): one has to fit. Where a list says nothing, nothing is
// known to be wrong.
func Plugs(cage, plug string) bool {
	in, out := connectors(cage), connectors(plug)
	for _, a := range in {
		for _, b := range out {
			if a == b || strings.TrimSuffix(a, doubleDensity) == b {
				return true
			}
		}
	}
	return len(in) == 0 || len(out) == 0
}

// doubleDensity ends the name of a connector with a second row of contacts.
const doubleDensity = "-DD"

// connectors are the mechanical families that a form factor names, without their generations: QSFP of "QSFP112".
func connectors(form string) (out []string) {
	words := strings.FieldsFunc(strings.ToUpper(form), func(r rune) bool { return !('A' <= r && r <= 'Z' || '0' <= r && r <= '9') })
	for _, w := range words {
		generic := strings.TrimLeft(strings.TrimRight(w, "0123456789+"), "0123456789X")
		switch {
		case strings.HasPrefix(w, "DD") && len(out) > 0: // QSFP-DD, QSFP-DD800
			out[len(out)-1] += doubleDensity
		case strings.HasPrefix(generic, "QSFPDD"), strings.HasPrefix(generic, "SFPDD"):
			out = append(out, strings.TrimSuffix(generic, "DD")+doubleDensity)
		case strings.HasSuffix(generic, "SFP"), generic == "CFP", generic == "CXP":
			out = append(out, generic)
		}
	}
	return out
}
