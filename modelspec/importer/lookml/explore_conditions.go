package lookml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readConditionsOfExplores reads the conditions of all explores, which can name the fields of each view, and records what of an explore is
// different without those that cannot be read.
func (p *projectImport) readConditionsOfExplores() {
	for _, x := range p.readExplores {
		p.readAlwaysWhere(x)
		for _, key := range []string{"always_filter", "conditionally_filter"} {
			p.readDefaultFilters(x, key)
		}
		var kept []*block
		changed := ""
		for _, c := range x.kept {
			kept, changed = append(kept, c.block), importer.JoinReasons(changed, c.loss)
		}
		restricted, joined := lossOfRestrictions(x.block, kept...), ""
		for alias, v := range x.views {
			if alias != x.base && len(v.measures) > 0 {
				joined = "measures of a joined view aggregate all its rows, and in Looker those that the rows of " + x.base + " lead to"
			}
		}
		base := x.views[x.base]
		base.restrictions = importer.JoinReasons(base.restrictions, restricted)
		if loss := importer.JoinReasons(restricted, joined, changed); loss != "" {
			x.entry.Outcome, x.entry.Reason = importer.OutcomeApproximated, loss
		}
	}
}

// readAlwaysWhere reads the condition that every query of the explore has.
func (p *projectImport) readAlwaysWhere(x *explore) {
	const key = "sql_always_where"
	item := x.block.findLastItem(key)
	if item == nil {
		return
	}
	where, loss, err := x.conditionOfReferences(item.node.Text)
	if err != nil {
		p.recordDroppedConstruct(item.node, key, x.name, "in Looker each query of the explore has the condition; "+err.Error())
		return
	}
	x.where = where
	x.kept = append(x.kept, keptCondition{item, loss})
}

// readDefaultFilters reads filters that queries of the explore have unless they filter the field by another value.
func (p *projectImport) readDefaultFilters(x *explore, key string) {
	item := x.block.findLastItem(key)
	if item == nil {
		return
	}
	var filters []string
	loss := ""
	if unless := item.listValuesOfKey("unless"); len(unless) > 0 {
		loss = "a condition on " + strings.Join(unless, ", ") + " takes the place of its filters in Looker, and here one on a field of the filter does"
	}
	var failed error
	for _, filter := range filterPairsOf(item) {
		text, lossOfFilter, err := x.conditionOfFilter(filter[0], filter[1], p.ignoresCase)
		if err != nil && failed == nil {
			failed = err
		}
		if loss = importer.JoinReasons(loss, lossOfFilter); text != "" {
			filters = append(filters, text)
		}
	}
	if failed != nil {
		p.recordDroppedConstruct(item.node, key, x.name, "in Looker each query of the explore has the filter unless it changes the value; "+failed.Error())
		return
	}
	x.filters = append(x.filters, filters...)
	x.kept = append(x.kept, keptCondition{item, loss})
}

// filterPairsOf lists the fields and values of the filters of a block, in both spellings.
func filterPairsOf(b *block) [][2]string {
	var out [][2]string
	for _, item := range b.items {
		if item.key != "filters" && item.key != "filters__all" {
			continue
		}
		if item.braces {
			out = append(out, [2]string{item.valueOfKey("field"), item.valueOfKey("value")})
		}
		for _, pair := range item.list {
			out = append(out, [2]string{pair.key, pair.node.Text})
		}
	}
	return out
}

// conditionOfReferences writes a condition over the fields of the explore as one over fields of the model.
func (x *explore) conditionOfReferences(text string) (condition, loss string, err error) {
	e, names, err := x.parseReferences(text)
	if err != nil {
		return "", "", err
	}
	out := sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr {
		column, ok := e.(*sqlexpr.Column)
		if !ok || err != nil {
			return nil
		}
		reference, isReference := names[bareColumnName(column)]
		if !isReference {
			text := sqlexpr.Format(column)
			for place, of := range names {
				text = strings.ReplaceAll(text, `"`+place+`"`, "${"+of[0]+"}")
			}
			err = fmt.Errorf("its condition names the column %s, and not a field", text)
			return nil
		}
		f, failed := x.findField(strings.Trim(reference[0]+"."+reference[1], "."))
		if failed != nil {
			err = failed
			return nil
		}
		loss = importer.JoinReasons(loss, f.dimension.approximated)
		sql := timeframeSQL(f.dimension, f.frame, f.path)
		if sql == "" {
			err = fmt.Errorf("its condition names the timeframe %s of %s, which has no expression here", f.frame, f.path)
			return nil
		}
		inner, failed := sqlexpr.Parse(sql)
		if failed != nil {
			err = failed
			return nil
		}
		return inner
	})
	if err != nil {
		return "", "", err
	}
	condition = sqlexpr.Format(out)
	if _, failed := sqlexpr.Parse(condition); failed != nil || sqlexpr.IsNative(out) {
		return "", "", errors.New("its condition is not in the portable language")
	}
	if sqlexpr.HasAggregate(out) {
		return "", "", errors.New("its condition has an aggregate")
	}
	return condition, loss, nil
}

// conditionOfFilter writes a filter expression as a condition over fields of the model; "" where any value passes.
func (x *explore) conditionOfFilter(name, value string, ignoresCase bool) (condition, loss string, err error) {
	f, err := x.findField(name)
	if err != nil {
		return "", "", err
	}
	if strings.TrimSpace(value) == "" {
		return "", "", nil
	}
	d := f.dimension
	if d.isGroup && !slices.Contains(dateTimeframes, f.frame) { // a part, such as the day of the week
		part := *d
		part.kind = "part"
		d = &part
	}
	condition, loss, err = filterConditionSQL(d, f.path, value, ignoresCase)
	return condition, importer.JoinReasons(f.dimension.approximated, loss), err
}

// exploreField is a field of an explore: a dimension, or a timeframe of a group of times, and its name in the model.
type exploreField struct {
	dimension   *dimension
	frame, path string
}

// findField finds a field by its name in Looker, view.field; one without a view is of the first view. A field of which a row of the first view may
// have several values is an error, and so is one that has a value over no row: in Looker the rows without a partner have it.
func (x *explore) findField(name string) (exploreField, error) {
	alias, field, qualified := strings.Cut(name, ".")
	if !qualified {
		alias, field = x.base, name
	}
	v := x.views[alias]
	if v == nil {
		return exploreField{}, fmt.Errorf("it names %s, which is not a field of the explore", name)
	}
	d, frame := v.findDimension(field)
	prefix, isJoined := x.prefixOf(alias)
	switch {
	case d == nil && slices.ContainsFunc(v.measures, func(m *measure) bool { return m.name == field }):
		return exploreField{}, fmt.Errorf("it names the measure %s, and a condition here is on rows", name)
	case d == nil || !d.added || !isJoined:
		return exploreField{}, fmt.Errorf("it names %s, which is not a field of the model", name)
	case !x.leadsToOneRow(alias):
		return exploreField{}, fmt.Errorf("it names %s, and a row of %s may have several rows of %s: a condition on them does not act on its measures here", name, x.base, alias)
	case alias != x.base && !importer.IsNullForNullColumns(d.field, x.dialect):
		return exploreField{}, fmt.Errorf("it names %s, which has a value in Looker where no row of %s matches", name, alias)
	}
	return exploreField{d, frame, sqlexpr.FormatPath(prefix, d.name)}, nil
}
