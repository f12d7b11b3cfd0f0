package cluster

import "math"

// HoursOfYear are those of 365 days, as failure rates and prices of energy are stated.
const HoursOfYear = 8760

// Fails sums up parts of which every one is needed, and which fail and are repaired independently of one another: the
// time to a failure is exponential, a failed part is out of service for a time of the mean given. The zero value is no
// parts.
type Fails struct {
	PerHour float64 // failures of all, while all work
	// Log is the sum over the parts of ln(1 + rate x repair): e^-Log is the share of time in which all work.
	Log float64
	// Odds is the sum of rate x repair: the time that is lost to failures for every hour in which all work, where none
	// fails while another is out of service.
	Odds float64
}

// Plus adds n times x; n need not be whole where links share a part.
func (f *Fails) Plus(n float64, x *Fails) {
	f.PerHour += n * x.PerHour
	f.Log += n * x.Log
	f.Odds += n * x.Odds
}

// Times is n of f.
func (f Fails) Times(n float64) Fails { return Fails{n * f.PerHour, n * f.Log, n * f.Odds} }

// Least is the smaller of each figure.
func (f Fails) Least(x *Fails) Fails {
	return Fails{min(f.PerHour, x.PerHour), min(f.Log, x.Log), min(f.Odds, x.Odds)}
}

// Most is the larger of each figure.
func (f Fails) Most(x *Fails) Fails {
	return Fails{max(f.PerHour, x.PerHour), max(f.Log, x.Log), max(f.Odds, x.Odds)}
}

// Failing is one part that fails perYear times a year and stays out of service for repairH hours.
func Failing(perYear, repairH float64) Fails {
	rate := perYear / HoursOfYear
	return Fails{rate, math.Log1p(rate * repairH), rate * repairH}
}
