package study

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJobs: a mix alone is a workload; it is built in, a table, or a file beside the study. By hand: two of three jobs of the table have
// 64 endpoints or fewer.
func TestJobs(t *testing.T) {
	const body = "[endpoints]\ncount = { min = 64, max = 128 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"fattree\"]\n[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"jobs_isolated\"\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jobs.csv"), []byte("endpoints,share\n8,1\n64,1 # the usual\n4096,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		jobs string
		want float64 // within 64 endpoints
	}{{`"mix"`, 4 * 0.963 / 7}, {"{ 64 = 1, 8 = 1, 65 = 1 }", 2. / 3}, {`"jobs.csv"`, 0.5}} {
		path := filepath.Join(dir, "study.toml")
		if err := os.WriteFile(path, []byte(body+"[workload]\njobs = "+c.jobs+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		s, found := Load(path)
		if found.HasErrors() {
			t.Errorf("jobs = %s: %v", c.jobs, found)
			continue
		}
		if got := s.Options.Jobs.Within(64); math.Abs(got-c.want) > 1e-12 || s.Options.Training != nil {
			t.Errorf("jobs = %s: %g of them within 64 endpoints, want %g", c.jobs, got, c.want)
		}
	}
	path := filepath.Join(dir, "none.toml")
	if err := os.WriteFile(path, []byte(body), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, found := Load(path); !strings.Contains(fmt.Sprint(found), "jobs_isolated is asked for, and there are no jobs") {
		t.Errorf("no jobs: %v", found)
	}
}
