package topology

// Messages is what single messages load over the natural routes of a design, in closed form: every packet takes each of the channels by which it comes nearer with the same probability, hop by hop.
type Messages struct {
	Levels []Channels
	// Load emits what a message of 1 between two different endpoints loads: the level, the place in it, and the share of the message, several times where it comes by several ways.
	Load func(from, to int, emit func(level, at int, share float64))
	// Pods is the side of a partial ZCube, whose levels are ports, links inside pods and bundles of links out of them, by pod and switch; 0: the design is none.
	Pods int
}

// Channels are those of a level of Messages: of one link class, in bundles of as many that carry equal parts of what goes over them. Where endpoints have several ports, their links are a level, too.
type Channels struct {
	Class, Bundles, Each int
}
