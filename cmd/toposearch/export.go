package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/evaluator"
	"toposearch/internal/unit"
	"toposearch/report/picture"
	"toposearch/topology"
	"toposearch/topology/foreign"
	"toposearch/topology/netfile"
)

// exportFormats are the names of all formats, sorted.
func exportFormats() []string {
	names := []string{formatOpenSM, formatNetwork, formatPlan, formatSVG}
	for _, f := range foreign.Formats() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

func (a *app) exportCmd() *cobra.Command {
	var f exportFlags
	var b strings.Builder
	for _, x := range foreign.Formats() {
		fmt.Fprintf(&b, "  %-14s %s\n", x.Name, x.Doc)
	}
	c := &cobra.Command{
		Use:   "export DESIGN",
		Short: "A network in other tools' formats, as pictures, as order lists",
		Long: `Writes a design, or a network file, in the format of another tool, to stdout or
to --out. A format that cannot express the network (several ports of an endpoint,
parallel links, one-way links, rates) is refused, with the reason:

` + b.String() + `  network        network.json: all that the program knows; read by file:
  opensm         the network with the tables of lash or dfsssp; a folder
  plan           what to buy and how to wire it: bom.csv, racks.csv, cables.csv,
                 install.csv, order.xlsx, floor.svg, racks.svg and network.json,
                 as the report writes them; a folder
  svg            pictures, see --picture

file: reads back network, csv, netbox (cables.csv), graphml, ibnetdiscover,
anynet and edges, as the same network: which switches are the forwarding parts of
endpoints is kept by all but anynet. network alone has the routing and where
things stand, on which lengths of cables and their prices hang.
Rates are those of the file, or those that eval has under the same flags:
--bandwidth over the ports of an endpoint, rounded up to rates that the price
list has ports and cables of. network has what is rounded up: reading it rounds it
again. Under --study there must be parts for the design; plan and svg choose
parts always.

Pictures show the network by classes and blocks (network), all its switches and
links up to 200 switches (graph), the load of its links by class under uniform
and worst traffic (heat), racks with their switches (floor), what stands in each
kind of rack (racks), and cables in their trays (cables); all is every one that
the design has, into a folder.

The files of opensm are the fabric (fabric.net, for ibsim), LIDs (guid2lid),
forwarding tables (lfts, opensm -R file), the service level of each pair of
endpoints (paths.sl, for ibdmchk -c and for those who open connections; OpenSM's
file engine does not hand them out), and options for the virtual lanes
(opensm.conf). The tables are checked before: no cycle of channels within a
service level. Endpoints have one port each, and layers are at most 15. Adaptive
routings, those with detours and those whose VCs change on the way cannot be
written as InfiniBand's tables. toposearch verify --with opensm tries them.`,
		Example: `  toposearch export 'torus(k1=4,k2=4)' --format graphml --out torus.graphml
  toposearch export 'zcube(n=32,k=2)' --format netbox --out zcube
  toposearch export file:discovered.net --format dot
  toposearch export 'dragonfly(p=4,a=8,h=4)' --format svg --picture cables --out cables.svg
  toposearch export 'fattree(k=16,l=3)' --study study.toml --format plan --out fattree
  toposearch export 'dragonfly(p=2,a=4,h=2)' --format opensm --routing lash --out dragonfly`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch named := c.Flags().Changed("format"); {
			case c.Flags().Changed("picture") && !named:
				f.format = formatSVG
			case c.Flags().Changed("picture") && f.format != formatSVG:
				return usagef("--picture is of --format svg, not of %s", f.format)
			}
			if !slices.Contains(exportFormats(), f.format) {
				return usagef("--format %q: there are %s", f.format, strings.Join(exportFormats(), ", "))
			}
			return a.export(c, args[0], f)
		},
	}
	c.Flags().StringVar(&f.format, "format", formatOpenSM, "format: "+strings.Join(exportFormats(), ", "))
	c.Flags().StringVar(&f.routing, "routing", "dfsssp", "routing of opensm's tables: lash or dfsssp")
	c.Flags().StringVar(&f.bandwidth, "bandwidth", "", "bandwidth of an endpoint, all ports together, such as '800 Gb/s' (default: the file's, or 400 Gb/s)")
	c.Flags().DurationVar(&f.hop, "hop", 500*time.Nanosecond, "latency of a link and the switch behind it, for astra-sim, simai and htsim")
	c.Flags().StringVar(&f.study, "study", "", "take bandwidth, site and prices of this study")
	c.Flags().StringSliceVar(&f.catalogs, "catalog", nil, "price lists of rates, plan and svg, CSV or XLSX (default: the study's, or built in)")
	c.Flags().StringSliceVar(&f.pictures, "picture", []string{picture.Network}, "pictures of svg: "+strings.Join(picture.Kinds(), ", ")+", or "+everyPicture)
	c.Flags().StringVarP(&f.out, "out", "o", "", "file, or folder for formats of several files, which is created (default: stdout)")
	_ = c.RegisterFlagCompletionFunc("picture", cobra.FixedCompletions(append(picture.Kinds(), everyPicture), cobra.ShellCompDirectiveNoFileComp)) // the flag is there
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportFormats(), cobra.ShellCompDirectiveNoFileComp))                        // the flag is there
	return c
}

