package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/evaluator/metric"
	"toposearch/reproduce"
	"toposearch/search/run"
	"toposearch/study"
)

// complete gives the commands what the shell completes: families, run directories, designs on a front, tables, studies.
func (a *app) complete(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "families", "selftest":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return familyNames(), cobra.ShellCompDirectiveNoFileComp
			}
		case "eval", "simulate", "verify", "export":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				names := familyNames()
				for i := range names {
					names[i] += "("
				}
				return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
			}
		case "show", "explain", "report", "resume", "status", "serve", "compare", "what-if":
			c.ValidArgsFunction = completeRun
		case "reproduce":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				var names []string
				for _, t := range reproduce.Tables() {
					names = append(names, t.Name)
				}
				return names, cobra.ShellCompDirectiveNoFileComp
			}
		case "plan", "run", "check":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
		words := map[string][]string{"example": study.Examples(), "metrics": metricNames(), "sort": metricNames()}
		for flag, list := range words {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // fails only where the flag is not there
			}
		}
	}
}

func metricNames() []string {
	var out []string
	for k := range metric.Keys {
		out = append(out, metric.Keys[k].Name)
	}
	return out
}

// completeRun gives the runs in the folder of what is typed and in runs, and for a second argument the designs on the front.
func completeRun(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 1 && (c.Name() == "show" || c.Name() == "explain") || len(args) > 0 && c.Name() == "compare" {
		f, err := run.ReadFront(args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for i := range f.Front {
			out = append(out, f.Front[i].Design)
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	if len(args) > 0 && c.Name() != "status" && c.Name() != "serve" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, pattern := range []string{typed + "*", "runs/*"} {
		found, _ := filepath.Glob(pattern) // a typed pattern that is none has no matches
		for _, dir := range found {
			if _, err := run.ReadManifest(dir); err == nil && strings.HasPrefix(dir, typed) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	if len(out) > 0 {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}
