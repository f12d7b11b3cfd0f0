package cluster

import "math"

// Job is what a job on all endpoints of a cluster needs.
type Job struct {
	Endpoints int64
	// Own is what fails of one endpoint with its accelerator: network cards and links that nothing stands in for. A
	// spare endpoint takes over for all of it.
	Own Fails
	// Shared is what all endpoints need of the network and of the hosts.
	Shared Fails
}

// Uptime is how often a job cannot go on, and for how long.
type Uptime struct {
	// MTBFh is the mean time in which the job can run between failures that stop it until something is repaired.
	MTBFh float64
	// Available is the share of time in which it can run, parts failing whether it runs or not; if they fail only
	// while it runs, it is AvailableIdle, which is larger: MTBF / (MTBF + mean time to repair).
	Available, AvailableIdle float64
	// PerHour are the failures that interrupt it while it runs, those for which a spare takes over included.
	PerHour float64
}

// Endpoint is what fails with one endpoint: its accelerator, and what is the network's.
func (m *Model) Endpoint(own *Fails) Fails {
	f := m.acceleratorFails
	f.Plus(1, own)
	return f
}

// Hosts is what fails with the servers of n endpoints: their processors.
func (m *Model) Hosts(n int64) Fails {
	return m.cpuFails.Times(float64(m.Servers(n)) * float64(m.opt.CPUsPerServer))
}

// Racks is what fails with racks.
func (m *Model) Racks(n float64) Fails { return m.frame.Times(n) }

// RacksFail tells whether racks fail at all.
func (m *Model) RacksFail() bool { return m.frame.PerHour > 0 }

// Uptime of a job. Endpoints work in groups of which some are spare: a group of g with s spares goes on while at most s
// of its g+s are out of service, the others are in series. Of independent parts the share of time is a product; a
// group stops when s are out and one of the g that work fails, and the mean time between stops is the inverse of the
// sum, over groups and parts in series, of how often each stops while it works.
func (m *Model) Uptime(j *Job) (u Uptime) {
	unit := m.Endpoint(&j.Own)
	all := j.Shared
	u.PerHour = all.PerHour + float64(j.Endpoints)*unit.PerHour
	whole, rest := m.groups(j.Endpoints)
	if whole+rest == 0 {
		all.Plus(float64(j.Endpoints), &unit)
	} else {
		spares := float64(m.opt.Spares)
		group := withSpares(&unit, float64(m.opt.Group), spares)
		all.Plus(float64(whole), &group)
		if rest > 0 {
			group = withSpares(&unit, float64(rest), spares)
			all.Plus(1, &group)
		}
	}
	u.MTBFh = 1 / all.PerHour
	u.Available = math.Exp(-all.Log)
	u.AvailableIdle = 1 / (1 + all.Odds)
	return u
}

// withSpares is a group of g units and s spares as one part: how often it stops while it works, and the share of time
// in which it works. Each of the g+s is out of service with probability q, independently: binomial.
func withSpares(unit *Fails, g, s float64) Fails {
	q := -math.Expm1(-unit.Log)
	term := math.Exp(-unit.Log * (g + s)) // none is out
	up := term
	for k := 1.0; k <= s; k++ {
		term *= (g + s - k + 1) / k * q / (1 - q)
		up += term
	}
	// The terms beyond, rather than 1 - up, which leaves no digits of what is nearly 1.
	down := 0.0
	for x, k := term, s+1; k <= g+s; k++ {
		x *= (g + s - k + 1) / k * q / (1 - q)
		if down += x; x < down*1e-17 {
			break
		}
	}
	return Fails{PerHour: term / up * g * unit.PerHour, Log: math.Log1p(down / up), Odds: down / up}
}
