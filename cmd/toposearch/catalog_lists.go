package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/study"
)

// listFlags say what price lists do not say of themselves.
type listFlags struct {
	study, decimal, encoding, currency, asOf string
	columns                                  []string
}

func (f *listFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.study, "study", "", "read lists as this study says, and its own if no file is named")
	c.Flags().StringVar(&f.decimal, "decimal", "", `decimal mark, "." or "," (default: found out)`)
	c.Flags().StringVar(&f.encoding, "encoding", "", "utf-8 or windows-1252 (default: found out)")
	c.Flags().StringVar(&f.currency, "currency", "", "ISO 4217 code of prices that name none")
	c.Flags().StringVar(&f.asOf, "as-of", "", "day on which prices must hold, 2026-11-01 (default: today)")
	c.Flags().StringArrayVar(&f.columns, "column", nil, `a head: 'unit_price=Preis netto', with a unit 'power_w=P max [kW]'`)
}

// options are those of the study with the flags over them, and the lists that the study names.
func (f *listFlags) options() (files []string, opt catalog.LoadOptions, l diag.List, err error) {
	if f.study != "" {
		if files, opt, l = study.Lists(f.study); l.HasErrors() {
			return nil, opt, l, nil
		}
	}
	var faults []error
	switch f.decimal {
	case "":
	case ".", ",":
		opt.Decimal = f.decimal[0]
	default:
		faults = append(faults, usagef(`--decimal %q: there are "." and ","`, f.decimal))
	}
	switch e := strings.ToLower(f.encoding); e {
	case "":
	case "utf-8", "windows-1252", "latin1":
		opt.Encoding = e
	default:
		faults = append(faults, usagef("--encoding %q: there are utf-8 and windows-1252 (the same as latin1)", f.encoding))
	}
	if f.currency != "" {
		opt.Currency = strings.ToUpper(f.currency)
		if !catalog.IsCurrency(opt.Currency) {
			faults = append(faults, usagef("--currency %q: write its ISO 4217 code: USD, EUR, GBP, ...", f.currency))
		}
	}
	if f.asOf != "" {
		opt.AsOf = f.asOf
		if _, err := time.Parse(time.DateOnly, f.asOf); err != nil {
			faults = append(faults, usagef("--as-of %q is no date; write 2026-11-01", f.asOf))
		}
	} else if opt.AsOf == "" {
		opt.AsOf = time.Now().Format(time.DateOnly)
	}
	for _, text := range f.columns {
		field, head, _ := strings.Cut(text, "=")
		rule := catalog.ColumnRule{Field: strings.TrimSpace(field), Head: strings.TrimSpace(head), Pos: diag.Pos{File: "--column " + text}}
		if fault := rule.Check(); fault != "" {
			faults = append(faults, usagef("--column %q: %s", text, fault))
			continue
		}
		opt.Columns = append(opt.Columns, rule)
	}
	return files, opt, nil, joinUsage(faults...)
}

// importDoc is what was understood of price lists.
type importDoc struct {
	Schema      string          `json:"schema"`
	Valid       bool            `json:"valid"`
	AsOf        string          `json:"as_of"`
	Parts       int             `json:"parts"`
	Sheets      []catalog.Sheet `json:"sheets"`
	Out         string          `json:"out,omitempty"`
	Diagnostics diag.List       `json:"diagnostics"`
}

// loadList reads one price list of a difference; "builtin" is the one inside the program.
func (a *app) loadList(path string, opt catalog.LoadOptions) (*catalog.Catalogue, diag.List) {
	if path == "builtin" {
		return catalog.Builtin(), nil
	}
	return catalog.LoadWith(opt, path)
}

// errDiffer ends catalog diff --exit-code where the lists differ; the difference has been printed.
var errDiffer = &exitError{exitDiffer, errors.New("the price lists differ")}
