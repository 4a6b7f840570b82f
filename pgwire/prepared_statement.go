package pgwire

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/parse"
)

// parseStatement reads a statement.
func (s *session) parseStatement(text string, declared []uint32) (*preparedStatement, error) {
	read, err := statement.Read(text)
	if err != nil {
		return nil, err
	}
	p := &preparedStatement{text: text, statement: read, kind: statementKindSession, declared: declared}
	if query, before, ok := statement.QueryText(read); ok {
		p.parsed, p.kind, err = s.parseQuery(query)
		err = shiftErrorPosition(err, before)
	}
	return p, err
}

// parseQuery parses a query and finds out whether it reads the model or the catalogue. Errors of the grammar are those of who describes it.
func (s *session) parseQuery(text string) (*parse.Statement, statementKind, error) {
	held, err := s.server.memory.reserveTree(text)
	if err != nil {
		return nil, statementKindSession, err
	}
	defer held.Release() // who plans the tree counts it again
	parsed := parse.ParseStatement(text, parse.DefaultLimits())
	catalogue, at := parsed.ReadsCatalogue(s.modelHasRelation)
	switch {
	case catalogue && at > 0 && s.server.config.Catalogue == nil:
		return parsed, statementKindCatalogue, parse.NewCatalogueError(at)
	case catalogue:
		return parsed, statementKindCatalogue, nil
	}
	return parsed, statementKindSemantic, nil
}

func (s *session) modelHasRelation(name parse.Name) bool {
	return slices.ContainsFunc(s.model.Service.Relations(), func(r engine.RelationInfo) bool {
		return r.Name == name.Text || !name.Quoted && strings.EqualFold(r.Name, name.Text)
	})
}

// newTextColumns returns columns of texts.
func newTextColumns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, name := range names {
		out[i] = Column{Name: name, Type: value.TextOID}
	}
	return out
}

// describeStatement finds the parameters and the columns of a statement.
func (s *session) describeStatement(ctx context.Context, p *preparedStatement) error {
	if p.described {
		return nil
	}
	var err error
	p.parameters = p.declared
	switch read := p.statement.(type) {
	case *statement.Select:
		err = s.describeQuery(ctx, p, read.Text)
	case *statement.Show:
		p.columns = showResultColumns(read.Name)
	case *statement.Declare, *statement.Copy:
		err = s.describeHeldQuery(ctx, p)
	case *statement.Explain:
		p.columns = newTextColumns("QUERY PLAN")
		err = s.describeHeldQuery(ctx, p)
	case *statement.Execute:
		var inner *preparedStatement
		if inner, err = s.findPreparedStatement(read.Name); err == nil {
			err = s.describeStatement(ctx, inner)
			p.columns = inner.columns
		}
	case *statement.Fetch:
		if cursor, known := s.portals[read.Name]; known && !read.Move {
			p.columns = cursor.columns
		}
		return nil // a cursor of this name may be another one next time
	}
	p.described = err == nil
	return err
}

// describeHeldQuery finds the parameters of a statement that holds a query.
func (s *session) describeHeldQuery(ctx context.Context, p *preparedStatement) error {
	held := p.heldQuery()
	err := s.describeQuery(ctx, held, held.text)
	p.parameters, p.admission = held.parameters, held.admission
	_, before, _ := statement.QueryText(p.statement)
	return shiftErrorPosition(err, before)
}

func (s *session) describeQuery(ctx context.Context, p *preparedStatement, text string) error {
	ctx, cancel := s.withFirstRowTimeout(ctx, s.server.config.RequestTimeout)
	defer cancel()
	p.revision = s.model.Service.ViewKey()
	if p.kind == statementKindCatalogue {
		if s.server.config.Catalogue == nil {
			return parse.NewCatalogueError(1)
		}
		d, err := s.server.config.Catalogue.Describe(ctx, s.catalogueSession(), p.parsedQuery(text), p.declared)
		p.columns, p.parameters = d.Columns, d.Parameters
		return err
	}
	names := make([]string, len(p.declared))
	for i, oid := range p.declared {
		names[i] = value.StatementTypeOfOID(oid)
	}
	var line *auditLine // that of the execution has the failure of one
	if audit.RecordOf(ctx) == nil {
		line = s.newAuditLine(text)
	}
	ctx, err := s.admitDescription(ctx, p)
	if err != nil {
		line.fail(ctx, err)
		return err
	}
	d, err := s.model.Service.DescribeSQL(line.context(ctx), s.newEngineStatement(text, nil), p.modelTree(), names)
	if err != nil {
		line.fail(ctx, err)
		return err
	}
	p.columns = s.columnsFromEngine(d.Columns)
	p.parameters = make([]uint32, len(d.Params))
	for i, name := range d.Params {
		p.parameters[i] = value.OIDOfColumnType(name)
		if i < len(p.declared) && p.declared[i] != 0 {
			p.parameters[i] = p.declared[i]
		}
	}
	return nil
}

