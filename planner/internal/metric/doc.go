// Package metric plans queries of the metric plane: Plan runs the passes in their order. plan.go is the page that shows it,
// and each pass has its own package, the lower ones first:
//
//	scope    environment, metrics, group-bys, params
//	levels   totals and shares
//	measure  metrics as arithmetic over measure references
//	where    conditions and time ranges
//	compare, top, fill   what these keys mean
//	branch   homes, joins, aggregates
//	window   windows over the branches
//	refine   columns, shares, order, limit
//
// No pass changes the result of an earlier pass.
package metric
