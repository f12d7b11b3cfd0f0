package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/internal/diag"
	"toposearch/topology"
	"toposearch/topology/family"
)

func (a *app) familiesCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "families [NAME]",
		Short: "What can be searched: families with parameters and sources",
		Example: `  toposearch families
  toposearch families zcube
  toposearch families dragonfly --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := family.All()
			if len(args) == 1 {
				f, ok := family.ByName(args[0])
				if !ok {
					return usagef("there is no family %q%s", args[0], diag.Hint(args[0], familyNames()))
				}
				list = []*topology.Family{f}
			}
			if a.json {
				return printJSON(a.out, familiesJSON(list))
			}
			if len(args) == 1 {
				familyPage(a.out, list[0])
				return nil
			}
			for _, f := range list {
				fmt.Fprintf(a.out, "%-20s %s\n", f.Name, f.Title)
			}
			fmt.Fprintf(a.out, "\n%d families, and file:PATH for a network of your own. One of them in full: toposearch families NAME\n", len(list))
			return nil
		},
	}
}

func familyNames() []string {
	var names []string
	for _, f := range family.All() {
		names = append(names, f.Name)
	}
	return names
}

type familyDoc struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Source   topologySource `json:"source"`
	Params   []paramDoc     `json:"params"`
	Links    []classDoc     `json:"link_classes"`
	Switches []classDoc     `json:"switch_classes"`
	Routing  string         `json:"natural_routing,omitempty"`
	VCs      string         `json:"vcs,omitempty"`
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
	Choices  []string `json:"choices,omitempty"`
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
			f.Source.Authors, f.Source.Title, f.Source.Venue, f.Source.Year, f.Source.Departures}}
		for i, p := range f.Params {
			d.Params = append(d.Params, paramDoc{p.Name, p.Doc, p.Min, p.Max, p.Default != nil, p.Choices, i == f.Derived})
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

// familyPage prints one family for a reader at a terminal of 80 columns.
func familyPage(w io.Writer, f *topology.Family) {
	fmt.Fprintf(w, "%s\n%s\n\n", f.Name, wrap(f.Title, 78, "  "))
	fmt.Fprint(w, "Source\n", wrap(fmt.Sprintf("%s: %s. %s, %d.", f.Source.Authors, f.Source.Title, f.Source.Venue, f.Source.Year), 78, "  "))
	if f.Source.Departures != "" {
		fmt.Fprint(w, wrap("Departures: "+f.Source.Departures, 78, "  "))
	}
	fmt.Fprint(w, "\nParameters\n")
	for i, p := range f.Params {
		note := fmt.Sprintf("%d to %d", p.Min, p.Max)
		if p.Choices != nil {
			note = strings.Join(p.Choices, ", ")
		}
		if p.Default != nil {
			note += "; has a default"
		}
		if i == f.Derived {
			note += "; derived from the endpoint count by the search"
		}
		fmt.Fprintf(w, "  %-12s%s", p.Name, strings.TrimLeft(wrap(p.Doc+" ("+note+")", 78, strings.Repeat(" ", 14)), " "))
	}
	fmt.Fprint(w, "\nLinks\n")
	for _, c := range f.LinkClasses {
		fmt.Fprintf(w, "  %-12s%s", c.Name, strings.TrimLeft(wrap(c.Doc, 78, strings.Repeat(" ", 14)), " "))
	}
	if len(f.SwitchClasses) > 0 {
		fmt.Fprint(w, "\nSwitches\n")
	}
	for _, c := range f.SwitchClasses {
		fmt.Fprintf(w, "  %-12s%s", c.Name, strings.TrimLeft(wrap(c.Doc, 78, strings.Repeat(" ", 14)), " "))
	}
	if f.VCReason != "" {
		fmt.Fprint(w, "\nDeadlock freedom\n", wrap(f.VCReason, 78, "  "))
	}
}
