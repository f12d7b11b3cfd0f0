package study

import (
	"cmp"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/cluster"
	"toposearch/internal/tomlfile"
	"toposearch/internal/tomlfile/keytest"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/workload/placed"
)

// readStudy reads a study with its tree.
func readStudy(text string) (*Study, *tomlfile.Table, diag.List) {
	s := &Study{Path: "study.toml", Known: family.Known()}
	ld := &loader{s: s, read: func(name string) ([]byte, error) {
		if x, ok := map[string]string{"site.toml": "", "parts.csv": someParts}[name]; ok {
			return []byte(x), nil
		}
		return nil, fs.ErrNotExist
	}}
	t := tomlfile.Parse(s.Path, []byte(text), &ld.diags)
	if t != nil {
		ld.study(t)
	}
	return s, t, ld.diags
}

// someParts are a price list with what stands around a network.
const someParts = `part_no,kind,rate_gbps,ports,length_m,reach_m,medium,power_w,Preis netto,currency,lead_time
SW-64x400,switch,400,64,,,,800,40000,USD,stock
DAC-400,cable,400,1,3,,dac-passive,0,200,USD,stock
AOC-400,cable,400,1,300,,aoc,8,900,USD,stock
NIC-400,nic,400,1,,,,20,1500,USD,stock
ACC-1,accelerator,,,,,,700,30000,USD,stock
CPU-1,cpu,,,,,,300,5000,USD,stock
RACK-1,rack,,,,,,,3000,USD,stock
`

// inStudy is a study that is sound with such a table in it: tables that it needs beside it are added.
func inStudy(s *tomlfile.Section, line, key string) string {
	// beside are other keys and tables without which an example says nothing.
	beside := map[string]string{
		"endpoints.scaleup": "domain = 16\nlevels = 2\nbox = 8\n",
		"require": `[workload]
model = "gpt3-22b"
sequence = 2048
batch = 1536
jobs = "mix"
base = 128
accelerator = { flops = "989 Tflop/s", memory = "1 TB" }
[availability]
checkpoint = "60 s"
[tco]
years = 5
energy = "0.10 USD/kWh"
`}
	const accelerator = "accelerator = { flops = \"989 Tflop/s\", memory = \"1 TB\" }\n"
	own, rest := "", ""
	top := "constraints = \"site.toml\"\ncatalog = \"parts.csv\"\n"
	switch {
	case s.Name == "" || s.Name == "catalog": // instead of the line at the top
		if key == "constraints" || key == "catalog" {
			top = ""
		}
		if s.Name == "catalog" {
			top = "constraints = \"site.toml\"\n"
			own = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\n", ", ")
			if key != "files" {
				own = "files = \"parts.csv\", " + own
			}
			own = "catalog = { " + own + " }\n"
			break
		}
		own = keytest.Written(s, line, key)
	case strings.HasPrefix(s.Name, "workload"):
		table := "[workload]\nmodel = \"gpt3-22b\"\nsequence = 2048\nbatch = 1536\n"
		switch s.Name {
		case "workload":
			rest = keytest.Written(s, line+accelerator, key)
		case "workload.accelerator":
			rest = table + keytest.Written(s, line, key)
		default:
			rest = table + accelerator + keytest.Written(s, line, key)
		}
	case key == "simulations":
		rest = keytest.Written(s, line+"fidelity = \"search\"\n[[objective]]\nmetric = \"sim_saturation\"\n", key)
	case key == "fidelity": // the default changes nothing, and the other value needs an objective that is measured
		rest = keytest.Written(s, line, key)
	case s.Name == "endpoints.scaleup":
		for _, more := range strings.SplitAfter(beside[s.Name], "\n") {
			if line != "" && !strings.HasPrefix(more, key+" ") {
				line += more
			}
		}
		rest = keytest.Written(s, line, key)
	default:
		rest = keytest.Written(s, line, key) + beside[s.Name]
	}
	text := top + own
	if s.Name != "endpoints" {
		endpoints := "[endpoints]\ncount = 1024\nbandwidth = \"400 Gb/s\"\n"
		text += endpoints
	}
	if s.Name != "space" {
		text += "[space]\nfamilies = [\"zcube\", \"slimfly\", \"fattree\"]\n"
	} else if key != "families" {
		rest = fmt.Sprintf("[space]\nfamilies = [%q]\n%s", key, strings.TrimPrefix(rest, "[space]\n"))
	}
	if s.Name != "objective" {
		text += "[[objective]]\nmetric = \"cost\"\n"
	}
	return text + rest
}

// TestKeys: what help says of a study is what its reader takes, key by key, and a default that is written changes
// nothing.
func TestKeys(t *testing.T) {
	sections := append(Keys(), WorkloadKeys()...)
	keytest.Check(t, sections, []string{"space.", "catalog.columns.", "what_if.limits.", "what_if.prices.", "what_if.then.", "objective.weight"}, func(s *tomlfile.Section, line, key string) (*tomlfile.Table, diag.List) {
		_, tree, l := readStudy(inStudy(s, line, key))
		return tree, l
	})
	for i := range sections {
		s := &sections[i]
		bare, _, _ := readStudy(inStudy(s, "", ""))
		for _, key := range s.Keys {
			if key.Default != "" {
				with, _, _ := readStudy(inStudy(s, fmt.Sprintf("%s = %s\n", key.Name, key.Default), key.Name))
				same(t, s.Name+"."+key.Name, bare, with)
				is := func(a Assumption) bool { return a.Key == "["+s.Name+"] "+key.Name }
				if bare.restsOn(s.Name) && key.Name != "scaleup_bandwidth" && !slices.ContainsFunc(bare.Assumed(), is) {
					t.Errorf("[%s] %s is not among what is assumed", s.Name, key.Name)
				}
				if slices.ContainsFunc(with.Assumed(), is) {
					t.Errorf("[%s] %s is given and said to be assumed", s.Name, key.Name)
				}
			}
		}
	}
}

// same fails where two studies differ in what a search would do.
func same(t *testing.T, name string, a, b *Study) {
	t.Helper()
	of := func(s *Study) (asked struct {
		Name     string
		Seed     uint64
		Search   Search
		Verify   Verify
		Currency string
		Training evaluator.Training
		Options  evaluator.Options
	}) {
		o := s.Options
		o.Latency.FillDefaults()
		o.Site.FillDefaults()
		o.ScaleupGbps = cmp.Or(o.ScaleupGbps, evaluator.DefaultOptions().ScaleupGbps)
		o.Cluster.CPUsPerServer = cmp.Or(o.Cluster.CPUsPerServer, cluster.DefaultCPUs)
		if o.Cluster.RepairH == nil {
			o.Cluster.RepairH = map[string]float64{"": cluster.DefaultRepairH}
		}
		if !o.Scaleup {
			o.Domain = topology.Domain{}
		}
		if o.Training != nil {
			asked.Training = *o.Training
			asked.Training.Mapping = cmp.Or(asked.Training.Mapping, placed.OwnOrder().String())
		}
		o.Catalog, o.Training, o.Jobs = nil, nil, nil
		asked.Name, asked.Seed, asked.Search, asked.Verify, asked.Currency, asked.Options = s.Name, s.Seed, s.Search, s.Verify, s.Currency.Code, o
		return asked
	}
	if x, y := of(a), of(b); !reflect.DeepEqual(x, y) {
		t.Errorf("%s: the default changes what is searched:\n%+v\n%+v", name, x, y)
	}
}
