package lookml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// percentOfTotalType is the type of a measure that divides another one by its total.
const percentOfTotalType = "percent_of_total"

// aggregateOfDistinct returns the aggregate of a type that counts one value for each value of a key; "" for any other type.
func aggregateOfDistinct(kind string) string {
	switch aggregate, ok := strings.CutSuffix(kind, "_distinct"); {
	case ok && (sqlPrefixByMeasureType[aggregate] != "" || aggregate == "percentile") && aggregate != "count":
		return aggregate
	}
	return ""
}

// buildDistinctMetric makes an aggregate over the values of a key, each of which has one value of the measure: a row without a key counts
// in none.
func (m *measure) buildDistinctMetric(out *draft.Metric, aggregate string) error {
	begin, err := m.beginOfAggregate(aggregate)
	if err != nil {
		return err
	}
	key, err := m.distinctKey()
	if err != nil {
		return err
	}
	value, err := m.filteredValue()
	if err != nil {
		return err
	}
	if aggregate == "sum" { // Looker writes COALESCE(…, 0), as for a sum
		out.Extension.FillNullsWith = new(0)
	}
	out.Expression = draft.ANSIExpression(begin + value + ")")
	out.Extension.Derive = &draft.DerivedMetricBlock{
		Type: "at", Expr: begin + "MAX(" + value + ")) FILTER (WHERE " + key + " IS NOT NULL)", Include: []string{key},
	}
	return nil
}

// filteredValue returns what the measure aggregates: NULL where its filters are not true.
func (m *measure) filteredValue() (string, error) {
	condition, err := m.predicateOfFilters()
	if err != nil {
		return "", err
	}
	value, err := m.aggregatedField()
	if err != nil || condition == "" {
		return value, err
	}
	return "CASE WHEN " + condition + " THEN " + value + " END", nil
}

// distinctKey returns the path of the field by which values are distinct, which queries can group by.
func (m *measure) distinctKey() (string, error) {
	sql := m.block.valueOfKey("sql_distinct_key")
	if sql == "" {
		return "", errors.New("it has no sql_distinct_key")
	}
	text, err := m.view.dimensionSQL(&dimension{name: m.name, sql: sql})
	if err != nil {
		return "", fmt.Errorf("its key: %w", err)
	}
	if inner, whole := strings.CutPrefix(text, "("); whole && referencePattern.FindString(sql) == strings.TrimSpace(sql) {
		text = strings.TrimSuffix(inner, ")")
	}
	if e, err := importer.ParseSQL(text, m.view.project.options.Dialect); err == nil && sqlexpr.HasAggregate(e) {
		return "", errors.New("its key is an aggregate")
	}
	name := m.view.findOrAddField(m.name+"_key", text)
	for _, f := range m.view.dataset.Fields {
		if f.Name == name {
			f.IsDimension = nil
		}
	}
	return sqlexpr.FormatPath(m.view.name, name), nil
}

// buildPercentOfTotalMetric makes a measure divided by its total, which is a metric too.
func (m *measure) buildPercentOfTotalMetric(out *draft.Metric, measures map[string]*measure) error {
	match := referencePattern.FindStringSubmatch(m.block.valueOfKey("sql"))
	if match == nil || match[0] != strings.TrimSpace(m.block.valueOfKey("sql")) {
		return errors.New("its SQL is not the name of a measure")
	}
	if m.block.valueOfKey("direction") == "row" {
		return errors.New("the total of a row of a pivot has no counterpart")
	}
	full := match[1]
	if !strings.Contains(full, ".") {
		full = m.view.name + "." + full
	}
	base := measures[full]
	if base == nil || base.failed || base == m {
		return fmt.Errorf("it divides %s, which is not an imported measure", full)
	}
	p := m.view.project
	value := sqlexpr.Format(metricColumn(base.became))
	total := &draft.Metric{Name: p.metricNames.ReserveNames([]string{m.became + "_total"}, []string{m.view.name + "_" + m.became + "_total"})[0]}
	total.Expression = draft.ANSIExpression(value)
	total.Extension.Derive = &draft.DerivedMetricBlock{Type: "at", Expr: value, Only: &[]string{}}
	p.model.Metrics = append(p.model.Metrics, total)
	quotient := value + " / " + sqlexpr.Format(metricColumn(total.Name))
	out.Expression = draft.ANSIExpression(quotient)
	out.Extension.Derive = &draft.DerivedMetricBlock{Type: "compose", Expr: quotient}
	m.loss = "it is a fraction of the total of all rows of the query; Looker divides by the total of the rows that it shows"
	return nil
}
