package extension

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Rollup is one object of the key rollups, as it is written.
type Rollup struct {
	modelspec.Place
	Name        string
	Of          ObjectRef
	Source      ObjectRef // not set: the name
	Groups      []RollupGroup
	Measures    []RollupMeasure
	Where       ObjectRef // not set: all rows
	AsOf        ObjectRef // not set: not declared
	MaxAge      int       // 0: not declared
	Rows        int       // 0: not declared
	Connections []string
	Local       bool
	Refresh     *RollupRefresh
	Description string
}

// RollupGroup is one object of group_by.
type RollupGroup struct {
	Field  ObjectRef
	Grain  sqlexpr.Grain
	Column string // "" for the name that a query gives
}

// RollupMeasure is one object of measures. One of Expression and Measure is set.
type RollupMeasure struct {
	Expression ObjectRef
	Measure    ObjectRef
	Column     string // "" for the name of the measure
}

// RollupRefresh is the object refresh.
type RollupRefresh struct {
	modelspec.Place
	Partition sqlexpr.Grain
	Lookback  int
	Fresh     bool
	Indexes   [][]ObjectRef
}

const (
	rollupsKey      = "rollups"
	rollupStoreHere = "connection"
	rollupStoreFile = "local"
)

// The shapes of rollups.
var (
	rollupGroupShape = newObjectShape(
		newRequiredMemberDefinition("field", newTextShape(), "a field of the dataset, or one that its rows lead to").withAbsence("a field, as a query names it"),
		newOptionalMemberDefinition("grain", grainShape(), "the buckets that the column holds; without it the field's own values"),
		newOptionalMemberDefinition("column", newTextShape(), "the column of the table; the output column of a query without it"),
	)
	rollupMeasureShape = newObjectShape(
		newOptionalMemberDefinition("expression", newTextShape(), "one aggregate of rows of the dataset, such as SUM(orders.amount)"),
		newOptionalMemberDefinition("measure", newTextShape(), "the name of a measure of the model, in place of an expression"),
		newOptionalMemberDefinition("column", newTextShape(), "the column of the table; the name of the measure without it"),
	)
	rollupRefreshShape = newObjectShape(
		newOptionalMemberDefinition("partition", grainShape(), "the periods that a refresh replaces"),
		newOptionalMemberDefinition("lookback", ValueShape{Type: PayloadValueInteger}, "how many periods before the last one a refresh builds again"),
		newOptionalMemberDefinition("fresh", ValueShape{Type: PayloadValueBoolean}, "whether the newest period is read from the base tables"),
		newOptionalMemberDefinition("indexes", newListShape(newRefListShape("columns"), 0), "the columns of each index of the table"),
	)
	rollupShape = newObjectShape(
		newRequiredMemberDefinition("name", newIdentifierShape("rollup"), "the name of the rollup").withAbsence("a name"),
		newRequiredMemberDefinition("of", newTextShape(), "the dataset whose rows the measures aggregate").withAbsence("the dataset whose rows the measures aggregate"),
		newOptionalMemberDefinition("source", newTextShape(), "the table or view; the name of the rollup without it"),
		newOptionalMemberDefinition("group_by", newListShape(rollupGroupShape, 0), "the columns that identify a row of the table"),
		newOptionalMemberDefinition("measures", newListShape(rollupMeasureShape, 0), "the columns that hold aggregates"),
		newOptionalMemberDefinition("where", newTextShape(), "a condition: the table has the rows alone for which it is true"),
		newOptionalMemberDefinition("as_of", newTextShape(), "an aggregate over columns of the table: a timestamp, and nothing in the table is older"),
		newOptionalMemberDefinition("max_age", ValueShape{Type: PayloadValueInteger, Least: 1}, "seconds after which the table answers no query"),
		newOptionalMemberDefinition("rows", ValueShape{Type: PayloadValueInteger, Least: 1}, "about how many rows the table has"),
		newOptionalMemberDefinition("connections", newListShape(ValueShape{Type: PayloadValueScalar}, 1), "the connections that have the table; all without it"),
		newOptionalMemberDefinition("store", newEnumShape(rollupStoreHere, rollupStoreFile), "where the table is: on the connection, or in a local file"),
		newOptionalMemberDefinition("refresh", rollupRefreshShape, "how the table is built again"),
		newOptionalMemberDefinition("description", newTextShape(), "what the table is for"),
	)
)

