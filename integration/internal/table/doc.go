// Package table compares result tables in tests: cell by cell, numbers by value, rows in
// order only where the query has an order.
package table
