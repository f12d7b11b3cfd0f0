package placed

// Channels are those of a network whose natural routes are known message by message (topology.Messages), so that loads are counted without searching for routes.
type Channels struct {
	Levels []Bundles
	Load   func(from, to int, emit func(level, at int, share float64))
}

// Bundles are so many of channels that carry equal parts, with what all of one carry, in units of what an endpoint sends at Link.BytesPerS.
type Bundles struct {
	Count int
	Carry float64
}

// channelLoads are by bundle, those of a level from first on, with those of the busiest of each level.
type channelLoads struct {
	*Channels
	of, most []float64
	first    []int
	share    float64 // of the message at hand
	emit     func(level, at int, share float64)
}

func (c *Channels) loads() *channelLoads {
	l := &channelLoads{Channels: c, most: make([]float64, len(c.Levels))}
	count := 0
	for _, b := range c.Levels {
		l.first = append(l.first, count)
		count += b.Count
	}
	l.of = make([]float64, count)
	l.emit = func(level, at int, share float64) {
		sum := &l.of[l.first[level]+at]
		x := *sum + l.share*share
		*sum = x
		if x > l.most[level] {
			l.most[level] = x
		}
	}
	return l
}

func (l *channelLoads) add(from, to int, share float64) {
	l.share = share
	l.Load(from, to, l.emit)
}

func (l *channelLoads) levels() []float64 { return l.most }

func (l *channelLoads) ways() []busiest { return nil }

// under is Shape.under.
func (c *Channels) under(levels []float64) (most float64) {
	for i, x := range levels {
		most = max(most, x/c.Levels[i].Carry)
	}
	return most
}

// forget is the loads of no messages.
func (l *channelLoads) forget() {
	clear(l.of)
	clear(l.most)
}
