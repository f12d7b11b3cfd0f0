package booksim

import "sort"

// defaults are the keys that are understood and what they are when not given.
var defaults = map[string]string{
	"topology": "torus", "k": "8", "n": "2", "c": "1", "x": "8", "y": "8", "xr": "1", "yr": "1",
	"network_file": "", "use_noc_latency": "1", "link_failures": "0",
	"routing_function": "none", "num_vcs": "16", "vc_buf_size": "8", "buf_size": "-1", "buffer_policy": "private",
	"routing_delay": "1", "vc_alloc_delay": "1", "sw_alloc_delay": "1", "st_prepare_delay": "0", "st_final_delay": "1",
	"credit_delay": "1", "input_speedup": "1", "output_speedup": "1", "internal_speedup": "1.0",
	"output_buffer_size": "-1", "speculative": "0", "spec_check_elig": "1", "spec_check_cred": "1",
	"spec_mask_by_reqs": "0", "spec_sw_allocator": "prio", "wait_for_tail_credit": "0", "hold_switch_for_packet": "0",
	"vc_busy_when_full": "0", "vc_prioritize_empty": "0", "vc_shuffle_requests": "0", "priority": "none",
	"vc_allocator": "islip", "sw_allocator": "islip", "arb_type": "round_robin", "alloc_iters": "1",
	"router": "iq", "noq": "0", "classes": "1", "use_read_write": "0", "subnets": "1",
	"traffic": "uniform", "perm_seed": "0", "injection_rate": "0.1", "injection_rate_uses_flits": "0",
	"injection_process": "bernoulli", "burst_alpha": "0.5", "burst_beta": "0.5", "burst_r1": "-1.0",
	"packet_size": "1", "packet_size_rate": "1",
	"sim_type": "latency", "warmup_periods": "3", "sample_period": "1000", "max_samples": "10",
	"latency_thres": "500.0", "warmup_thres": "0.05", "acc_warmup_thres": "0.05", "stopping_thres": "0.05",
	"acc_stopping_thres": "0.05", "include_queuing": "1", "measure_stats": "1", "sim_count": "1", "seed": "0",
	"deadlock_warn_timeout": "256", "print_csv_results": "0", "print_activity": "0", "viewer_trace": "0",
	"sim_power": "0", "watch_file": "", "watch_out": "", "stats_out": "", "watch_flits": "", "watch_packets": "",
}

// onlyDefault are keys that are understood at their default only, with the remedy.
var onlyDefault = map[string]string{
	"link_failures": "failed links are not modelled by this mode; leave it 0", "buf_size": "give vc_buf_size instead",
	"buffer_policy": "private buffers only", "noq": "", "classes": "one traffic class only", "router": "the iq router only",
	"use_read_write": "request-reply traffic is not modelled", "subnets": "one subnetwork only",
	"include_queuing": "latency includes the source queue; the result gives the network latency beside it",
	"measure_stats":   "", "print_activity": "", "viewer_trace": "", "sim_power": "", "watch_file": "", "watch_out": "",
	"stats_out": "percentiles are part of the result", "watch_flits": "", "watch_packets": "",
}

func keys() []string {
	k := make([]string, 0, len(defaults))
	for s := range defaults {
		k = append(k, s)
	}
	sort.Strings(k)
	return k
}
