package family

import "testing"

// The table says of every port what peer does, in all arrangements, with spare ports and with rounds that are swapped.
func TestTabledPeers(t *testing.T) {
	for arrangement := range arrangements {
		for _, c := range [][3]int{{9, 4, 4}, {5, 6, 3}, {4, 5, 7}, {7, 3, 2}, {6, 2, 9}, {2, 3, 4}} { // groups, switches, ports of a switch
			for _, side := range []int{0, c[2]} {
				x := globals{g: c[0], n: c[1] * c[2], arrangement: arrangement, h: side}
				ports := x.table(c[2])
				for i := range x.g {
					for q := range x.used() {
						j, to := x.peer(i, q)
						if tj, tto := x.tabled(ports, i, q); tj != j || tto != to || ports[q].on != q/c[2] {
							t.Errorf("%+v: port %d of group %d leads to port %d of group %d by the table, %d of %d", x, q, i, tto, tj, to, j)
						}
					}
				}
			}
		}
	}
}
