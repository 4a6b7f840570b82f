package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// readRowCountAggregate reads COUNT(*), COUNT(t.*), COUNT(1) and SUM(1): numbers of rows.
func (s *Scope) readRowCountAggregate(name string, c *parse.Call) (rows sqlexpr.Expr, ok bool, err error) {
	if len(c.Arguments) != 1 || c.Distinct || len(c.OrderBy)+len(c.WithinGroup) > 0 || name != "count" && name != "sum" {
		return nil, false, nil
	}
	ref := Reference{Kind: RowCountReferenceKind, Column: name, Summed: name == "sum", FromWide: s.isOverInlinedWideRelation()}
	switch arg := c.Arguments[0].(type) {
	case *parse.Star:
		if name != "count" {
			return nil, true, sqlerror.New(sqlerror.CodeSyntax, c.Pos(), "a star is only an argument of COUNT")
		}
		if len(arg.Qualifier) > 0 {
			if err := s.setCountedRowsOfQualifiedStar(arg, &ref); err != nil {
				return nil, true, err
			}
		}
	case *parse.Number:
		if name == "sum" && arg.Text != "1" {
			return nil, false, nil
		}
	case *parse.String, *parse.Bool, *parse.TimeLiteral:
		if name == "sum" {
			return nil, false, nil
		}
	default:
		return nil, false, nil
	}
	if c.Filter != nil {
		if ref.Filter, err = s.LowerExpr(c.Filter); err != nil {
			return nil, true, err
		}
	}
	return s.Refs.Add(c.Pos(), ref), true, nil
}

// setCountedRowsOfQualifiedStar finds whose rows COUNT(t.*) counts: those of a source, or of a dataset.
func (s *Scope) setCountedRowsOfQualifiedStar(star *parse.Star, ref *Reference) error {
	if s.results {
		return sqlerror.New(sqlerror.CodeUnsupported, star.Pos(), "COUNT of the rows of one result has no meaning here: write COUNT(*) or name a column")
	}
	for _, source := range s.Sources {
		if source.isMeantByQualifier(star.Qualifier) {
			ref.Dataset = source.Relation.Dataset
			return nil
		}
	}
	if len(star.Qualifier) == 1 {
		if d := s.Cat.Dataset(star.Qualifier[0].Text); d != nil && s.WideSource() != nil && s.WideSource().Relation.ShowsDataset(d) {
			ref.Dataset, ref.FromWide = d, false
			return nil
		}
	}
	return s.unknownQualifierError(&parse.Column{Position: star.Position, Path: append(append([]parse.Name(nil), star.Qualifier...), parse.Name{Text: "*"})})
}

// isOverInlinedWideRelation reports whether the rows of the select are those of the wide relation inside FROM,
// which are its columns to a reader and its distinct groups to another.
func (s *Scope) isOverInlinedWideRelation() bool {
	wide := s.WideSource()
	return wide != nil && wide.IsInlinedDerivedTable()
}
