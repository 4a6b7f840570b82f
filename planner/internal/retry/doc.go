// Package retry makes the fragments of suggested retries: a query without some of its groups or metrics, with
// another grain, or with another name for a column.
package retry
