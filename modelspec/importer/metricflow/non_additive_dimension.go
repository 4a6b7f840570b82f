package metricflow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// nonAdditiveDimension is the non_additive_dimension of a measure: the time of its snapshots, which of them
// counts, and the entities each of which has separate snapshots.
type nonAdditiveDimension struct {
	by, take string
	entities []string
}

// readNonAdditiveDimension reads a non_additive_dimension. MetricFlow chooses the first snapshot where the
// text does not say which.
func readNonAdditiveDimension(n *importer.Node) (*nonAdditiveDimension, error) {
	out := &nonAdditiveDimension{take: "first"}
	for _, entry := range n.Members {
		switch entry.Key {
		case "name":
			out.by = entry.Value.String()
		case "window_choice":
			switch choice := strings.ToLower(entry.Value.String()); choice {
			case "min", "":
			case "max":
				out.take = "last"
			default:
				return nil, fmt.Errorf("the window_choice %s of a non_additive_dimension has no counterpart", choice)
			}
		case "window_groupings":
			for _, entity := range entry.Value.Items {
				out.entities = append(out.entities, entity.String())
			}
		default:
			return nil, fmt.Errorf("the key %s of a non_additive_dimension is not known", entry.Key)
		}
	}
	if out.by == "" {
		return nil, errors.New("its non_additive_dimension has no name")
	}
	return out, nil
}

// nonAdditiveBlock returns the key of a metric over the measure, nil where it adds up over time. losses are the
// differences to MetricFlow.
func (x *measure) nonAdditiveBlock() (key *draft.NonAdditiveBlock, losses []string, err error) {
	s := x.snapshots
	if s == nil {
		return nil, nil, nil
	}
	e := x.model.findDimension(s.by)
	if e == nil || e.kind != "time" {
		return nil, nil, fmt.Errorf("its non_additive_dimension %s is not a time dimension of its semantic model", s.by)
	}
	axis := x.time
	if axis == "" {
		axis = x.model.dataset.TimeDimension
	}
	if axis != s.by {
		return nil, nil, fmt.Errorf("a measure that is not additive over %s, and has another agg_time_dimension, has no counterpart", s.by)
	}
	unit := e.granularity
	if unit == "" {
		unit = "day"
	}
	losses = []string{fmt.Sprintf("the rows of the %s value of %s count, in MetricFlow those of its %s %s, and conditions of a query do not move it", s.take, s.by, s.take, unit)}
	key = &draft.NonAdditiveBlock{By: s.by, Take: s.take}
	for _, name := range s.entities {
		field := x.model.findEntityField(name)
		if field == "" {
			return nil, nil, fmt.Errorf("its window_groupings name %s, which is not an entity of its semantic model", name)
		}
		key.Per = append(key.Per, field)
		losses = append(losses, "rows without "+name+" count, which MetricFlow leaves out")
	}
	return key, losses, nil
}

// findEntityField returns the field of an entity, "" without one.
func (m *semanticModel) findEntityField(name string) string {
	for _, e := range m.entities {
		if e.name == name {
			return e.field.Name
		}
	}
	return ""
}
