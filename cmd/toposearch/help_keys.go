package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/internal/tomlfile"
)

// keysPage is a help page on the keys of a file; with --json the JSON Schema of all of the file, for editors, unless there
// is none.
func (a *app) keysPage(name, short string, all []tomlfile.Section, text string) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Long: text, Args: cobra.NoArgs, Example: fmt.Sprintf("  toposearch %[1]s\n  toposearch %[1]s --json >%[1]s.schema.json", name)}
	if all == nil {
		c.Example = "  toposearch " + name
	}
	c.RunE = func(*cobra.Command, []string) error {
		if a.json && all != nil {
			return printJSON(a.out, tomlfile.Schema("toposearch: "+name, all))
		}
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	c.SetHelpFunc(func(*cobra.Command, []string) { _ = c.RunE(c, nil) }) // what cannot be printed has nowhere to be told
	return c
}

// keysText sets the sections: for each key a line as it would stand in the file, what it means, and what holds without it.
func keysText(name string, schema bool, more string, sections []tomlfile.Section) string {
	var b strings.Builder
	for i := range sections {
		s := &sections[i]
		switch {
		case s.List:
			fmt.Fprintf(&b, "\n[[%s]]\n", s.Name)
		case s.Name != "":
			fmt.Fprintf(&b, "\n[%s]\n", s.Name)
		}
		b.WriteString(wrap(s.Doc, 80, ""))
		for j := range s.Keys {
			if s.Few > 0 && j == s.Few {
				fmt.Fprintf(&b, "  and %d more like these\n", len(s.Keys)-j)
				break
			}
			k := &s.Keys[j]
			about := k.Doc
			switch {
			case k.Needed:
				about += "; needed"
			case k.Else != "":
				about += "; without it " + k.Else
			case k.Default != "":
				about += "; default " + k.Default
			}
			fmt.Fprintf(&b, "  %s = %s\n%s", k.Name, k.Shown(), wrap(about, 80, "      "))
		}
	}
	if more != "" {
		b.WriteString("\n" + more + "\n")
	}
	if schema {
		fmt.Fprintf(&b, "\n"+`JSON Schema for editors: toposearch %[1]s --json >%[1]s.schema.json
and as the first line of the file  #:schema ./%[1]s.schema.json`, name)
	}
	return strings.TrimSpace(b.String())
}
