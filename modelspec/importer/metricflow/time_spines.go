package metricflow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// timeSpine is a table of days whose columns are custom granularities, or a table of times within days.
type timeSpine struct {
	node        *importer.Node
	name        string // of the table
	source, day string
	grain       string // within days; "" for days
	custom      []customGranularity
}

type customGranularity struct {
	node         *importer.Node
	name, column string
}

var identifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readTimeSpine reads a time spine. Days need no table; the custom granularities of one become a calendar. A query without
// metrics lists the times of a time spine of hours, minutes or seconds, which are a dataset.
func (p *projectImport) readTimeSpine(n *importer.Node, name string) {
	list := n.Get("custom_granularities")
	hasPeriods := list != nil && len(list.Items) > 0
	if s := (&timeSpine{node: n, name: name}); !hasPeriods && s.readWithinDayTimeColumn(n) {
		o := p.report.ReadObject(n, "time_spine", name)
		s.source = p.modelSource(o)
		o.IgnoreKeys("primary_column", "custom_granularities")
		o.Close()
		p.timeSpines = append(p.timeSpines, s)
		return
	}
	if !hasPeriods {
		p.report.AddDropped(n, "time_spine", name, "a time axis needs no table of dates")
		return
	}
	day := n.Get("primary_column").Get("name").String()
	grain := n.Get("primary_column").Get("time_granularity").String()
	if grain != "day" || !identifierPattern.MatchString(day) {
		p.report.AddDropped(n, "time_spine", name, "a calendar has one row for each day, and the column of this time spine is not a day")
		return
	}
	if !identifierPattern.MatchString(name) {
		p.report.AddDropped(n, "time_spine", name, "its table has no name that a dataset can have")
		return
	}
	o := p.report.ReadObject(n, "time_spine", name)
	s := &timeSpine{node: n, name: name, source: p.modelSource(o), day: day}
	o.IgnoreKeys("primary_column", "custom_granularities")
	o.Close()
	for _, item := range list.Items {
		g := customGranularity{item, item.Get("name").String(), item.Get("column_name").String()}
		if g.column == "" {
			g.column = g.name
		}
		_, isGrain := sqlexpr.ParseGrain(strings.ToLower(g.name))
		switch {
		case isGrain:
			p.report.AddDropped(item, "custom_granularity", g.name, "a period cannot have the name of a grain")
		case !identifierPattern.MatchString(g.name) || !identifierPattern.MatchString(g.column) || g.column == day:
			p.report.AddDropped(item, "custom_granularity", g.name, "its name or its column cannot be the name of a period or a field")
		case slices.ContainsFunc(s.custom, func(other customGranularity) bool { return other.name == g.name }):
			p.report.AddDropped(item, "custom_granularity", g.name, "another custom granularity has the same name")
		default:
			s.custom = append(s.custom, g)
		}
	}
	p.timeSpines = append(p.timeSpines, s)
}

// readWithinDayTimeColumn reads the column of a time spine of hours, minutes or seconds. ok is false for any other one.
func (s *timeSpine) readWithinDayTimeColumn(n *importer.Node) (ok bool) {
	s.day, s.grain = n.Get("primary_column").Get("name").String(), n.Get("primary_column").Get("time_granularity").String()
	grain, known := sqlexpr.ParseGrain(s.grain)
	return known && grain.IsWithinDay() && identifierPattern.MatchString(s.day) && identifierPattern.MatchString(s.name)
}

// addWithinDayDataset adds a dataset of times within days.
func (p *projectImport) addWithinDayDataset(s *timeSpine) {
	d := &draft.Dataset{
		Name: p.datasetNames.ReserveFirstUnusedName(s.name, s.name+"_times"), Source: s.source, PrimaryKey: draft.KeyDeclaration{Columns: []string{s.day}},
		Fields: []*draft.Field{{Name: s.day, Expression: draft.ANSIExpression(s.day), Role: draft.FieldRoleTime, Granularity: s.grain}},
	}
	p.report.AddExact(s.node, "time_spine", s.name, importer.FieldPath(d.Name, s.day))
	p.model.Datasets = append(p.model.Datasets, d)
}

// addTimeSpineDatasets adds a dataset for each time spine that has custom granularities, or times within days. A query shows the
// first day of a period, where MetricFlow shows the value of the column.
func (p *projectImport) addTimeSpineDatasets() {
	for _, s := range p.timeSpines {
		if s.grain != "" {
			p.addWithinDayDataset(s)
			continue
		}
		if len(s.custom) == 0 {
			p.report.AddDropped(s.node, "time_spine", s.name, "it has no custom granularity that can be a period")
			continue
		}
		d := &draft.Dataset{
			Name: p.datasetNames.ReserveFirstUnusedName(s.name, s.name+"_calendar"), Source: s.source, PrimaryKey: draft.KeyDeclaration{Columns: []string{s.day}},
			Fields:   []*draft.Field{{Name: s.day, Expression: draft.ANSIExpression(s.day), Datatype: modelspec.DatatypeDate}},
			Calendar: &draft.Calendar{Date: s.day, Periods: map[string]string{}},
		}
		for _, g := range s.custom {
			if !slices.ContainsFunc(d.Fields, func(f *draft.Field) bool { return f.Name == g.column }) {
				d.Fields = append(d.Fields, &draft.Field{Name: g.column, Expression: draft.ANSIExpression(g.column)})
			}
			d.Calendar.Periods[g.name] = g.column
			p.report.AddApproximated(g.node, "custom_granularity", g.name, "a query shows the first day of the period, and not the value of the column", importer.FieldPath(d.Name, g.column))
		}
		p.report.AddExact(s.node, "time_spine", s.name, importer.FieldPath(d.Name, s.day))
		p.model.Datasets = append(p.model.Datasets, d)
	}
}
