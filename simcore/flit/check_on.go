//go:build simcheck

package flit

const checking = true
