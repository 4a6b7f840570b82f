// Package combine matches the grouped branches of a query on its group-bys, and finds in the matched rows the column of each measure
// reference and the rows that the query shows.
package combine
