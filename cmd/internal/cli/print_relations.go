package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// printRelationNames prints the names of relations.
func (a *app) printRelationNames(all []engine.RelationInfo) error {
	g := textTable{columns: []string{"relation", "columns", "description"}}
	for _, r := range all {
		g.rows = append(g.rows, []tableCell{newTextCell(r.Name), {text: strconv.Itoa(len(r.Columns) + r.MoreColumns), number: true}, newTextCell(r.Description)})
	}
	return a.printTextTable(g)
}

// printRelationByName prints the columns and keys of a relation, whose name may follow that of its schema.
func (a *app) printRelationByName(all []engine.RelationInfo, model, name string) error {
	for _, prefix := range []string{model + ".public.", "public."} {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			name = name[len(prefix):]
		}
	}
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
		if r.Name == unquoteIdentifier(name) || !strings.HasPrefix(name, `"`) && strings.EqualFold(r.Name, name) {
			return a.printRelation(r)
		}
	}
	near := engine.NearestNames(name, names, 3)
	if len(near) == 0 {
		near = names
	}
	return fmt.Errorf("unknown relation %s: choose one of %s", terminalSafeLine(name), strings.Join(near, ", "))
}

func (a *app) printRelation(r engine.RelationInfo) error {
	g := textTable{columns: []string{"column", "type", "kind", "description"}}
	for _, c := range r.Columns {
		kind := ""
		switch {
		case c.IsMetric:
			kind = "metric"
		case c.NotNull:
			kind = "not null"
		}
		g.rows = append(g.rows, []tableCell{newTextCell(c.Name), newTextCell(c.Type), newTextCell(kind), newTextCell(c.Description)})
	}
	if err := a.printTextTable(g); err != nil {
		return err
	}
	var b strings.Builder
	if r.MoreColumns > 0 {
		fmt.Fprintf(&b, "%d more columns are not listed; statements may name them.\n", r.MoreColumns)
	}
	for _, k := range r.Keys {
		kind := "unique key"
		if k.Primary {
			kind = "primary key"
		}
		fmt.Fprintf(&b, "%s %s (%s)\n", kind, k.Name, strings.Join(k.Columns, ", "))
	}
	for _, f := range r.ForeignKeys {
		fmt.Fprintf(&b, "foreign key %s (%s) references %s (%s)\n", f.Name, strings.Join(f.Columns, ", "), f.Target, strings.Join(f.TargetColumns, ", "))
	}
	_, err := a.std.Out.Write([]byte(b.String()))
	return err
}

// unquoteIdentifier takes the quotes off a name.
func unquoteIdentifier(name string) string {
	if len(name) >= 2 && strings.HasPrefix(name, `"`) && strings.HasSuffix(name, `"`) {
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return name
}
