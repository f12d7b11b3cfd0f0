package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/routing"
	"toposearch/routing/opensm/trial"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// verifyDoc is what a foreign tool said of a design.
type verifyDoc struct {
	Schema string `json:"schema"`
	With   string `json:"with"`
	*trial.Result
	Contradictions []string `json:"contradictions"`
}

// verifyFlags are the flags of verify.
type verifyFlags struct {
	with             string
	engines, routing []string
	timeout          time.Duration
	strict           bool
}

func (a *app) verifyCmd() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify DESIGN",
		Short: "A network discovered and routed by a foreign tool: OpenSM",
		Long: `Has OpenSM, the subnet manager that runs InfiniBand clusters, discover and route
a design, or a network file, in ibsim's simulation of the fabric, one engine after
another, and ibdmchk look for credit loops in its tables. Then OpenSM loads the
tables of lash and dfsssp as this program makes them, and ibdmchk judges these
with their service levels, and without. What is compared: cables found, port for
port; tables taken over, entry by entry; credit loops, by ibdmchk and by a walk of
our own over the same tables; virtual lanes.

Needs no InfiniBand and no root, but Debian's packages ibsim-utils, opensm,
infiniband-diags and ibutils. Endpoints have one port each. Adaptive routing,
detours and VCs that change on the way are not InfiniBand's and not tried.
updn starts at the switches farthest from endpoints, or else at the one with the
most links.`,
		Example: `  toposearch verify 'dragonfly(p=2,a=4,h=2)' --with opensm
  toposearch verify 'fattree(k=16,l=3)' --with opensm --engines updn,ftree
  toposearch verify file:discovered.net --with opensm --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.verify(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.with, "with", "opensm", "the tool: opensm")
	c.Flags().StringSliceVar(&f.engines, "engines", trial.Engines, "OpenSM's engines that are tried")
	c.Flags().StringSliceVar(&f.routing, "routing", []string{"lash", "dfsssp"}, "tables of our own that OpenSM loads")
	c.Flags().DurationVar(&f.timeout, "timeout", 5*time.Minute, "time that each run of a program may take")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 6 if the tool contradicts this program")
	return c
}

func (a *app) verify(ctx context.Context, text string, f verifyFlags) error {
	if f.with != "opensm" {
		return usagef("--with %q: there is opensm; toposearch simulate --config runs BookSim's configurations", f.with)
	}
	for _, e := range f.engines {
		if !slices.Contains(trial.Engines, e) {
			return usagef("--engines %q: there are %s", e, strings.Join(trial.Engines, ", "))
		}
	}
	if len(f.engines) == 0 {
		return usagef("--engines is empty: give some of %s", strings.Join(trial.Engines, ", "))
	}
	if f.timeout < time.Second || f.timeout > 24*time.Hour {
		return usagef("--timeout %v is out of range; give 1s to 24h", f.timeout)
	}
	ours := map[string]func(context.Context, *topology.Network) (*routing.Layered, error){}
	for _, name := range f.routing {
		if !route.HasTables(name) {
			return usagef("--routing %q has no tables with one path for each pair; lash and dfsssp have", name)
		}
		ours[name] = func(ctx context.Context, n *topology.Network) (*routing.Layered, error) {
			return route.LayeredFor(ctx, name, n)
		}
	}
	designs, err := a.parseDesigns([]string{text})
	if err != nil {
		return err
	}
	n, err := designs[0].Build()
	if err != nil {
		return err
	}
	r, err := trial.Run(ctx, n, ours, trial.Options{Engines: f.engines, Timeout: f.timeout})
	var cannot *trial.Cannot
	if errors.As(err, &cannot) {
		return joinUsage(err)
	}
	if err != nil {
		return err
	}
	doc := verifyDoc{Schema: "toposearch.verify/1", With: f.with, Result: r, Contradictions: append([]string{}, r.Contradictions()...)}
	if a.json {
		err = printJSON(a.out, doc)
	} else {
		_, err = fmt.Fprint(a.out, r.Words())
	}
	if err == nil && f.strict && len(doc.Contradictions) > 0 {
		return &exitError{exitContradicts, fmt.Errorf("%s contradicts this program: %s", f.with, strings.Join(doc.Contradictions, "; "))}
	}
	return err
}
