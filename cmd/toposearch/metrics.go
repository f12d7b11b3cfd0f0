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

// metricText is all that is known of a metric.
func metricText(k metric.Key) string {
	m, d := &metric.Keys[k], &metric.Definitions[k]
	head := m.Name
	if x := about(k); x != "" {
		head += " [" + x + "]"
	}
	text := fmt.Sprintf("%s\n%s%s", head, wrap(m.Doc, 80, "    "), wrap("Formula: "+d.Formula, 80, "    "))
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
