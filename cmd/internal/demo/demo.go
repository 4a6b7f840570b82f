// Package demo is the bundled example: a model of a made-up retailer and the
// statements that make its data. The data is the same on every machine.
package demo

import _ "embed"

// ModelName of the model, and of the files that hold the example.
const ModelName = "retail"

//go:embed retail.yaml
var embeddedModel []byte

//go:embed retail.sql
var embeddedDataSQL string

// ModelText returns the text of the model.
func ModelText() []byte { return append([]byte(nil), embeddedModel...) }

// DataSQL returns the script that creates and fills the tables, for DuckDB.
func DataSQL() string { return embeddedDataSQL }
