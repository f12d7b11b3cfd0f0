package verify

// Tolerances of a verification. The simulated switch has finite buffers and real arbitration, the
// model has neither, so that a measured saturation may fall short of it; it cannot exceed it by
// more than what the measurement allows, three standard errors of the share that is accepted.
const (
	SatAbove   = 1.02 // a saturation above this multiple of the model's contradicts it
	SatBelow   = 0.70 // one below this multiple does not agree, though it contradicts nothing,
	Near       = 0.90 // nor below this multiple of what VCs and buffers let expect,
	Above      = 1.10 // nor above this one
	longEnough = 1000 // cycles; in fewer there are few packets at the lowest load
	zeroSlow   = 1.30 // as much longer than predicted may a packet take at a tenth of saturation
	zeroFast   = 0.97 // faster than this no pipeline lets it through,
	zeroSure   = 3    // standard errors of the mean aside
)
