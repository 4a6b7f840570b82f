// Package benchmarks measures what a user waits for: compiling a query, loading
// a model, and generated SQL against SQL written by hand.
//
// Figures are medians or ratios taken within one run, because machines differ
// and ratios travel. The models and the data are generated here, from a fixed
// seed; nothing is downloaded. `make bench` runs them and writes docs/benchmarks.md,
// whose tables and aims are declared in tools/promises.
package benchmarks
