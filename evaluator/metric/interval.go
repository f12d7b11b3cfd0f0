package metric

// Interval encloses a figure.
type Interval struct{ Lo, Hi float64 }

// Intervals holds what is known of the metrics of a design, or of all designs of a box: an enclosure of
// each metric for which Have is set. The zero value knows nothing.
type Intervals struct {
	At   [Count]Interval
	Have [Count]bool
	// Reject, of a box, is a rule that none of its designs can meet: there is no part for them.
	Reject Reject
	// Lacks are the metrics that are absent for certain: of a box, in all of its designs.
	Lacks KeySet
	// CostCurve bounds, of a box, cost by throughput.
	CostCurve CostCurve
}

// Set encloses a metric.
func (o *Intervals) Set(k Key, lo, hi float64) {
	o.At[k], o.Have[k] = Interval{lo, hi}, true
}

// Point gives the exact value of a metric.
func (o *Intervals) Point(k Key, x float64) { o.Set(k, x, x) }

// KeySet is a set of metrics.
type KeySet uint64

// A KeySet has a bit for every metric before GrowthCost: this does not compile otherwise. Of those of growth none is in a set by itself,
// and a constant of a set with one of them does not compile.
const _ = uint(64 - GrowthCost)

// Has tells whether a metric is in the set; GrowthCost, which follows from Cost, is where that is.
func (s KeySet) Has(k Key) bool {
	if k == GrowthCost {
		k = Cost
	}
	return s>>k&1 != 0
}

// Metrics that go absent together: where a needed part has no price, and where the draw of a part is not
// known.
const (
	CostKeys  = KeySet(1)<<Cost | KeySet(1)<<CostPerEndpoint
	PowerKeys = KeySet(1)<<Power | KeySet(1)<<PowerPerEndpoint
)

// Widen makes o hold for further designs, those of p: the hull of both, and what neither has. Designs that p or o
// rejects are no designs to be bounded; if both do, the rule that is missed by less stays.
func (o *Intervals) Widen(p *Intervals) {
	switch out, in := o.Reject.Constraint != "", p.Reject.Constraint != ""; {
	case in && !out:
		return
	case out && !in:
		*o = *p
		return
	case in && p.Reject.Violation() < o.Reject.Violation():
		o.Reject = p.Reject
	}
	for k := range o.At {
		o.Have[k] = o.Have[k] && p.Have[k]
		o.At[k].Lo, o.At[k].Hi = min(o.At[k].Lo, p.At[k].Lo), max(o.At[k].Hi, p.At[k].Hi)
		if !o.Have[k] {
			o.At[k] = Interval{}
		}
	}
	o.Lacks &= p.Lacks
	if o.CostCurve != p.CostCurve {
		o.CostCurve = CostCurve{}
	}
}
