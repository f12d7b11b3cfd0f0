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
	"class_priority": "0", "pair_stats": "0", "fail_seed": "0",
	"router": "iq", "noq": "0", "classes": "1", "use_read_write": "0", "subnets": "1",
	"write_fraction": "0.5", "batch_size": "1000", "max_outstanding_requests": "0",
	"read_request_begin_vc": "0", "read_request_end_vc": "5", "read_reply_begin_vc": "8", "read_reply_end_vc": "13",
	"write_request_begin_vc": "2", "write_request_end_vc": "7", "write_reply_begin_vc": "10", "write_reply_end_vc": "15",
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
	"link_failures": "failed links are not modelled by this mode; leave it 0",
	"buffer_policy": "private buffers only", "noq": "next-hop output queueing is not modelled; leave it 0",
	"classes": "one traffic class only", "router": "the iq router only",
	"use_read_write": "request-reply traffic is not modelled; with 0 every packet is a request without an answer",
	"subnets":        "one subnetwork only", "measure_stats": "the only traffic class is always measured",
	"print_activity": "not printed by this program", "viewer_trace": "not printed by this program",
	"sim_power": "evaluate the design for its power", "watch_file": "not printed by this program",
	"watch_out": "not printed by this program", "watch_flits": "not printed by this program",
	"watch_packets": "not printed by this program", "stats_out": "percentiles are part of the result",
}

// byClass are keys that take a list in braces, a value for each traffic class.
var byClass = map[string]bool{"traffic": true, "injection_rate": true, "injection_rate_uses_flits": true,
	"injection_process": true, "packet_size": true, "packet_size_rate": true, "latency_thres": true,
	"warmup_thres": true, "acc_warmup_thres": true, "stopping_thres": true, "acc_stopping_thres": true,
	"class_priority": true, "use_read_write": true, "write_fraction": true, "measure_stats": true}

// severalDetail says what is written where several values for one class are meant.
var severalDetail = map[string]string{
	"packet_size":      "for packets of several sizes write {{1,5}}",
	"packet_size_rate": "for packets of several sizes write {{3,1}}",
}

func keys() []string {
	k := make([]string, 0, len(defaults))
	for s := range defaults {
		k = append(k, s)
	}
	sort.Strings(k)
	return k
}