// export writes the files of a design.
func (a *app) export(c *cobra.Command, text string, f exportFlags) error {
	designs, err := a.parseDesigns([]string{text})
	if err != nil {
		return err
	}
	d := designs[0]
	switch f.format {
	case formatOpenSM:
		return a.exportOpenSM(c, d, f)
	case formatPlan:
		return a.exportPlan(c.Context(), d, f)
	case formatSVG:
		return a.exportPictures(c.Context(), d, f)
	}
	if f.hop < time.Nanosecond || f.hop > time.Second {
		return usagef("--hop %v is out of range; give 1ns to 1s", f.hop)
	}
	n, err := d.Build()
	if err != nil {
		return err
	}
	lane, unstated, rates, err := a.ratesOf(c.Context(), d, n, f)
	if err != nil {
		return err
	}
	files := []foreign.File{{Write: func(_ *foreign.Fabric, w io.Writer, _ foreign.Times) error {
		opt := netfile.OptionsOf(d)
		opt.LaneGbps, opt.Unstated = lane, unstated
		return netfile.Write(w, n, opt)
	}}}
	for _, x := range foreign.Formats() {
		if x.Name == f.format {
			files = x.Files
		}
	}
	if f.out == "" && len(files) > 1 {
		return usagef("--out is missing: the folder for the files of %s", f.format)
	}
	doc := exportDoc{Schema: exportSchema, Design: d.String(), Format: f.format, LaneGbps: lane, Switches: n.Switches(), Endpoints: n.Endpoints()}
	if f.format != formatNetwork && rates != nil {
		doc.LinkGbps = map[string]float64{n.LinkClasses[0].Name: rates[0]} // of endpoints
		for c := range topology.ChannelID(n.Channels()) {
			doc.LinkGbps[n.LinkClasses[n.LinkClass(c)].Name] = rates[n.LinkClass(c)]
		}
	}
	fabric, times := foreign.New(n, rates).Built(netfile.OptionsOf(d)), foreign.Times{HopNs: float64(f.hop.Nanoseconds())}
	var list []outFile
	for _, x := range files {
		list = append(list, outFile{x.Name, func(w io.Writer) error { return x.Write(fabric, w, times) }})
	}
	if err := a.writeExport(f.out, &doc, list); err != nil {
		return err
	}
	a.noteLost(d, n, f, rates)
	return nil
}

// noteLost says of a format that file: reads what of the design it does not hold, so that figures of the file would be others.
func (a *app) noteLost(d topology.Design, n *topology.Network, f exportFlags, rates []float64) {
	embedded := slices.ContainsFunc(n.SwitchClasses, func(c topology.SwitchClass) bool { return c.Embedded })
	switch f.format {
	case "anynet":
		if embedded {
			a.note("%s: anynet has routers where endpoints forward: file: reads them as switches that are bought, with one port for their endpoint; csv, netbox, graphml, ibnetdiscover and network tell them apart", d)
		}
	case "csv", "netbox", "graphml", "ibnetdiscover":
		asked, err := unit.KindBandwidth.Parse(f.bandwidth)
		if err != nil || rates == nil || embedded { // the link of an endpoint to its forwarding part has what was asked
			return
		}
		_, _, ports := n.Group(0)
		if carried := rates[0] * float64(len(ports)); math.Abs(carried/asked-1) > 1e-9 {
			a.note("%s: its throughputs are fractions of %g Gb/s, those of the file of the %g Gb/s that its ports carry, unless eval has the same --bandwidth; network keeps what was asked", d, asked, carried)
		}
	}
}

// ratesOf are the rates of a lane and of the classes of links of a design, whose network is n: those of its file as they are, unless a flag asks for
// others, or those that eval has.
func (a *app) ratesOf(ctx context.Context, d topology.Design, n *topology.Network, f exportFlags) (lane float64, unstated bool, classes []float64, err error) {
	if x := a.files[d.Family]; x != nil && x.LaneGbps > 0 && !x.Unstated && f.bandwidth == "" && f.study == "" {
		return x.LaneGbps, false, foreign.Lanes(n, x.LaneGbps), nil
	}
	var ev *evaluator.Evaluator
	if f.study != "" {
		p, err := a.planOf(ctx, d, f)
		if err == nil && p.plan == nil {
			err = fmt.Errorf("%s: there are no parts for it under %s: %s", d, f.study, p.why)
		}
		if err != nil {
			return 0, false, nil, err
		}
		ev = p.ev
	} else if ev, err = a.evaluatorFor(d, f); err != nil {
		return 0, false, nil, err
	}
	classes, endpoint, rej, err := ev.LinkGbps(d, n)
	if err != nil {
		return 0, false, nil, err
	}
	for i := range classes {
		if n.LinkClasses[i].Name == topology.ClassInternal { // between an endpoint and its forwarding part, which limits nothing
			classes[i] = max(classes[i], endpoint)
		}
	}
	if rej.Constraint != "" {
		a.note("%s: %s: its links have what was asked", d, rej.Words())
	}
	lane, unstated, err = ev.LaneGbps(d)
	return lane, unstated, classes, err
}
