package evaluator

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/cluster"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/topology"
)

var uptimeKeys = []metric.Key{metric.Availability, metric.MTBF, metric.Goodput}

// OfUptime tells whether a metric says how failures stop a job: then it is exact only where it is asked for by name.
func OfUptime(k metric.Key) bool { return slices.Contains(uptimeKeys, k) }

// uptimeGroup says how often failures stop a job on all endpoints, and what it has of the time. A failure stops it that
// leaves two endpoints without a way to each other, or one without its accelerator or server; any other failure of
// the network leaves it running, slower (uniform_throughput_fail).
var uptimeGroup = group{keys: uptimeKeys, after: []metric.Key{metric.CableMax}, methods: []method{
	// By name or at level 2, both: at level 1 the counts are enough for designs that are compared by something else.
	{name: "one switch for all", level: 1, quick: 1, applies: func(w *work) string {
		if s := w.noUptime(); s != "" {
			return s
		}
		return w.notAlike()
	}, cost: func(*work) float64 { return 2 }, run: func(w *work) error {
		c := w.countAlike()
		w.setUptime(&c, "every switch and link like all others, and none parts the rest")
		return nil
	}},
	{name: "every part by itself", level: 1, quick: 1, built: true, applies: func(w *work) string {
		if w.d.Family.Unidirectional {
			return "channels lead one way"
		}
		return w.noUptime()
	}, cost: func(w *work) float64 { return 15*w.channels() + 25*w.vertices() + 10*w.sets() }, usual: (*work).usualUptimeNs, run: runUptime},
	{name: "counts of parts", level: 1, applies: (*work).noUptime, run: func(w *work) error {
		c := w.countCritical()
		w.setUptime(&c, "by counts")
		return nil
	}},
}}

// wishedUptimeNs is what every part by itself may take where it is welcome: as long as distances may at level 1.
const wishedUptimeNs = 1e8

// wishUptime puts exact figures in the place of those by counts where they are welcome (Request.Wished) and take little. It comes last, so that a
// network that is made for it leaves all other figures as they are.
func (w *work) wishUptime(budget float64) error {
	x, up := w.res.Metrics[metric.MTBF], w.res.Metrics[metric.Availability]
	if !slices.ContainsFunc(w.req.Wished, OfUptime) || !w.res.Have[metric.Availability] || w.res.Have[metric.MTBF] && x.Lo == x.Hi || up.Lo == 1 {
		return nil
	}
	_, _, err := w.try(&uptimeGroup, budget, func(m *method) bool {
		cost, _ := w.modelled(m)
		return m.quick > 0 && cost <= wishedUptimeNs
	}, named)
	return err
}

// UptimeKeys are the metrics that OfUptime tells.
func UptimeKeys() []metric.Key { return slices.Clone(uptimeKeys) }

// noUptime is why the parts are not known.
func (w *work) noUptime() string {
	switch {
	case w.size.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.unlaid != "":
		return "cables are only enclosed, and each fails: " + w.unlaid
	case w.res.Plan == nil:
		return "parts are not known: " + w.res.Absent[metric.CableMax]
	}
	return ""
}

func runUptime(w *work) error {
	_, ports := w.cardsOf()
	n, err := w.net.Critical(int(ports))
	switch {
	case errors.Is(err, topology.ErrApart):
		for _, k := range uptimeKeys {
			w.absent(k, "endpoints are apart without any failure")
		}
		return nil
	case err != nil:
		c := w.countCritical()
		w.setUptime(&c, "by counts: "+err.Error())
		return nil
	}
	c := w.inNetwork(n)
	w.setUptime(&c, "every part failed by itself")
	return nil
}

// setUptime records what follows from the parts that stop the job. Where it is not known of some whether they do, the
// value is what holds if all of them do.
func (w *work) setUptime(c *criticalParts, how string) {
	least, most := w.jobs(c)
	m := w.cluster()
	worst, best := m.Uptime(&most), m.Uptime(&least)
	text := w.uptimeText(c, &most, how)
	switch {
	case math.IsInf(worst.MTBFh, 1):
		w.absent(metric.MTBF, "no failure stops a job: parts that it needs have a failure rate of 0, or spares that are never lacking")
	case math.IsInf(best.MTBFh, 1):
		w.absent(metric.MTBF, fmt.Sprintf("at least %.4g h, and without an upper bound: whether any failure stops a job is not known: %s", worst.MTBFh, text))
	default:
		w.between(metric.MTBF, worst.MTBFh, worst.MTBFh, best.MTBFh, text)
	}
	w.between(metric.Availability, worst.Available, worst.Available, max(worst.Available, best.AvailableIdle),
		"steady state of independent parts, which fail while the job stands, too; hi: which fail only while it runs, MTBF / (MTBF + repair)"+w.sparesText())
	if !m.Checkpoints() {
		w.absent(metric.Goodput, "needs how long a checkpoint takes: write [availability] checkpoint in the study, and give it to eval with --study")
		return
	}
	lo, hi := m.Goodput(worst.PerHour), m.Goodput(best.PerHour)
	daly := fmt.Sprintf("availability x share of work by Daly's model, a checkpoint every %s of work, the best (Young: %s); %.4g interruptions a day, spares or not", hours(lo.EveryH), hours(lo.YoungH), 24*worst.PerHour)
	if worst.PerHour == 0 {
		daly = "availability: nothing interrupts a job, so that no checkpoint is needed"
	}
	w.between(metric.Goodput, worst.Available*lo.Share, worst.Available*lo.Share, max(worst.Available*lo.Share, best.AvailableIdle*hi.Share), daly)
}

