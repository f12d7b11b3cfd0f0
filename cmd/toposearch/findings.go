package main

import (
	"toposearch/catalog"
	"toposearch/diag"
)

// checkJSON is the machine form of findings, with the fields that editors and CI know from
// terraform validate.
func checkJSON(list diag.List, read ...catalog.Sheet) any {
	errors := 0
	for _, d := range list {
		if d.Severity == diag.Error {
			errors++
		}
	}
	if list == nil {
		list = diag.List{}
	}
	return struct {
		Schema      string    `json:"schema"`
		Valid       bool      `json:"valid"`
		Errors      int       `json:"error_count"`
		Warnings    int       `json:"warning_count"`
		Diagnostics diag.List `json:"diagnostics"`
		// Read is what was understood of price lists.
		Read []catalog.Sheet `json:"read,omitempty"`
	}{"toposearch.check/1", errors == 0, errors, len(list) - errors, list, read}
}

// refuse prints findings, and returns the error that ends the command with status 2 if any of
// them is an error.
func (a *app) refuse(list diag.List) error {
	list.Sort()
	if a.json {
		if list.HasErrors() {
			if err := printJSON(a.out, checkJSON(list)); err != nil {
				return err
			}
		}
	} else if len(list) > 0 {
		list.Print(a.err)
	}
	if list.HasErrors() {
		return &exitError{exitUsage, nil}
	}
	return nil
}
