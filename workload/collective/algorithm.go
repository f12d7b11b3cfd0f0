package collective

import "fmt"

// Algorithm is a way to do some kinds of collectives among n ranks.
type Algorithm interface {
	Name() string
	// Ports is how many ports of a rank are in use at once.
	Ports() int
	// Cost is the closed form; an error says why the kind cannot be done so.
	Cost(Kind) (Cost, error)
	// Schedule is the algorithm itself; it fails where Cost does.
	Schedule(Kind) (*Schedule, error)
}

// cannot is the error of a kind that an algorithm does not do.
func cannot(a Algorithm, k Kind) error { return unable{a.Name(), k} }

// unable is put into words when it is read: to try all algorithms is to meet it often.
type unable struct {
	name string
	Kind
}

func (u unable) Error() string {
	return fmt.Sprintf("collective: there is no %s by the algorithm %s", u.Kind, u.name)
}

// atLeast refuses what is no group.
func atLeast(a Algorithm, what string, n, lo int) error {
	if n < lo {
		return fmt.Errorf("collective: %s with %s = %d; at least %d", a.Name(), what, n, lo)
	}
	return nil
}