func (s *session) columnsFromEngine(list []engine.SQLColumn) []Column {
	out, catalogue := make([]Column, len(list)), s.server.config.Catalogue
	about := s.catalogueSession()
	for i, c := range list {
		out[i] = Column{Name: c.Name, Type: value.OIDOfColumnType(c.Type)}
		if catalogue != nil && c.Relation != "" {
			out[i].Table, out[i].Attribute = catalogue.ColumnNumbers(about, c.Relation, c.RelationColumn)
		}
	}
	return out
}

// hasResultOf reports whether a column has the name and the type of another.
func (c Column) hasResultOf(other Column) bool { return c.Name == other.Name && c.Type == other.Type }

// newEngineStatement returns a statement over the model as the engine takes it.
func (s *session) newEngineStatement(text string, params []BindParameterValue) *query.SQLStatement {
	out := &query.SQLStatement{SQL: text, Connection: s.variables.valueOrEmpty(connectionVariableName), ContextFilter: s.variables.valueOrEmpty(contextFilterVariableName), TimeZone: s.variables.valueOrEmpty(timeZoneVariableName)}
	if age, err := strconv.ParseInt(s.variables.valueOrEmpty(maxAgeVariableName), 10, 64); err == nil { // not empty
		out.MaxAge = &age
	}
	if choice, ok := query.ParseRollups(s.variables.valueOrEmpty(rollupsVariableName)); ok && choice != query.RollupsAllowed {
		out.Rollups = &choice
	}
	for _, p := range params {
		out.Params = append(out.Params, newEngineParamValue(p))
	}
	return out
}

// clock returns the clock of the session's time zone; nil for UTC.
func (s *session) clock() value.Clock {
	if zone, ok := timezone.ParseSessionZone(s.variables.valueOrEmpty(timeZoneVariableName)); ok && zone.Zone != nil {
		return zone.Zone
	}
	return nil
}

// newEngineParamValue returns the value of a parameter as a literal of the statement.
func newEngineParamValue(p BindParameterValue) query.ParamValue {
	if p.Null {
		return query.ParamValue{Kind: query.NullValue}
	}
	switch value.StatementTypeOfOID(p.Type) {
	case "boolean":
		text := "false"
		if p.Text == "t" || p.Text == "true" {
			text = "true"
		}
		return query.ParamValue{Kind: query.BoolValue, Text: text}
	case "integer", "bigint", "numeric", "double precision":
		return query.ParamValue{Kind: query.NumberValue, Text: p.Text}
	}
	return query.ParamValue{Kind: query.StringValue, Text: p.Text}
}

// newPortal gives a statement the values of its parameters and formats to its columns.
func (s *session) newPortal(ctx context.Context, p *preparedStatement, params []BindParameterValue, formats []int16) (*portal, error) {
	out := &portal{prepared: p, params: params}
	var err error
	switch read := p.statement.(type) {
	case *statement.Select:
		err = s.prepareQueryPortal(ctx, out, read.Text)
	case *statement.Show:
		out.columns = showResultColumns(read.Name)
		out.open = s.newInMemoryRowsOpener(out, func(context.Context) ([][]any, error) { return s.rowsOfShow(read.Name) })
	case *statement.Explain:
		out.columns = newTextColumns("QUERY PLAN")
		out.open = s.newInMemoryRowsOpener(out, func(ctx context.Context) ([][]any, error) {
			lines, err := s.rowsOfExplain(ctx, p.heldQuery(), params)
			return lines, shiftErrorPosition(err, read.Before)
		})
	case *statement.Execute:
		return s.newPortalOfSQLExecute(ctx, read, formats)
	case *statement.Fetch:
		return out, s.initFetchPortal(out, read, formats)
	default:
		out.run = func(ctx context.Context) (string, error) { return s.runStatementWithoutRows(ctx, p, params) }
	}
	if err != nil {
		return nil, err
	}
	out.formats, err = expandFormats(formats, len(out.columns))
	return out, err
}

// expandFormats returns the formats of all columns: none is text, one is that of each.
func expandFormats(formats []int16, columns int) ([]int16, error) {
	out := make([]int16, columns)
	switch len(formats) {
	case 0:
	case 1:
		for i := range out {
			out[i] = formats[0]
		}
	case columns:
		copy(out, formats)
	default:
		return nil, newSessionError(sqlstateProtocolViolation, fmt.Sprintf("%d formats are given for %d columns", len(formats), columns))
	}
	for _, f := range out {
		if f != value.TextFormat && f != value.BinaryFormat {
			return nil, newSessionError(sqlstateProtocolViolation, "there is no format "+strconv.Itoa(int(f)))
		}
	}
	return out, nil
}

