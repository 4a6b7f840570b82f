package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Sequence is a sequence block: the dataset has a row for each row of the first step, with the rows of the other steps that followed it.
type Sequence struct {
	modelspec.Place
	Entity []*PayloadExpression // fields of the dataset of the first step
	Same   []*PayloadExpression
	Steps  []SequenceStep
	// Count and Grain are the time within which the steps follow the start; GrainNone for any time.
	Count     int
	Grain     sqlexpr.Grain
	AnyOrder  bool // each step is sought from the start
	FirstOnly bool // an entity has one start
	// Every and Periods are the calendar buckets from the start's own, each of which has a row; GrainNone for one row of a start.
	Every   sqlexpr.Grain
	Periods int
}

// SequenceStep is one step. Entity and Same are nil where the fields have the names of the first step.
type SequenceStep struct {
	modelspec.Place
	Name         string
	Dataset, At  ObjectRef // At is not set for the primary time field
	Where        *PayloadExpression
	Entity, Same []*PayloadExpression
}

// The bounds of a sequence.
const (
	minSequenceSteps  = 2
	maxSequenceSteps  = limits.SequenceSteps
	maxSequenceWithin = 100_000
	retentionSteps    = 2
)

// The values of order and start.
const (
	sequenceOrderGiven = "given"
	sequenceOrderAny   = "any"
	sequenceStartEach  = "each"
	sequenceStartFirst = "first"
)

var (
	sequenceStepShape = newObjectShape(
		newRequiredMemberDefinition("name", newIdentifierShape("step"), "the name of the step"),
		newRequiredMemberDefinition("dataset", newTextShape(), "the dataset whose rows are the events of the step"),
		newOptionalMemberDefinition("where", newTextShape(), "a condition on the rows of the step"),
		newOptionalMemberDefinition("at", newTextShape(), "the time field of the step; by default the primary time field of its dataset"),
		newOptionalMemberDefinition("entity", newRefListShape("fields"), "the fields of the entity, where they have other names than in the first step"),
		newOptionalMemberDefinition("same", newRefListShape("fields"), "the fields of same, where they have other names than in the first step"),
	)
	sequenceWithinShape = newObjectShape(
		newRequiredMemberDefinition("count", ValueShape{Type: PayloadValueInteger, Least: 1}, "how many").withAbsence("an integer of at least 1"),
		newRequiredMemberDefinition("granularity", newEnumShape(sqlexpr.GrainNames()...), "the unit of the count").withAbsence("a calendar unit"),
	)
	sequenceShape = newObjectShape(
		newRequiredMemberDefinition("entity", newRefListShape("fields"), "the fields of the first step's dataset by which the events belong together"),
		newRequiredMemberDefinition("steps", newStepListShape(), "the steps in their order"),
		newOptionalMemberDefinition("same", newRefListShape("fields"), "further fields that are equal at every step, null to null"),
		newOptionalMemberDefinition("within", sequenceWithinShape, "the time from the start within which the other steps follow"),
		newOptionalMemberDefinition("order", newEnumShape(sequenceOrderGiven, sequenceOrderAny), "given: each step is sought from the one before it; any: from the start"),
		newOptionalMemberDefinition("start", newEnumShape(sequenceStartEach, sequenceStartFirst), "each: every row of the first step is a start; first: the first one of an entity"),
		newOptionalMemberDefinition("every", newEnumShape(catalog.RetentionGrains()...), "with periods: a row for each start and calendar unit, whether and how often the second step followed in it"),
		newOptionalMemberDefinition("periods", ValueShape{Type: PayloadValueInteger, Least: 1}, "the number of units of every behind that of the start"),
	)
)

func newStepListShape() ValueShape {
	s := newListShape(sequenceStepShape, minSequenceSteps)
	s.Most, s.itemNoun = maxSequenceSteps, "steps"
	return s
}

