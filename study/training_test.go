package study

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"toposearch/workload"
)

// workloadStudy is a study with the given lines in [workload].
const workloadStudy = `name = "w"
[endpoints]
count = 64
bandwidth = "400 Gb/s"
[space]
families = ["fattree"]
[[objective]]
metric = "cost"
[workload]
`

func loadWorkload(t *testing.T, lines string, files map[string]string) (*Study, string) {
	t.Helper()
	s, l := LoadFrom("w.toml", func(path string) ([]byte, error) {
		if path == "w.toml" {
			return []byte(workloadStudy + lines), nil
		}
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
	var all strings.Builder
	for _, d := range l {
		all.WriteString(d.String() + "\n")
		if d.Detail != "" {
			all.WriteString("  " + d.Detail + "\n")
		}
	}
	return s, all.String()
}

const soundWorkload = `model = "gpt3-22b"
sequence = 2048
batch = 128
accelerator = { flops = "312 Tflop/s", memory = "80 GB", efficiency = 0.6, memory_bandwidth = "2 TB/s" }
`

// TestWorkload: what is written is what is evaluated.
func TestWorkload(t *testing.T) {
	s, l := loadWorkload(t, soundWorkload+"alpha = \"4 us\"\nmessage = \"64 MB\"\nparallelism = { tp = 8, pp = 2, dp = 4, sp = 8, interleave = 2, zero = 0, recompute = \"selective\" }\n", nil)
	if s == nil {
		t.Fatal(l)
	}
	w := s.Options.Training
	want := workload.Parallelism{TP: 8, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, ScatterGather: true, Interleave: 2, MicroBatch: 1, Recompute: workload.Selective, FusedAttention: true}
	if w.Model.Name != "gpt3-22b" || w.Sequence != 2048 || w.Batch != 128 || w.MessageBytes != 64e6 || *w.Parallelism != want {
		t.Errorf("%+v, %+v", w, w.Parallelism)
	}
	if a := w.Accelerator; a.FLOPS != 312e12 || a.Memory != 80e9 || a.Efficiency != 0.6 || a.MemoryBytesPerS != 2e12 || a.Link[1].Alpha != 4e-6 {
		t.Errorf("%+v", a)
	}
	if s, l = loadWorkload(t, soundWorkload+"parallelism = \"best\"\n", nil); s == nil || s.Options.Training.Parallelism != nil || s.Options.Training.Accelerator.Link[1].Alpha != 5e-6 {
		t.Error(l)
	}
	if s, l = loadWorkload(t, soundWorkload+"mapping = \"pp, tp\"\n", nil); s == nil || s.Options.Training.Mapping != "pp, tp, cp, dp" {
		t.Error(l)
	}
	dims := "layers = 2\nhidden = 128\nheads = 4\nffn = 512\nvocab = 1000\n"
	s, l = loadWorkload(t, strings.Replace(soundWorkload, "gpt3-22b", "tiny.toml", 1), map[string]string{"tiny.toml": dims})
	if s == nil || s.Options.Training.Model.Layers != 2 || s.Inputs[len(s.Inputs)-1].Path != "tiny.toml" {
		t.Error(l)
	}
}

// TestWorkloadFaults: each with its line, value and remedy.
func TestWorkloadFaults(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{soundWorkload + "mapping = \"tp, ep\"\n", `w.toml:14:11: error: "ep" is no kind of parallelism that ranks are placed by`},
		{strings.Replace(soundWorkload, "gpt3-22b", "gpt3-175", 1), `w.toml:10:9: error: there is no model "gpt3-175"; did you mean "gpt3-175b"?`},
		{strings.Replace(soundWorkload, "gpt3-22b", "none.toml", 1), `w.toml:10:9: error: cannot read the model "none.toml"`},
		{strings.Replace(soundWorkload, "batch = 128\n", "", 1), "w.toml:9:2: error: [workload] needs batch"},
		{strings.Replace(soundWorkload, "312 Tflop/s", "312", 1), "w.toml:13:25: error:"},
		{strings.Replace(soundWorkload, "0.6", "60", 1), "60 is outside 0.01 to 1"},
		{soundWorkload + "jobs = \"none.csv\"\n", "cannot read the mix of jobs"},
		{soundWorkload + "jobs = { 8 = 0.5, big = 0.5 }\n", `"big" is no size of a job`},
		{soundWorkload + "jobs = { 8 = -1 }\n", "-1"},
		{soundWorkload + "parallelism = { tp = 8, pp = 2, dp = 8 }\n", "= 128 ranks, 64 more than the 64 endpoints of the largest design"},
		{soundWorkload + "parallelism = { tp = 8, sp = 4 }\n", "sp = 4, but tp = 8"},
		{soundWorkload + "parallelism = { tp = 3 }\n", "tp = 3 does not divide the 64 heads of gpt3-22b: 1 are left over"},
		{soundWorkload + "parallelism = { dp = 64 }\n", "more than the 80 GB of an accelerator"},
		{soundWorkload + "parallelism = { tp = 8, recompute = \"some\" }\n", `recompute is none, selective, full, not "some"`},
		{soundWorkload + "parallelism = \"good\"\n", `parallelism is "best" or degrees, not "good"`},
		{soundWorkload + "parallelism = { tensor = 8 }\n", `unknown key "tensor"`},
	} {
		if s, l := loadWorkload(t, c.lines, nil); s != nil || !strings.Contains(l, c.want) {
			t.Errorf("%s\n%swant %s", c.lines, l, c.want)
		}
	}
}

// TestExampleWorkload: the workload of the example is sound with what it shows as comments, and so are availability and costs, with
// a list of what they are of.
func TestExampleWorkload(t *testing.T) {
	dir := t.TempDir()
	files, err := Init(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	before, lines, ok := strings.Cut(string(text), "\n[workload]")
	if !ok {
		t.Fatal("the example shows no workload")
	}
	lines = strings.ReplaceAll("\n[workload]"+lines, "\n# ", "\n")
	if err := os.WriteFile(files[0], []byte(before+lines), 0o600); err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadFile(files[3])
	if err != nil {
		t.Fatal(err)
	}
	row := func(name, kind, watts string) string {
		return name + "," + kind + strings.Repeat(",", 11) + watts + ",1000,USD" + strings.Repeat(",", 6) + "\n"
	}
	if err := os.WriteFile(files[3], append(parts, []byte(row("ACC-1", "accelerator", "700")+row("RACK-1", "rack", ""))...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, l := Load(files[0])
	if s == nil || s.Options.Training == nil || s.Options.Training.Model.Name != "gpt3-175b" || s.Options.Cluster.Spares != 1 || s.Options.Cluster.TCO == nil {
		t.Error(details(l))
	}
}

// TestWorkloadTraffic: finalists are verified under the workload's traffic too, unless [verify] says otherwise; without a workload
// there is none.
func TestWorkloadTraffic(t *testing.T) {
	const job = "model = \"gpt3-22b\"\nsequence = 2048\nbatch = 64\naccelerator = { flops = \"312 Tflop/s\", memory = \"80 GB\" }\n"
	for lines, want := range map[string]string{
		job:                               "uniform worst workload",
		job + "[verify]\nfinalists = 2\n": "uniform worst workload",
		job + "[verify]\ntraffic = [\"worst\"]\n":                 "worst",
		job + "[verify]\ntraffic = [\"workload\", \"uniform\"]\n": "workload uniform",
	} {
		s, found := loadWorkload(t, lines, nil)
		if s == nil || strings.Join(s.Verify.Traffic, " ") != want {
			t.Errorf("%s: %v, want %s; %s", lines, s, want, found)
		}
	}
	_, l := LoadFrom("w.toml", func(string) ([]byte, error) {
		return []byte(strings.Replace(workloadStudy, "[workload]", "[verify]\ntraffic = [\"workload\"]", 1)), nil
	})
	if l.Err() == nil || !strings.Contains(l.Err().Error(), "there is no [workload]") {
		t.Errorf("without a workload: %v", l.Err())
	}
}
