package run_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// A study of one family, searched in a temporary run directory.
func ExampleRun() {
	const text = `
name = "cubes"
[endpoints]
count = { min = 128, max = 128 }
bandwidth = "400 Gb/s"
[space]
families = ["hypercube"]
[[objective]]
metric = "cost"
[[objective]]
metric = "uniform_throughput"
[verify]
finalists = 0
`
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if st == nil {
		log.Fatal(faults.Err())
	}
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	dir, err := run.Create(st, root, "", run.Origin{Program: "example"})
	if err != nil {
		log.Fatal(err)
	}
	defer dir.Close()
	out, err := run.Run(context.Background(), st, dir, search.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("complete:", out.Front.Complete)
	for _, r := range out.Front.Front {
		fmt.Printf("%s: %.0f USD, throughput %.2f\n", r.Design, r.Metrics["cost"].Value, r.Metrics["uniform_throughput"].Value)
	}
	// Output:
	// complete: true
	// hypercube(n=1,t=64): 303652 USD, throughput 0.03
	// hypercube(n=2,t=32): 304796 USD, throughput 0.06
	// hypercube(n=3,t=16): 307846 USD, throughput 0.12
	// hypercube(n=4,t=8): 315472 USD, throughput 0.25
	// hypercube(n=5,t=4): 588238 USD, throughput 0.50
	// hypercube(n=6,t=2): 1139872 USD, throughput 0.99
	// hypercube(n=7): 2255341 USD, throughput 1.98
}
