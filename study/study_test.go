package study

import (
	"os"
	"path/filepath"
	"testing"
)

func TestExampleLoads(t *testing.T) {
	s, l := LoadExample()
	if len(l) > 0 {
		t.Fatalf("the example has findings: %v", l)
	}
	if s.MinEndpoints != 1024 || s.BandwidthGbps != 400 || len(s.Inputs) != 3 || s.Catalogue.Name != "builtin 2026-01" {
		t.Errorf("example: %d endpoints at %g Gb/s, %d inputs, catalogue %s", s.MinEndpoints, s.BandwidthGbps, len(s.Inputs), s.Catalogue.Name)
	}
	if s.Options.Site.MaxSwitchPorts != 64 || s.Options.MaxVCs != 4 || s.Options.Site.EndpointPowerW != 1000 || s.Options.Site.MediumReachM["copper"] != 3 {
		t.Errorf("example: options %+v", s.Options)
	}
}

func TestInitRunsAsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pod")
	files, err := Init(dir)
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	s, l := Load(files[0])
	if len(l) > 0 {
		t.Fatalf("findings: %v", l)
	}
	if len(s.Inputs) != 4 || s.Catalogue.Hash() == "" || s.Catalogue.Name != "parts.csv" {
		t.Errorf("inputs %d, catalogue %s", len(s.Inputs), s.Catalogue.Name)
	}
	if l := CheckFiles(files); len(l) > 0 {
		t.Errorf("check: %v", l)
	}
	before, _ := os.ReadFile(files[1])
	if _, err := Init(dir); err == nil {
		t.Error("files were overwritten")
	}
	if after, _ := os.ReadFile(files[1]); string(after) != string(before) {
		t.Error("site.toml changed")
	}
}
