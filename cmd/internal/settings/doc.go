// Package settings is the table of the settings of `semlayer serve` and `semlayer mcp`.
//
//	table ──► flags with their help, SVC_* variables, keys of the settings file
//	      ──► the table of docs/operations.md, the properties of `settings` in the schema of the chart
//
// A new setting is a new row: everything that names settings is made from the table, and tests compare the rest with it.
package settings
