package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/metric"
)

var moneyKeys = []metric.Key{metric.Capex, metric.NetworkShare, metric.TCO}

// OfMoney tells whether a metric is enclosed with what the cluster costs (Options.BoundMoney).
func OfMoney(k metric.Key) bool {
	return slices.Contains(moneyKeys, k) || k == metric.CostEfficiency || k == metric.EffectiveBandwidth
}

// moneyGroup adds up what the whole cluster costs to buy and to run.
var moneyGroup = group{keys: moneyKeys, after: []metric.Key{metric.Cost}, methods: []method{
	{name: "prices of the whole cluster", level: 1, applies: func(w *work) string {
		if why := w.e.cluster.NoCapex(); why != "" {
			return why
		}
		if !w.res.Have[metric.Cost] {
			return "needs cost: " + w.res.Absent[metric.Cost]
		}
		return ""
	}, run: runMoney},
}}

func runMoney(w *work) error {
	m := w.cluster()
	network := w.res.Metrics[metric.Cost]
	bought := m.Around(w.size.Endpoints, int64(w.res.Metrics[metric.Racks].Value))
	around := m.Price(&bought)
	text := fmt.Sprintf("cost + %s at their prices", m.Words(&bought))
	w.between(metric.Capex, network.Value+around, network.Lo+around, network.Hi+around, text)
	w.between(metric.NetworkShare, network.Value/(network.Value+around), network.Lo/(network.Lo+around), network.Hi/(network.Hi+around), "cost / capex")
	years, ok := m.TCO()
	watts, why := w.clusterW()
	switch {
	case !ok:
		why = "needs years and the price of energy: write [tco] in the study, and give it to eval with --study"
	case why == "":
		capex := w.res.Metrics[metric.Capex]
		energy, maintenance := m.Yearly(capex.Value, watts.Value)
		w.between(metric.TCO, m.Total(capex.Value, watts.Value), m.Total(capex.Lo, watts.Lo), m.Total(capex.Hi, watts.Hi), fmt.Sprintf("capex + %g years of %.6g %s for energy (%s drawn at full load, cooling included%s) and %.6g for maintenance",
			years, energy, w.e.opt.Currency, unitW(watts.Value), w.drawText(), maintenance))
		return nil
	}
	w.absent(metric.TCO, why)
	return nil
}

// drawText says whose figure of what endpoints draw is taken, where building_power has none.
func (w *work) drawText() string {
	if s := &w.e.opt.Site; s.EndpointPowerW > 0 || s.EndpointAllInW > 0 {
		return ""
	}
	return ", endpoints by power_w of the price list, which building_power leaves out without endpoint_power in [building]"
}

// unitW writes a draw.
func unitW(watts float64) string {
	if watts >= 1e6 {
		return fmt.Sprintf("%.4g MW", watts/1e6)
	}
	return fmt.Sprintf("%.4g kW", watts/1e3)
}

// clusterW is the draw of the cluster at full load with its cooling, of all buildings together, and why it is not known.
func (w *work) clusterW() (watts metric.Figure, why string) {
	all := func(of func(network float64) float64) metric.Figure {
		p := w.res.Metrics[metric.Power]
		return metric.Figure{Value: of(p.Value), Lo: of(p.Lo), Hi: of(p.Hi)}
	}
	s, m, n := &w.e.opt.Site, w.cluster(), w.size.Endpoints
	if s.EndpointAllInW > 0 {
		return all(func(float64) float64 { return s.EndpointAllInW * float64(n+m.SparesOf(n)) }), ""
	}
	if why := m.NoPower(s.EndpointPowerW); why != "" {
		return metric.Figure{}, why
	}
	if !w.res.Have[metric.Power] {
		return metric.Figure{}, "needs power: " + w.res.Absent[metric.Power]
	}
	return all(func(network float64) float64 { return (network + m.AroundW(n, s.EndpointPowerW)) * s.PUE }), ""
}

// efficiencyGroup divides what the cluster does by what it costs.
var efficiencyGroup = group{keys: []metric.Key{metric.CostEfficiency}, after: []metric.Key{metric.TCO, metric.UniformThroughput, metric.StepTime}, methods: []method{
	{name: "performance per tco", level: 2, applies: func(w *work) string {
		by := metric.UniformThroughput
		if w.e.opt.Training != nil {
			by = metric.StepTime
		}
		for _, k := range []metric.Key{metric.TCO, by} {
			if !w.res.Have[k] {
				return fmt.Sprintf("needs %s: %s", metric.Keys[k].Name, w.res.Absent[k])
			}
		}
		return ""
	}, run: func(w *work) error {
		tco := w.res.Metrics[metric.TCO]
		if w.e.opt.Training != nil {
			t := w.res.Metrics[metric.StepTime]
			w.between(metric.CostEfficiency, 1/t.Value/tco.Value, 1/t.Hi/tco.Hi, 1/t.Lo/tco.Lo, "steps a second (1 / step_time) / tco")
			return nil
		}
		n, x := float64(w.size.Endpoints), w.res.Metrics[metric.UniformThroughput]
		w.between(metric.CostEfficiency, n*math.Min(1, x.Value)/tco.Value, n*math.Min(1, x.Lo)/tco.Hi, n*math.Min(1, x.Hi)/tco.Lo,
			"endpoints x uniform_throughput, at most 1, / tco: there is no [workload]")
		return nil
	}},
}}

// bandwidthGroup is Hennessy and Patterson's effective bandwidth: the least of what endpoints inject, of what the
// network carries (rho x the bandwidth of the bisection / gamma, gamma the share of traffic that crosses it) and of
// what endpoints receive (J. L. Hennessy, D. A. Patterson, Computer Architecture, Appendix F.4). Of uniform traffic
// every endpoint receives as much as it injects (sigma = 1), and what the network carries is uniform_throughput.
var bandwidthGroup = group{keys: []metric.Key{metric.EffectiveBandwidth}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
	{name: "least of injection, network and reception", level: 2, applies: func(w *work) string {
		if !w.res.Have[metric.UniformThroughput] {
			return "needs uniform_throughput: " + w.res.Absent[metric.UniformThroughput]
		}
		return ""
	}, run: func(w *work) error {
		x, n := w.res.Metrics[metric.UniformThroughput], float64(w.size.Endpoints)
		all := n * w.rates.Bandwidth
		text := fmt.Sprintf("the least of injection and reception, %d x %g Gb/s, and of the network, uniform_throughput of that", w.size.Endpoints, w.rates.Bandwidth)
		if b := w.res.Metrics[metric.Bisection]; w.res.Have[metric.Bisection] && b.Lo == b.Hi && b.Lo > 0 {
			// Of n/2 endpoints' traffic a share of n/2/(n-1) crosses the bisection, whose bandwidth is b of theirs.
			gamma := n / 2 / (n - 1)
			text += fmt.Sprintf(", which is rho = %.4g of the bisection over gamma = %.4g", x.Value*gamma/b.Value, gamma)
		}
		w.between(metric.EffectiveBandwidth, all*math.Min(1, x.Value), all*math.Min(1, x.Lo), all*math.Min(1, x.Hi), text)
		return nil
	}},
}}
