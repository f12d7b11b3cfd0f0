package topology

import "fmt"

// SwitchName names a switch for people: its class, and its number within the class, from 0.
func (n *Network) SwitchName(s SwitchID) string {
	c, k := n.Class(s), 0
	for before := range s {
		if n.Class(before) == c {
			k++
		}
	}
	return fmt.Sprintf("%s[%d]", n.SwitchClasses[c].Name, k)
}

// SwitchNames is SwitchName for all.
func (n *Network) SwitchNames() []string {
	count := make([]int, len(n.SwitchClasses))
	names := make([]string, n.Switches())
	for s := range names {
		c := n.Class(SwitchID(s))
		names[s] = fmt.Sprintf("%s[%d]", n.SwitchClasses[c].Name, count[c])
		count[c]++
	}
	return names
}
