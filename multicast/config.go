package multicast

import (
	"errors"
	"fmt"
)

// Config holds the parameters of a simulation. Times are cycles, sizes flits.
type Config struct {
	Seed uint64
	// Flits of a data packet, its head flit included; of a multi-head packet one of its heads.
	Flits int
	// BufferFlits is the size of the queue at each input port. No packet may be larger: a buffer holds
	// whole packets, so that what has entered a switch never holds a link upstream.
	BufferFlits  int
	RouteCycles  int // from a head at the front of its buffer to its first bid for outputs
	LinkCycles   int // from the grant of an output to the head in the next buffer, or at its endpoint
	InjectCycles int // from an endpoint to the buffer of its switch
	CreditCycles int // until space that was freed is known upstream
	// SoftwareCycles is what an endpoint needs from the last flit of a packet to sending it on.
	SoftwareCycles int
	// Age is after how many cycles a switch forgets a group of which it has seen no packet; 0: never. The source has
	// ageing and no figure for it.
	Age int64
	// Load of the background: unicast packets of Flits flits to uniformly drawn others, in flits per
	// cycle per endpoint, by a Bernoulli process.
	Load float64
}

// DefaultConfig has packets of 8 flits (256 bytes of 256-bit flits) and buffers of 8 packets. Times are
// those of simcore/flit's default switch, so that lone packets take as long in both: route, VC and crossbar
// allocation before the first bid can be granted, crossbar and link after it.
func DefaultConfig() Config {
	return Config{Seed: 1, Flits: 8, BufferFlits: 64, RouteCycles: 3, LinkCycles: 2, InjectCycles: 2, CreditCycles: 2}
}

// longestDelay bounds every time of a Config, for which a simulation keeps a ring of lists.
const longestDelay = 1 << 16

// Validate reports every bad setting at once.
func (c *Config) Validate() error {
	var bad []error
	within := func(name string, v, lo int) {
		if v < lo || v > longestDelay {
			bad = append(bad, fmt.Errorf("multicast: %s = %d, must be %d to %d", name, v, lo, longestDelay))
		}
	}
	within("Flits", c.Flits, 1)
	within("BufferFlits", c.BufferFlits, c.Flits)
	within("RouteCycles", c.RouteCycles, 1)
	within("LinkCycles", c.LinkCycles, 1)
	within("InjectCycles", c.InjectCycles, 1)
	within("CreditCycles", c.CreditCycles, 1)
	within("SoftwareCycles", c.SoftwareCycles, 0)
	if c.Age < 0 {
		bad = append(bad, fmt.Errorf("multicast: Age = %d, must be at least 0 (0: never)", c.Age))
	}
	if !(c.Load >= 0 && c.Load <= 1) {
		bad = append(bad, fmt.Errorf("multicast: Load = %g flits per cycle per endpoint, must be 0 to 1", c.Load))
	}
	return errors.Join(bad...)
}
