package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/search/chip"
)

type economicsFlags struct {
	eval      evalFlags // price list, site, bandwidth
	chip      string
	serdes    []string
	endpoints int64
	uniform   float64
	csv       bool
}

// economicsFamilies are compared where none is named: what is bought at that size, and three networks of diameter 2 and 3.
var economicsFamilies = []string{"fattree", "dragonfly", "dragonflyplus", "hyperx", "slimfly"}

func (a *app) economicsCmd() *cobra.Command {
	var f economicsFlags
	c := &cobra.Command{
		Use:   "economics [NAME...] --chip RATE",
		Short: "What a switch chip is best divided into: ports times rate",
		Long: `Divides the bandwidth of a switch chip into ports of every rate that its lanes allow, 1, 2, 4 or 8 lanes a
port (512 x 100 Gb/s to 64 x 800 Gb/s of 51.2 Tb/s), and searches each family for its cheapest design with the number
of endpoints, or up to 10 % more, that has the uniform throughput, evaluated as toposearch eval evaluates it, with
switches of the price list that have this chip: ports times rate are its bandwidth. Where ports are slower than an endpoint needs, it has one in each of several equal networks, planes, whose figures are those of
one, times their number. Without names it compares ` + strings.Join(economicsFamilies, ", ") + `.`,
		Example: `  toposearch families economics --chip 51.2T --endpoints 16384
  toposearch families economics fattree hyperx --chip 51.2T --serdes 100G,200G --catalog parts.csv
  toposearch families economics --chip 25.6T --bandwidth '800 Gb/s' --csv > economics.csv`,
		RunE: func(c *cobra.Command, args []string) error {
			f.eval.bandwidthSet = c.Flags().Changed("bandwidth")
			return a.economics(c, args, &f)
		},
	}
	c.Flags().StringVar(&f.chip, "chip", "", "bandwidth of a switch, all ports together, each way, such as 51.2T")
	c.Flags().StringSliceVar(&f.serdes, "serdes", []string{"100G"}, "rates of the chip's lanes")
	c.Flags().Int64Var(&f.endpoints, "endpoints", 16384, "at least this number of endpoints")
	c.Flags().StringVar(&f.eval.bandwidth, "bandwidth", "", "bandwidth of an endpoint, all planes together (default: that of the study, else 400 Gb/s)")
	c.Flags().Float64Var(&f.uniform, "uniform", 0.9, "least uniform throughput of the designs, as a fraction of the bandwidth; 0 admits all")
	c.Flags().StringSliceVar(&f.eval.catalogs, "catalog", nil, "price lists, CSV or XLSX (default: built in)")
	c.Flags().StringVar(&f.eval.study, "study", "", "evaluate as this study does: its bandwidth, site and prices")
	c.Flags().BoolVar(&f.csv, "csv", false, "print comma-separated values")
	return c
}

// rateOf reads a rate, in which b/s may be left out as on data sheets of chips.
func rateOf(flag, text string) (int64, error) {
	s := strings.TrimSpace(text)
	if strings.HasSuffix(s, "T") || strings.HasSuffix(s, "G") {
		s += "b/s"
	}
	gbps, err := unit.KindBandwidth.Parse(s)
	if err != nil {
		return 0, usagef("--%s %q: %v", flag, text, err)
	}
	if gbps < 1 || gbps > 1e7 || gbps != math.Trunc(gbps) {
		return 0, usagef("--%s %q: from 1 Gb/s to 10,000 Tb/s, in whole Gb/s", flag, text)
	}
	return int64(gbps), nil
}

