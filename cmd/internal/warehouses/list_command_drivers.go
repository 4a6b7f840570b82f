// Package warehouses links the drivers that only the command has, in addition to those
// of every program.
//
//	executor/duckdb     │
//	executor/bigquery   │
//	executor/databricks ├─► Drivers ─► engine.Config ─► the embedded database, connections
//	executor/snowflake  │
//	executor/trino      │
//
// They are the embedded database and the warehouses that live elsewhere. A program
// that embeds the engine chooses its own.
package warehouses

import (
	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/snowflake"
	"github.com/semlayer/semlayer/executor/trino"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Drivers returns the drivers. The slice is the caller's own.
func Drivers() []warehouse.Driver {
	return []warehouse.Driver{duckdb.Driver(), trino.Driver(), snowflake.Driver(), bigquery.Driver(), databricks.Driver()}
}
