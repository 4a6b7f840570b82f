package semsql

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/internal/selection"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// Error is the error of every rejected statement.
type Error = sqlerror.Error

// Codes returns the registry of the codes that only statements have.
func Codes() []planerr.CodeInfo { return sqlerror.Codes() }

// Model maps statements to queries of one model. It is immutable.
type Model struct {
	cat     *catalog.Catalog
	schema  *relations.Schema
	planner *planner.Planner
}

// New returns the mapping of a model, or of a view for a catalog in its scope: statements find its relation alone, whose names are
// resolved in the whole model.
func New(cat *catalog.Catalog) *Model {
	whole := cat.WithoutView()
	return &Model{cat: whole, schema: relations.NewSchema(cat), planner: planner.New(whole)}
}

// ForReader returns the mapping for a reader with these attributes.
func (m *Model) ForReader(attributes sqlexpr.AttributeValues) *Model {
	return &Model{cat: m.cat.ForReader(attributes), schema: m.schema, planner: m.planner.ForReader(attributes)}
}

// Relations returns the relations that statements name.
func (m *Model) Relations() *relations.Schema { return m.schema }

// Statement is one statement with the values of its parameters.
type Statement struct {
	SQL string
	// Tree is that of SQL, as parse.Parse returns it; nil where it is not parsed yet.
	Tree   *parse.Query
	Params []query.ParamValue // of $1, $2 and so on
	// ContextFilter is a condition on the rows of every part, as of queries.
	ContextFilter string
	// TimeZone is that of the session, as PostgreSQL's setting of the name has it: a name or an offset. "" is the model's, else UTC.
	TimeZone string
	// MaxRows bounds the rows besides the LIMIT of the statement; nil for no bound.
	MaxRows *int64
	// Rollups and MaxAge are those of every part, as of queries.
	Rollups *query.Rollups
	MaxAge  *int64
}

// StatementKind is what a statement becomes.
type StatementKind string

// The kinds.
const (
	KindMetric   StatementKind = "metric"   // one query of groups and metrics
	KindDetail   StatementKind = "detail"   // one query of rows
	KindComposed StatementKind = "composed" // outer SQL around queries
)

// Column is a column of a statement's result. Two columns may have one name.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // as PostgreSQL names it
	// Relation and RelationColumn name the column of a relation that it shows as it is; "" for a computed one.
	Relation       string `json:"-"`
	RelationColumn string `json:"-"`
}

// CompiledStatement is a statement that was mapped.
type CompiledStatement struct {
	Kind StatementKind
	// Metric or Detail is the query that gives the same rows by position, with the midnights of DATE_TRUNC as dates;
	// both are nil where none does.
	Metric *query.MetricQuery
	Detail *query.DetailQuery
	// Planned is the plan. Its columns are Columns by position; their names differ in more than case.
	Planned *planner.Planned
	Columns []Column
	// ReadsNow: the plan holds the time at which the statement was compiled.
	ReadsNow bool

	tree *parse.Query
}

// Compile maps a statement. The error is an *Error, or what ctx ended with. A statement that an error suggests compiles.
func (m *Model) Compile(ctx context.Context, s Statement, t planner.Target) (*CompiledStatement, error) {
	t.Now = t.NowOrCallTime() // of all parts and retries
	out, err := m.compile(ctx, s, t)
	t.Uses = nil // which are those of the statement, and not of suggested ones
	var refused *Error
	if errors.As(err, &refused) && refused.Statement != "" {
		refused = refused.WithSuggestedStatement(m.verifiedSuggestedStatement(ctx, s, *refused, t))
	}
	if late := ctx.Err(); late != nil {
		return nil, late
	}
	return out, err
}

// maxRetrySteps is how many suggested statements may follow each other before one compiles.
const maxRetrySteps = 3

// verifiedSuggestedStatement returns the statement that an error suggests, or, if that is rejected, the one that its own error
// suggests, and so on for a few steps: the first that compiles; "" if none does.
func (m *Model) verifiedSuggestedStatement(ctx context.Context, s Statement, refused Error, t planner.Target) string {
	for range maxRetrySteps {
		s.SQL, s.Tree = refused.Statement, nil
		_, err := m.compile(ctx, s, t)
		if err == nil {
			return s.SQL
		}
		var next *Error
		if !errors.As(err, &next) || next.Statement == "" {
			return ""
		}
		refused = *next
	}
	return ""
}

func (m *Model) compile(ctx context.Context, s Statement, t planner.Target) (*CompiledStatement, error) {
	tree, err := m.parse(s)
	if err != nil {
		return nil, err
	}
	return m.mapTree(ctx, tree, s, nil, t)
}

