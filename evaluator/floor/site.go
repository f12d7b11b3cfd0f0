package floor

import (
	"math"

	"toposearch/evaluator/market"
)

// Site is what the building and procurement allow and what the geometry needs. Limits that are
// metrics (power, racks, cable_max) are judged by package constraints, not here; what is here
// changes what is built.
type Site struct {
	RackPitchM    float64 // default 0.6
	RowPitchM     float64 // aisle included; default 3.0
	RackDepthM    float64 // default 1.2
	RiseM         float64 // from a port to the cable tray, each end; default 1.0
	Slack         float64 // fraction added to the laid length; default 0.10
	InRackM       float64 // a cable inside one rack; default 2.0
	Rows          int     // 0: as square as the pitches allow
	RackPowerW    float64 // 0: not limited
	RackSwitches  int     // default 16
	RackServers   int     // default 4 (4 x 8 accelerators of about 1.2 kW are 40 kW)
	Buildings     int     // default 1
	BuildingDistM float64 // default 300

	EndpointPowerW float64
	EndpointAllInW float64 // replaces EndpointPowerW and the network's share where it is quoted
	PUE            float64 // default 1

	market.Limits // on what may be bought

	// usualServers and usualSwitches say that RackServers and RackSwitches are the defaults: what is usual
	// where a construction has no racks of its own.
	usualServers, usualSwitches bool
}

// FillDefaults replaces zero values by their defaults. Servers and racks are as built today: 8 accelerators in
// a server, 4 of those in a rack of 40 kW.
func (s *Site) FillDefaults() {
	def(&s.RackPitchM, 0.6)
	def(&s.RowPitchM, 3.0)
	def(&s.RackDepthM, 1.2)
	def(&s.RiseM, 1.0)
	def(&s.Slack, 0.10)
	def(&s.InRackM, 2.0)
	s.usualSwitches = s.usualSwitches || s.RackSwitches == 0
	s.usualServers = s.usualServers || s.RackServers == 0
	def(&s.RackSwitches, 16)
	def(&s.RackServers, 4)
	def(&s.Buildings, 1)
	def(&s.BuildingDistM, 300)
	def(&s.PUE, 1)
}

func def[T comparable](p *T, x T) {
	var zero T
	if *p == zero {
		*p = x
	}
}

// LengthM is the laid length of a cable between racks dx places and dy rows apart, slack
// included: along the row, across the rows, and up to the tray at both ends; apart says that they
// stand in different buildings.
func (s *Site) LengthM(dx, dy int64, apart bool) float64 {
	m := float64(dx)*s.RackPitchM + float64(dy)*s.RowPitchM + 2*s.RiseM
	if apart {
		m += s.BuildingDistM
	} else if dx == 0 && dy == 0 {
		return s.InRackM
	}
	return m * (1 + s.Slack)
}

// BesideM is the length to the nearest other rack.
func (s *Site) BesideM() float64 { return min(s.LengthM(1, 0, false), s.LengthM(0, 1, false)) }

// ShortestM bounds every laid length from below: in the rack, or to a rack beside it.
func (s *Site) ShortestM() float64 { return min(s.InRackM, s.BesideM()) }

// Hall gives the rows of a building with that many racks, and the racks of a row.
func (s *Site) Hall(racks int64) (rows, perRow int64) {
	rows = int64(s.Rows)
	if rows == 0 {
		square := math.Round(math.Sqrt(float64(racks) * s.RackPitchM / s.RowPitchM))
		rows = int64(min(max(1, square), float64(racks))) // before it is an integer: pitches may be any
	}
	rows = min(rows, racks)
	perRow = (racks + rows - 1) / rows
	return (racks + perRow - 1) / perRow, perRow
}

// ServerW is the draw of a server of perServer endpoints, its network cards included, of nicW an endpoint,
// unless the figure is quoted all in.
func (s *Site) ServerW(perServer int, nicW float64) float64 {
	each := s.EndpointPowerW + nicW
	if s.EndpointAllInW > 0 {
		each = s.EndpointAllInW
	}
	return each * float64(perServer)
}

// BuildingW is the draw of one building that holds n endpoints and the watts of its network.
func (s *Site) BuildingW(n, network float64) float64 {
	if s.EndpointAllInW > 0 {
		return n * s.EndpointAllInW
	}
	return (network + n*s.EndpointPowerW) * s.PUE
}
