package reproduce

import (
	"context"
	"fmt"

	"toposearch/evaluator/metric"
)

// atopTable2 compares the largest number of switches on a path with the formulas of the paper, at two
// sizes each.
func atopTable2(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "ATOP: SIGCOMM 2025, doi 10.1145/3718958.3750503, Table 2",
		Notes:  []string{"Switches passed from GPU to GPU, relaying endpoints included."},
	}
	torus := "the paper's ceil(1.5 N^(1/3)) is the number of links of the longest path, which passes one switch more"
	for _, r := range []struct {
		name      string
		designs   []string
		published float64
		note      string
	}{
		{"3-layer ROFT", []string{"roft(k=32,pods=4)", "roft(k=64,pods=4)"}, 5, ""},
		{"2-layer Rail-only", []string{"railonly(k=32,leaves=8)", "railonly(k=64,leaves=16)"}, 3,
			"the paper's 3 is inside a rail; between rails a GPU of the source's server relays as well"},
		{"2-layer HPN", []string{"hpn(k=64,segments=4)", "hpn(k=128,segments=8)"}, 3, ""},
		{"BCube(n,2)", []string{"bcube(n=8,l=2)", "bcube(n=32,l=2)"}, 3, ""},
		{"BCube(n,3)", []string{"bcube(n=4,l=3)", "bcube(n=8,l=3)"}, 5, ""},
		{"3D torus, N = 512", []string{"torus(k1=8,k2=8,k3=8)"}, 12, torus},
		{"3D torus, N = 4096", []string{"torus(k1=16,k2=16,k3=16)"}, 24, torus},
		{"Dragonfly", []string{"dragonfly(p=4,a=8,h=4)", "dragonfly(p=6,a=12,h=6)"}, 4, ""},
		{"Slim Fly", []string{"slimfly(q=5)", "slimfly(q=13)"}, 3, ""},
		{"ZCube(n,2)", []string{"zcube(n=8,k=2)", "zcube(n=32,k=2)"}, 2, ""},
		{"ZCube(n,3)", []string{"zcube(n=4,k=3)", "zcube(n=8,k=3)"}, 3, ""},
		{"ZCube(n,3)-partial", []string{"zcube_partial(n=4)", "zcube_partial(n=16)"}, 4, ""},
		{"ZCube(n,4)", []string{"zcube(n=2,k=4)", "zcube(n=4,k=4)"}, 4, ""},
	} {
		row := Row{Name: r.name}
		for i, design := range r.designs {
			m, _, err := measure(ctx, design, metric.MaxPathSwitches)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, noted(number(fmt.Sprintf("max_path_switches_%d", i+1), r.published, m[0], 0, design), r.note))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
