// Package layout prints the values of a model, with their comments, in the one layout of the
// project.
//
//	node ──AssignRoles──► node ──SortKeys──► node ──Print──► text
//	       the place of          keys in the
//	       each value            format's order
//
// Package format reads the nodes from a text; package draft makes them of the model of a
// program.
package layout
