package route

// PiggyBack are the settings of pb.
type PiggyBack struct {
	// Ratio and Threshold mark a channel between blocks as congested: its queue is longer than Ratio times the mean of those
	// of its switch, and than Threshold flits. nil: 2, as in FOGSim, or if the switch has n < 3 of them, of which one that
	// all want is never longer than n times the mean, (n + 1) / 2; one alone is compared with Threshold only.
	Ratio *float64 `json:"pb_ratio" by:"pb"`
	// nil: five packets, as in FOGSim (Garcia et al., University of Cantabria).
	Threshold *int `json:"pb_threshold" by:"pb"`
	// Period is the number of cycles between two notifications. nil: a packet, on the back of which they travel.
	Period *int `json:"pb_period" by:"pb"`
}

// Phantom are the settings of par_ph.
type Phantom struct {
	// Offset is added to the mean queue of a switch's channels, in flits, against transient congestion. nil: a packet.
	Offset *int `json:"ph_offset" by:"par_ph"`
	// MeanPeriod is the number of cycles for which such a mean is used again. nil: a packet, within which a queue changes
	// by no more than a packet.
	MeanPeriod *int `json:"ph_period" by:"par_ph"`
}

// Contention are the settings of ectn.
type Contention struct {
	// Local is the number of heads at a switch that want a channel from which on it is contended. nil: twice the VCs of a channel.
	Local *int `json:"ectn_threshold" by:"ectn"`
	// Combined is the number of heads in a block that want another block from which on that is. nil: twice the mean where all VCs have heads.
	Combined *int `json:"ectn_combined" by:"ectn"`
	// Every is the number of cycles between two notifications. nil: 100, as in FOGSim.
	Every *int `json:"ectn_period" by:"ectn"`
}

// Learning are the settings of q_adaptive, which its authors choose for each network.
type Learning struct {
	// Learn and Unlearn are how far an estimate goes towards one that is lower, and towards one that is higher.
	// nil: 0.2 and 0.04, with which Dragonflies of some hundred endpoints have learnt after 10,000 cycles.
	Learn   *float64 `json:"q_learn" by:"q_adaptive"`
	Unlearn *float64 `json:"q_unlearn" by:"q_adaptive"`
	// Explore is the probability of a channel drawn at random. nil: 0.001.
	Explore *float64 `json:"q_explore" by:"q_adaptive"`
	// First and Second are by which part the best estimate must be below that of the direct way for a detour, at the source
	// and at the first switch of another block. nil: 0.2 and 0.35.
	First  *float64 `json:"q_first" by:"q_adaptive"`
	Second *float64 `json:"q_second" by:"q_adaptive"`
}

// Gradient are the settings of dgb; those of Kasan's model stand for what is not set.
type Gradient struct {
	// Epoch is the number of cycles after which a bias is adjusted at the latest, if anything is to be routed by
	// it. nil: 50.
	Epoch *int `json:"dgb_epoch" by:"dgb"`
	// ExploreRate and Rate are how far a bias is moved towards the direct way to try it out, as part of the difference
	// in length of the two ways, and by a difference of latencies. nil: 0.25 and 0.25.
	ExploreRate *float64 `json:"dgb_explore" by:"dgb"`
	Rate        *float64 `json:"dgb_learn" by:"dgb"`
}
