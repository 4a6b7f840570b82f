// Package local makes the catalog of a query: the catalog of the model, and the fields and metrics that the query itself
// declares.
package local
