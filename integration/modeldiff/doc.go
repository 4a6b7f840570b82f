// Package modeldiff holds the laws of `semlayer diff` over the corpus.
//
//	a model of the corpus ─┬─► mutant ─► DiffModels, both ways
//	                       └─► the queries of its cases, compiled on both
//
// A mutant has one random edit of its text. Where no entry is breaking, every query that
// compiled still compiles; where all entries are compatible, none changes its SQL; and the
// differences from the mutant to the model mirror those from the model to the mutant.
//
// SEMLAYER_TEST_LONG=1 makes many more mutants.
package modeldiff
