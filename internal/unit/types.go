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

// Bandwidth is a rate of one direction; "50 GB/s" is 400 Gb/s.
type Bandwidth struct{ Gbps float64 }

// Latency is a time on the scale of a network.
type Latency struct{ Ns float64 }

// Duration is a time on the scale of a search.
type Duration struct{ D time.Duration }

// Lead is the time from order to delivery.
type Lead struct{ Weeks float64 }

// Bytes is a size in memory; decimal prefixes are powers of 1000, KiB and MiB of 1024.
type Bytes struct{ N int64 }

// UnmarshalText reads a power such as "2.5 MW".
func (p *Power) UnmarshalText(b []byte) (err error) {
	p.W, err = KindPower.Parse(string(b))
	return err
}

// UnmarshalText reads a length such as "50 m".
func (l *Length) UnmarshalText(b []byte) (err error) {
	l.M, err = KindLength.Parse(string(b))
	return err
}

// UnmarshalText reads an area such as "800 m2".
func (a *Area) UnmarshalText(b []byte) (err error) { a.M2, err = KindArea.Parse(string(b)); return err }

// UnmarshalText reads a bandwidth such as "400 Gb/s".
func (w *Bandwidth) UnmarshalText(b []byte) (err error) {
	w.Gbps, err = KindBandwidth.Parse(string(b))
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

// UnmarshalText reads a lead time such as "26 weeks"; days and months are converted.
func (l *Lead) UnmarshalText(b []byte) (err error) {
	l.Weeks, err = KindLead.Parse(string(b))
	return err
}

// UnmarshalText reads a size such as "64 MB".
func (n *Bytes) UnmarshalText(b []byte) error {
	x, err := KindBytes.Parse(string(b))
	if err != nil {
		return err
	}
	if x >= math.MaxInt64 {
		return &Error{string(b), "it is too large", KindBytes.Remedy()}
	}
	n.N = int64(math.Round(x))
	return nil
}

func (p Power) String() string     { return KindPower.Format(p.W) }
func (l Length) String() string    { return KindLength.Format(l.M) }
func (a Area) String() string      { return KindArea.Format(a.M2) }
func (w Bandwidth) String() string { return KindBandwidth.Format(w.Gbps) }
func (l Latency) String() string   { return KindLatency.Format(l.Ns) }
func (d Duration) String() string  { return KindDuration.Format(d.D.Seconds()) }
func (l Lead) String() string      { return KindLead.Format(l.Weeks) }
func (n Bytes) String() string     { return KindBytes.Format(float64(n.N)) }
