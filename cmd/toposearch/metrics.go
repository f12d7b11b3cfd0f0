package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/evaluator/metric"
)

// metricsCmd explains the metrics: all in a line or two, those that are named with formula and source.
func (a *app) metricsCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "metrics [NAME...]",
		Short:   "What is computed of a design, and what can be limited",
		Long:    metricsText(),
		Example: "  toposearch metrics worst_throughput bisection     formula and source of two",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return metricNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && !a.json {
				fmt.Fprintln(a.out, metricsText())
				return nil
			}
			keys, err := metricsNamed(args)
			if err != nil {
				return err
			}
			if a.json {
				return printJSON(a.out, metricsJSON(keys))
			}
			for i, k := range keys {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				fmt.Fprint(a.out, metricText(k))
			}
			fmt.Fprint(a.out, "\n"+wrap("Symbols: "+metric.Symbols+".", 80, ""))
			return nil
		},
	}
}

// metricsText lists every metric: what [limits], [[objective]] and --metrics may name.
func metricsText() string {
	var b strings.Builder
	b.WriteString(wrap("Metrics, as [[objective]] metric, [limits], [require], --metrics and --where name them. "+
		"In brackets: the unit, and which way is better. Every value has bounds and a method; one that cannot be stated is absent with its reason.", 80, ""))
	for k := range metric.Count {
		fmt.Fprintf(&b, "\n%s\n%s", headOf(k), wrap(metric.Keys[k].Doc, 80, "    "))
	}
	b.WriteString("\n" + wrap("The 14 objectives of ATOP (SIGCOMM 2025): 1 to 9, times of data- and pipeline-parallel jobs: step_time of a [workload] with that parallelism, "+
		"one in a study; 10 and 11, experts: alltoall_time, and step_time of a model with ep; 12, ForestColl's bound of an all-gather: none, allreduce_time is the "+
		"nearest; 13, APL_fail: mean_path_links_fail; 14, cost: cost, with [cost] nics = true. M_Link of its use case 3: none.", 80, ""))
	return strings.TrimRight(b.String(), "\n")
}

// metricsNamed are the metrics of these names, all if there are none.
func metricsNamed(names []string) ([]metric.Key, error) {
	var out []metric.Key
	for _, name := range names {
		if err := knownMetric(name); err != nil {
			return nil, joinUsage(err)
		}
		k, _ := metric.KeyOf(name)
		out = append(out, k)
	}
	if len(names) == 0 {
		for k := range metric.Count {
			out = append(out, k)
		}
	}
	return out, nil
}

// about is unit and direction, as far as they say something.
func about(k metric.Key) string {
	better := map[metric.Direction]string{metric.Lower: "lower", metric.Higher: "higher"}[metric.Keys[k].Better]
	return strings.Trim(strings.TrimPrefix(metric.Keys[k].Unit, "1")+", "+better, ", ")
}

// headOf is the name of a metric, and in brackets its unit and direction.
func headOf(k metric.Key) string {
	if x := about(k); x != "" {
		return metric.Keys[k].Name + " [" + x + "]"
	}
	return metric.Keys[k].Name
}

// metricText is all that is known of a metric.
func metricText(k metric.Key) string {
	m, d := &metric.Keys[k], &metric.Definitions[k]
	text := fmt.Sprintf("%s\n%s%s", headOf(k), wrap(m.Doc, 80, "    "), wrap("Formula: "+d.Formula, 80, "    "))
	text += wrap(fmt.Sprintf("Level: %d, %s", m.Level, levelNames[m.Level]), 80, "    ")
	if d.Source != "" {
		text += wrap("Source: "+d.Source, 80, "    ")
	}
	return text
}

// levelNames say what a level of the ladder takes.
var levelNames = [...]string{"counts in closed form", "routes, floor plan, bill", "searches of the graph, loads", "flows", "simulation"}

// metricDoc is a metric in JSON.
type metricDoc struct {
	Name    string `json:"name"`
	Level   int    `json:"level"`
	Unit    string `json:"unit"`
	Better  string `json:"better"` // lower, higher or ""
	Doc     string `json:"doc"`
	Formula string `json:"formula"`
	Source  string `json:"source,omitempty"`
}

func metricsJSON(keys []metric.Key) any {
	var out []metricDoc
	for _, k := range keys {
		m, d := &metric.Keys[k], &metric.Definitions[k]
		better := map[metric.Direction]string{metric.Lower: "lower", metric.Higher: "higher"}[m.Better]
		out = append(out, metricDoc{m.Name, m.Level, m.Unit, better, m.Doc, d.Formula, d.Source})
	}
	return map[string]any{"schema": "toposearch.metrics/1", "metrics": out, "symbols": metric.Symbols}
}

// metricsPage is the page of the reference.
func metricsPage() string {
	var b strings.Builder
	b.WriteString("# Metrics\n\nMade from the program, which prints the same: `toposearch metrics NAME`.\n\n" +
		"Every value has bounds and the method by which it was computed, which stands beside it in reports and in `eval`: where a formula cannot be computed\nin the " +
		"time that there is, it is enclosed by bounds, and the method says by what. In formulas: " + metric.Symbols + ".\n\nLevels: ")
	for i, name := range levelNames {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d %s", i, name)
	}
	b.WriteString(".\n\n| metric | unit | better | level | what it is | formula | source |\n|---|---|---|---|---|---|---|\n")
	cell := strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;").Replace
	for k := range metric.Count {
		m, d := &metric.Keys[k], &metric.Definitions[k]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d | %s | %s | %s |\n", m.Name, m.Unit, strings.TrimPrefix(strings.TrimPrefix(about(k), strings.TrimPrefix(m.Unit, "1")), ", "), m.Level, cell(m.Doc), cell(d.Formula), cell(d.Source))
	}
	return b.String()
}
