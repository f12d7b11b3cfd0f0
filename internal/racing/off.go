//go:build !race

package racing

const factor = 1
