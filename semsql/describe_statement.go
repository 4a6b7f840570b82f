package semsql

import (
	"context"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
)

// StatementDescription is what is known of a statement before its parameters have values.
type StatementDescription struct {
	Columns []Column
	// Params are the types of $1, $2 and so on, as PostgreSQL names them, with [] after the type of an array's elements.
	Params []string
}

// Describe finds the columns of a statement and the types of its parameters: the declared ones, and
// where declared is "" or ends, what each parameter is compared with, cast to or counts; else text. The values of
// s.Params are not read. Errors are those of Compile.
func (m *Model) Describe(ctx context.Context, s Statement, declared []string, t planner.Target) (*StatementDescription, error) {
	tree, err := m.parse(s)
	if err != nil {
		return nil, err
	}
	t.Now = t.NowOrCallTime() // of all parts
	types := resolve.NewParameterTypes(tree, declared)
	described, err := m.mapTree(ctx, tree, s, types, t)
	if err != nil {
		return nil, err
	}
	if types.LearnedSinceLastCall() { // a column may have the type of a parameter that is learned after it
		if described, err = m.mapTree(ctx, tree, s, types, t); err != nil {
			return nil, err
		}
	}
	return &StatementDescription{Columns: described.Columns, Params: types.TypeNames()}, nil
}

// parse returns the tree of a statement over the relations of the model.
func (m *Model) parse(s Statement) (*parse.Query, error) {
	tree := s.Tree
	if tree == nil {
		var err error
		if tree, err = parse.Parse(s.SQL, parse.DefaultLimits()); err != nil {
			return nil, convertParseError(err)
		}
	}
	if at, ok := parse.FindCatalogueReference(tree); ok {
		return nil, convertParseError(parse.NewCatalogueError(at))
	}
	return tree, nil
}
