// Package measure expands metrics into arithmetic over measure references: measures with their filter, axis, tag and
// window.
//
//	metric ─► form and operands ─► arithmetic over Ref{index} ─► Expansion (columns, measure references)
//	          window ─► the group of its time axis, its base ─► measure references that the window reads
//
// An expression refers to a measure reference by its index. The Expander grows while the metrics of one query are
// expanded; an attribution expands values that are not columns of a query. The rules of windows are here: where a
// window may run, how it reads the measures of its base, and how far it looks.
package measure