// prepareQueryPortal compiles a query, so that its columns are known and its rows can be opened.
func (s *session) prepareQueryPortal(ctx context.Context, out *portal, text string) (err error) {
	if out.prepared.kind == statementKindCatalogue {
		return s.prepareCataloguePortal(ctx, out, text)
	}
	line := s.newAuditLine(text)
	defer func() {
		if err != nil {
			line.fail(ctx, err)
		}
	}()
	out.line, ctx = line, line.context(ctx)
	ctx, quota, err := s.admitExecution(ctx, out.prepared)
	if err != nil {
		return err
	}
	planning, cancel := s.withFirstRowTimeout(ctx, s.server.config.RequestTimeout)
	defer cancel()
	q, err := s.model.Service.Prepare(planning, engine.PositionalSQL{SQLStatement: s.newEngineStatement(text, out.params), Tree: out.prepared.modelTree()})
	if err != nil {
		return err
	}
	compiled, err := q.SQL(planning)
	if err != nil {
		return err
	}
	out.columns, out.planBytes = s.columnsFromEngine(compiled.Statement.Columns), len(compiled.SQL)
	if err := s.setDescribedColumns(planning, out, text); err != nil {
		return err
	}
	out.open = func(ctx context.Context) (rows statementRows, err error) {
		defer func() {
			if err != nil {
				line.fail(ctx, err)
			}
		}()
		if s.server.config.DisableExecute {
			return nil, &sessionError{state: sqlstateInsufficientPrivilege, code: "forbidden", message: "this server does not execute statements over the model"}
		}
		start := time.Now()
		starting, cancel := s.withFirstRowTimeout(access.WithQuota(engine.WithSurface(line.withQueryID(ctx), "sql"), quota), s.server.config.ExecuteTimeout)
		defer cancel()
		stream, err := q.Stream(starting)
		if err != nil {
			return nil, err
		}
		s.server.metrics.observeFirstRow(time.Since(start))
		streamed, err := newStreamRows(stream, out.columns, out.formats, s.clock(), s.withNextBatchTimeout, s.server.config.StreamTimeout)
		if err != nil {
			return nil, err
		}
		streamed.onClose = func() { line.write(out.fetched) }
		return streamed, nil
	}
	return nil
}

// setDescribedColumns gives a portal the columns that its statement was described with. Of another revision of the model they must be the
// same.
func (s *session) setDescribedColumns(ctx context.Context, out *portal, text string) error {
	p := out.prepared
	if !p.described {
		return nil
	}
	if p.revision != s.model.Service.ViewKey() {
		again := &preparedStatement{text: p.text, statement: p.statement, kind: p.kind, declared: p.parameters, parsed: p.parsed, admission: p.admission}
		if err := s.describeQuery(ctx, again, text); err != nil {
			return err
		}
		if !slices.EqualFunc(p.columns, again.columns, Column.hasResultOf) {
			return newSessionError(sqlstateFeatureNotSupported, "cached plan must not change result type")
		}
		p.revision = again.revision
	}
	out.columns = p.columns
	return nil
}

func (s *session) prepareCataloguePortal(ctx context.Context, out *portal, text string) error {
	catalogue := s.server.config.Catalogue
	if catalogue == nil {
		return parse.NewCatalogueError(1)
	}
	if err := s.describeStatement(ctx, out.prepared); err != nil {
		return err
	}
	out.columns = out.prepared.columns
	out.open = func(ctx context.Context) (statementRows, error) {
		ctx, cancel := s.withFirstRowTimeout(ctx, s.server.config.RequestTimeout)
		defer cancel()
		answer, err := catalogue.Answer(ctx, s.catalogueSession(), out.prepared.parsedQuery(text), out.params)
		if err != nil {
			return nil, err
		}
		rows := newInMemoryRows(out.columns, out.formats, s.clock(), answer.Rows)
		rows.release = answer.Close
		return rows, nil
	}
	return nil
}

// newInMemoryRowsOpener opens rows that are in memory, within the time of a request.
func (s *session) newInMemoryRowsOpener(out *portal, read func(context.Context) ([][]any, error)) func(context.Context) (statementRows, error) {
	return func(ctx context.Context) (statementRows, error) {
		ctx, cancel := s.withFirstRowTimeout(ctx, s.server.config.RequestTimeout)
		defer cancel()
		list, err := read(ctx)
		if err != nil {
			return nil, err
		}
		return newInMemoryRows(out.columns, out.formats, s.clock(), list), nil
	}
}
