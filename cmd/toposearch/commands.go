package main

import "github.com/spf13/cobra"

// commands lists the subcommands, one file each.
func (a *app) commands() []*cobra.Command {
	return append([]*cobra.Command{
		a.initCmd(),
		a.checkCmd(),
		a.familiesCmd(),
		a.evalCmd(),
		a.reproduceCmd(),
	}, a.topics()...)
}