// readRollups reads the rollups of a model. One with an error is left out, and so is every one of a name that two have.
func (o payloadObjectReader) readRollups() []*Rollup {
	n := o.findMember(rollupsKey)
	if _, known := o.findKeyDefinitionForCarrier(rollupsKey); n == nil || !known {
		return nil
	}
	if n.Kind != document.SequenceNode {
		o.addTypeError(n, "a list of objects")
		return nil
	}
	var out []*Rollup
	nodes, doubled := map[string]*document.Node{}, map[string]bool{}
	for _, item := range n.Content {
		before := len(o.Errors)
		r := o.readRollup(item)
		if r == nil || r.Name == "" {
			continue
		}
		folded := strings.ToLower(r.Name)
		if first, taken := nodes[folded]; taken {
			doubled[folded] = true
			o.addError(CodeInvalidPayload, item.Member("name"), "give each rollup a separate name", "a second rollup is named %q; the first is %s (names compare without regard to case)", r.Name, o.pathForMessage(first))
			continue
		}
		if nodes[folded] = item; len(o.Errors) == before {
			out = append(out, r)
		}
	}
	return slices.DeleteFunc(out, func(r *Rollup) bool { return doubled[strings.ToLower(r.Name)] })
}

func (o payloadObjectReader) readRollup(n *document.Node) *Rollup {
	in, ok := o.payloadReader.openObject(n, &rollupShape)
	if !ok {
		return nil
	}
	r := &Rollup{
		Place: o.placeOfNode(n), Name: in.readText("name"), Of: in.readObjectRef("of"), Source: in.readObjectRef("source"),
		Where: in.readObjectRef("where"), AsOf: in.readObjectRef("as_of"), MaxAge: in.readInteger("max_age", 0), Rows: in.readInteger("rows", 0),
		Local: in.readText("store") == rollupStoreFile, Description: in.readText("description"),
	}
	for _, item := range in.readItems("connections") {
		if !item.IsText() {
			o.addTypeError(item, "the name of a connection, or \"\" for the embedded database")
			continue
		}
		r.Connections = append(r.Connections, item.Value)
	}
	for _, item := range in.readItems("group_by") {
		if g, ok := o.payloadReader.openObject(item, &rollupGroupShape); ok {
			r.Groups = append(r.Groups, RollupGroup{g.readObjectRef("field"), g.readGrain("grain"), g.readText("column")})
		}
	}
	for _, item := range in.readItems("measures") {
		if m, ok := o.payloadReader.openObject(item, &rollupMeasureShape); ok {
			r.Measures = append(r.Measures, m.readRollupMeasure())
		}
	}
	if in.findMember("group_by") == nil && in.findMember("measures") == nil || len(r.Groups)+len(r.Measures) == 0 {
		o.addError(CodeInvalidPayload, n, "list the columns of the table", "%s has neither group_by nor measures", o.pathForMessage(n))
	}
	r.Refresh = in.readRollupRefresh(r)
	return r
}

// readItems returns the items of a list that its shape accepts.
func (o payloadObjectReader) readItems(key string) []*document.Node {
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(n.Content), func(item *document.Node) bool { return o.flawed[item] })
}

func (o payloadObjectReader) readRollupMeasure() RollupMeasure {
	out := RollupMeasure{o.readObjectRef("expression"), o.readObjectRef("measure"), o.readText("column")}
	if (o.findMember("expression") == nil) == (o.findMember("measure") == nil) {
		o.addError(CodeInvalidPayload, o.n, "write an aggregate as expression, or the name of a measure as measure", "%s must have exactly one of expression and measure", o.pathForMessage(o.n))
	}
	return out
}

// readRollupRefresh reads the object refresh; nil where it is absent or flawed.
func (o payloadObjectReader) readRollupRefresh(r *Rollup) *RollupRefresh {
	in, ok := o.openMember("refresh")
	if !ok {
		return nil
	}
	out := &RollupRefresh{Place: o.placeOfNode(in.n), Partition: in.readGrain("partition"), Lookback: in.readInteger("lookback", 1), Fresh: in.readBoolOrFalse("fresh")}
	for _, index := range in.readItems("indexes") {
		if index.Kind == document.SequenceNode {
			columns := make([]ObjectRef, len(index.Content))
			for i, item := range index.Content {
				columns[i] = o.newObjectRef(item)
			}
			out.Indexes = append(out.Indexes, columns)
		}
	}
	switch {
	case out.Fresh && in.findMember("partition") == nil:
		o.addError(CodeInvalidPayload, in.findMember("fresh"), `add the grain of the periods that a refresh replaces, such as "partition": "month"`, "%s needs partition", o.pathForMessage(in.findMember("fresh")))
	case out.Fresh && r.Local:
		o.addError(CodeInvalidPayload, in.findMember("fresh"), `leave out "store", so that the table is on the connection`, "%s needs a table on the connection, because one statement reads it with the base tables", o.pathForMessage(in.findMember("fresh")))
	}
	return out
}
