package cube

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// aggregatesOfStages are the types of measures that aggregate the values of groups again.
var aggregatesOfStages = []string{"sum", "avg", "min", "max"}

// isAtLevel reports whether a measure of several stages is computed in other groups than those of the query.
func isAtLevel(n *importer.Node) bool {
	kind := snakeCaseMemberType(n)
	hasStage := slices.ContainsFunc(stageKeys, func(key string) bool { return n.Get(key) != nil })
	return hasStage && n.Get(timeShiftKey) == nil && (kind == "number" || slices.Contains(aggregatesOfStages, kind))
}

// levelOfMeasure returns the groups of a measure of several stages: those that its first stage adds, leaves out, or keeps alone. loss is how
// its values differ from those of Cube.
func (c *cube) levelOfMeasure(n *importer.Node) (level *draft.DerivedMetricBlock, loss string, err error) {
	kind := snakeCaseMemberType(n)
	if n.Get("filters") != nil || n.Get("rolling_window") != nil || n.Get("order_by") != nil || n.Get("sql") == nil {
		return nil, "", errors.New("a measure of several stages with a filter, a window or an order, or without sql, has no counterpart")
	}
	level = &draft.DerivedMetricBlock{Type: "at"}
	if level.Include, err = c.pathsOfStage(n, "add_group_by", "include"); err != nil {
		return nil, "", err
	}
	if level.Exclude, err = c.pathsOfStage(n, "reduce_by", "exclude"); err != nil {
		return nil, "", err
	}
	only, err := c.pathsOfStage(n, "group_by", "keep_only")
	if err != nil {
		return nil, "", err
	}
	if only != nil {
		level.Only = &only
	}
	switch {
	case level.Only != nil && len(level.Exclude) > 0:
		return nil, "", errors.New("a measure that keeps groups and leaves others out has no counterpart")
	case len(level.Include) > 0 && kind == "number":
		return nil, "", errors.New("a number that adds groups has no counterpart: it is not a sum, avg, min or max of the values of these")
	case len(level.Include) == 0 && level.Only == nil && len(level.Exclude) == 0:
		return nil, "", errors.New("its stages name no groups")
	case len(only) > 0:
		loss = "without the groups that it keeps, a query has the total, and in Cube the " + kind + " of the values of these groups"
	}
	return level, loss, nil
}

// pathsOfStage returns the fields of a list of a measure, which is under a key or under one of grain; nil without the list.
func (c *cube) pathsOfStage(n *importer.Node, key, keyOfGrain string) ([]string, error) {
	list := n.Get(key)
	if grain := n.Get("grain"); grain != nil {
		if nested := grain.Get(keyOfGrain); nested != nil {
			list = nested
		}
	}
	if list == nil {
		return nil, nil
	}
	paths := []string{}
	for _, item := range list.Items {
		path, err := c.pathOfMember(item.String())
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// atLevel completes the level of a measure with its value: text is that over measures.
func (x *calculatedMeasure) atLevel(p *projectImport, text string) error {
	level := x.metric.Extension.Derive
	if level == nil {
		return nil
	}
	for _, name := range x.members {
		i := slices.IndexFunc(p.model.Metrics, func(m *draft.Metric) bool { return m.Name == name })
		if i >= 0 && p.model.Metrics[i].Extension.Window != nil {
			return fmt.Errorf("a measure of several stages over %s, which has a window, has no counterpart", name)
		}
	}
	if level.Expr = text; len(level.Include) > 0 {
		level.Expr = strings.ToUpper(snakeCaseMemberType(x.node)) + "(" + text + ")"
	}
	return nil
}
