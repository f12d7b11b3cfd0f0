package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"toposearch/internal/disk"
)

// manCmd writes manual pages, for packages.
func (a *app) manCmd() *cobra.Command {
	var markdown bool
	c := &cobra.Command{
		Use:     "man DIR",
		Short:   "Manual pages of all commands and topics, section 1",
		Example: "  toposearch man man1 && man -l man1/toposearch-run.1\n  toposearch man docs --markdown",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := disk.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			write, ending := manPages, "*.1"
			if markdown {
				write, ending = a.referencePages, "*.md"
			}
			if err := write(c.Root(), args[0]); err != nil {
				return err
			}
			pages, err := filepath.Glob(filepath.Join(args[0], ending))
			if err == nil && a.json {
				err = printJSON(a.out, map[string]any{"schema": "toposearch.man/1", "files": pages})
			} else if err == nil {
				fmt.Fprintf(a.out, "wrote %d pages to %s\n", len(pages), args[0])
			}
			return err
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "two pages of Markdown instead: the help of everything, and all metrics with formula and source")
	return c
}

func manPages(root *cobra.Command, dir string) error {
	root.DisableAutoGenTag = true // the day on which they were made is in no package
	return doc.GenManTree(root, &doc.GenManHeader{Title: "TOPOSEARCH", Section: "1", Source: "toposearch " + programVersion(), Manual: "toposearch"}, dir)
}

// referencePages writes the help of all commands and topics as one page, and the metrics as another.
func (a *app) referencePages(root *cobra.Command, dir string) error {
	var list, pages strings.Builder
	var add func(c *cobra.Command) error
	add = func(c *cobra.Command) error {
		if c.Name() == "completion" || c.Hidden {
			return nil
		}
		var help strings.Builder
		out := a.out // pages of keys print themselves
		a.out = &help
		c.SetOut(&help)
		defer func() {
			a.out = out
			c.SetOut(nil)
		}()
		if err := c.Help(); err != nil {
			return err
		}
		text, _, _ := strings.Cut(help.String(), "\nGlobal Flags:")
		anchor := strings.ReplaceAll(c.CommandPath(), " ", "-")
		fmt.Fprintf(&list, "- [%s](#%s): %s\n", c.CommandPath(), anchor, c.Short)
		fmt.Fprintf(&pages, "\n## %s\n\n```text\n%s\n```\n", c.CommandPath(), strings.TrimRight(text, "\n"))
		for _, sub := range c.Commands() {
			if err := add(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(root); err != nil {
		return err
	}
	text := "# Reference\n\nWhat `--help` prints of every command and topic, made from the program. Metrics have [a page of their own](metrics.md).\n\n" + list.String() + pages.String()
	if err := disk.WriteBytes(filepath.Join(dir, "reference.md"), []byte(text)); err != nil {
		return err
	}
	return disk.WriteBytes(filepath.Join(dir, "metrics.md"), []byte(metricsPage()))
}
