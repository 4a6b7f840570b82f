package diff

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// compareRollups compares tables of aggregations. No change of them changes a result.
func (c *modelComparison) compareRollups() {
	same := sameClassBothWays(ClassCompatible)
	for _, r := range c.old.Catalog.Rollups {
		if other := c.new.Catalog.Rollup(r.Name); other != nil {
			o := comparedObject{c, ObjectRollup, newObjectKey(ObjectRollup, r.Name), r.Name, asNewModelPlace(other.Place)}
			for _, p := range rollupProperties {
				o.addChangeIfTextDiffers(same, p.property, p.text(r), p.text(other))
			}
		} else {
			c.addChange(same, ObjectRollup, r.Name, PropertyRemoved, "", "", asOldModelPlace(r.Place))
		}
	}
	for _, r := range c.new.Catalog.Rollups {
		if c.old.Catalog.Rollup(r.Name) == nil {
			c.addChange(same, ObjectRollup, r.Name, PropertyAdded, "", "", asNewModelPlace(r.Place))
		}
	}
}

// rollupProperties are the properties of a rollup, each with the text that is compared.
var rollupProperties = []struct {
	property Property
	text     func(*catalog.Rollup) string
}{
	{PropertyRollupDataset, func(r *catalog.Rollup) string { return r.Of.Name }},
	{PropertySource, func(r *catalog.Rollup) string { return r.Source.Text() }},
	{PropertyRollupGroups, rollupGroupsText},
	{PropertyRollupMeasures, rollupMeasuresText},
	{PropertyFilter, rollupWhereText},
	{PropertyRollupAsOf, func(r *catalog.Rollup) string { return sqlexpr.Format(r.AsOf) }},
	{PropertyRollupMaxAge, func(r *catalog.Rollup) string { return numberTextUnlessZero(r.MaxAge) }},
	{PropertyRollupRows, func(r *catalog.Rollup) string { return numberTextUnlessZero(r.Rows) }},
	{PropertyRollupConnections, rollupConnectionsText},
	{PropertyRollupStore, (*catalog.Rollup).Store},
	{PropertyRollupRefresh, rollupRefreshText},
	{PropertyDescription, func(r *catalog.Rollup) string { return r.Description }},
}

func rollupGroupsText(r *catalog.Rollup) string {
	texts := make([]string, 0, len(r.Groups))
	for _, g := range r.Groups {
		text := g.Text
		if g.Grain != sqlexpr.GrainNone {
			text += " by " + g.Grain.String()
		}
		texts = append(texts, text+" as "+g.Column)
	}
	return strings.Join(texts, ", ")
}

func rollupMeasuresText(r *catalog.Rollup) string {
	texts := make([]string, 0, len(r.Measures))
	for _, m := range r.Measures {
		texts = append(texts, m.Text+" as "+m.Column)
	}
	return strings.Join(texts, ", ")
}

func rollupWhereText(r *catalog.Rollup) string {
	texts := make([]string, 0, len(r.Where))
	for _, part := range r.Where {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, " AND ")
}

// rollupConnectionsText quotes the names, because "" is one of them.
func rollupConnectionsText(r *catalog.Rollup) string {
	texts := make([]string, 0, len(r.Connections))
	for _, name := range r.Connections {
		texts = append(texts, fmt.Sprintf("%q", name))
	}
	return strings.Join(texts, ", ")
}

func rollupRefreshText(r *catalog.Rollup) string {
	if r.Refresh == nil {
		return ""
	}
	text := fmt.Sprintf("lookback %d", r.Refresh.Lookback)
	if r.Refresh.Partition != sqlexpr.GrainNone {
		text = "by " + r.Refresh.Partition.String() + ", " + text
	}
	if r.Refresh.Fresh {
		text += ", fresh"
	}
	for _, index := range r.Refresh.Indexes {
		text += ", index over " + strings.Join(index, " ")
	}
	return text
}

func numberTextUnlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
