package catalog

import (
	"math"
	"slices"
)

// Failure is how often a part of a kind fails where the price list does not say, and who counted that.
type Failure struct {
	Kind    string
	PerYear float64 // failures of one part a year
	Source  string
}

// Meta counted the unexpected interruptions of 16,384 accelerators, of which 8 are in a server with two processors,
// in 54 days.
const (
	llamaSource  = "Meta, The Llama 3 Herd of Models, arXiv:2407.21783, Table 5: unexpected interruptions of 16,384 accelerators in 54 days"
	llamaYears   = 54 / 365.0 // years of 8760 h
	llamaChips   = 16_384
	llamaHosts   = llamaChips / 8
	llamaBad     = 148 + 72 + 19 + 17 + 6 + 6 // accelerators: faulty, HBM3, SRAM, system processor, silent corruption, thermal interface
	llamaHostBad = 3 + 3 + 2 + 2 + 2 + 2      // SSD, power supply, chassis, I/O board, processor, memory
	llamaNICBad  = 7                          // and 35 of switches and cables, which the table does not divide
	hpnLinkYear  = 12 * 0.057 / 100           // K. Qian et al., Alibaba HPN, SIGCOMM 2024: links of NICs that fail each month
	hpnSource    = "K. Qian et al., Alibaba HPN, SIGCOMM 2024: 0.057 % of the links of NICs fail each month"
	azureStands  = 0.98 // of a switch, over three months
	azureSource  = "R. Singh et al., Surviving switch failures in cloud datacenters, CCR 51(2), 2021: 98 % of 180,000 switches stand three months"
	copperShare  = 0.1 // an assumption: without lasers, a tenth of what optics fail
	copperSource = "assumed: a tenth of an optical link, as it has no lasers"
)

// failures are those kinds; what is not among them does not fail: fibres and traces, which have no part that ages, and
// racks, of which only the owner knows what feeds and cools them.
var failures = []Failure{
	{KindAccelerator, float64(llamaBad) / llamaChips / llamaYears, llamaSource},
	{KindCPU, float64(llamaHostBad) / (2 * llamaHosts) / llamaYears, llamaSource + "; half of a server, its disks, memory and power supplies included"},
	{KindNIC, float64(llamaNICBad) / llamaChips / llamaYears, llamaSource},
	{KindSwitch, -4 * math.Log(azureStands), azureSource},
	{KindOCS, -4 * math.Log(azureStands), "taken as a switch: " + azureSource},
	{KindScaleupSwitch, -4 * math.Log(azureStands), "taken as a switch: " + azureSource},
	{KindScaleupCable, copperShare * hpnLinkYear, "taken as a copper cable: " + copperSource},
	{KindTransceiver, hpnLinkYear / 2, hpnSource + ", half of it at either end"},
	{KindCable, hpnLinkYear, hpnSource + "; copper: " + copperSource},
}

// Failures lists what is assumed of kinds for parts of whose failures a list says nothing.
func Failures() []Failure { return slices.Clone(failures) }

// FailuresPerYear is how often one part fails in a year: as its row says, or what is usual for the kind, which
// assumed then tells.
func (p *Part) FailuresPerYear() (rate float64, assumed bool) {
	if p.HasAFR {
		return p.AFR, false
	}
	return UsualFailures(p.Kind, p.Medium), true
}

// UsualFailures is what is assumed of a kind, and of a medium of cables, failures a year.
func UsualFailures(kind, medium string) float64 {
	for i := range failures {
		if f := &failures[i]; f.Kind == kind {
			if kind == KindCable && IsCopper(medium) {
				return f.PerYear * copperShare
			}
			return f.PerYear
		}
	}
	return 0
}
