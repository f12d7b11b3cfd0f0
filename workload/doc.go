// Package workload computes what a step of training is: the operations, the memory of an accelerator, and the
// collectives with their groups and bytes, from the dimensions of a transformer and the way in which it is
// divided; and what that takes on a network without contention, part by part.
//
//	Transformer   dimensions: built in (Models), or a file of the user (LoadModel); Params, ModelFLOPs
//	Parallelism   tensor, context, pipeline, data and expert parallelism; Check says what does not divide
//	Training      a model, sequence, batch and parallelism: Memory, Communications
//	System        accelerators and their ideal network; Time gives a step's parts, Best searches the parallelism
//
// Ranks are numbered with tensor parallelism innermost, then context, data and pipeline parallelism. Nothing
// here knows a topology; package collective has the algorithms. The closed loops of the simulators,
// simcore.Workload, are something else: traffic that waits for arrivals, without a model behind it.
//
// Sources of formulas: Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models,
// MLSys 2023 (activations, operations); Narayanan et al., Efficient Large-Scale Language Model Training on
// GPU Clusters, SC 2021 (pipelines); Rajbhandari et al., ZeRO, SC 2020 (states); Liu et al., Ring Attention,
// 2023 (context parallelism).
package workload
