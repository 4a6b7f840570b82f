package compile

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// QueryField is a field that a query adds to a dataset.
type QueryField struct {
	Location                  string // in the query, as with/0
	Dataset, Name, Expression string
	LOD                       *QueryLOD // nil: a value of the row
	// Clock makes the field what the clock of the zone shows at an instant; nil keeps the value.
	Clock *timezone.Zone
}

// QueryLOD is the level of detail of a query's field, as the key lod of the extension.
type QueryLOD struct {
	Grain []string
	Where string
	Via   []string
}

func (c *compiler) addQueryField(q QueryField) *modelspec.CompileError {
	d := c.findDataset(q.Dataset)
	if d == nil {
		failure := queryPartError(CodeUnknownDataset, q.Location+"/dataset", "", "the dataset %q is not in the model", shortenText(q.Dataset))
		failure.Candidates = c.nearestCandidates(q.Dataset, c.datasetNames)
		return failure
	}
	if known := d.findFieldByName(q.Name); known != nil {
		return queryPartError(CodeDuplicateOutputNameInQuery, q.Location+"/name", "", "the dataset %s has the field %s already", d.cat.Name, known.cat.Name)
	}
	f, err := c.parseQueryField(d, q)
	if err != nil {
		return err
	}
	if q.LOD == nil {
		(&fieldExpander{compiler: c}).expandFieldIfNotVisited(f)
	} else {
		c.lowerLODField(f)
		c.inferFieldType(f)
	}
	if f.cat.Err != nil {
		return restateErrorForQuery(f.cat.Err, q.Location)
	}
	if q.Clock != nil {
		showClock(f.cat, q.Clock)
		f.cat.Shown = &catalog.ShownClock{Zone: q.Clock, At: fieldOfExpression(d, f.source.Default.expr)}
	}
	c.cat.AddField(f.cat)
	d.fields[foldCase(q.Name)] = f
	return nil
}

// fieldOfExpression returns the field of a dataset that an expression is; nil for any other expression.
func fieldOfExpression(d *datasetInProgress, e sqlexpr.Expr) *catalog.Field {
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) > 1 {
		return nil
	}
	if f := d.findFieldByName(column.Path[0].Text); f != nil {
		return f.cat
	}
	return nil
}

// showClock makes a field of instants one of what the clock of a zone shows at them.
func showClock(f *catalog.Field, zone *timezone.Zone) {
	shown := sqlexpr.NewTimeZone(zone)
	onClock := func(e sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.LocalTime{Position: sqlexpr.Position(e.Pos()), From: sqlexpr.TypeTimestampTZ, Zone: shown, X: e}
	}
	f.Type, f.Datatype = sqlexpr.TypeTimestamp, modelspec.DatatypeDateTime
	f.Expr.Default = onClock(f.Expr.Default)
	for dialect, e := range f.Expr.ByDialect {
		f.Expr.ByDialect[dialect] = onClock(e)
	}
}

// parseQueryField parses the texts of a field, and checks the names that a model would read as
// physical columns: a query names fields alone.
func (c *compiler) parseQueryField(d *datasetInProgress, q QueryField) (*fieldInProgress, *modelspec.CompileError) {
	location := q.Location + "/expression"
	expr, err := parseMetricQueryExpression(q.Expression, location, functionNamesAllowedInMetrics)
	if err != nil {
		return nil, err
	}
	if err := refuseListaggInQuery(expr, location); err != nil {
		return nil, err
	}
	f := &fieldInProgress{
		doc: &modelspec.Field{Place: modelspec.Place{Location: q.Location}}, ds: d,
		cat:    &catalog.Field{Dataset: d.cat, Name: q.Name},
		source: catalog.DialectVariants[parsedDialectEntry]{Default: newDialectEntryOfQueryExpression(expr, q.Expression)},
	}
	if f.cat.TextBytes, err = c.estimateTextFunctionCost(expr, f, location); err != nil {
		return nil, err
	}
	if f.aggregates = sqlexpr.HasAggregate(expr); q.LOD == nil {
		if err := refuseNonRowExpression(expr, location); err != nil {
			return nil, err
		}
		return f, c.checkExpressionNamesAreFields(f, expr, location)
	}
	if err := checkNoWindowOrSubquery(f, expr, location); err != nil {
		return nil, err
	}
	f.ext.LOD, err = c.readQueryLOD(f, q)
	return f, err
}