func (a *app) economics(c *cobra.Command, args []string, f *economicsFlags) error {
	if f.chip == "" {
		return usagef("--chip is missing: say what a switch carries, all ports together, such as --chip 51.2T")
	}
	if f.csv && a.json {
		return usagef("--csv and --json are two forms of the same: choose one")
	}
	q := chip.Question{Endpoints: f.endpoints, Uniform: f.uniform}
	var err error
	if q.ChipGbps, err = rateOf("chip", f.chip); err != nil {
		return err
	}
	for _, s := range f.serdes {
		gbps, err := rateOf("serdes", s)
		if err != nil {
			return err
		}
		if !slices.Contains(q.SerdesGbps, int(gbps)) {
			q.SerdesGbps = append(q.SerdesGbps, int(gbps))
		}
	}
	slices.Sort(q.SerdesGbps)
	switch {
	case f.endpoints < 2 || f.endpoints > math.MaxInt32:
		return usagef("--endpoints %d: from 2 to %d", f.endpoints, math.MaxInt32)
	case !(f.uniform >= 0 && f.uniform <= 100):
		return usagef("--uniform %g: a share from 0 to 100", f.uniform)
	}
	if len(args) == 0 {
		args = economicsFamilies
	}
	if q.Families, err = familiesNamed(args); err != nil {
		return err
	}
	if q.Options, err = f.eval.options(a); err != nil {
		return err
	}
	if q.Options.Catalog == nil {
		q.Options.Catalog = catalog.Builtin()
	}
	if q.Options.BandwidthGbps == 0 {
		q.Options.BandwidthGbps = market.DefaultEndpointGbps
	}
	if len(q.Models()) == 0 {
		return usagef("--chip %s: no switch of price list %s has ports of %s together; it has %s", f.chip, q.Options.Catalog.Name,
			unit.KindBandwidth.Format(float64(q.ChipGbps)), strings.Join(chipsOf(q.Options.Catalog), ", "))
	}
	out, err := q.Sweep(c.Context())
	switch {
	case err != nil:
		return err
	case len(out) == 0:
		return usagef("--serdes: %s is no whole number of ports of 1, 2, 4 or 8 lanes of %v Gb/s", f.chip, q.SerdesGbps)
	case a.json:
		return printJSON(a.out, economicsJSON(&q, out))
	case f.csv:
		return a.economicsCSV(out)
	}
	a.printEconomics(&q, out)
	return nil
}

// chipsOf lists what the switches of a price list carry.
func chipsOf(list *catalog.Catalogue) []string {
	var all []int64
	for i := range list.Parts {
		if p := &list.Parts[i]; p.Kind == catalog.KindSwitch {
			all = append(all, int64(p.Ports)*int64(p.RateGbps))
		}
	}
	slices.Sort(all)
	var out []string
	for _, x := range slices.Compact(all) {
		out = append(out, unit.KindBandwidth.Format(float64(x)))
	}
	return out
}

type economicsRow struct {
	Ports    int                      `json:"ports"`
	Gbps     int                      `json:"rate_gbps"`
	Serdes   []int                    `json:"serdes_gbps"`
	Planes   int                      `json:"planes"`
	Family   string                   `json:"family,omitempty"`
	Design   string                   `json:"design,omitempty"` // of a plane
	Complete bool                     `json:"complete"`
	Metrics  map[string]metric.Figure `json:"metrics,omitempty"` // of all planes
	Absent   map[string]string        `json:"absent,omitempty"`
	Why      string                   `json:"why,omitempty"` // there is no design
}

