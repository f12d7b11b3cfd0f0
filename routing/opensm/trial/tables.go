package trial

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"toposearch/topology"
	"toposearch/topology/foreign"
	"toposearch/topology/netfile"
)

// tables are what OpenSM dumped: the port of a switch towards an endpoint.
type tables struct {
	n    *topology.Network
	port [][]int16 // [endpoint][switch]; 0: none
	at   []topology.SwitchID
}

var (
	lftHead  = regexp.MustCompile(`^Unicast lids .* of switch Lid \d+ guid 0x([0-9a-f]{16}) `)
	lftEntry = regexp.MustCompile(`^0x([0-9a-f]{4}) (\d{3}) # Channel Adapter portguid 0x([0-9a-f]{16}): `)
)

// readTables reads opensm-lfts.dump. Devices are known by their GUIDs.
func readTables(n *topology.Network, dump []byte) (*tables, error) {
	f := foreign.New(n, nil)
	t := &tables{n: n, port: make([][]int16, n.Endpoints()), at: make([]topology.SwitchID, n.Endpoints())}
	for e := range t.port {
		t.port[e] = make([]int16, n.Switches())
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		t.at[e] = ports[0]
	}
	base, ends := f.SwitchGUID(0), f.EndpointGUID(0)
	s := -1
	for in := bufio.NewScanner(bytes.NewReader(dump)); in.Scan(); {
		if m := lftHead.FindStringSubmatch(in.Text()); m != nil {
			g, err := strconv.ParseUint(m[1], 16, 64)
			if s = int((g - base) / foreign.GUIDStep); err != nil || g < base || s >= n.Switches() {
				return nil, fmt.Errorf("OpenSM's tables have a switch %s that is not of the fabric", m[1])
			}
		} else if m := lftEntry.FindStringSubmatch(in.Text()); m != nil && s >= 0 {
			g, err := strconv.ParseUint(m[3], 16, 64)
			e := int((g - ends) / foreign.GUIDStep)
			port, _ := strconv.Atoi(m[2])
			if err != nil || g < ends || e >= n.Endpoints() {
				return nil, fmt.Errorf("OpenSM's tables have an endpoint %s that is not of the fabric", m[3])
			}
			t.port[e][s] = int16(port)
		}
	}
	return t, nil
}

// walk is what the tables do with all pairs of endpoints.
type walk struct {
	Pairs   int     // of endpoints on different switches
	Lost    int     // of these without a way
	Hops    float64 // links between switches, mean over pairs that arrive
	MaxHops int
	Busiest int  // pairs over the busiest channel
	Loops   bool // packets of one lane can wait for each other in a circle
}

// follow walks all pairs. What waits for what is kept in one graph of channels: one lane for all.
func (t *tables) follow() walk {
	n := t.n
	var w walk
	load := make([]int, n.Channels())
	on := map[[2]topology.ChannelID]bool{}
	sources := make([]int, n.Switches())
	for _, s := range t.at {
		sources[s]++
	}
	sum := 0
	for e, to := range t.at {
		for s, count := range sources {
			at := topology.SwitchID(s)
			if count == 0 || at == to {
				continue
			}
			w.Pairs += count
			hops, last := 0, topology.ChannelID(-1)
			for at != to && hops <= n.Switches() {
				first, end := n.Out(at)
				c := first + topology.ChannelID(t.port[e][at]) - 1
				if c < first || c >= end {
					break
				}
				if last >= 0 {
					on[[2]topology.ChannelID{last, c}] = true
				}
				load[c] += count
				last, at = c, n.To(c)
				hops++
			}
			if at != to {
				w.Lost += count
				continue
			}
			sum += hops * count
			w.MaxHops = max(w.MaxHops, hops)
		}
	}
	if arrived := w.Pairs - w.Lost; arrived > 0 {
		w.Hops = float64(sum) / float64(arrived)
	}
	for _, k := range load {
		w.Busiest = max(w.Busiest, k)
	}
	w.Loops = circles(n.Channels(), on)
	return w
}

// circles takes away channels that nothing waits for until none is left, or a circle.
func circles(channels int, on map[[2]topology.ChannelID]bool) bool {
	before := make([]int, channels)
	next := make([][]topology.ChannelID, channels)
	for x := range on {
		before[x[1]]++
		next[x[0]] = append(next[x[0]], x[1])
	}
	var free []topology.ChannelID
	for c, k := range before {
		if k == 0 {
			free = append(free, topology.ChannelID(c))
		}
	}
	for i := 0; i < len(free); i++ {
		for _, c := range next[free[i]] {
			if before[c]--; before[c] == 0 {
				free = append(free, c)
			}
		}
	}
	return len(free) < channels
}

// cablesIn are the cables of a file that ibnetdiscover or package foreign wrote, by the names and ports of their ends.
func cablesIn(text []byte) (map[string]bool, error) {
	f, list := netfile.Parse("ibnetdiscover", text)
	if list.HasErrors() {
		return nil, list.Err()
	}
	out := map[string]bool{}
	add := func(a, b string, l netfile.LinkInfo) {
		x, y := a+" "+l.PortA, b+" "+l.PortB
		if y < x {
			x, y = y, x
		}
		out[x+" - "+y] = true
	}
	i, e, k := 0, 0, 0
	f.Family.Wire(nil, func(_ int, a, b topology.SwitchID) {
		add(f.SwitchNames[a], f.SwitchNames[b], f.Links[i])
		i++
	})
	f.Family.Attach(nil, func(count int, ports []topology.SwitchID) {
		for range count {
			for _, s := range ports {
				add(f.EndpointNames[e], f.SwitchNames[s], f.Nics[k])
				k++
			}
			e++
		}
	})
	return out, nil
}

// loopLine is the first loop that ibdmchk prints, for people.
func loopLine(report string) string {
	for line := range strings.Lines(report) {
		if rest, ok := strings.CutPrefix(line, "Found credit loop on: "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