// readSequenceBlock reads the block `sequence`; nil when it is absent or flawed.
func (o payloadObjectReader) readSequenceBlock() *Sequence {
	n := o.findMember("sequence")
	if _, known := o.findKeyDefinitionForCarrier("sequence"); n == nil || !known {
		return nil
	}
	before := len(o.Errors)
	in, ok := o.openMember("sequence")
	if !ok {
		return nil
	}
	out := &Sequence{
		Place: o.placeOfNode(n), Entity: in.readFieldNames("entity"), Same: in.readFieldNames("same"),
		AnyOrder: in.readText("order") == sequenceOrderAny, FirstOnly: in.readText("start") == sequenceStartFirst,
	}
	for _, item := range in.readItems("steps") {
		out.Steps = append(out.Steps, o.readSequenceStep(item))
	}
	if in.findMember("within") != nil {
		if within, ok := in.openMember("within"); ok {
			out.Count, out.Grain = within.readInteger("count", 0), within.readGrain("granularity")
			if out.Count > maxSequenceWithin {
				o.addInvalidError(within.n, "%s has the count %d, and takes at most %d", o.pathForMessage(within.n), out.Count, maxSequenceWithin)
			}
		}
	}
	o.readRetention(in, out)
	if len(o.Errors) > before {
		return nil
	}
	return out
}

// readRetention reads the periods of a sequence, and rejects keys that have no meaning beside them.
func (o payloadObjectReader) readRetention(in payloadObjectReader, out *Sequence) {
	every, periods := in.findMember("every"), in.findMember("periods")
	if every == nil && periods == nil {
		return
	}
	out.Every, out.Periods = in.readGrain("every"), in.readInteger("periods", 0)
	switch {
	case periods == nil:
		o.addInvalidError(every, "%s needs periods: a number from 1 to %d", o.pathForMessage(every), limits.SequencePeriods)
	case every == nil:
		o.addInvalidError(periods, "%s needs every: one of %s", o.pathForMessage(periods), strings.Join(catalog.RetentionGrains(), ", "))
	case out.Periods > limits.SequencePeriods:
		o.addInvalidError(periods, "%s is %d, and takes at most %d", o.pathForMessage(periods), out.Periods, limits.SequencePeriods)
	case len(out.Steps) != retentionSteps:
		o.addInvalidError(every, "%s takes a sequence of two steps, and this one has %d", o.pathForMessage(every), len(out.Steps))
	}
	for _, key := range []string{"within", "order"} {
		if n := in.findMember(key); n != nil {
			o.addInvalidError(n, "%s cannot be beside every, whose periods are the time in which the second step follows", o.pathForMessage(n))
		}
	}
}

func (o payloadObjectReader) readSequenceStep(n *document.Node) SequenceStep {
	in, ok := o.payloadReader.openObject(n, &sequenceStepShape)
	if !ok {
		return SequenceStep{}
	}
	out := SequenceStep{
		Place: o.placeOfNode(n), Name: in.readText("name"), Dataset: in.readObjectRef("dataset"), At: in.readObjectRef("at"),
		Entity: in.readFieldNames("entity"), Same: in.readFieldNames("same"),
	}
	if in.findMember("where") != nil {
		out.Where = in.readExpression("where", "a condition")
	}
	return out
}

// readFieldNames reads a list of names of fields, which may have a dataset or relationships before them.
func (o payloadObjectReader) readFieldNames(key string) []*PayloadExpression {
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	var out []*PayloadExpression
	for _, item := range n.Content {
		if o.flawed[item] {
			continue
		}
		e, err := sqlexpr.Parse(item.Value)
		if _, isName := e.(*sqlexpr.Column); err != nil || !isName {
			o.addInvalidError(item, "%s %q is not the name of a field", o.pathForMessage(item), item.Value)
			continue
		}
		out = append(out, &PayloadExpression{Text: item.Value, Expr: e, Place: o.placeOfNode(item)})
	}
	return out
}
