package cube

import (
	"errors"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var errUnsupportedRollingWindow = errors.New("the rolling window has no counterpart")

// buildRollingWindow makes a window that computes the measure over all of its rows, along the first time
// dimension of the cube. loss is how the measure differs from that of Cube.
func (c *cube) buildRollingWindow(n *importer.Node, m *draft.Metric) (loss string, err error) {
	var times []string
	for _, f := range c.dataset.Fields {
		if f.Role == draft.FieldRoleTime {
			times = append(times, f.Name)
		}
	}
	if len(times) == 0 {
		return "", errors.New("its window needs a time dimension of its cube")
	}
	if loss, err = readRollingWindow(n, m); len(times) > 1 {
		m.Extension.TimeDimension = sqlexpr.FormatPath(c.name, times[0])
		loss += "; its time is " + times[0] + ", in Cube that of the query"
	}
	return loss, err
}

func readRollingWindow(n *importer.Node, m *draft.Metric) (loss string, err error) {
	offset, trailing := n.Get("offset").String(), n.Get("trailing").String()
	if n.Get("leading") != nil || offset != "" && offset != "end" {
		return "", errUnsupportedRollingWindow
	}
	window := &draft.RecomputeWindow{}
	m.Extension.Window = &draft.Window{Recompute: window}
	switch kind := n.Get("type").String(); {
	case kind == "to_date":
		reset := n.Get("granularity").String()
		if grain, known := sqlexpr.ParseGrain(reset); !known || grain.IsWithinDay() || trailing != "" {
			return "", errUnsupportedRollingWindow
		}
		window.Periods, window.Reset = "unbounded", reset
		return "a row is a period with data, and grouped by a period longer than the " + reset + " it has no value", nil
	case kind != "" && kind != "fixed":
		return "", errUnsupportedRollingWindow
	case trailing == "unbounded":
		window.Periods = "unbounded"
		return "a time range counts its own rows only", nil
	}
	window.Span, err = parseTrailingWindow(trailing)
	return "the values are the same if grouped by day; a coarser period has the rows of its whole periods", err
}

// parseTrailingWindow reads the length of a window: 7 day.
func parseTrailingWindow(text string) (*draft.WindowOffset, error) {
	parts := strings.Fields(text)
	if len(parts) != 2 {
		return nil, errUnsupportedRollingWindow
	}
	count, err := strconv.Atoi(parts[0])
	unit := strings.TrimSuffix(parts[1], "s")
	if _, known := sqlexpr.ParseGrain(unit); err != nil || count < 1 || !known {
		return nil, errUnsupportedRollingWindow
	}
	return &draft.WindowOffset{Count: count, Granularity: unit}, nil
}
