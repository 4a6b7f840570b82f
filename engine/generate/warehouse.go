package generate

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/sqlemit"
)

// ModelTextWithReport is the text of a generated model with its report.
type ModelTextWithReport struct {
	Text   []byte
	Report Report
}

// GenerateFromWarehouse reads the tables of a warehouse and makes a model of them. It runs statements one after
// another, each of them one SELECT. The error is an *OptionError, an *executor.Error, or that
// of the context.
func GenerateFromWarehouse(ctx context.Context, db executor.Executor, o Options) (*ModelTextWithReport, error) {
	if err := o.checkGlobs(); err != nil {
		return nil, err
	}
	d, ok := sqlemit.LookupDialect(db.Dialect())
	if !ok {
		return nil, &executor.Error{Code: executor.CodeConfig, Message: "this build writes no SQL for " + db.Dialect()}
	}
	list, err := tables.Read(ctx, db, tables.Options{Schemas: o.Schemas, Views: o.Views, Keep: o.keepsTable})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, &OptionError{"the source has no tables" + o.tableFilterText()}
	case len(list) > MaxTables:
		return nil, &OptionError{"the source has " + strconv.Itoa(len(list)) + " tables, and a model is generated of " +
			strconv.Itoa(MaxTables) + " at most; choose some with --include"}
	}
	if n := countColumns(list); n > MaxColumnsOfAllTables {
		return nil, &OptionError{"the tables have " + strconv.Itoa(n) + " columns, and a model is generated of " +
			strconv.Itoa(MaxColumnsOfAllTables) + " at most; choose some with --include"}
	}
	if noter, ok := db.(datafiles.ColumnNoter); ok {
		o.ColumnNotes = noter.ColumnNotes()
	}
	result, err := GenerateFromTables(ctx, list, WarehouseProver{DB: db, Dialect: d, MaxRows: o.MaxRows}, d, o)
	if err != nil {
		return nil, err
	}
	text := draft.PrintModel(result.Model)
	if len(text) > modelspec.MaxModelBytes {
		return nil, &OptionError{"the model would be longer than a model may be; choose some tables with --include"}
	}
	return &ModelTextWithReport{Text: text, Report: result.Report}, nil
}

func countColumns(list []tables.Table) int {
	n := 0
	for _, t := range list {
		n += len(t.Columns)
	}
	return n
}

// tableFilterText describes what limits the tables, for the error that there are none.
func (o Options) tableFilterText() string {
	switch {
	case len(o.Include)+len(o.Exclude) > 0:
		return " that --include and --exclude choose"
	case len(o.Schemas) == 0:
		return " in its default schema; name others with --schema"
	}
	return " in the schemas of --schema"
}
