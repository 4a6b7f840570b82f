package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// levelFlags are the flags that put metrics of --metric-expr at another level.
type levelFlags struct {
	include, exclude, only, unfiltered []string
}

// levelFlagNames are the names of levelFlags.
var levelFlagNames = []string{"include", "exclude", "only", "unfiltered"}

func (l *levelFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&l.include, "include", nil, "fields that a metric of --metric-expr groups by too, NAME=FIELD,FIELD; its expression aggregates over them; repeat it")
	f.StringArrayVar(&l.exclude, "exclude", nil, "grouped fields that a metric of --metric-expr leaves out, NAME=FIELD,FIELD; repeat it")
	f.StringArrayVar(&l.only, "only", nil, "the only grouped fields that a metric of --metric-expr keeps, NAME=FIELD,FIELD, or NAME= for none; repeat it")
	f.StringArrayVar(&l.unfiltered, "unfiltered", nil, "the fields whose conditions do not count for a metric of --metric-expr, NAME=FIELD,FIELD, or NAME for all row conditions; repeat it")
}

// addLevels adds the levels to the metrics that the flags name.
func (l *levelFlags) addLevels(metrics []query.InlineMetric) error {
	levelOf := func(flag, s string) (*query.At, []string, error) {
		name, fields, hasFields := strings.Cut(s, "=")
		i := slices.IndexFunc(metrics, func(m query.InlineMetric) bool { return m.Name == strings.TrimSpace(name) })
		switch {
		case i < 0:
			return nil, nil, newUsageError(fmt.Sprintf("--%s names %q, which is not a metric of --metric-expr", flag, strings.TrimSpace(name)))
		case !hasFields && flag != "unfiltered" || hasFields && flag != "only" && strings.TrimSpace(fields) == "":
			return nil, nil, newUsageError(fmt.Sprintf("--%s takes NAME=FIELD,FIELD, not %q", flag, s))
		}
		if metrics[i].At == nil {
			metrics[i].At = new(query.At)
		}
		return metrics[i].At, parseColumnNames(fields), nil
	}
	for flag, values := range map[string][]string{"include": l.include, "exclude": l.exclude, "only": l.only, "unfiltered": l.unfiltered} {
		for _, s := range values {
			at, fields, err := levelOf(flag, s)
			if err != nil {
				return err
			}
			switch flag {
			case "include":
				at.Include = append(at.Include, fields...)
			case "exclude":
				at.Exclude = append(at.Exclude, fields...)
			case "only":
				at.Only, at.OnlyThese = append(at.Only, fields...), true
			default:
				at.Unfiltered = append(at.Unfiltered, fields...)
				at.UnfilteredRows = len(at.Unfiltered) == 0
			}
		}
	}
	return nil
}
