package cli_test

import (
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/rogpeppe/go-internal/testscript"
)

// arrow FILE COLUMN…: the file, or stdout, is a complete Arrow stream of these columns,
// whose metadata names the statement.
func arrowStream(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: arrow FILE COLUMN…")
	}
	text := ts.ReadFile(args[0])
	in, err := ipc.NewReader(strings.NewReader(text))
	ts.Check(err)
	defer in.Release()
	rows := int64(0)
	for in.Next() {
		rows += in.RecordBatch().NumRows()
	}
	ts.Check(in.Err())
	var columns []string
	for _, f := range in.Schema().Fields() {
		columns = append(columns, f.Name)
	}
	meta := in.Schema().Metadata().ToMap()
	switch {
	case rows == 0:
		ts.Fatalf("no rows")
	case !slices.Equal(columns, args[1:]):
		ts.Fatalf("columns %q", columns)
	case meta["dialect"] != "duckdb" || !strings.HasPrefix(meta["sql"], "SELECT "):
		ts.Fatalf("metadata %q", meta)
	case !strings.HasSuffix(text, "\xff\xff\xff\xff\x00\x00\x00\x00"):
		ts.Fatalf("the end-of-stream marker is missing")
	}
}
