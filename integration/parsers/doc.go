// Package parsers holds the parsers of expressions and of statements to the outcomes that are recorded for the texts of the repository:
// the tree that a text has, as its printed form and the places of its nodes, or the error with its code, place and hint.
package parsers
