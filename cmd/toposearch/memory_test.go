package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

const programHere = "TOPOSEARCH_TEST_PROGRAM"

// asProgram is the program, in a child that childOf starts; elsewhere it does nothing.
func asProgram(t *testing.T) {
	text := os.Getenv(programHere)
	if text == "" {
		return
	}
	var args []string
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		t.Fatal(err)
	}
	prepareRuntime()
	os.Exit(execute(args, os.Stdin, os.Stdout, os.Stderr))
}

// childOf is a process of its own in which a test that begins with asProgram runs the program.
func childOf(t *testing.T, args []string, env ...string) *exec.Cmd {
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	p := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	p.Env = append(append(os.Environ(), programHere+"="+string(text)), env...)
	return p
}

// TestRefusedByMemory: what needs more memory than the process may use is refused at once, with both
// figures. The limit is set by the environment, so that a child is asked.
func TestRefusedByMemory(t *testing.T) {
	racing.Figures(t)
	asProgram(t)
	for _, c := range []struct {
		args string
		want string // of the message; "": it runs
	}{
		{"simulate fattree(k=64,l=5)", "a simulation of fattree(k=64,l=5) needs about "},
		{"simulate fattree(k=64,l=5) --model cut_through", "a simulation of fattree(k=64,l=5) needs about "},
		{"simulate torus(k1=100,k2=100,k3=10) --workload ring --message 8", "a simulation of torus(k1=100,k2=100,k3=10) needs about "},
		{"simulate complete(n=64,t=64) --vcs 32 --buffer 4000", "a simulation of complete(n=64,t=64) needs about "},
		{"simulate --booksim " + booksimConfigs + "mesh8x8_dor_uniform.cfg k=100 num_vcs=32 vc_buf_size=4000", "error: topology: a simulation of a network of 10000 switches needs about "},
		{"simulate hypercube(n=4) --load 0.2 --cycles 200 --quiet", ""},
	} {
		child := childOf(t, strings.Fields(c.args), "GOMEMLIMIT=50MiB")
		out, _ := child.CombinedOutput()
		status := child.ProcessState.ExitCode()
		if c.want == "" && status != exitOK {
			t.Errorf("%s: exit status %d\n%s", c.args, status, out)
		}
		refused := status == exitFailed || status == exitUsage && strings.Contains(c.args, "--booksim") // a finding in a file
		if c.want != "" && (!refused || !strings.Contains(string(out), c.want) || !strings.Contains(string(out), "may use 52.4 MB (GOMEMLIMIT)")) {
			t.Errorf("%s: exit status %d\n%s", c.args, status, out)
		}
	}
}
