package main

import (
	"context"
	"fmt"
	"strings"

	"toposearch/simulate"
)

// checkDeadlock proves or refutes that the chosen routing is free of deadlock, and says which.
func (a *app) checkDeadlock(ctx context.Context, t *simTask) error {
	n := t.net
	doc, rep, err := simulate.CheckDeadlock(ctx, t.design, n, t.flags.choice(a))
	if err != nil {
		return joinUsage(err)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	words := rep.Words(n)
	var classes []string
	for c := range n.LinkClasses {
		if name := n.LinkClasses[c].Name; doc.ClassVCs[name] > 0 {
			classes = append(classes, fmt.Sprintf("%s %d", name, doc.ClassVCs[name]))
		}
	}
	if len(classes) > 0 && doc.Acyclic {
		words += "\nVCs by link class: " + strings.Join(classes, ", ")
	}
	name := doc.Routing
	if doc.Rule != name {
		name += " (rule " + doc.Rule + ")"
	}
	fmt.Fprintf(a.out, "%s, routing %s:\n", doc.Design, name)
	for line := range strings.Lines(words) {
		fmt.Fprint(a.out, wrap(strings.TrimSpace(line), 80, "  "))
	}
	return nil
}