// mapTree maps the tree of a statement. With types the parameters have no values yet.
func (m *Model) mapTree(ctx context.Context, tree *parse.Query, s Statement, types *resolve.ParameterTypes, t planner.Target) (*CompiledStatement, error) {
	zone, ok := timezone.ParseSessionZone(cmp.Or(s.TimeZone, m.cat.TimeZone, timezone.UTC))
	if !ok {
		return nil, unknownSessionZoneError(s.TimeZone)
	}
	t.Zone = zone.UnnamedOffset()
	statement := &resolve.Statement{Cat: m.cat, Schema: m.schema, Params: s.Params, Types: types, Dialect: t.Dialect, Root: tree, Zone: zone, Clock: &resolve.Clock{Now: t.NowOrCallTime()}}
	if err := statement.CheckParameterCount(); err != nil {
		return nil, err
	}
	if err := statement.CheckParameterValueLengths(); err != nil {
		return nil, err
	}
	var parts []*planner.Planned
	in := selection.PlanningContext{Planner: m.planner, Target: t, Composer: compose.New(t), ContextFilter: s.ContextFilter, Rollups: s.Rollups, MaxAge: s.MaxAge, Parts: &parts}
	selected, composed, err := selection.MapQuery(ctx, statement, tree, in)
	if err != nil {
		return nil, err
	}
	selected.LowerRowLimitTo(s.MaxRows)
	out := newCompiledStatement(selected, composed, parts)
	if t.Zone != nil { // which no query names
		out.Metric, out.Detail = nil, nil
	}
	out.tree = tree
	out.ReadsNow = statement.Clock.IsRead || slices.ContainsFunc(parts, func(p *planner.Planned) bool { return p.ReadsNow || len(p.ResolvedRanges) > 0 })
	return out, nil
}

// unknownSessionZoneError rejects the zone of a statement. The retry takes the nearest name where it is nearly the same, or that of
// its city.
func unknownSessionZoneError(name string) error {
	e := resolve.UnknownZoneError(0, name)
	first := e.Candidates[0]
	if _, isNear := suggest.ClosestIfNear(name, e.Candidates[:1]); isNear || timezone.IsCityOfZone(first, name) {
		e.SuggestedRetry = `{"time_zone":"` + first + `"}`
	}
	return e
}

func newCompiledStatement(s *selection.MappedSelect, composed bool, parts []*planner.Planned) *CompiledStatement {
	out := &CompiledStatement{Kind: KindMetric, Metric: s.Metric, Detail: s.Detail, Planned: s.Rows.Plan()}
	switch {
	case composed:
		out.Kind = KindComposed
	case s.IsDetail:
		out.Kind = KindDetail
	}
	for _, p := range parts {
		out.Planned.Warnings = append(out.Planned.Warnings, p.Warnings...)
		out.Planned.Rollups = append(out.Planned.Rollups, p.Rollups...)
	}
	for i, c := range s.Rows.Columns() {
		column := Column{Name: c.Name, Type: c.Type.String()}
		if i < len(s.Origins) {
			column.Relation, column.RelationColumn = s.Origins[i].Relation, s.Origins[i].Column
		}
		out.Columns = append(out.Columns, column)
	}
	return out
}

// CheckDuplicateColumnNames returns an error of code duplicate_output_name if two columns have one name, for answers whose
// rows are objects. The retry numbers the columns of a name.
func (c *CompiledStatement) CheckDuplicateColumnNames() error {
	seen := make(map[string]bool, len(c.Columns))
	for _, column := range c.Columns {
		if seen[column.Name] {
			return sqlerror.New(planerr.CodeDuplicateOutputName, 0, "two columns are named "+planerr.ClipText(column.Name)).
				WithHint("give one of them another name with AS").WithSuggestedStatement(c.formatWithDistinctNames())
		}
		seen[column.Name] = true
	}
	return nil
}

// formatWithDistinctNames returns the statement with aliases for the items whose names others have; "" where its columns are
// not those of a list.
func (c *CompiledStatement) formatWithDistinctNames() string {
	body, ok := c.tree.Body.(*parse.Select)
	if !ok || len(body.Items) != len(c.Columns) {
		return ""
	}
	query, named := *c.tree, *body
	query.Body, named.Items = &named, slices.Clone(body.Items)
	taken := map[string]bool{}
	for _, column := range c.Columns {
		taken[column.Name] = true
	}
	seen := map[string]bool{}
	for i, column := range c.Columns {
		name := column.Name
		for n := 2; seen[name] || name != column.Name && taken[name]; n++ {
			name = column.Name + "_" + strconv.Itoa(n)
		}
		if seen[name] = true; name != column.Name {
			item := *body.Items[i]
			item.Alias = parse.Name{Text: name, Quoted: strings.ToLower(name) != name}
			named.Items[i] = &item
		}
	}
	return parse.Format(&query)
}

// convertParseError returns the error of a text that is not a statement to map.
func convertParseError(err error) error {
	var e *parse.Error
	if !errors.As(err, &e) {
		return err
	}
	return sqlerror.New(string(e.Code), e.Position, e.Message).WithSQLState(e.SQLState).WithOssieCode(e.Ossie).WithHint(e.Hint).WithSuggestedStatement(e.Statement)
}