// checkNoWindowOrSubquery rejects a window or a subquery that takes the place of the aggregate.
func checkNoWindowOrSubquery(f *fieldInProgress, expr sqlexpr.Expr, location string) *modelspec.CompileError {
	if f.aggregates {
		return nil // which lowering checks
	}
	const hint = "aggregate fields: SUM(dataset.field)"
	if w := sqlexpr.FirstWindowCall(expr); w != nil {
		return queryPartError(CodeWindowInMetric, location, hint, "a window function cannot stand in a level of detail: %s", quoteExpr(w))
	}
	if s := sqlexpr.FirstSubquery(expr); s != nil {
		return queryPartError(CodeSubqueryInMetric, location, hint, "a subquery cannot stand in a level of detail: %s", quoteExpr(s))
	}
	return nil
}

// newDialectEntryOfQueryExpression returns a text of a query as an entry of a model.
func newDialectEntryOfQueryExpression(expr sqlexpr.Expr, text string) parsedDialectEntry {
	return parsedDialectEntry{expr, &modelspec.DialectEntry{Expression: modelspec.LocatedText{Value: text}}}
}

// checkExpressionNamesAreFields requires every name of a field's expression to be a field.
func (c *compiler) checkExpressionNamesAreFields(f *fieldInProgress, expr sqlexpr.Expr, location string) *modelspec.CompileError {
	x := fieldExpander{compiler: c}
	for _, column := range sqlexpr.ColumnReferences(expr) {
		if f.isCrossDatasetName(column) {
			if _, err := x.findCrossDatasetField(f, column); err != nil {
				err.Location = location
				return err
			}
			continue
		}
		if x.findReferencedFieldInOwnDataset(f, column) != nil {
			continue
		}
		code, name := CodeUnknownColumn, column.Path[len(column.Path)-1].Text
		if len(column.Path) > 1 {
			code = CodeUnknownField
		}
		failure := queryPartError(code, location, "", "the dataset %s has no field %q", f.ds.cat.Name, shortenText(name))
		failure.Candidates = c.nearestCandidates(name, f.ds.fieldNames)
		return failure
	}
	return nil
}

// readQueryLOD reads the level of detail of a query's field, as package extension reads that of a
// model's.
func (c *compiler) readQueryLOD(f *fieldInProgress, q QueryField) (*extension.LOD, *modelspec.CompileError) {
	location := q.Location + "/lod"
	out := &extension.LOD{Place: modelspec.Place{Location: location}}
	if len(q.LOD.Grain) == 0 {
		return nil, queryPartError(CodeBadRequest, location+"/grain", "", "the grain names no field of %s", f.ds.cat.Name)
	}
	for i, name := range q.LOD.Grain {
		at := location + "/grain/" + strconv.Itoa(i)
		if _, ok := c.findOwnFieldMaybeQualified(f.ds, name); !ok {
			failure := queryPartError(CodeUnknownField, at, "", "the dataset %s has no field %q", f.ds.cat.Name, shortenText(name))
			failure.Candidates = c.nearestCandidates(name, f.ds.fieldNames)
			return nil, failure
		}
		out.Grain = append(out.Grain, extension.ObjectRef{Name: name, Place: modelspec.Place{Location: at}})
	}
	for i, name := range q.LOD.Via {
		at := location + "/via/" + strconv.Itoa(i)
		if c.cat.Relationship(name) == nil {
			failure := queryPartError(CodeUnknownRelationshipInQuery, at, "", "%q is not a relationship of the model", shortenText(name))
			failure.Candidates = c.nearestCandidates(name, c.relationshipNames)
			return nil, failure
		}
		out.Via = append(out.Via, extension.ObjectRef{Name: name, Place: modelspec.Place{Location: at}})
	}
	if strings.TrimSpace(q.LOD.Where) == "" {
		return out, nil
	}
	where, err := ParseQueryScalarExpr(q.LOD.Where, location+"/where")
	if err != nil {
		err.Code = CodeBadRequest
		return nil, err
	}
	if _, err := c.estimateTextFunctionCost(where, f, location+"/where"); err != nil {
		err.Code = CodeBadRequest
		return nil, err
	}
	out.Where = &extension.PayloadExpression{Text: q.LOD.Where, Expr: where, Place: modelspec.Place{Location: location + "/where"}}
	return out, nil
}

func (c *compiler) relationshipNames() []string {
	var out []string
	for _, r := range c.cat.Relationships {
		out = append(out, r.Name)
	}
	return out
}

// restateErrorForQuery gives an error the code and the location that it has in a query. An error of an
// object of the model stays as it is.
func restateErrorForQuery(err *modelspec.CompileError, location string) *modelspec.CompileError {
	if !strings.HasPrefix(err.Location, location) {
		return err
	}
	out := *err
	out.Location = strings.ReplaceAll(err.Location, ".", "/")
	if err.Code == extension.CodeInvalidPayload {
		out.Code = CodeBadRequest
	}
	return &out
}
