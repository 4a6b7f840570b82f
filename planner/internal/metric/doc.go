// Package metric plans queries of the metric plane: Plan runs the passes in their order. plan.go is the page that shows it,
// and each pass has its own package, the lower ones first:
//
//	scope    environment, metrics, group-bys, params
//	levels   totals and shares
//	measure  metrics as arithmetic over measure references
//	where    conditions and time ranges
//	compare, top, fill   what these keys mean
//	lod      tables of levels of detail
//	branch   homes of measures, and the joins to what they read
//	grouping, snapshot   the rows of one branch, grouped
//	combine  the branches, matched on the group-bys
//	window   windows over the branches
//	refine   columns, shares, order, limit
//
// No pass changes the result of an earlier pass.
package metric
