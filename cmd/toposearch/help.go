package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"toposearch/constraints"
	"toposearch/internal/tomlfile"
	"toposearch/simcore/route"
	"toposearch/study"
)

// topics are help pages that belong to no command.
func (a *app) topics() []*cobra.Command {
	page := func(name, short, text string) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Long: text, Args: cobra.NoArgs,
			Run: func(*cobra.Command, []string) { fmt.Fprintln(a.out, text) }}
	}
	x := topicPages()
	return []*cobra.Command{
		a.catalogCmd(),
		page("exit-codes", "What the exit statuses mean", exitText),
		page("files", "What a run leaves behind, and the columns of its CSV files", filesText),
		page("json", "Schemas of the JSON output", x.json),
		page("routings", "The routings of simulate, what each decides by and needs", x.routings),
		page("traffic", "The traffics and injection processes of simulate, eval and studies", x.traffic),
		a.metricsCmd(),
		a.keysPage("study", "The keys of a study", x.allOfStudy, x.study),
		a.keysPage("workload", "The keys of [workload] in a study: models, jobs, parallelism", nil, x.workload),
		a.keysPage("constraints", "The keys of constraint files: parts, building, procurement", x.allOfConstraints, x.constraints),
	}
}

// topicPages are the texts of topics, and what they are of, made once for all commands that a process runs.
var topicPages = sync.OnceValue(func() (x struct {
	json, routings, traffic, study, workload, constraints string
	allOfStudy, allOfConstraints                          []tomlfile.Section
}) {
	of, workload := study.Keys(), study.WorkloadKeys()
	x.json, x.routings, x.traffic = jsonPage(), routingsText(), trafficText()
	x.allOfStudy, x.allOfConstraints = slices.Concat(of, workload), constraints.Keys()
	x.study = keysText("study", true, "[workload]: toposearch help workload.", of)
	x.workload = keysText("workload", false, "", workload)
	x.constraints = keysText("constraints", true, "", x.allOfConstraints)
	return x
})

