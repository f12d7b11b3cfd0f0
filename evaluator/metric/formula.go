package metric

// Definition is how a metric is computed, in the symbols of Symbols, and who defined it.
type Definition struct {
	Formula string
	Source  string // "" for what is counted or added up
}

// Symbols explains those of formulas.
const Symbols = "N endpoints with B of bandwidth each, network ports together; S switches that are not embedded; pairs are ordered pairs of different endpoints, " +
	"P = N (N-1) of them; R(s, t) the routes of the routing at hand with their shares; c(l) the bandwidth of channel l, one direction of a link; " +
	"H and L hops and links of a route; E[...] a mean over pairs and their routes"

// Definitions has one for every metric, by Key.
var Definitions = [Count]Definition{
	Endpoints:                {"N, closed form of the construction", ""},
	Switches:                 {"S, closed form of the construction", ""},
	EmbeddedSwitches:         {"forwarding parts of endpoints: one for each endpoint that relays", ""},
	SwitchLinks:              {"links whose ends are both switches, embedded ones included; parallel links count one by one", ""},
	EndpointLinks:            {"links between an endpoint and a switch that is not embedded", ""},
	Radix:                    {"max over switches of ports in use, each at the rate of its link", ""},
	PhysicalPorts:            {"max over switch classes of the ports of the chosen model that are occupied; a port that is split is one", ""},
	EndpointPorts:            {"network ports of an endpoint, those of its embedded switch included", ""},
	PortsPerEndpoint:         {"ends of links on switches / N", ""},
	PortsBoughtPerEndpoint:   {"sum over switches of all ports of the chosen model, split as those in use are / N", ""},
	MeanPathLinks:            {"E[L]: links of a route, the first and the last included", "ATOP, SIGCOMM 2025, doi 10.1145/3718958.3750503 (APL)"},
	MaxPathLinks:             {"max over pairs and routes of L", ""},
	MeanPathSwitches:         {"E[switches passed], relaying endpoints included", ""},
	MaxPathSwitches:          {"max over pairs and routes of switches passed", "ATOP, SIGCOMM 2025 (diameter)"},
	MeanHops:                 {"E[H], H = L without the links of class nic", ""},
	MaxHops:                  {"max over pairs and routes of H", ""},
	GraphDiameter:            {"max over pairs of switches of their distance, whatever the routing", ""},
	MeanPathLinksFail:        {"mean over switches f of the mean over pairs of the distance in links without f", "ATOP, SIGCOMM 2025 (APL_fail)"},
	Bisection:                {"min over halves A of the endpoints of (capacity of the channels from A to the rest) / (B |A|), at most 1; lo is certified, hi is a cut found", "C. Fiduccia, R. Mattheyses, DAC 1982; G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20(1), 1998; bound: J. Kuczynski, H. Wozniakowski, SIAM J. Matrix Anal. Appl. 13(4), 1992"},
	UniformThroughput:        {"theta = min over l of c(l) / gamma(l), gamma(l) = sum over pairs of B / (N-1) x share of R(s, t) on l; where a hash keeps each flow on one route (natural+hash) 1 / E[max over l of gamma(l) / c(l)] over random hashes, each share 0 or 1", "W. Dally, B. Towles, Principles and Practices of Interconnection Networks, 2004, section 3.3.1"},
	UniformThroughputOptimal: {"max theta such that theta B / (N-1) flows between every pair within all c(l): a maximum concurrent flow", "F. Shahrokhi, D. Matula, J. ACM 37(2), 1990; N. Garg, J. Koenemann, SIAM J. Comput. 37(2), 2007"},
	EffectiveBandwidth:       {"min(N B, rho / gamma x bisection bandwidth, N B): injection, network, reception, the network at uniform_throughput", "J. Hennessy, D. Patterson, Computer Architecture, 6th ed., appendix F"},
	UniformThroughputFail:    {"min over single failures of a switch or a link that leave all endpoints connected of uniform_throughput, tables repaired; of pairs that the rule then misses by way of every switch that joins them where the routing makes detours, endpoints have one port and at most 2,048 sets of switches have endpoints, else all by shortest paths", ""},
	WorstThroughput:          {"min over traffics in which no endpoint sends or takes more than B of the load theta that is carried: by the routing that was chosen, else by the best possible", "B. Towles, W. Dally, SPAA 2002; hose model: P. Namyar et al., SIGCOMM 2021"},
	TUB:                      {"sum of c(l) / (B x hops of the permutation with the longest shortest paths)", "P. Namyar et al., A Throughput-Centric View of the Performance of Datacenter Topologies, SIGCOMM 2021"},
	ShortestPaths:            {"mean over pairs of the number of shortest paths, parallel links counted one by one", ""},
	DisjointPaths:            {"mean over pairs on different switches of the largest flow over links of one unit, access links left out", "K. Menger, 1927; R. Gomory, T. Hu, J. SIAM 9(4), 1961"},
	NonblockingRegion:        {"endpoints of the largest block of the construction whose middle cut carries B from each endpoint of a half", ""},
	MooreEfficiency:          {"N / max over k' of (k-k') (1 + k' sum over i < D of (k'-1)^i), k the radix, D the longest shortest path", "the Moore bound: A. Hoffman, R. Singleton, IBM J. 4(5), 1960"},
	VCsMinimal:               {"number of VCs with which the channel dependencies of the natural routing, by the classes of its rule, have no cycle; vcs_fixed may be less", "W. Dally, C. Seitz, IEEE Trans. Comput. 36(5), 1987"},
	VCsAdaptive:              {"the same for two phases through any intermediate switch", "L. Valiant, SIAM J. Comput. 11(2), 1982; A. Singh, thesis, Stanford 2005 (UGAL)"},
	VCsFixed:                 {"the same for the natural routing if a packet keeps its VC: layers of destinations or pairs", ""},
	VCsLASH:                  {"layers of LASH", "T. Skeie, O. Lysne, I. Theiss, IPDPS 2002"},
	VCsDFSSSP:                {"layers of DFSSSP", "J. Domke, T. Hoefler, W. Nagel, IPDPS 2011"},
	VCsAfterFailure:          {"max over single failures of a link or a switch of the VCs of the natural rule or, where it leaves pairs without a route or has a cycle then, of shortest paths with one per hop; other routings may do with fewer", ""},
	TableEntries:             {"max over switches of the endpoint ports that it may forward to, no prefixes", ""},
	Latency:                  {"E[switches x 400 ns + relays x 1000 ns + cable x 5 ns/m] + nic + MTU / slowest link; the constants are those of [latency]", ""},
	Cost:                     {"sum over parts of price at the break of the order x order: the quantity rounded up to MOQ and pack, or to a later break where that costs less", ""},
	CostPerEndpoint:          {"cost / N", ""},
	Power:                    {"sum over switches, modules and NICs of their draw at full load", ""},
	PowerPerEndpoint:         {"power / N", ""},
	BuildingPower:            {"max over buildings of (its network + endpoints x endpoint_power) x pue, or endpoints x endpoint_all_in; spare endpoints are endpoints", ""},
	CableMax:                 {"max over cables of the stock length bought; laid = 2 rise + way in the trays, x (1 + slack)", ""},
	CableTotal:               {"sum over cables of the stock length bought", ""},
	CablesCopper:             {"cables of copper", ""},
	CablesOptical:            {"cables that are optical", ""},
	Racks:                    {"places of the floor plan that hold something", ""},
	RackCables:               {"max over racks of cables with one end in it", ""},
	FloorArea:                {"rows x row_pitch x places x rack_pitch, of all buildings", ""},
	LeadTime:                 {"max over parts of lead time; 0 for parts of which all that are ordered are in stock", ""},
	Capex:                    {"cost + accelerators with spares + processors + racks, at the prices of their quantities", ""},
	NetworkShare:             {"cost / capex", ""},
	TCO:                      {"capex + years x (draw x 8760 h x load x price of energy + capex x maintenance)", ""},
	CostEfficiency:           {"performance / tco: 1 / step_time, or without a workload N x min(1, uniform_throughput)", "H. Liao et al., UB-Mesh, arXiv:2503.20377"},
	Availability:             {"product over parts that a job needs of MTBF / (MTBF + repair); groups with spares by the binomial distribution", "UB-Mesh, arXiv:2503.20377, section 6.6"},
	MTBF:                     {"1 / sum over parts that a job needs of failures an hour", ""},
	Goodput:                  {"availability x max over tau of tau / (M e^(r/M) (e^((tau+delta)/M) - 1)): M time between interruptions, delta a checkpoint, r a restart", "J. Daly, Future Generation Computer Systems 22(3), 2006, equation 13"},
	AllreduceTime:            {"min over algorithms of sum over steps of (alpha + bytes / least share of a channel); by natural+hash each pair is one flow on one route, and the share is that of E[the busiest channel]", "R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005; lo: ForestColl, arXiv:2402.06787"},
	AlltoallTime:             {"max over l of bytes on l / c(l) + alpha, direct exchange between all, flows split evenly over their routes; by natural+hash max over l is E[max over l] over random hashes", "lo: what cuts carry"},
	StepTime:                 {"compute + bubble + optimiser + what is exposed of every collective, all groups on the links together; of the parallelisms that fit, that which is the fastest on the network; by natural+hash each pair of ranks is one flow on one route", "Calculon, SC 2023; D. Narayanan et al., SC 2021"},
	Linearity:                {"(sequences a second on N) / (those on base endpoints x N / base)", "UB-Mesh, arXiv:2503.20377"},
	JobsIsolated:             {"share of the jobs of the mix with at most nonblocking_region endpoints", ""},
	SimSaturation:            {"largest offered load of which 97 % is accepted, bisected between loads that were simulated", "W. Dally, B. Towles, 2004, chapter 23"},
	SimLatencyHalfLoad:       {"mean latency of packets at half of sim_saturation, after warm-up (MSER-5)", "K. White, Simulation 69(6), 1997"},
	GrowthCost:               {"sum over parts of price x (needed - left by what runs) + labour x (cables moved + endpoints moved), by the plan that was found", "ATOP, SIGCOMM 2025, use cases 2 and 3"},
	KeptSwitches:             {"switches of what runs that stand in the new network, by that plan", ""},
	KeptCables:               {"cables of what runs that keep both ends", ""},
	MovedCables:              {"cables of what runs that are used between other ports", ""},
}