// hours writes a time.
func hours(h float64) string {
	switch {
	case h < 1.0/60:
		return fmt.Sprintf("%.3g s", 3600*h)
	case h < 1:
		return fmt.Sprintf("%.3g min", 60*h)
	}
	return fmt.Sprintf("%.3g h", h)
}

// cluster is what stands around the design, with the spares of its construction where that has some.
func (w *work) cluster() *cluster.Model {
	if n := w.size.Spares(); n > 0 {
		return w.e.cluster.WithSpares(w.size.Endpoints/n, 1)
	}
	return w.e.cluster
}

// sparesText says which endpoints are spare.
func (w *work) sparesText() string {
	group, spares := w.cluster().Spares()
	if spares == 0 {
		return ""
	}
	return fmt.Sprintf("; %s for each %d", unit.Count(spares, "spare endpoint", "spare endpoints"), group)
}

// uptimeText says what stops the job, how often a year, and what does not.
func (w *work) uptimeText(c *criticalParts, most *cluster.Job, how string) string {
	m, s, f := w.cluster(), w.size, w.d.Family
	var out, redundant []string
	add := func(name string, x *cluster.Fails, n float64) {
		if rate := n * x.PerHour * cluster.HoursOfYear; rate > 0 {
			out = append(out, fmt.Sprintf("%s %.4g", name, rate))
		}
	}
	none := cluster.Fails{}
	accelerator, hosts, racks := m.Endpoint(&none), m.Hosts(s.Endpoints), m.Racks(float64(w.res.Plan.Floor.Racks))
	add("accelerators", &accelerator, float64(s.Endpoints))
	add("hosts", &hosts, 1)
	add("racks", &racks, 1)
	if nic := w.boxes.NIC; nic != nil && c.cards.most > 0 {
		one := m.Part(nic)
		add("network cards", &one, float64(c.cards.most))
	}
	for i, class := range f.LinkClasses {
		if c.links[i].most > 0 && w.rates.Kind[i] == market.Cable {
			_, all := w.linksFail(i, c.links[i], 1)
			add("links "+class.Name, &all, 1)
		} else if s.Link[i] > 0 && w.rates.Kind[i] == market.Cable {
			redundant = append(redundant, "links "+class.Name)
		}
	}
	for i, class := range f.SwitchClasses {
		part := w.boxes.Switches[i].Part
		if part == nil {
			continue
		}
		if _, n := boxesThatStop(c.switches[i], s.Switch[i].Count, w.boxes.Boxes(s, i)); n > 0 {
			one := m.Part(part)
			add("switches "+class.Name, &one, n)
		} else {
			redundant = append(redundant, "switches "+class.Name)
		}
	}
	var media cluster.Job
	w.mediaFail(&media)
	add("traces and circuit switches", &media.Shared, 1)
	scaleup := w.scaleupFails()
	add("scale-up switches and cables, whether they do or not", &scaleup, 1)
	text := how + "; failures a year that stop a job on all endpoints: "
	if group, spares := m.Spares(); spares > 0 {
		text = fmt.Sprintf("%s; %s for each %d: what fails with one endpoint stops the job when no spare is left; failures a year that interrupt it: ", how, unit.Count(spares, "spare endpoint", "spare endpoints"), group)
	}
	text += strings.Join(out, ", ")
	if len(redundant) > 0 {
		text += "; any one leaves all connected: " + strings.Join(redundant, ", ")
	}
	return text + fmt.Sprintf("; %.4g in all", math.Round(cluster.HoursOfYear*1e4*(most.Shared.PerHour+float64(s.Endpoints)*(accelerator.PerHour+most.Own.PerHour)))/1e4)
}