// rowsOf lists the answer, a row for each division and family, or one for a division that is not on sale.
func rowsOf(all []chip.Division) (rows []economicsRow) {
	for i := range all {
		d := &all[i]
		row := economicsRow{Ports: d.Ports, Gbps: d.Gbps, Serdes: d.Serdes, Planes: d.Planes}
		if d.Why != "" {
			row.Why = d.Why
			rows = append(rows, row)
		}
		for _, r := range d.Rows {
			row := row
			row.Family, row.Complete = r.Family.Name, r.Complete
			if r.Result == nil {
				row.Why = fmt.Sprintf("%s: no design with a cost, as many endpoints and as much uniform throughput was found", r.Family.Name)
				if r.Complete {
					row.Why = fmt.Sprintf("%s has no design with a cost, as many endpoints and as much uniform throughput", r.Family.Name)
				}
				rows = append(rows, row)
				continue
			}
			row.Design = r.Result.Design.String()
			row.Metrics, row.Absent = map[string]metric.Figure{}, map[string]string{}
			for _, k := range chip.Keys {
				if x, ok := r.Whole[k]; ok {
					row.Metrics[metric.Keys[k].Name] = x
				} else if why := r.Result.Absent[k]; why != "" {
					row.Absent[metric.Keys[k].Name] = why
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

const economicsRule = "Of each family the cheapest design with that many endpoints to 10 % more that has the uniform throughput of --uniform under its " +
	"natural routing. Figures are those of toposearch eval with the switches of the chip, at the rate of its ports; of several planes each is laid " +
	"and priced by itself, and costs, watts and counts are sums over them; network cards are in the watts, the fewest that have all ports of an endpoint, " +
	"and not in the costs. Tapers and seeds of random constructions stay at their defaults."

func economicsJSON(q *chip.Question, all []chip.Division) any {
	return struct {
		Schema    string         `json:"schema"`
		ChipGbps  int64          `json:"chip_gbps"`
		Endpoints int64          `json:"endpoints"`
		Bandwidth float64        `json:"bandwidth_gbps"`
		Uniform   float64        `json:"uniform"`
		Switches  []string       `json:"switch_models"`
		Rule      string         `json:"rule"`
		Rows      []economicsRow `json:"rows"`
	}{"toposearch.economics/1", q.ChipGbps, q.Endpoints, q.Options.BandwidthGbps, q.Uniform, q.Models(), economicsRule, rowsOf(all)}
}

func (a *app) economicsCSV(all []chip.Division) error {
	w := csv.NewWriter(a.out)
	head := []string{"ports", "rate_gbps", "planes", "family", "design", "complete"}
	for _, k := range chip.Keys {
		name := metric.Keys[k].Name
		head = append(head, name, name+"_lo", name+"_hi")
	}
	_ = w.Write(append(head, "why"))
	for _, r := range rowsOf(all) {
		line := []string{strconv.Itoa(r.Ports), strconv.Itoa(r.Gbps), strconv.Itoa(r.Planes), r.Family, r.Design, strconv.FormatBool(r.Complete)}
		for _, k := range chip.Keys {
			x, ok := r.Metrics[metric.Keys[k].Name]
			for _, v := range []float64{x.Value, x.Lo, x.Hi} {
				if !ok {
					line = append(line, "")
				} else {
					line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
				}
			}
		}
		_ = w.Write(append(line, r.Why))
	}
	w.Flush()
	return w.Error()
}

func (a *app) printEconomics(q *chip.Question, all []chip.Division) {
	rows := [][]string{{"design", "endpoints", "switches", "links", "optical", "hops", "ns", "uniform", "cost/endpoint", "W/endpoint"}}
	var remarks []string
	for _, r := range rowsOf(all) {
		div := fmt.Sprintf("%dx%d", r.Ports, r.Gbps)
		if r.Planes > 1 {
			div += fmt.Sprintf(" (%d planes)", r.Planes)
		}
		if r.Why != "" {
			remarks = append(remarks, div+": "+r.Why+".")
			continue
		}
		mark := ""
		if !r.Complete {
			mark = " *"
		}
		cell := func(k metric.Key, format string) string {
			x, ok := r.Metrics[metric.Keys[k].Name]
			if !ok {
				return "-"
			}
			return fmt.Sprintf(format, x.Value)
		}
		links := "-"
		if x, ok := r.Metrics["switch_links"]; ok {
			links = fmt.Sprintf("%.0f", x.Value+r.Metrics["endpoint_links"].Value)
		}
		rows = append(rows, []string{div + " " + r.Design + mark, cell(metric.Endpoints, "%.0f"), cell(metric.Switches, "%.0f"), links, cell(metric.CablesOptical, "%.0f"),
			cell(metric.MaxHops, "%.0f"), cell(metric.Latency, "%.0f"), cell(metric.UniformThroughput, "%.3f"), cell(metric.CostPerEndpoint, "%.0f"), cell(metric.PowerPerEndpoint, "%.1f")})
		if why := r.Absent["cost"]; why != "" {
			remarks = append(remarks, fmt.Sprintf("%s, %s has no cost: %s.", div, r.Design, why))
		}
	}
	printColumns(a.out, rows)
	currency := q.Options.Currency
	if currency == "" {
		currency = "USD"
	}
	fmt.Fprint(a.out, "\n", wrap(fmt.Sprintf("Switches of %s; at least %d endpoints of %g Gb/s. Costs in %s. links: with those of endpoints; hops: most from switch to switch; ns: latency; uniform: throughput of "+
		"uniform traffic, as a fraction of that bandwidth.", strings.Join(q.Models(), ", "), q.Endpoints, q.Options.BandwidthGbps, currency), 80, ""))
	fmt.Fprint(a.out, wrap(economicsRule, 80, ""))
	for _, r := range remarks {
		fmt.Fprint(a.out, wrap(r, 80, ""))
	}
	if slices.ContainsFunc(rowsOf(all), func(r economicsRow) bool { return r.Why == "" && !r.Complete }) {
		fmt.Fprintln(a.out, "*: there may be a cheaper one: the family was not searched completely.")
	}
}
