package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/memory"
	"toposearch/internal/unit"
	"toposearch/report"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/simcore/route"
	"toposearch/study"
	"toposearch/topology"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	bandwidth string
	server    int
	metrics   string
	level     int
	budget    time.Duration
	routing   []string
	vcs       int
	catalogs  []string
	scaleup   string
	// scaleupRate is of a link of a mesh, or of all scale-up links of an endpoint.
	scaleupRate string
	nics        bool
	memory      string
	study       string
	traffic     []string

	bandwidthSet, metricsSet, levelSet bool // given at all
	// asStudy is the study whose evaluation no other flag changes: its run's figures stand.
	asStudy *study.Study
	// verify is how its study simulates designs, and seed with which; verify is nil without a study.
	verify *study.Verify
	seed   uint64
}

func (a *app) evalCmd() *cobra.Command {
	var f evalFlags
	c := &cobra.Command{
		Use:   "eval DESIGN...",
		Short: "All metrics of a design, each with bounds and method",
		Example: `  toposearch eval 'zcube(n=32,k=2)'
  toposearch eval 'dragonfly(p=4,a=8,h=4)' --metrics latency,bisection
  toposearch eval 'dragonfly(p=4,a=8,h=4)' --metrics sim_saturation,sim_latency_half_load
  toposearch eval 'fattree(k=64,l=3)' --bandwidth '800 Gb/s' --json
  toposearch eval 'fattree(k=24,l=2)' --server 72 --scaleup levels=1,switches=18
  toposearch eval 'fattree(k=64,l=2)' --study study.toml --metrics step_time
  toposearch eval 'torus(k1=8,k2=8)' --traffic 'hotspot(0.1)' --traffic 'local(2,0.8)' --metrics sim_saturation
  toposearch eval file:network.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("vcs") && f.vcs < 1 {
				return usagef("--vcs %d: a network has at least 1", f.vcs)
			}
			f.bandwidthSet, f.metricsSet, f.levelSet = c.Flags().Changed("bandwidth"), c.Flags().Changed("metrics"), c.Flags().Changed("level")
			return a.eval(c, args, f)
		},
	}
	c.Flags().StringVar(&f.bandwidth, "bandwidth", "", "bandwidth of an endpoint, all ports together, such as '400 Gb/s' (default: 400 Gb/s in equal port shares, rounded up)")
	c.Flags().IntVar(&f.server, "server", 0, "join every N consecutive endpoints by a scale-up mesh over which they relay")
	c.Flags().StringVar(&f.scaleup, "scaleup", "", "how scale-up domains are joined: mesh, or domain=N (default: --server), levels=1|2, switches=S of each endpoint, box=B endpoints on the same leaves, spines=M")
	c.Flags().StringVar(&f.scaleupRate, "scaleup-bandwidth", "", "scale-up rate each way of an endpoint, all its links together; in a mesh, of each link (default: 3.6 Tb/s)")
	c.Flags().StringVar(&f.metrics, "metrics", "", "only these metrics, at whatever level they need: a,b,... (of levels 0 and 1, what hangs on a network that takes half a second to make is enclosed, and uniform_throughput whose loads take as long; exact with --level 2)")
	c.Flags().IntVar(&f.level, "level", 2, "compute metrics up to this level of the ladder (0 to 3)")
	c.Flags().DurationVar(&f.budget, "budget", 2*time.Second, "time a design may take for metrics of each level above 1, by the cost model")
	c.Flags().StringSliceVar(&f.routing, "routing", nil, "routing of throughput: minimal (all shortest paths, of paths and latency, too), lash or dfsssp alone (one of them for each pair, the same), or of one or several of "+strings.Join(evaluator.Algorithms(), ", ")+" and natural+hash, or of what the family's networks are run with (deployed), the one with the best throughput that fits --vcs (default: what --study says, which takes deployed if it says nothing; without a study natural, and worst_throughput of the best possible one)")
	c.Flags().IntVar(&f.vcs, "vcs", 0, "virtual channels that routings may need (default: any number)")
	c.Flags().StringSliceVar(&f.catalogs, "catalog", nil, "price lists, CSV or XLSX (default: built in)")
	c.Flags().StringVar(&f.memory, "memory", "", "memory that a design may take, by prediction, such as '16 GB'; what needs more is absent (default: 4 GiB, or what there is)")
	c.Flags().BoolVar(&f.nics, "nics", false, "count NICs in the cost")
	c.Flags().StringArrayVar(&f.traffic, "traffic", nil, "what channels and endpoints carry of a traffic (toposearch help traffic), too; with --metrics sim_saturation beside its simulated saturation (may be repeated)")
	c.Flags().StringVar(&f.study, "study", "", "evaluate as this study does: its bandwidth, site, prices and workload, and its run's figures to the last digit; other flags change it")
	return c
}

// options turns the flags into the evaluator's options.
func (f *evalFlags) options(a *app) (evaluator.Options, error) {
	var opt evaluator.Options
	if f.study != "" {
		st, faults := study.Load(f.study)
		if err := a.refuse(faults); err != nil {
			return opt, err
		}
		opt, f.verify, f.seed = st.Options, &st.Verify, st.Seed
		if !f.levelSet && !f.metricsSet {
			f.asStudy = st
		}
	}
	opt.CountNICs = opt.CountNICs || f.nics
	if f.vcs > 0 {
		opt.MaxVCs = f.vcs
	}
	if len(f.routing) > 0 { // not what the study says
		opt.Algorithms, opt.ByWorst, opt.RejectUnfit = f.routing, false, f.vcs > 0
	}
	if len(f.routing) == 1 && slices.Contains(evaluator.Alone(), f.routing[0]) {
		opt.Routing, opt.Algorithms, opt.RejectUnfit = f.routing[0], nil, false
	}
	deployed := len(f.routing) == 1 && f.routing[0] == evaluator.RoutingDeployed
	for _, name := range f.routing {
		if deployed {
			break
		}
		if _, err := route.IsDirect(name); err != nil {
			return opt, usagef("--routing %q: %v", name, err)
		}
		if _, err := evaluator.ParseAlgorithm(name); err != nil && opt.Routing == "" {
			return opt, usagef("--routing %q: %v, and of minimal, alone; toposearch simulate knows the others", name, err)
		}
	}
	if f.bandwidthSet {
		gbps, err := unit.KindBandwidth.Parse(f.bandwidth)
		if err != nil {
			return opt, usagef("--bandwidth: %v", err)
		}
		if gbps <= 0 {
			return opt, usagef("--bandwidth %q: it must be above 0", f.bandwidth)
		}
		opt.BandwidthGbps = gbps
	}
	if f.server < 0 || f.server == 1 {
		return opt, usagef("--server %d: a server of at least 2 endpoints is needed for a scale-up mesh", f.server)
	}
	if f.server > 1 {
		opt.PerServer, opt.Scaleup = f.server, true
	}
	if f.scaleup != "" {
		dom, err := topology.ParseDomain(f.scaleup, max(f.server, evaluator.DefaultPerServer))
		if err != nil {
			return opt, usagef("--scaleup: %v", err)
		}
		opt.Domain, opt.Scaleup = dom, true
	}
	if f.scaleupRate != "" {
		gbps, err := unit.KindBandwidth.Parse(f.scaleupRate)
		if err != nil || gbps <= 0 {
			return opt, usagef("--scaleup-bandwidth: write a rate above 0, such as '7.2 Tb/s' (%q)", f.scaleupRate)
		}
		opt.ScaleupGbps = gbps
	}
	var err error
	if opt.MemoryBytes, err = f.memoryBytes(); err != nil {
		return opt, err
	}
	if len(f.catalogs) > 0 {
		cat, list := catalog.Load(f.catalogs...)
		if err := a.refuse(list); err != nil {
			return opt, err
		}
		opt.Catalog = cat
		if code := cat.OnlyCurrency(); code != "" {
			opt.Currency = code // no study says another
		}
	}
	return opt, nil
}

// memoryBytes is what an evaluation may take: never more than the machine has, so that a metric is absent with
// its reason rather than the command an error.
func (f *evalFlags) memoryBytes() (int64, error) {
	most, source := memory.Limit()
	if f.memory == "" {
		return min(evaluator.DefaultMemoryBytes, most), nil
	}
	bytes, err := unit.KindBytes.Parse(f.memory)
	switch {
	case err != nil:
		return 0, usagef("--memory: %v", err)
	case bytes < 1:
		return 0, usagef("--memory %q: it must be above 0", f.memory)
	case bytes > float64(most):
		return 0, usagef("--memory %q: this process may use %s (%s)", f.memory, unit.KindBytes.Format(float64(most)), source)
	}
	return int64(bytes), nil
}

// request turns the flags into what is computed.
func (f *evalFlags) request() (evaluator.Request, error) {
	if f.level < 0 || f.level > 3 {
		return evaluator.Request{}, usagef("--level %d: levels of eval are 0 to 3; level 4 is `toposearch simulate`", f.level)
	}
	if f.budget < 0 {
		return evaluator.Request{}, usagef("--budget %v is negative", f.budget)
	}
	req := evaluator.Request{Level: f.level, BudgetNs: max(1, float64(f.budget.Nanoseconds()))}
	// A run compares values, and has them exact; and availability is of each cable.
	req.Enclosed = f.study == "" && (f.level < 2 || f.metricsSet && !f.levelSet)
	if !f.metricsSet {
		return req, nil
	}
	req.Level = 0
	var wrong []string
	for _, m := range strings.Split(f.metrics, ",") {
		m = strings.TrimSpace(m)
		if err := knownMetric(m); err != nil {
			wrong = append(wrong, "--metrics: "+err.Error())
			continue
		}
		k, _ := metric.KeyOf(m)
		req.Keys = append(req.Keys, k)
		req.Enclosed = req.Enclosed && !evaluator.OfUptime(k)
	}
	if len(wrong) > 0 {
		return req, usagef("%s", strings.Join(wrong, "\n"))
	}
	return req, nil
}

func (a *app) eval(c *cobra.Command, args []string, f evalFlags) error {
	opt, err := f.options(a)
	if err != nil {
		return err
	}
	req, err := f.request()
	if err != nil {
		return err
	}
	ev, err := evaluator.New(opt)
	if err != nil {
		return usage(err)
	}
	designs, err := a.parseDesigns(args)
	if err := joinUsage(err, checkTraffics(f.traffic)); err != nil {
		return err
	}
	doc, work := evalDoc{Schema: "toposearch.eval/1"}, req
	if len(f.traffic) > 0 && req.Level < 1 { // they are carried by the routing that throughput is of
		work.Keys = append(slices.Clone(req.Keys), metric.UniformThroughput)
	}
	for _, d := range designs {
		ev, err := a.evaluatorOf(d, ev, opt)
		if err != nil {
			return usage(err)
		}
		res, err := ev.Evaluate(c.Context(), d, work)
		if err == nil && f.asStudy != nil {
			err = asInRun(c.Context(), f.asStudy, ev, d, res)
		}
		if err != nil {
			return err
		}
		v, seed := f.simulated(opt, res), a.seedOr(cmp.Or(f.seed, 1))
		if err := measure(c.Context(), d, opt, req.Keys, v, seed, res); err != nil {
			return err
		}
		carried, err := carried(c.Context(), d, opt, req.Keys, v, seed, f.traffic)
		if err != nil {
			return err
		}
		if a.json {
			doc.Designs = append(doc.Designs, designJSON(res))
			doc.Designs[len(doc.Designs)-1].Traffic = carried
			continue
		}
		if f.metricsSet {
			only(res, req.Keys)
		}
		report.MetricsTable(a.out, res)
		if names := evaluator.DeployedOf(d.Family); f.study == "" && len(f.routing) == 0 && len(names) > 1 {
			fmt.Fprint(a.out, wrap("note: throughput is that of natural routes; such networks are run with "+strings.Join(names[:len(names)-1], " or ")+", as a study takes it: --routing deployed", 80, ""))
		}
		printCarried(a.out, carried)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	return nil
}

// asInRun puts the figures that a run of the study has of a design in the place of those of an evaluation that asked for more: also
// where more work narrows one that the run does not judge by.
func asInRun(ctx context.Context, st *study.Study, ev *evaluator.Evaluator, d topology.Design, res *evaluator.Result) error {
	p, err := search.NewProblem(st, ev)
	if err != nil {
		return err
	}
	in, err := ev.Evaluate(ctx, d, p.Shown())
	if err != nil {
		return err
	}
	for k := range metric.Count {
		if in.Have[k] {
			res.Metrics[k], res.Have[k] = in.Metrics[k], true
			delete(res.Absent, k)
		}
	}
	res.Routing, res.Chosen, res.Unfit, res.Detour, res.Bottleneck = in.Routing, in.Chosen, in.Unfit, in.Detour, in.Bottleneck
	return nil
}

// simulated says how a design is simulated: as a run of the study does it, with the routing that its throughput is of if none is named.
func (f *evalFlags) simulated(opt evaluator.Options, res *evaluator.Result) study.Verify {
	v := study.Verify{Finalists: 1, Traffic: []string{"uniform"}, Packet: 4, Loads: 2}
	if f.verify != nil {
		v = *f.verify
		if len(f.routing) > 0 { // other flags change it
			v.Routing = ""
		}
		if f.vcs > 0 {
			v.VCs = 0
		}
	}
	v.Routing = cmp.Or(v.Routing, res.Chosen, opt.Routing)
	return v
}

// measure adds the metrics that only the simulator gives, if they are asked for by name.
func measure(ctx context.Context, d topology.Design, opt evaluator.Options, keys []metric.Key, v study.Verify, seed uint64, res *evaluator.Result) error {
	var asked []metric.Key
	for _, k := range keys {
		if metric.Keys[k].Level == 4 {
			asked = append(asked, k)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	m, err := verify.Measure(ctx, d, opt, v, seed)
	if err != nil {
		return err
	}
	for _, k := range asked {
		if x, ok := m.Metrics[k]; ok {
			res.Metrics[k], res.Have[k] = x, true
			delete(res.Absent, k)
		} else {
			res.Absent[k] = m.Absent
		}
	}
	return nil
}

// only leaves the metrics that were asked for: the others cost nothing and were not wanted.
func only(r *evaluator.Result, keys []metric.Key) {
	for k := range metric.Count {
		if !slices.Contains(keys, k) {
			r.Have[k] = false
			delete(r.Absent, k)
		}
	}
}

// evalDoc is what eval --json prints.
type evalDoc struct {
	Schema  string       `json:"schema"`
	Designs []evalDesign `json:"designs"`
}

type evalDesign struct {
	Design     string                   `json:"design"`
	Family     string                   `json:"family"`
	Params     map[string]any           `json:"params"`
	Metrics    map[string]metric.Figure `json:"metrics"`
	Absent     map[string]string        `json:"absent"`
	Bottleneck string                   `json:"bottleneck,omitempty"`
	Routing    string                   `json:"routing,omitempty"`
	Unfit      string                   `json:"routing_unfit,omitempty"`
	Detour     *metric.Figure           `json:"detour_latency,omitempty"`
	Rejected   string                   `json:"rejected,omitempty"`
	Unpriced   []string                 `json:"unpriced,omitempty"`
	Traffic    []*verify.Carry          `json:"traffic,omitempty"`
}

// designJSON gives a result the form of the JSON.
func designJSON(r *evaluator.Result) evalDesign {
	d := evalDesign{
		Design: r.Design.String(), Family: r.Design.Family.Name, Params: r.Design.Params(),
		Metrics: map[string]metric.Figure{}, Absent: map[string]string{},
		Bottleneck: r.Bottleneck, Routing: r.Routing, Unfit: r.Unfit, Detour: r.Detour, Unpriced: r.Unpriced, Rejected: r.Reject.Constraint,
	}
	for k := range metric.Count {
		if r.Have[k] {
			d.Metrics[metric.Keys[k].Name] = r.Metrics[k]
		}
	}
	for k, why := range r.Absent {
		d.Absent[metric.Keys[k].Name] = why
	}
	return d
}

// knownMetric is an error with a suggestion for a name that is no metric.
func knownMetric(name string) error {
	if _, ok := metric.KeyOf(name); ok {
		return nil
	}
	var names []string
	for k := range metric.Keys {
		names = append(names, metric.Keys[k].Name)
	}
	hint := diag.Hint(name, names)
	if hint == "" {
		hint = "; toposearch help metrics lists them"
	}
	return fmt.Errorf("there is no metric %q%s", name, hint)
}