// jsonPage sets the schemas: a name, then its keys in 80 columns.
func jsonPage() string {
	head, rest, _ := strings.Cut(jsonText, "\n\n")
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, entry := range strings.Split("\n"+rest, "\ntoposearch.")[1:] {
		name, keys, _ := strings.Cut(entry, " ")
		b.WriteString("\ntoposearch." + name + "\n" + wrap(keys, 80, "    "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// routingsText lists every routing, what may be added to its name and what can be set.
func routingsText() string {
	var b strings.Builder
	b.WriteString(wrap("Routings, as simulate --routing names them, and the virtual channels that each needs.", 80, ""))
	for _, r := range route.All() {
		fmt.Fprintf(&b, "\n%s\n%s%s", r.Name, wrap(r.Doc, 80, "    "), wrap("VCs: "+r.Need, 80, "    "))
		if filled := route.Filled(r.Name); filled != "" {
			b.WriteString(wrap("Filled in: "+filled, 80, "    "))
		}
		var set []string
		for _, s := range route.Settings() {
			if slices.Contains(s.By, r.Name) {
				set = append(set, s.Key)
			}
		}
		if len(set) > 0 {
			b.WriteString(wrap("--set: "+strings.Join(set, ", "), 80, "    "))
		}
	}
	b.WriteString("\nAdditions to a name\n")
	for _, x := range route.Additions() {
		b.WriteString(wrap("+"+x[0]+": "+x[1], 80, "    "))
	}
	b.WriteString("\nSettings, and what they are unless they are set\n")
	for _, s := range route.Settings() {
		b.WriteString(wrap(s.Key+": "+s.Doc, 80, "    "))
	}
	b.WriteString("\nNot built\n")
	for _, u := range route.AllUnbuilt() {
		b.WriteString(wrap(u.Name+", "+u.Doc+": "+u.Why+".", 80, "    "))
	}
	return strings.TrimRight(b.String(), "\n")
}

const exitText = `Exit statuses
    0  done
    1  failed: a disk, too little memory, a bug
    2  wrong input or usage; every finding has been printed
    3  searched completely, and no design is feasible: the report says which
       constraint to relax, and by how much
    4  the budget ended before a feasible design was found; resume goes on with
       twice the budget, or with what --budget and --evaluations say
    5  designs were found, but a threshold of [require] is missed
    6  with --strict: verification contradicts an analytic interval, or
       OpenSM contradicts a table of ours
    7  the run directory is in use, or its inputs changed
    8  with --exit-code: catalog diff found that the price lists differ
  130  interrupted (SIGINT) after saving; 143 terminated (SIGTERM, SIGHUP). What
       has nothing to save ends at most two seconds after the signal
  134  aborted (SIGABRT) by the Go runtime, where no program can go on: the
       system gave no more memory though less was predicted, or a bug of that
       kind; 137 killed (SIGKILL), by the kernel where memory ran out. What was
       journalled stays, and resume goes on from it`

const jsonText = `Every JSON document carries its schema. A metric is always
  {"value": x, "lo": x, "hi": x, "unit": "m", "method": "how"}
with lo = hi = value when exact.

toposearch.eval/1       designs[]: design, family, params, metrics{KEY: metric},
                        absent{KEY: reason}, bottleneck, routing, routing_unfit (why not
                        another), detour_latency: metric, rejected, unpriced,
                        traffic[] (with --traffic): traffic, routing, throughput (of an
                        endpoint's bandwidth), exact, limited_by, mean_hops, absent (why
                        there is nothing); with --metrics sim_saturation sim_saturation,
                        sim_saturated_at
toposearch.front/1      study, complete, tolerance (by what part a design that is
                        missing may be better), counts{enumerated, evaluated, feasible,
                        rejected{CONSTRAINT: n}}, objectives[], front[]: design,
                        family, params, metrics, objectives, routing,
                        routing_unfit, detour_latency, same_as (the same network with
                        the same figures, one point with that design), same_network (with
                        others), maybe_same (not decided), shown_by (a design within 2 %
                        in every objective), vouched{METRIC: level}, verified;
                        incumbents[]: name, asked, chosen, verdict, why, misses[],
                        dominated_by[], admit[] and what a design of the front has;
                        simulated{fidelity{}} of two fidelities; sha256 in the file;
                        of a front that is not complete proof{proved, within,
                        reference{}, open, families[], alone{}}: the least part of the
                        best hypervolume; alone is what it would be if only that family
                        were open; within: by what part a missing design may be better
                        than one of the front in every objective at once, at most
toposearch.simulate/1   design, config, points[]: offered, accepted, latency{mean,
                        p50, p95, p99, p999, max, stderr, ci95 (half the 95 %
                        interval), batch_correlation}, network_latency, hops{mean, switches},
                        accepted_stderr, accepted_ci95, warmup{rule, cycles,
                        truncation, settled, looks}, stop (window, precision, budget,
                        saturated, deadlocked, interrupted), measured_cycles, saturated,
                        deadlocked, packets, cycles, flit_hops, wall_s; latencies in
                        cycles, loads in parts of an endpoint's bandwidth; latencies and
                        hops are absent where no packet of the window arrived,
                        accepted... where nothing was measured;
                        fairness{sent, received}: {min, max, jain};
                        detail{links[]: class, from, to, channels, mean, min, max;
                        worst_link: class, from, to, from_id, to_id, flits,
                        utilisation; buffers[]: class, switches, mean_flits,
                        max_flits, mean_fill, max_vc_flits, vc_slots; waits[]: where,
                        cycles, share (they add up to latency.mean)};
                        series[] with --series: cycle, injected, accepted, latency,
                        in_flight, window; accepted_share (1 less the growth of
                        what is offered and not delivered), accepted_share_stderr;
                        saturation{load, above (the answer lies between; 0: no
                        load is known not to be accepted), undecided, tolerance,
                        deadlocked, interrupted, points[]} with
                        --saturation, and of a direct routing carried{throughput,
                        limited_by, flows{flows, hash (picked by one hash
                        function), mean_share, least_share}}, by the loads of
                        channels and endpoints;
                        watched{source, destination, load, share, packets, latency}
                        with --watch; failed{links[],
                        switches[], unreachable{pairs, from, to,
                        cut_off_endpoints}} with --fail...; failures with
                        --fail ...@: generated, delivered, under_way, unreachable,
                        lost{on_link, in_switch, at_port, no_route, discarded,
                        packets, flits or bytes}, phases[]: from, to, down[],
                        tables_without[], stale, moved[], unreachable_pairs, accepted,
                        accepted_ci95, generated, packets, unreachable,
                        latency (of packets generated in the phase), lost;
                        config{outages[]: what, at, until; reroute_after,
                        reroute_news, tables_discard}; with --booksim
                        hops counts routers, and status, injected, latency_min,
                        network_latency_min, flit_latency, flit_latency_min and
                        fragmentation are added; with --model
                        cut_through config{model, zero_load_us, ...}, cycles
                        are ns and flits cells of 256 B (waits are behind_other_packet,
                        crossbar, credit_stall or paused, ...), buffers[] has
                        mean_bytes, max_bytes, max_vc_bytes, vc_bytes too, and added
                        are offered_gbps, accepted_gbps, latency_us and
                        network_latency_us{mean, p50, p95, p99, p999, max, stderr,
                        ci95}, ecn_marked, ecn_share, pauses, dropped,
                        buffer_peak_bytes, buffer_peak_port_bytes, packet_hops,
                        saturation{load_gbps}; with --bench also
                        ns_per_packet_hop and bytes_per_endpoint
toposearch.simulate-workload/1  design, config, failed, workload{kind, window,
                        message_flits, rounds, max_cycles}, completed,
                        completion_cycles, round_cycles{mean, min, max}, ideal,
                        ideal_by, efficiency (absent where not known), wall_s, and what
                        a point has: accepted,
                        latency, hops, detail, ...; offered is 0; with --model
                        cut_through message_bytes and max_ns instead, cycles are ns, and
                        completion_us and ideal_us are added; of fft and replay the kind is
                        script, config.workload says which, and phase_end_cycles are when
                        all of each phase has arrived
toposearch.simulate-collective/1  design, config, failed, collective, algorithm, bytes,
                        ranks, groups, messages_bytes (of all), completed, stop,
                        packets, time_us, algorithm_gbytes_per_s, bus_gbytes_per_s,
                        analytic{time_us, transfer_us}, ratio (simulated / analytic),
                        busiest_link, busiest, wall_s
toposearch.simulate-jobs/1  design, config, collective, bytes, placement, jobs[]:
                        endpoints, first, algorithm, isolated, times, alone_us,
                        together_us, slowdown, analytic_alone_us,
                        analytic_slowdown; region_endpoints, isolated,
                        mean_slowdown, max_slowdown, analytic_mean_slowdown,
                        analytic_max_slowdown (where switches hold all that
                        waits; with analytic_at_least alone, and a lower bound:
                        what channels carry for all), completed, wall_s
toposearch.simulate-bench/1  design, switches, ports, cores, points[]: offered, accepted,
                        cycles, flit_hops, wall_s, cycles_per_s, switch_cycles_per_s,
                        flit_hops_per_s, ns_per_flit_hop, bytes_per_port
toposearch.plan/1       study, strategy, reason, seconds, finalists,
                        simulation_seconds, simulation_flit_hops, families[]: family,
                        routings[], tuples, designs, stopped, strategy, seconds,
                        simulation_seconds, simulation_flit_hops, simulation_cycles, report_seconds;
                        barred (why no design can satisfy the study), run{seconds,
                        low_seconds, high_seconds, search_seconds, evaluation_seconds,
                        simulation_seconds, report_seconds, planning_seconds,
                        proof_seconds, closest_seconds, evaluations, evaluations_low,
                        evaluations_high (all the same where that is known), ends,
                        dominates, measured} (CPU time);
                        left_out[], assumed[]: key (that changes it), value, doc
toposearch.run/1        runs[]: study, dir, exit, reason, front, report, reuse{taken_over,
                        repriced, evaluated_anew} with --reuse
toposearch.report/1     study, program, evaluator, seed, strategy, complete, tolerance,
                        stopped, verdict, asked[]: label, text; assumed[]: key, value, doc; objectives[], limits[]: name,
                        metric, min or max, text, origin, require; counts{enumerated,
                        dominated, evaluated, feasible, families[]: family, space,
                        decided, evaluated, feasible, on_front, complete},
                        picks{NAME: design}, incumbents[]: name, asked, chosen, verdict, why,
                        admit[] and what a design of the front has;
                        front[]: design, family, params, also[] (other
                        names of the same network), vouched, picks,
                        metrics{KEY: metric}, absent{KEY: reason}, bottleneck, routing,
                        simulated, notes, simulation{routing, model (cut_through: ns
                        for cycles), vcs, cycles, precision, traffic[]:
                        name, saturation, predicted_saturation (busiest channel
                        full), expected_saturation (of VCs and buffers), limited_by,
                        zero_load, predicted_zero_load, latency_half_load, curve[]: offered,
                        accepted, latency, p99, saturated}, detail{dir, unpriced,
                        notes, bom[]: part_no, description, quantity, order_quantity,
                        unit_price, extended_price, currency, lead_time_weeks, used_in,
                        price_derived, valid_until, spares, order_with_spares,
                        extended_price_with_spares, alternates[]; cables[]: link, gbps, medium, count, bought_m,
                        longest_laid_m} of picks and finalists; rejected[]: constraint,
                        count, limit, origin; closest[]: family, design, exhausted,
                        relaxations_unsettled (admit[] may lack some), misses[]: constraint, got, bound, absent, why, origin; admit[]:
                        constraint, from, to, design, origin; catalogue, never_bought[]
                        (priced parts, of the kinds that designs in full buy),
                        inputs{PATH: SHA-256}, warnings[], sensitivity: curves[], break_evens[], ...
                        (as toposearch.sensitivity/1), convergence[]: evaluated, front, hypervolume (a part of the
                        last front's), igd_plus, epsilon (in objectives scaled to it)
toposearch.families/1   families[]: name, title, source, params[], rules[], formulas[],
                        link_classes[], switch_classes[], vcs, deployments, traps,
                        only_named (why a search leaves it out otherwise);
                        with --radix: radix, endpoints, rule, designs[], none[]
toposearch.economics/1  chip_gbps, endpoints, bandwidth_gbps, uniform, switch_models[],
                        rule, rows[]: ports, rate_gbps, serdes_gbps[], planes, family,
                        design (of a plane), complete (none is cheaper), metrics{NAME:
                        value, lo, hi, unit, method} of all planes, absent{}, why
toposearch.status/1     runs[]: dir, manifest, state, progress, complete, reason, exit
toposearch.serve/1      url
toposearch.explain/1    design, chosen (how, of a family), on_front, verdict, routing, routing_unfit, why, misses[],
                        dominated_by[], admit[], objectives
toposearch.compare/1    study, currency, designs[]: name (A, B, ...), design, chosen, verdict, why,
                        routing, cost (exact), metrics{KEY: metric}, absent{}, bill[]:
                        part_no, kind, description, group, used_in, quantity, order_quantity,
                        unit_price, extended_price; classes[]: link, gbps, medium,
                        copper, count, bought_m, longest_laid_m; hops{pairs[] by links,
                        method, why}, simulation; against[] (the first): design, than,
                        reasons[], cost (of both, the difference: the sum of all groups
                        and of all parts), groups[]: group, count[2], change; parts[]:
                        part_no, group, quantity[2], order_quantity[2], change; classes[]: link,
                        count[2], optical[2], bought_m[2], longest_laid_m[2]; metrics[]:
                        metric, values[2], change, better, open (bounds overlap);
                        hops[]: links more, share of endpoint pairs
toposearch.compare-runs/1  runs[2]: dir, study, evaluator, currency, front, complete,
                        tolerance, evaluated; inputs[]: what (model, prices, limits, site, asked,
                        search), text; came[], gone[]: design, objectives, verdict, why
                        (under the other run), cause; moved[]: design, changes[]: metric,
                        unit, before, after, model, prices, inputs (these three add
                        up), undivided; same (designs with equal figures)
toposearch.whatif/1     study, currency, changes[], objectives[], complete, tolerance,
                        front[]: design, objectives, before, why (it was not on it), same_as (as in
                        front); gone[]: design, same_as, before, objectives, why, misses[], dominated_by; proof, open,
                        least{} (the best of what is open), answered, repriced, evaluated, anew,
                        cut{LIMIT: combinations}, before (the run was not complete)
toposearch.whatif-study/1  changes[], study (the file that --write made)
toposearch.sensitivity/1  study, currency, curves[]: limit, metric, max, bound, origin,
                        objective, strict, loose (between which it was moved), complete,
                        least, steps[]: bound, value, design; break_evens[]: part_no,
                        price, break_even, factor, cheaper, beyond, above, cost, verified,
                        note; picks[]: pick, design, prices, kept, loses[]: prices, to;
                        rivals[]; notes[]
toposearch.proof/1      complete, tolerance, proof, seed, drawn, checked, dominated, rejected,
                        boxes, large, wrong[]
toposearch.check/1      valid, error_count, warning_count, diagnostics[]: severity,
                        summary, detail, range{file, line, column}; read[]: the
                        sheets of price lists, as those of catalog-import
toposearch.catalog-import/1  valid, as_of, parts, out, diagnostics[] as of check, sheets[]:
                        file, skipped (why it was not read), head_rows[], encoding, separator,
                        decimal, kind, columns[]: column, head, field, unit,
                        declared, ignored; rows, parts, refused, kinds{KIND: n}, unpriced,
                        currencies{CODE: n}, left[]: row, text, why; questioned[]: row,
                        column, field, part_no, value, why
toposearch.catalog-diff/1  old, new, same, added[] and gone[]: part_no, kind, description,
                        price, lead_weeks; changed[]: part_no, kind, fields[]: field, old, new,
                        percent; prices{both, up, down, median_percent, least_percent,
                        most_percent, other_currency, later, sooner (lead times), withdrawn, quoted}
toposearch.reproduce/1  table, rows[]: name, cells[]: column, published, computed,
                        agrees, note; compared: what these two are, if something else
toposearch.bench/1      space, objectives, front, vectors, enumerated, seeds,
                        evaluations, strategies[]: strategy, runs, hypervolume,
                        recall, igd_plus, epsilon, epsilon_factor, evaluations,
                        cpu_seconds: {q1, median, q3}, evaluations_to_90, _95, _99,
                        curve[]: evaluations, cpu_seconds, hypervolume, recall
toposearch.export/1     design, format, routing, layers, lane_gbps, link_gbps{CLASS: as
                        written}, switches, endpoints,
                        files[]
toposearch.verify/1     with, design, switches, endpoints, cables, discovered_cables,
                        discovery_agrees, engines[]: engine, fits, why, lanes,
                        one_lane_loops, our_loops, loop, lost_pairs, mean_hops,
                        max_hops, busiest_channel_pairs; ours[]: routing, refused,
                        layers, loaded, loops, one_lane_loops, mean_hops,
                        busiest_channel_pairs; contradictions[]
toposearch.wire/1       switches, links, hosts, diameter, mean_distance, their bounds, gap,
                        symmetry, start, judged, mean_cable_m, mean_cable_unplaced_m, file
toposearch.selftest/1   seed, first, designs, networks, none, checks{NAME: n}, failed,
                        failures[]: design, check, found, again
toposearch.init/1       files[]
toposearch.plots/1      files[]
toposearch.man/1        files[]
toposearch.worker/1     worker, tasks
toposearch.metrics/1    metrics[]: name, level, unit, better, doc, formula, source; symbols
toposearch.deadlock/1   design, routing, rule, acyclic, proven, method, vcs, class_vcs{},
                        dependencies, cycle[]: class, from, to, from_id, to_id, vc
toposearch.version/1    version, evaluator, go, platform`
