// Package tooltest is for tests that need a foreign program. Where it is missing they skip and say which package has it; with
// TOPOSEARCH_TOOLS=required in the environment, which .ci/run sets once .ci/tools has them all, they fail.
package tooltest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"toposearch/internal/tool"
)

// Need gives the path of a program, or ends the test.
func Need(t testing.TB, name string) string {
	t.Helper()
	path, err := tool.Find(name)
	if err != nil {
		missing(t, err)
	}
	return path
}

// Python gives a Python that has networkx, or ends the test.
func Python(t testing.TB) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import networkx").Run() == nil {
			return python
		}
	}
	missing(t, fmt.Errorf("there is no Python with networkx; apt-get install python3-networkx"))
	return ""
}

func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("TOPOSEARCH_TOOLS") == "required" {
		t.Fatalf("%v (TOPOSEARCH_TOOLS=required)", err)
	}
	t.Skip(err)
}
