// Package top resolves the key top, and joins the kept values to the rows of a branch.
//
//	ranked values ─► the n largest, in each group of within ─► join to the rows ─► kept value or remainder
package top
