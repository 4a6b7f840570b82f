package cube

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// rankType is the type of a measure that numbers the rows of a result by another value.
const rankType = "rank"

// stageKeys are the keys of measures of several stages that change the groups in which Cube computes them.
var stageKeys = []string{"grain", "group_by", "add_group_by", "reduce_by"}

// errorOfStages returns why a measure of several stages has no counterpart; nil where it is of one stage, or has one.
func errorOfStages(n *importer.Node) error {
	hasKey := func(key string) bool { return n.Get(key) != nil }
	i := slices.IndexFunc(stageKeys, hasKey)
	switch kind := snakeCaseMemberType(n); {
	case kind == rankType, hasKey(timeShiftKey), isAtLevel(n):
		return nil
	case i >= 0:
		return errors.New("with " + stageKeys[i] + " Cube computes it in other groups than those of the query, which has no counterpart")
	case n.Get("multi_stage").IsTrue():
		return errors.New("a measure of several stages aggregates the values of groups again, which has no counterpart")
	}
	return nil
}

// addRank makes a metric the rank of a value among the rows of a result that have the other groups in common. sql is the value; loss is how
// the rank differs from that of Cube.
func (c *cube) addRank(n *importer.Node, m *draft.Metric) (sql, loss string, err error) {
	order := n.Get("order_by")
	switch {
	case order == nil || len(order.Items) != 1 || order.Items[0].Get("sql") == nil:
		return "", "", errors.New("a rank that is not by one value in order_by has no counterpart")
	case n.Get("sql") != nil, n.Get("filters") != nil, n.Get(timeShiftKey) != nil, n.Get("group_by") != nil, n.Get("add_group_by") != nil, n.Get("grain") != nil:
		return "", "", errors.New("a rank with sql, filters, a time shift or other groups has no counterpart")
	}
	direction := order.Items[0].Get("dir").String()
	if direction == "" {
		direction = "asc"
	}
	if direction != "asc" && direction != "desc" {
		return "", "", fmt.Errorf("the direction %s of its order is not known", direction)
	}
	window := &draft.RankWindow{Function: "rank", Order: draft.WindowOrder{By: "value", Direction: direction}, Partition: draft.WindowPartition{Mode: "query_dimensions"}}
	if reduced := n.Get("reduce_by"); reduced != nil {
		for _, item := range reduced.Items {
			path, err := c.pathOfMember(item.String())
			if err != nil {
				return "", "", err
			}
			window.Partition.Exclude = append(window.Partition.Exclude, path)
		}
	}
	if len(window.Partition.Exclude) > 0 {
		window.Partition.Mode = "query_dimensions_except"
		loss = "a query without the groups of reduce_by is an error, and in Cube all its ranks are 1"
	}
	for _, time := range c.timeFields() {
		if !slices.Contains(window.Partition.Exclude, sqlexpr.FormatPath(c.name, time)) {
			loss = importer.JoinReasons(loss, "grouped by time, the rank is among the rows of all periods, and in Cube among those of one")
			break
		}
	}
	m.Extension.Window = &draft.Window{Rank: window}
	return order.Items[0].Get("sql").String(), loss, nil
}

// pathOfMember returns the field of a dimension that a list of a measure names: of the cube itself, or of another one.
func (c *cube) pathOfMember(text string) (string, error) {
	name := strings.Trim(text, "{} ")
	of, member, isQualified := strings.Cut(name, ".")
	target := c.project.byName[of]
	if !isQualified {
		target, member = c, name
	} else if of == "CUBE" {
		target = c
	}
	if target == nil || target.dataset == nil || !target.hasField(member) {
		return "", fmt.Errorf("it names %s, which is not a field of the model", name)
	}
	return sqlexpr.FormatPath(target.name, member), nil
}
