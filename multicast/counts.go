package multicast

// Counts are the packets that M packets from every one of N members to all others take.
type Counts struct {
	Heads   float64 // head flits sent with data
	Control float64 // create packets before data
	Notify  float64 // notification packets before data
}

// CountMultiHead is the source's count for multi-head packets, M*(N-1)^2.
func CountMultiHead(members, packets int) Counts {
	return Counts{Heads: float64(packets) * float64(members-1) * float64(members-1)}
}

// CountMultiHeadAll counts the N-1 heads of every one of N senders, M*N*(N-1): what a simulation counts.
func CountMultiHeadAll(members, packets int) Counts {
	return Counts{Heads: float64(packets) * float64(members) * float64(members-1)}
}

// CountTable is the source's count for distributed tables: M*N heads, (N-1)/m create packets, N-1
// notifications. m is the number of members other than the creator on each leaf switch of the tree; where leaf switches
// differ, or the creator's has members, the number of create packets is that of leaf switches (Group.Creates).
func CountTable(members, packets int, outDegree float64) Counts {
	return Counts{
		Heads: float64(packets) * float64(members), Control: float64(members-1) / outDegree, Notify: float64(members - 1),
	}
}
