package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// addIsRemainderGroupBy adds the column of merged values after the dimension of top. It is a copy of
// that group, so that each pass reads it along with the dimension; its values are those that
// Join sets.
func addIsRemainderGroupBy(in *Env, groups []Group) ([]Group, error) {
	q := in.Query.Top
	if q == nil {
		return groups, nil
	}
	i, err := FindTopGroup(in, groups, q.Dimension, "dimension")
	if err != nil {
		return nil, err
	}
	if q.Other != nil && q.Other.Off {
		return groups, nil
	}
	g := groups[i]
	g.Name, g.Type, g.IsRemainder = g.Name+"__other", sqlexpr.TypeBool, true
	return slices.Insert(groups, i+1, g), nil
}

// FindTopGroup finds the group-by column that a name of top means. It is also the name of
// the key that holds it.
func FindTopGroup(in *Env, groups []Group, name, key string) (int, error) {
	names := make([]string, 0, len(groups))
	for i, g := range groups {
		if g.IsRemainder {
			continue
		}
		if g.Name == name {
			return i, nil
		}
		names = append(names, g.Name)
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownDimension,
		Message:    "top." + key + " names " + naming.Quote(name) + ", which is not a group-by column of this query",
		Candidates: suggest.Nearest(name, names, resolve.MaxCandidates),
	}
	if len(e.Candidates) == 0 {
		e.Fragment = map[string]any{"top": nil}
		return 0, e
	}
	better := e.Candidates[0]
	if i := IndexOfGroupSpelledAs(groups, name); i >= 0 {
		better = groups[i].Name
	}
	retry := *in.Query.Top
	if key == "dimension" {
		retry.Dimension = better
	} else {
		retry.Within = naming.Replace(retry.Within, name, better, retry.Dimension)
	}
	e.Fragment = map[string]any{"top": &retry}
	return 0, e
}
