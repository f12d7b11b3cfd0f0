package family

// zcubeLevels is the most levels that a ZCube may have; four reach 3,000,000 endpoints with
// 128-port switches, and the fifth is there to explore.
const zcubeLevels = 5

// zcubeParams are the parameters of zcube by name.
type zcubeParams []int

func (v zcubeParams) n() int { return v[0] }
func (v zcubeParams) k() int { return v[1] }

// eachPattern visits every way in which m digits can be equal or not, as the smallest values that
// show it (restricted growth strings), with the number of different values. code is reused.
func eachPattern(m int, visit func(code []int, blocks int)) {
	code := make([]int, m)
	var rec func(i, blocks int)
	rec = func(i, blocks int) {
		if i == m {
			visit(code, blocks)
			return
		}
		for d := range blocks + 1 {
			code[i] = d
			rec(i+1, max(blocks, d+1))
		}
	}
	rec(0, 0)
}

// falling is n(n-1)..(n-c+1), the ways to choose c different values of n in order.
func falling(n, c int) int64 {
	x := int64(1)
	for i := range c {
		x *= int64(n - i)
	}
	return x
}

// patternCode numbers the way in which digits are equal, and counts the different ones.
func patternCode(digits []int) (code, blocks int) {
	for i, d := range digits {
		at := blocks
		for j := range i {
			if digits[j] == d {
				at = code >> (4 * j) & 15
				break
			}
		}
		if at == blocks {
			blocks++
		}
		code |= at << (4 * i)
	}
	return code, blocks
}
