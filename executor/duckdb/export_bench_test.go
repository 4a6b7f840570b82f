//go:build duckdb_arrow

package duckdb_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// BenchmarkExport holds the copy of vectors against the library's own Arrow export,
// which needs a build tag: go test -tags duckdb_arrow -run '^$' -bench Export ./duckdb
func BenchmarkExport(b *testing.B) {
	path := streamedFile(b)
	e := open(b, duckdb.Options{Path: path})
	compare(b, []way{
		{"bare", bareLoop(b, path, sizeOf)},
		{"copied", func() int64 { return drain(b, e) }},
		{"exported", bareLoop(b, path, exported(b))},
	})
}

func exported(b *testing.B) func(*bindings.Result, bindings.DataChunk) int64 {
	return func(result *bindings.Result, chunk bindings.DataChunk) int64 {
		options := bindings.ResultGetArrowOptions(result)
		defer bindings.DestroyArrowOptions(&options)
		batch, failure := bindings.DataChunkToArrowArray(options, exportedSchema(b, result, options), chunk)
		if bindings.ErrorDataHasError(failure) {
			b.Fatal(bindings.ErrorDataMessage(failure))
		}
		defer batch.Release()
		return batch.NumRows()
	}
}

var schemaOfStreamed *arrow.Schema

// exportedSchema is made once: every run has the same.
func exportedSchema(b *testing.B, result *bindings.Result, options bindings.ArrowOptions) *arrow.Schema {
	if schemaOfStreamed != nil {
		return schemaOfStreamed
	}
	var types []bindings.LogicalType
	var names []string
	for i := range bindings.ColumnCount(result) {
		types = append(types, bindings.ColumnLogicalType(result, i))
		names = append(names, bindings.ColumnName(result, i))
	}
	schema, failure := bindings.NewArrowSchema(options, types, names)
	if bindings.ErrorDataHasError(failure) {
		b.Fatal(bindings.ErrorDataMessage(failure))
	}
	for i := range types {
		bindings.DestroyLogicalType(&types[i])
	}
	schemaOfStreamed = schema
	return schema
}
