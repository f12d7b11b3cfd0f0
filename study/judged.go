package study

import (
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/metric"
)

// judged asks for bounds of the metrics by which designs are judged, and refuses those that no design would have, since the
// study or its price list does not say what they are made of.
func (ld *loader) judged(m *cluster.Model) {
	s := ld.s
	use := func(k metric.Key, at diag.Pos) {
		s.Options.BoundUptime = s.Options.BoundUptime || evaluator.OfUptime(k)
		s.Options.BoundMoney = s.Options.BoundMoney || evaluator.OfMoney(k)
		s.Options.BoundGraph = s.Options.BoundGraph || bound.OfGraph(k)
		collective := k == metric.AllreduceTime || k == metric.AlltoallTime
		s.Options.BoundTraining = s.Options.BoundTraining || evaluator.OfTraining(k) && !collective
		s.Options.BoundCollectives = s.Options.BoundCollectives || collective
		if why, remedy := ld.unsaid(m, k); why != "" {
			ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: at, Summary: "no design has " + metric.Keys[k].Name + ": " + why, Detail: remedy})
		}
	}
	for i, o := range s.Objectives {
		use(o.Key, ld.objectiveAt[i])
	}
	for _, l := range s.Constraints.Limits {
		use(l.Key, l.Origin.Pos)
	}
	for _, l := range s.Require {
		use(l.Key, l.Origin.Pos)
	}
}

// unsaid is what a metric lacks that only the study or its price list can say, and where to write it; "" if nothing.
func (ld *loader) unsaid(m *cluster.Model, k metric.Key) (why, remedy string) {
	o := &ld.s.Options
	ofCluster := k == metric.Capex || k == metric.NetworkShare || k == metric.TCO || k == metric.CostEfficiency
	_, years := m.TCO()
	switch {
	case evaluator.OfTraining(k) && o.Training == nil:
		return "it is of a [workload], and the study has none", "write [workload] with model, sequence, batch and accelerator"
	case k == metric.Linearity && o.Training.Base == 0:
		return "[workload] does not say with how many endpoints to compare", "write base = 128 in [workload]"
	case (k == metric.TCO || k == metric.CostEfficiency) && !years:
		return "the study does not say how long the cluster runs and what energy costs", "write [tco] with years = 5 and energy = \"0.10 USD/kWh\""
	case ofCluster && m.NoCapex() != "":
		return "it is of the whole cluster, and what its accelerators cost is not known", m.NoCapex()
	case k == metric.Goodput && !m.Checkpoints():
		return "the study does not say how long a checkpoint takes", "write checkpoint = \"60 s\" in [availability]"
	}
	return "", ""
}
