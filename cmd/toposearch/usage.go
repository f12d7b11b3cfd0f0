package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/diag"
)

// tellUsage makes every wrong command line end with status 2 and a message that says what to
// write: cobra's own speak of parsers and argument counts.
func (a *app) tellUsage(root *cobra.Command) {
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(a.helpCmd(root))
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args[0])
		}
		return nil
	}
	// Flags and what stands above them fit into a terminal of 80 columns.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", ".FlagUsagesWrapped 80 |"))
	for _, c := range root.Commands() {
		c.Long, c.Example = narrow(c.Long), folded(c.Example)
		accept := c.Args
		if accept == nil {
			continue
		}
		c.Args = func(c *cobra.Command, args []string) error {
			if accept(c, args) == nil {
				return nil
			}
			what := "needs an argument"
			if len(args) > 0 {
				what = "does not take " + count(len(args), "argument")
			}
			return usagef("%s %s\nusage: %s\nexamples: toposearch %s --help", c.Name(), what, c.UseLine(), c.Name())
		}
	}
}

// narrow wraps the paragraphs of a text that are wider than 80 columns; what is indented keeps its
// lines.
func narrow(text string) string {
	parts := strings.Split(text, "\n\n")
	for i, p := range parts {
		wide := false
		for l := range strings.SplitSeq(p, "\n") {
			wide = wide || len(l) > 80
		}
		if wide && !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			parts[i] = strings.TrimRight(wrap(p, 80, ""), "\n")
		}
	}
	return strings.Join(parts, "\n\n")
}

// folded breaks examples that are wider than 80 columns before a flag, as a shell reads them.
func folded(examples string) string {
	var out []string
	for l := range strings.SplitSeq(examples, "\n") {
		for len(l) > 80 {
			at := strings.LastIndex(l[:78], " --")
			if at <= 4 {
				break
			}
			out = append(out, l[:at]+" \\")
			l = "     " + l[at:]
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return usagef("there is no command %q%s\ntoposearch --help lists the commands", name, diag.Hint(name, names))
}

// helpCmd is `toposearch help [COMMAND]`.
func (a *app) helpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about a command or a topic",
		Example: "  toposearch help run\n  toposearch help metrics",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, strings.Join(args, " "))
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// invalidValue is pflag's message of a value that its flag cannot take.
var invalidValue = regexp.MustCompile(`^invalid argument ("(?:[^"\\]|\\.)*") for "(?:-\w, )?--([\w-]+)" flag: `)

// flagError says what a flag takes, by its type.
func flagError(c *cobra.Command, err error) error {
	s := err.Error()
	if m := invalidValue.FindStringSubmatch(s); m != nil {
		takes := map[string]string{
			"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 up", "float64": "a number",
			"duration": "a time such as 500ms, 2s or 1m30s", "bool": "true or false",
		}
		if f := c.Flags().Lookup(m[2]); f != nil && takes[f.Value.Type()] != "" {
			return usagef("--%s %s: it takes %s", m[2], strings.Trim(m[1], `"`), takes[f.Value.Type()])
		}
	}
	if name, ok := strings.CutPrefix(s, "unknown flag: --"); ok {
		var names []string
		for _, set := range []interface{ FlagUsages() string }{c.Flags(), c.InheritedFlags()} {
			for _, m := range longFlag.FindAllStringSubmatch(set.FlagUsages(), -1) {
				names = append(names, m[1])
			}
		}
		hint := ""
		if n := diag.Nearest(name, names); n != "" {
			hint = "; did you mean --" + n + "?"
		}
		return usagef("%s has no flag --%s%s\n%s --help lists its flags", c.Name(), name, hint, c.CommandPath())
	}
	return usagef("%v\n%s --help lists its flags", err, c.CommandPath())
}

var longFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)
