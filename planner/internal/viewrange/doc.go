// Package viewrange decides whether the time range that a view has by default acts on a query.
//
//	view, request ──Of──► the range and its dimension ──ForMetrics, OfRoot──► the range of the query, or none
//
// The range gives way to every range of the request, and to a condition that names its field.
package viewrange
