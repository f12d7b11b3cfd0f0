package cluster

// Defaults where nothing is said.
const (
	// DefaultRepairH is how long a failed part stays out of service: 75 min, as UB-Mesh (H. Liao et al.,
	// arXiv:2503.20377, section 6.6) takes it for its cluster.
	DefaultRepairH = 1.25
	// DefaultCPUs of a server: two sockets, as in servers of eight accelerators.
	DefaultCPUs = 2
)

// Options say what stands around a network. The zero value is complete: rates and times as is usual, no spares.
type Options struct {
	// Accelerator, CPU and Rack are part numbers; "": the only part of its kind that may be bought, none if there are
	// several.
	Accelerator, CPU, Rack string `json:",omitempty"`
	CPUsPerServer          int    // default DefaultCPUs; below 0: none
	// AFR is the failures of a part a year by kind, for parts of which the list says nothing.
	AFR map[string]float64 `json:",omitempty"`
	// RepairH is how long a part stays out of service, by kind; "" of the kinds that are not named, default
	// DefaultRepairH. Hours.
	RepairH map[string]float64 `json:",omitempty"`
	// Group endpoints share Spares further ones, each of which takes over for any of them; 0: there are none. A construction with
	// spares of its own (topology.Size.Spares) has those instead.
	Group, Spares int `json:",omitempty"`
	// CheckpointH is how long a checkpoint takes, and RestartH how long a job needs to go on after a failure. Hours.
	CheckpointH, RestartH float64 `json:",omitempty"`
	TCO                   *TCO    `json:",omitempty"` // nil: no costs of running
}

// TCO says what running the cluster costs.
type TCO struct {
	Years       float64
	PerKWh      float64 // price of energy, major units of the currency of costs
	Maintenance float64 // a year, as a fraction of what the cluster costs
	Load        float64 // mean draw, as a fraction of the draw at full load
}
