package evaluator

import (
	"errors"
	"fmt"
	"math"

	"toposearch/evaluator/metric"
)

// compute takes the best method of a group. What was asked for by name is computed by the best
// method of the metric's own level, whatever it takes unless another says the same with a gap (method.longest), and failing that by any.
func (w *work) compute(g *group, byName bool, budget float64) error {
	why := ""
	if byName {
		done, _, err := w.try(g, budget, func(m *method) bool { return m.level <= metric.Keys[g.keys[0]].Level }, named)
		if done || err != nil {
			return err
		}
		for _, how := range []asked{named, patiently} {
			if done, why, err = w.try(g, budget, func(*method) bool { return true }, how); done || err != nil {
				return err
			}
		}
	} else {
		var done bool
		var err error
		if done, why, err = w.try(g, budget, func(*method) bool { return true }, unnamed); done || err != nil {
			return err
		}
	}
	for _, k := range g.keys {
		if !w.res.Have[k] {
			w.absent(k, why)
		}
	}
	return nil
}

// try runs the first method of a group that is allowed, applies and fits; why is the reason of
// the last that did not.
func (w *work) try(g *group, budget float64, allowed func(*method) bool, how asked) (done bool, why string, err error) {
	w.how = how
	long := false // why is that a method takes too much, or that there is no network
	for i := range g.methods {
		m := &g.methods[i]
		if !allowed(m) {
			continue
		}
		if m.applies != nil {
			if s := m.applies(w); s != "" {
				if !long {
					why = s
				}
				continue
			}
		}
		cost, usual := w.modelled(m)
		bytes := w.bytesOf(m)
		if why = w.tooMuch(m.name, bytes); why == "" { // whatever the time is
			why = w.fits(m, cost, usual, how, budget)
		}
		if why != "" {
			long = true
			continue
		}
		if err := w.take(m.name, bytes); err != nil {
			return false, "", err
		}
		run := func() (err error) {
			if m.built {
				if err := w.build(); err != nil {
					why = err.Error()
					return nil
				}
			}
			if m.level > 1 || cost > quickNs {
				w.spent[max(m.level, 2)] += cost
			}
			return m.run(w)
		}
		if w.req.Trace != nil {
			err = w.req.Trace(Step{g.keys[0], m.name, m.level, usual + w.wireNs(m)}, run)
		} else {
			err = run()
		}
		switch {
		case errors.As(err, new(tooLong)):
			why, long = err.Error(), true
			continue
		case errors.Is(err, ErrSkipped):
			w.pretend(g)
			return true, "", w.ctx.Err()
		case err != nil:
			return false, "", err
		case why != "": // there is no such network
			long = true
			continue
		}
		return true, "", w.ctx.Err()
	}
	return false, why, nil
}

// modelled is what a method takes at most, and mostly, ns.
func (w *work) modelled(m *method) (cost, usual float64) {
	if m.cost != nil {
		cost = m.cost(w)
	}
	usual = cost
	if m.usual != nil {
		usual = m.usual(w)
	}
	if m.built && w.net == nil {
		build := w.buildNs()
		cost, usual = cost+build, usual+build
	}
	return cost, usual
}

// wireNs is what the construction takes beside emitting links where a method streams them: a search of graphs, for some families.
func (w *work) wireNs(m *method) float64 {
	if !m.wires && !m.built || w.net != nil || w.drew {
		return 0
	}
	ns, _ := w.d.WireTakes()
	w.drew = ns >= slowDrawNs // wireOnce
	return ns
}

// pretend lets later groups see metrics whose method was not run, until the evaluation ends.
func (w *work) pretend(g *group) {
	for _, k := range g.keys {
		w.res.Have[k], w.pretended[k] = true, true
	}
	if g.keys[0] == distanceKeys[0] {
		w.dist = new(pathFigures)
	}
}

// unpretend takes them out again.
func (w *work) unpretend() {
	for k, pretended := range w.pretended {
		if pretended {
			w.res.Have[k] = false
			w.absent(metric.Key(k), NotRun)
		}
	}
}

// bytesOf predicts the memory that a method takes.
func (w *work) bytesOf(m *method) float64 {
	bytes := 0.0
	switch {
	case m.bytes != nil:
		bytes = m.bytes(w)
	case m.built:
		bytes = graphBytes(w)
	}
	if m.built { // two thirds of what it takes to make the network stay
		network := w.networkBytes()
		bytes = max(network, bytes+0.7*network)
	}
	return bytes
}

// fits tells whether a method of that cost may run: "" or why not.
func (w *work) fits(m *method, cost, usual float64, how asked, budget float64) string {
	quick := m.quick
	if quick == 0 {
		quick = quickNs
	}
	switch {
	case how == named && m.longest > 0 && usual > math.Max(m.longest, w.req.BudgetNs):
		return fmt.Sprintf("%s takes about %s", m.name, seconds(usual))
	case how == named && (m.built || m.wires) && w.undrawn() != "":
		return w.undrawn()
	case how != unnamed:
		return ""
	case (m.built && w.net == nil || m.wires) && w.wired() != "":
		return w.wired()
	case m.level > max(w.upTo, 0):
		return fmt.Sprintf("not asked for: %s is level %d", m.name, m.level)
	case m.level <= 1 && w.req.Level <= 1 && cost > quick:
		return fmt.Sprintf("%s takes about %s: ask for level 2", m.name, seconds(cost))
	case (m.level > 1 || cost > quick) && w.spent[max(m.level, 2)]+cost > budget:
		return fmt.Sprintf("%s takes about %s, which the budget of %s does not hold: ask for it by name", m.name, seconds(cost), seconds(budget))
	}
	return ""
}
