package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toposearch/evaluator"
)

// TestManPages: every command and topic has a page that names all of its flags.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := command(t, "man", dir); status != exitOK {
		t.Fatal(stderr)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Name() == "help" || !c.IsAvailableCommand() {
			return
		}
		text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(string(text), "--"+f.Name) && !strings.Contains(string(text), strings.ReplaceAll("--"+f.Name, "-", `\-`)) {
				t.Errorf("the page of %s lacks --%s", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit((&app{}).root())
}

// TestCompletion: shells complete families, run directories, and the designs on a front.
func TestCompletion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	study := filepath.Join(t.TempDir(), "s.toml")
	if err := os.WriteFile(study, []byte("[endpoints]\ncount = 64\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"zcube\"]\n[[objective]]\nmetric = \"cost\"\n[verify]\nfinalists = 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command(t, "run", study, "--out", dir, "--quiet"); status != exitOK {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"families", "zc"}, "zcube_rect\n"},
		{[]string{"eval", ""}, "dragonfly(\n"},
		{[]string{"show", filepath.Dir(dir) + "/"}, dir + "\n"},
		{[]string{"explain", dir, ""}, "zcube(n=64,k=1)\n"},
		{[]string{"reproduce", ""}, "atop-table2\n"},
		{[]string{"init", "--example", ""}, "atop-1\n"},
		{[]string{"show", dir, "--sort", ""}, "mean_hops\n"},
		{[]string{"run", ""}, "toml\n"},
	} {
		_, out, _ := command(t, append([]string{cobra.ShellCompNoDescRequestCmd}, c.line...)...)
		if !strings.Contains("\n"+out, "\n"+c.want) {
			t.Errorf("%q completes to %q, without %q", c.line, out, c.want)
		}
	}
	if status, out, _ := command(t, "--version"); status != exitOK || !strings.HasPrefix(out, "toposearch ") {
		t.Errorf("--version: %d %q", status, out)
	}
}

// TestChangelog: what the figures of this version are is told where people look.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n## Evaluator "+evaluator.Version+" ") {
		t.Errorf("CHANGELOG.md has no section on evaluator %s: say which numbers changed, and why", evaluator.Version)
	}
}
