package main

import "github.com/spf13/cobra"

// root builds the command tree.
func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "toposearch",
		Short: "Find the network of an AI cluster or supercomputer",
		Long: `toposearch searches the published network topologies for the ones that fit your
parts, your building and your budget, verifies the best flit by flit, and
reports a Pareto front with bill of materials and cabling.

Start here:
  toposearch run                        the built-in example, with a report
  toposearch init study                 a commented study to change
  toposearch eval 'zcube(n=32,k=2)'     all metrics of one design`,
		Version:       programVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON for machines (schemas: toposearch help json)")
	c.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on stderr")
	c.PersistentFlags().IntVar(&a.workers, "workers", 0, "goroutines (default: all cores); changes no result")
	c.PersistentFlags().Uint64Var(&a.seed, "seed", 0, "seed of everything random (default: the study's, or 1)")
	c.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.seedSet = c.Flags().Changed("seed")
		if a.workers < 0 || a.workers > 4096 {
			return usagef("--workers %d is out of range; give 1 to 4096, or 0 for all cores", a.workers)
		}
		return nil
	}
	c.SetVersionTemplate("toposearch {{.Version}}\n")
	c.AddCommand(a.commands()...)
	a.complete(c)
	a.tellUsage(c)
	return c
}

// commands lists the subcommands, one file each.
func (a *app) commands() []*cobra.Command {
	return append([]*cobra.Command{
		a.initCmd(),
		a.checkCmd(),
		a.planCmd(),
		a.runCmd(),
		a.resumeCmd(),
		a.statusCmd(),
		a.showCmd(),
		a.explainCmd(),
		a.compareCmd(),
		a.whatIfCmd(),
		a.reportCmd(),
		a.serveCmd(),
		a.workerCmd(),
		a.familiesCmd(),
		a.evalCmd(),
		a.simulateCmd(),
		a.verifyCmd(),
		a.exportCmd(),
		a.wireCmd(),
		a.benchCmd(),
		a.reproduceCmd(),
		a.selftestCmd(),
		a.manCmd(),
		a.versionCmd(),
	}, a.topics()...)
}
