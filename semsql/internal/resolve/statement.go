package resolve

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// maxMergedExpressionNodes bounds the expressions that the names of merged tables stand for, together.
const maxMergedExpressionNodes = 100_000

// maxMergeDepth bounds derived tables inside of derived tables that are merged.
const maxMergeDepth = 16

// Clock is the time at which a statement is resolved, of all its parts.
type Clock struct {
	Now    time.Time
	IsRead bool // an expression holds the time
}

// Statement is one statement while it is resolved.
type Statement struct {
	Cat     *catalog.Catalog
	Schema  *relations.Schema
	Params  []query.ParamValue // of $1 and so on
	Types   *ParameterTypes    // in the place of Params while the values are not known; else nil
	Dialect string
	Zone    timezone.SessionZone // of the session
	Clock   *Clock               // of CURRENT_DATE in another zone than UTC
	Refs    References
	Root    *parse.Query // the whole statement, of which errors write one that works

	outer *Scope // the select around a subquery; nil for any other part

	nodes *int // expressions that were lowered, in all selects; nil counts those of one select
}

// FormatWithReplacedPart returns the statement with another part in the place of one.
func (s *Statement) FormatWithReplacedPart(part parse.Node, replacement func() parse.Node) string {
	if s.Root == nil {
		return ""
	}
	return parse.Format(ReplaceNode(s.Root, part, replacement()).(*parse.Query))
}

// StatementForOtherSelect returns the statement for another of its selects, with separate meanings of its names.
func (s *Statement) StatementForOtherSelect() *Statement {
	out := *s
	out.Refs = References{}
	return &out
}

// StatementForSubqueries returns the statement for the subqueries of a select.
func (s *Scope) StatementForSubqueries() *Statement {
	out := *s.Statement
	out.outer = s
	return &out
}

// CountExpressions makes the selects of the statement count their expressions together.
func (s *Statement) CountExpressions() {
	if s.nodes == nil {
		s.nodes = new(int)
	}
}

// checkMergedExpressionNodes rejects a statement whose merged tables multiply expressions without bound.
func (s *Statement) checkMergedExpressionNodes(at int) error {
	s.CountExpressions()
	if *s.nodes++; *s.nodes > maxMergedExpressionNodes {
		return sqlerror.New(planerr.CodeBadRequest, at, "the expressions of the statement, with the derived tables that they read, are too large").WithSQLState(sqlerror.SQLStateLimitExceeded)
	}
	return nil
}

// TypeOf returns the type of an expression over references.
func (s *Statement) TypeOf(e sqlexpr.Expr) sqltype.Type {
	return sqltype.TypeOfExpr(e, func(x sqlexpr.Expr) sqltype.Type {
		if ref, ok := x.(*sqlexpr.Ref); ok {
			return s.Refs.ReferenceOf(ref).Type(s.Schema)
		}
		return sqltype.Unknown
	})
}

// CommonTables are the common tables that a query can name, innermost first.
type CommonTables struct {
	table  *parse.CommonTable
	before *CommonTables
}

// WithCommonTables adds the tables of a WITH clause: each sees those before it.
func (t *CommonTables) WithCommonTables(tables []*parse.CommonTable) *CommonTables {
	for _, table := range tables {
		t = &CommonTables{table: table, before: t}
	}
	return t
}

// FindCommonTable returns the common table of a name and the tables that it sees; nil where there is none.
func (t *CommonTables) FindCommonTable(name parse.Name) (*parse.CommonTable, *CommonTables) {
	for ; t != nil; t = t.before {
		if MatchesName(t.table.Name, name) {
			return t.table, t.before
		}
	}
	return nil, nil
}
