package metric

import "fmt"

// Reject says which rule of the evaluation a design cannot meet: there is no part for it. The
// zero value is no rejection. Constraint names are those of package constraints.
type Reject struct {
	Constraint string  // one of the names below; constant texts only
	Got, Bound float64 // what it needs; what there is
	// Ports are the physical ports that a switch takes at least beside a rate that is not sold, each port of that rate a whole one, and those of the model that
	// comes nearest; zero where nothing is known of them.
	Ports Ports
	// LateWeeks is the limit on lead times where the price list has the part and it comes later; 0: it has none. Only evaluations say so.
	LateWeeks float64 `json:"-"`
}

// Ports are physical ports of a switch: taken, and of the model.
type Ports struct{ Got, Bound float64 }

// Short is the rejection for want of these ports; none if the model has them.
func (p Ports) Short() Reject {
	if p.Got <= p.Bound {
		return Reject{}
	}
	return Reject{Constraint: RejectPorts, Got: p.Got, Bound: p.Bound}
}

// Violation is the fraction by which the bound is missed, that of Ports aside.
func (r Reject) Violation() float64 {
	if r.Constraint == "" {
		return 0
	}
	if r.Bound == 0 {
		return r.Got
	}
	return (r.Got - r.Bound) / r.Bound
}

// Words is the rejection as a sentence; "" if there is none.
func (r Reject) Words() string { return r.words() + r.Late() }

// Late is the end of a sentence that says so where a part comes too late; "" if none does.
func (r Reject) Late() string {
	if r.LateWeeks == 0 {
		return ""
	}
	return fmt.Sprintf("; those that the price list has for it come later than %g weeks, which procurement.lead_time allows", r.LateWeeks)
}

func (r Reject) words() string {
	switch r.Constraint {
	case "":
		return ""
	case RejectPorts:
		return fmt.Sprintf("a switch needs %g physical ports, and the model that comes nearest of those that may be bought has %g", r.Got, r.Bound)
	case RejectRates:
		return fmt.Sprintf("a switch needs ports of %g rates, and no model that may be bought has more than %g of them", r.Got, r.Bound)
	case RejectCages:
		return fmt.Sprintf("cables and modules that may be bought fill %g physical ports of a switch, those for several links whole ones, and it has %g: cables for single links or a larger switch would fit", r.Got, r.Bound)
	case RejectReach:
		if r.Bound == 0 {
			return fmt.Sprintf("a cable must be %.4g m long, and the list has none of its rate that may be bought; a splitter leads to endpoints alone", r.Got)
		}
		return fmt.Sprintf("a cable must be %.4g m long, and the longest that may be bought for its rate is %.4g m", r.Got, r.Bound)
	case RejectRate:
		return fmt.Sprintf("a link needs %g Gb/s, and the fastest port on sale has %g", r.Got, r.Bound)
	case RejectRack:
		return fmt.Sprintf("one server or switch needs %g W, and a rack may draw %g W", r.Got, r.Bound)
	case RejectVCs:
		if r.Got == 0 {
			return fmt.Sprintf("how many virtual channels the routings that are named need is not known, and there are %g", r.Bound)
		}
		return fmt.Sprintf("the routing with the fewest virtual channels of those that are named needs %g, and there are %g", r.Got, r.Bound)
	case RejectRouteHops:
		return fmt.Sprintf("routes of those that are named have up to %g hops at least, and a source route names %g", r.Got, r.Bound)
	}
	return fmt.Sprintf("%s: needs %g, there is %g", r.Constraint, r.Got, r.Bound)
}

// Remedy is what would have to be for sale for a design that is rejected for what no limit on a number sets; "" if such a limit does.
func (r Reject) Remedy() string {
	if r.Constraint != RejectRates {
		return ""
	}
	return fmt.Sprintf("a model with ports of all %g rates of one switch, its own or by breakout, on the price list and among those that [switch] models and breakout allow; the best has %g of them", r.Got, r.Bound)
}

// Unsold tells whether a rejection of this name is for want of a part: a switch, a cable, or one of the rate.
func Unsold(constraint string) bool {
	return constraint == RejectPorts || constraint == RejectRates || constraint == RejectReach || constraint == RejectRate || constraint == RejectCages
}

// Constraint names of rejections.
const (
	RejectPorts = "switch.ports"
	RejectRates = "switch.rates" // of ports of one switch; limits on their number aside
	RejectCages = "switch.cages" // which plugs of cables and modules fill
	RejectReach = "cable.reach"
	RejectRate  = "link.rate"
	RejectRack  = "building.rack_power"
	// Of the routings that a study names none fits: the virtual channels of the one that needs fewest, or the hops.
	RejectVCs       = "routing.vcs"
	RejectRouteHops = "routing.source_route_hops"
)
