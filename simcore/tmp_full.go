package simcore

// What the general cycle needs stands here until it is written; Validate refuses settings that
// the plain cycle does not serve.
type fullState struct{}

func newFullState(*Sim) *fullState             { panic("simcore: not a plain configuration") }
func (*fullState) reset(*Sim)                  {}
func (*fullState) cycle(*Sim)                  {}
func (*fullState) arrived(*Sim, int32, uint32) {}
func parseAllocator(string) (int, error)       { return 0, nil }
func plainAllocator(n string) bool             { return n == "separable_input_first" }

var priorities = map[string]int{"none": 0}
