// Package fidelity decides what to simulate when many designs have values of a fast model and few can be simulated: a loop of two
// fidelities. It simulates the front by the model, learns from that by what measurements differ from the model in each family, finds the
// front again by corrected values, and goes on until the front stays or the budget ends.
//
//   - Correction is the posterior of log(measured/modelled) of one objective, with error bars (correction.go, evidence.go);
//   - Loop asks which designs to simulate next: the front by corrected values, its epsilon layers, and a share at random (loop.go, choose.go);
//   - Ranks says how well both fidelities order designs (ranks.go).
//
// Nothing here simulates, reads a clock or starts a goroutine: the same points, measurements and seed give the same questions.
//
// The scheme is that of two-fidelity search by multiplicative correction (Alexandrov, Dennis, Lewis, Torczon, "A trust-region framework for
// managing the use of approximation models in optimization", Structural Optimization 15, 1998), with a hierarchical linear model
// (Gelman, Hill, "Data Analysis Using Regression and Multilevel/Hierarchical Models", 2007, chapter 12) in the place of a trust region.
package fidelity
