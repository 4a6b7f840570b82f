package selection

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// countedDataset returns the dataset whose rows a measure counts: the one that COUNT names, that of the relation, or the
// only dataset that all fields and metrics of the select belong to.
func (g *aggregateSelect) countedDataset(m measure) (*catalog.Dataset, error) {
	switch {
	case m.ref.Dataset != nil && g.Joined && m.ref.Dataset != g.Root:
		return nil, g.countedJoinError(m)
	case m.ref.Dataset != nil:
		return m.ref.Dataset, nil
	case g.Root != nil:
		return g.Root, nil
	}
	var home *catalog.Dataset
	several := m.ref.FromWide
	use := func(d *catalog.Dataset) {
		several = several || home != nil && home != d
		home = d
	}
	for _, ref := range g.AllReferences() {
		switch {
		case ref.Field != nil:
			use(ref.Field.Dataset)
		case ref.Metric != nil:
			for _, d := range ref.Metric.Datasets {
				use(d)
			}
		}
	}
	if home == nil && len(g.Cat.Datasets) == 1 {
		home = g.Cat.Datasets[0]
	}
	if home == nil || several {
		return nil, g.countNeedsDatasetError(m)
	}
	return home, nil
}

// countedJoinError rejects a count of the rows of a joined dataset, which the join repeats.
func (g *aggregateSelect) countedJoinError(m measure) error {
	e := sqlerror.New(planerr.CodeFanOutRisk, m.at, "the join repeats the rows of "+m.ref.Dataset.Name+" for each row of "+g.Root.Name).
		WithHint("count a key of it with COUNT(DISTINCT …), or select from " + g.Schema.Wide.Name)
	key, ok := g.Schema.RelationOfDataset(m.ref.Dataset).PrimaryKey()
	call := g.callAtTextPosition(m.at)
	if !ok || len(key.Columns) != 1 || call == nil {
		return e
	}
	star, ok := call.Arguments[0].(*parse.Star)
	if !ok {
		return e
	}
	return e.WithSuggestedStatement(g.FormatWithReplacedPart(call, func() parse.Node {
		counted := *call
		counted.Distinct = true
		counted.Arguments = []parse.Expr{&parse.Column{Path: append(star.Qualifier[:len(star.Qualifier):len(star.Qualifier)], parse.Name{Text: key.Columns[0].Name})}}
		return &counted
	}))
}

func (g *aggregateSelect) countNeedsDatasetError(m measure) error {
	e := sqlerror.New("count_star_needs_dataset", m.at, "a count of rows needs the dataset whose rows it counts: write COUNT(dataset.*)").WithOssieCode("E1212")
	var names []string
	for _, d := range g.Cat.Datasets {
		names = append(names, d.Name)
	}
	e = e.WithCandidates(names)
	if call := g.callAtTextPosition(m.at); call != nil && len(names) > 0 {
		e = e.WithSuggestedStatement(g.FormatWithReplacedPart(call, func() parse.Node {
			counted := *call
			counted.Function = parse.Name{Text: "COUNT"}
			counted.Arguments = []parse.Expr{&parse.Star{Qualifier: []parse.Name{{Text: names[0]}}}}
			return &counted
		}))
	}
	return e
}

// callAtTextPosition returns the call of the select that is written at a position; nil where none is.
func (c *selectClauses) callAtTextPosition(at int) *parse.Call {
	var out *parse.Call
	parse.Walk(c.query, func(n parse.Node) bool {
		if call, ok := n.(*parse.Call); ok && call.Pos() == at && out == nil {
			out = call
		}
		return out == nil
	})
	return out
}
