package main

import (
	"fmt"
	"strings"
)

// pageUnits are the units of a model on its pages.
type pageUnits struct {
	cycle   string  // what a cycle is
	time    string  // unit of latencies
	cycles  float64 // of them in a cycle
	decimal int
	flit    string
	bytes   bool // buffers are of bytes
}

var (
	flitUnits = &pageUnits{"cycles", "cycles", 1, 2, "flits", false}
	cutUnits  = &pageUnits{"ns", "us", 1e-3, 3, "cells", true}
)

// span is a time with its unit.
func (u *pageUnits) span(cycles float64) string {
	if u.cycles == 1 && cycles == float64(int64(cycles)) {
		return fmt.Sprintf("%d %s", int64(cycles), u.time)
	} else if u.cycles == 1 {
		return fmt.Sprintf("%.6g %s", cycles, u.time)
	}
	return fmt.Sprintf("%.*f %s", u.decimal, cycles*u.cycles, u.time)
}

// bare is a time without its unit.
func (u *pageUnits) bare(cycles int64) string {
	text, _, _ := strings.Cut(u.span(float64(cycles)), " ")
	return text
}
