package unit

import (
	"math"
	"time"
)

// Power is electrical power.
type Power struct{ W float64 }

// Length is a distance.
type Length struct{ M float64 }

// Area is a floor area.
type Area struct{ M2 float64 }

// Latency is a time on the scale of a network.
type Latency struct{ Ns float64 }

// Duration is a time on the scale of a search.
type Duration struct{ D time.Duration }

// Lead is the time from order to delivery.
type Lead struct{ Weeks float64 }

// UnmarshalText reads a power such as "2.5 MW".
func (p *Power) UnmarshalText(b []byte) (err error) {
	p.W, err = KindPower.Parse(string(b))
	return err
}

// UnmarshalText reads a latency such as "400 ns".
func (l *Latency) UnmarshalText(b []byte) (err error) {
	l.Ns, err = KindLatency.Parse(string(b))
	return err
}

// UnmarshalText reads a duration such as "8h" or "90 min"; "1h30m" is read as Go writes it.
func (d *Duration) UnmarshalText(b []byte) error {
	s, err := KindDuration.Parse(string(b))
	if err == nil {
		if s > math.MaxInt64/1e9 {
			return &Error{string(b), "it is too long", KindDuration.Remedy()}
		}
		d.D = time.Duration(math.Round(s * 1e9))
		return nil
	}
	if g, gerr := time.ParseDuration(string(b)); gerr == nil && g >= 0 && g > 0 {
		d.D = g
		return nil
	}
	return err
}

func (p Power) String() string    { return KindPower.Format(p.W) }
func (l Length) String() string   { return KindLength.Format(l.M) }
func (a Area) String() string     { return KindArea.Format(a.M2) }
func (l Latency) String() string  { return KindLatency.Format(l.Ns) }
func (d Duration) String() string { return KindDuration.Format(d.D.Seconds()) }
func (l Lead) String() string     { return KindLead.Format(l.Weeks) }
