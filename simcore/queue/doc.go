// Package queue predicts the saturation load of the flit engine's switches from first principles, without simulating them:
// what finite buffers, few virtual channels and head-of-line blocking leave of the load at which the busiest channel is full.
//
// A mean-field model: queues at different ports depend on each other by their means alone. What it follows is
//
//   - the queue of a channel: packets from several inputs meet, rho + rho^2 m / 2(1 - rho) of them on average, of
//     which m = 1 - sum of the squares of the inputs' shares is the part that can meet at all (Karol, Hluchyj, Morgan, IEEE Trans. Commun.
//     35(12), 1987, appendix; m = 1 - 1/N there). A crossbar with speedup moves them behind the output as long as there are credits;
//   - the slots of the next buffer: each VC has Buffer flits for what queues behind the output, what is under way with
//     its credits (the round trip) and what waits at the next switch. Both queues of a VC are taken as geometric. What
//     finds no slot waits at the front of a VC of the switch before, and nothing behind it moves;
//   - the fronts of VCs: an input has as many as it has VCs, and by Little's law it holds as many packets as arrive
//     in the time that one is at the front. An input that would need all its VCs saturates, unless one output alone holds it up, which then
//     has work all the time, and none of such inputs wait for each other in a circle;
//   - VC classes: where datelines, hops or the layers of tables name VCs, an input fills up as soon as the VCs of one class do (Usable); packets that may take
//     either of two even both out.
//
// The switch is that of flit.SwitchConfig: separable allocation, credits per VC, output queues bounded by credits. No
// constant is fitted to simulations, but of several forms that theory gives (how even arrivals at a VC are, the slots of a packet that
// moves, what an arrival finds, that packets of several VC classes are dealt out in turn, too) those are kept that came closest to them: reproduce prediction, which says how far the two are
// apart, is no independent test. Not modelled: that a saturated ring delivers less (sources that take any VC crowd out what is
// under way; those of direct ways leave it some, see package route), correlations between switches, shared buffers, adaptive choices.
package queue
