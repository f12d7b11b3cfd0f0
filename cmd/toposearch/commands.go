package main

import "github.com/spf13/cobra"

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
		a.reportCmd(),
		a.familiesCmd(),
		a.evalCmd(),
		a.simulateCmd(),
		a.reproduceCmd(),
		a.versionCmd(),
	}, a.topics()...)
}
