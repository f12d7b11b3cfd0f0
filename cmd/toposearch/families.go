package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"toposearch/internal/disk"
	"toposearch/search/branch"
	"toposearch/topology"
	"toposearch/topology/survey"
)

func (a *app) familiesCmd() *cobra.Command {
	var opt familiesOptions
	c := &cobra.Command{
		Use:   "families [NAME]",
		Short: "What can be searched: families with parameters and sources",
		Long: `Without a name lists all families; with one prints its page: source, parameters, size
formulas, largest size for a switch radix, VCs, deployments, traps, and a drawing.

With --radix and --endpoints lists for every family, or for the one named, the design within that
switch radix that is closest to the number of endpoints; with --radix alone the largest one.`,
		Example: `  toposearch families
  toposearch families zcube
  toposearch families dragonfly --svg dragonfly.svg
  toposearch families --radix 64 --endpoints 100000
  toposearch families economics --chip 51.2T
  toposearch families dragonfly --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			opt.radixSet = c.Flags().Changed("radix")
			return a.families(c.Context(), args, &opt)
		},
	}
	c.AddCommand(a.economicsCmd())
	c.Flags().IntVar(&opt.radix, "radix", 64, "most ports of a switch")
	c.Flags().Int64Var(&opt.endpoints, "endpoints", 0, "at least this number of endpoints: list what each family can do there")
	c.Flags().Float64Var(&opt.uniform, "uniform", 0.9, "least share of uniform traffic that the links must allow, by a bound; 0 admits all")
	c.Flags().StringVar(&opt.svg, "svg", "", "write a drawing of the family's small instance to this file")
	return c
}

// familiesOptions are the flags of the command.
type familiesOptions struct {
	radix     int
	radixSet  bool
	endpoints int64
	uniform   float64
	svg       string
}

func (a *app) families(ctx context.Context, args []string, opt *familiesOptions) error {
	list, err := familiesNamed(args)
	if err != nil {
		return err
	}
	switch {
	case opt.radix < 2 || opt.radix > maxRadix:
		return usagef("--radix %d: from 2 to %d ports", opt.radix, maxRadix)
	case opt.endpoints < 0 || opt.endpoints > math.MaxInt32:
		return usagef("--endpoints %d: from 1 to %d", opt.endpoints, math.MaxInt32)
	case !(opt.uniform >= 0 && opt.uniform <= 100):
		return usagef("--uniform %g: a share from 0 to 100", opt.uniform)
	case opt.svg != "" && len(args) == 0:
		return usagef("--svg draws one family: name it")
	}
	if opt.svg != "" {
		if err := drawFamily(list[0], opt.svg); err != nil {
			return err
		}
	}
	switch {
	case opt.endpoints > 0 || opt.radixSet && len(args) == 0:
		return a.listFits(ctx, list, branch.Wanted{Radix: opt.radix, Endpoints: opt.endpoints, Uniform: opt.uniform})
	case a.json:
		return printJSON(a.out, familiesJSON(list))
	case len(args) == 1:
		return familyPage(a.out, list[0], opt.radix, opt.uniform)
	}
	for _, f := range list {
		title := f.Title
		if f.OnlyNamed != "" {
			title += "; searched only when named"
		}
		fmt.Fprint(a.out, labelled(f.Name, 21, title))
	}
	fmt.Fprintf(a.out, "\n%d families, and file:PATH for a network of your own.\nOne of them in full: toposearch families NAME\n", len(list))
	return nil
}

// maxRadix is the largest switch that any family takes.
const maxRadix = 4096

type familyDoc struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Source   topologySource `json:"source"`
	Params   []paramDoc     `json:"params"`
	Links    []classDoc     `json:"link_classes"`
	Switches []classDoc     `json:"switch_classes"`
	Routing  string         `json:"natural_routing,omitempty"`
	VCs      string         `json:"vcs,omitempty"`

	Rules       []survey.Rule `json:"rules,omitempty"`
	Formulas    []string      `json:"formulas,omitempty"`
	Deployments string        `json:"deployments,omitempty"`
	Traps       string        `json:"traps,omitempty"`
	OnlyNamed   string        `json:"only_named,omitempty"` // why a search leaves it out unless it is named
}

type topologySource struct {
	Authors    string `json:"authors"`
	Title      string `json:"title"`
	Venue      string `json:"venue"`
	Year       int    `json:"year"`
	Departures string `json:"departures,omitempty"`
}

type paramDoc struct {
	Name     string   `json:"name"`
	Doc      string   `json:"doc"`
	Min      int      `json:"min"`
	Max      int      `json:"max"`
	Optional bool     `json:"optional"`
	Default  string   `json:"default,omitempty"` // a value or a formula
	Choices  []string `json:"choices,omitempty"`
	Divides  string   `json:"divides,omitempty"` // it is a ratio "p:q" with p+q a divisor of this parameter; min and max are those of p/q
	Derived  bool     `json:"derived,omitempty"`
}

type classDoc struct {
	Name     string `json:"name"`
	Doc      string `json:"doc"`
	Embedded bool   `json:"embedded,omitempty"`
}

func familiesJSON(list []*topology.Family) any {
	docs := make([]familyDoc, 0, len(list))
	for _, f := range list {
		d := familyDoc{Name: f.Name, Title: f.Title, VCs: f.VCReason, Source: topologySource{
			f.Source.Authors, f.Source.Title, f.Source.Venue, f.Source.Year, f.Source.Departures},
			Rules: survey.Rules(f), Formulas: f.Formulas, Deployments: f.Deployments, Traps: f.Traps, OnlyNamed: f.OnlyNamed}
		for i, p := range f.Params {
			least, most := p.Min, p.Max
			if p.Divides != "" {
				least, _, _ = topology.RatioTerms(least)
				most, _, _ = topology.RatioTerms(most)
			}
			d.Params = append(d.Params, paramDoc{p.Name, p.Doc, least, most, p.Default != nil, defaultText(f, i), p.Choices, p.Divides, i == f.Derived})
		}
		for _, c := range f.LinkClasses {
			d.Links = append(d.Links, classDoc{Name: c.Name, Doc: c.Doc})
		}
		for _, c := range f.SwitchClasses {
			d.Switches = append(d.Switches, classDoc{c.Name, c.Doc, c.Embedded})
		}
		docs = append(docs, d)
	}
	return struct {
		Schema   string      `json:"schema"`
		Families []familyDoc `json:"families"`
	}{"toposearch.families/1", docs}
}

// drawFamily writes the picture of the family's small instance.
func drawFamily(f *topology.Family, path string) error {
	d := topology.Design{Family: f, V: survey.SmallInstance(f)}
	n, err := d.Build()
	if err != nil {
		return err
	}
	return disk.WriteNamedBytes(path, survey.Drawing(d, n))
}
