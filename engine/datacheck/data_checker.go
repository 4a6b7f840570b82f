package datacheck

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// ModelAndWarehouse is a model and the warehouse that holds its data.
type ModelAndWarehouse struct {
	Document *modelspec.Document // without structural errors
	Catalog  *catalog.Catalog    // of the document
	Planner  *planner.Planner    // over the catalog
	Target   planner.Target
	Dialect  *sqlemit.Dialect // of the target
	DB       executor.Executor
	Basic    bool // the document is read without vendor extensions
}

// CheckData checks the model against the data. It runs statements one after another, each of them one
// SELECT. It leaves out each object that did not compile. The error is an *UnknownCodeError, the *executor.Error
// of a warehouse that cannot be reached, or the error of ctx.
func CheckData(ctx context.Context, s ModelAndWarehouse, o Options) ([]modelspec.Issue, error) {
	if err := o.RejectUnknownSkipCodes(); err != nil {
		return nil, err
	}
	c := newDataChecker(s, o)
	usable, err := c.findUnreadableObjects(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.reportColumnsThatAreNotText(ctx, usable); err != nil {
		return nil, err
	}
	c.reportAmbiguousDays()
	scans, err := c.scanDatasets(ctx, usable)
	if err != nil {
		return nil, err
	}
	if err := c.checkRelationships(ctx, usable, scans); err != nil {
		return nil, err
	}
	if err := c.checkWholePeriods(ctx, usable); err != nil {
		return nil, err
	}
	if err := c.compileMetricsOnWarehouse(ctx, usable); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.findings, func(a, b modelspec.Issue) int { return a.Position.Compare(b.Position) })
	return c.findings, nil
}

// CountDuplicates counts the values of some fields of one dataset that several rows have. A nil error with incomplete not empty is a
// statement that the warehouse rejected, or that ran out of time; other errors are as of CheckData.
func CountDuplicates(ctx context.Context, s ModelAndWarehouse, fields []*catalog.Field, o Options) (values int64, incomplete string, err error) {
	c := newDataChecker(s, o)
	d, last := fields[0].Dataset, len(fields)
	groups, err := c.keyValueCountsPlan(ctx, d, fields, false)
	if err != nil {
		return 0, "", err
	}
	several := &plan.Filter{Input: groups, Conds: []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpGt, L: columnRef(last), R: newNumberLiteral(1)}}}
	counts, err := c.warehouse.runCountingPlan(ctx, &plan.Aggregate{Input: several, Measures: nameCountColumns(countExpr(nil, false)), Home: d.Name})
	if why := asStatementError(err); why != nil {
		return 0, why.Error(), nil
	}
	if err != nil {
		return 0, "", err
	}
	return counts[0], "", nil
}

func newDataChecker(s ModelAndWarehouse, o Options) *dataChecker {
	o = o.withDefaults()
	return &dataChecker{
		ModelAndWarehouse: s,
		options:           o,
		warehouse:         statementRunner{db: s.DB, dialect: s.Dialect, timeout: o.StatementTimeout},
		places:            newModelObjectPlaces(s.Document),
		columns:           map[*catalog.Dataset][]*catalog.Field{},
		mistyped:          map[*catalog.Field]bool{},
	}
}

// dataChecker is one run.
type dataChecker struct {
	ModelAndWarehouse
	options   Options
	warehouse statementRunner
	places    modelObjectPlaces
	// columns are the columns of declared keys that are not fields, as fields that no query can name.
	columns map[*catalog.Dataset][]*catalog.Field
	// mistyped are the fields with a datatype that their values do not have.
	mistyped map[*catalog.Field]bool
	findings []modelspec.Issue
}

// unreadableObjects is what the warehouse accepts of the model.
type unreadableObjects struct {
	failed map[*catalog.Dataset]bool // the source cannot be read
	broken map[*catalog.Field]bool   // the field cannot be read, or does not compile
}

// canReadFields reports whether all fields can be read.
func (u unreadableObjects) canReadFields(fields []*catalog.Field) bool {
	return !slices.ContainsFunc(fields, func(f *catalog.Field) bool { return u.failed[f.Dataset] || u.broken[f] })
}

// addFinding adds a finding with the severity that the registry gives its code, unless the code is skipped.
func (c *dataChecker) addFinding(code string, at modelspec.Place, message string, candidates ...string) {
	c.addFindingWithSeverity(severityOfCode(code), code, at, message, candidates...)
}

func (c *dataChecker) addFindingWithSeverity(severity modelspec.Severity, code string, at modelspec.Place, message string, candidates ...string) {
	if !c.options.reportsAnyCode(code) {
		return
	}
	c.findings = append(c.findings, modelspec.Issue{
		Severity: severity, Code: code, Location: at.Location, Position: at.Position, Message: message, Candidates: candidates,
	})
}

// reportIncompleteCheck reports what is not known, because a statement was rejected.
func (c *dataChecker) reportIncompleteCheck(at modelspec.Place, unknown []string, why *statementError) {
	c.addFinding(CodeCheckIncomplete, at, "it is not known whether "+strings.Join(unknown, "; or whether ")+": "+why.words)
}

func containsString(list []string, s string) bool { return slices.Contains(list, s) }
