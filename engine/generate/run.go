package generate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/sqlemit"
)

// Output is the text of a generated model with its report.
type Output struct {
	Text   []byte
	Report Report
}

// Run reads the tables of a warehouse and makes a model of them. It runs statements one after
// another, each of them one SELECT. The error is an *OptionError, an *executor.Error, or that
// of the context.
func Run(ctx context.Context, db executor.Executor, o Options) (*Output, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d, ok := sqlemit.Lookup(db.Dialect())
	if !ok {
		return nil, &executor.Error{Code: executor.CodeConfig, Message: "this build writes no SQL for " + db.Dialect()}
	}
	list, err := tables.Read(ctx, db, tables.Options{Schemas: o.Schemas, Views: o.Views, Keep: o.keep})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, &OptionError{"the source has no tables" + o.choice()}
	case len(list) > MaxTables:
		return nil, &OptionError{"the source has " + strconv.Itoa(len(list)) + " tables, and a model is generated of " +
			strconv.Itoa(MaxTables) + " at most; choose some with --include"}
	}
	result, err := Generate(ctx, list, Queries{DB: db, Dialect: d, MaxRows: o.MaxRows}, d, o)
	if err != nil {
		return nil, err
	}
	text, err := declareRoles(ctx, result.Model)
	if err != nil {
		return nil, err
	}
	return &Output{Text: text, Report: result.Report}, nil
}

// choice describes what limits the tables, for the error that there are none.
func (o Options) choice() string {
	switch {
	case len(o.Include)+len(o.Exclude) > 0:
		return " that --include and --exclude choose"
	case len(o.Schemas) == 0:
		return " in its default schema; name others with --schema"
	}
	return " in the schemas of --schema"
}

// declareRoles prints a model, and declares the fields dimensions that validation would
// otherwise ask about.
func declareRoles(ctx context.Context, m *draft.Model) ([]byte, error) {
	text := draft.Print(m)
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, invalidModel(err)
	}
	issues, err := modelspec.Validate(ctx, doc)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(issues, func(i modelspec.Issue) bool { return i.Severity == modelspec.SeverityError }); i >= 0 {
		return nil, invalidModel(errors.New(issues[i].Message))
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{Advice: true})
	if err != nil {
		return nil, err
	}
	if len(cat.Errors) > 0 {
		return nil, invalidModel(cat.Errors[0])
	}
	declared := false
	for _, w := range cat.Warnings {
		if f := fieldAt(m, w.Location); w.Code == compile.CodeUnderdeclared && f != nil {
			yes := true
			f.IsDimension, declared = &yes, true
		}
	}
	if declared {
		text = draft.Print(m)
	}
	return text, nil
}

// invalidModel is the error of a defect of this package.
func invalidModel(err error) error {
	return fmt.Errorf("the generated model is not valid: %w", err)
}

var fieldLocation = regexp.MustCompile(`datasets\[(\d+)\]\.fields\[(\d+)\]`)

// fieldAt returns the field at a location of the model, nil if it is not that of a field.
func fieldAt(m *draft.Model, location string) *draft.Field {
	match := fieldLocation.FindStringSubmatch(location)
	if match == nil {
		return nil
	}
	dataset, _ := strconv.Atoi(match[1])
	field, _ := strconv.Atoi(match[2])
	if dataset >= len(m.Datasets) || field >= len(m.Datasets[dataset].Fields) {
		return nil
	}
	return m.Datasets[dataset].Fields[field]
}
