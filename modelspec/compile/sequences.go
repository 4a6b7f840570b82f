package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// sequenceInProgress is the sequence of a dataset.
type sequenceInProgress struct {
	block   *extension.Sequence
	dataset *datasetInProgress
	steps   []*datasetInProgress
	entity  []*fieldInProgress // of the sequence, by position; nil where a declared field has the name
}

// reachedFieldName is the name of the field that counts steps.
const reachedFieldName = "reached"

// periodFieldName is the name of the field that numbers the periods of a start, which is part of the key of the rows.
const periodFieldName = "period"

// eachSequence calls a function for each sequence without an error, and keeps the error that it returns.
func (c *compiler) eachSequence(run func(*sequenceInProgress) *modelspec.CompileError) {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		if d.sequence == nil || d.cat.Sequence.Err != nil {
			continue
		}
		if err := run(d.sequence); err != nil {
			d.cat.Sequence.Err = c.addAndReturnError(err)
		}
	}
}

// addFieldsOfSequences gives the sequences the fields of their steps, which the declared fields may use.
func (c *compiler) addFieldsOfSequences() {
	c.eachSequence((*sequenceInProgress).checkNames)
	c.eachSequence(func(s *sequenceInProgress) *modelspec.CompileError { return c.findSteps(s) })
	c.eachSequence(func(s *sequenceInProgress) *modelspec.CompileError { return c.addSequenceFields(s) })
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		if d.sequence == nil {
			continue
		}
		c.finishSequenceFields(d)
	}
	c.eachSequence((*sequenceInProgress).checkColumns)
}

// finishSequenceFields expands the fields of a sequence, and finds its time axis.
func (c *compiler) finishSequenceFields(d *datasetInProgress) {
	for f := range cancel.EachUntilDone(c.ctx, d.list) {
		if !f.joins {
			(&fieldExpander{compiler: c}).expandFieldIfNotVisited(f)
		}
	}
	c.markTimeFieldsOfDataset(d)
	if first := d.sequence.block.Steps[0].Name + "_at"; !d.timeDimension.IsSet() {
		if f := d.findFieldByName(first); f != nil && f.cat.IsTime {
			d.cat.PrimaryTime = f.cat
		}
	}
}

func (s *sequenceInProgress) invalid(at modelspec.Place, format string, args ...any) *modelspec.CompileError {
	return invalidPayloadError(at, "sequence", format, args...)
}

// checkNames rejects two steps of one name.
func (s *sequenceInProgress) checkNames() *modelspec.CompileError {
	names := map[string]bool{}
	for _, step := range s.block.Steps {
		key := foldCase(step.Name)
		if names[key] {
			return s.invalid(step.Place, "two steps of the sequence %s are named %q", s.dataset.cat.Name, step.Name)
		}
		names[key] = true
	}
	return nil
}

// findSteps resolves the datasets of the steps, with their times and keys.
func (c *compiler) findSteps(s *sequenceInProgress) *modelspec.CompileError {
	out := s.dataset.cat.Sequence
	out.Count, out.Grain, out.AnyOrder, out.FirstOnly = s.block.Count, s.block.Grain, s.block.AnyOrder, s.block.FirstOnly
	out.Every, out.Periods = s.block.Every, s.block.Periods
	for _, block := range s.block.Steps {
		d := c.findDataset(block.Dataset.Name)
		switch {
		case d == nil:
			return c.unknownInStep(CodeUnknownDataset, block.Dataset, c.datasetNames, "the step %s names the dataset %q, which is not in the model", block.Name, block.Dataset.Name)
		case d.cat.Sequence != nil:
			return s.invalid(block.Dataset.Place, "the step %s is over %s, which is a sequence itself", block.Name, d.cat.Name)
		}
		at, err := c.timeOfStep(s, block, d)
		if err != nil {
			return err
		}
		step := catalog.SequenceStep{Name: block.Name, Dataset: d.cat, At: at}
		if step.Key, err = s.keyOfStep(block, d); err != nil {
			return err
		}
		out.Steps, s.steps = append(out.Steps, step), append(s.steps, d)
	}
	for _, step := range out.Steps[1:] {
		if first := out.Steps[0].At; (step.At.Type == sqlexpr.TypeTimestampTZ) != (first.Type == sqlexpr.TypeTimestampTZ) {
			return s.invalid(s.block.Place, "the sequence %s compares %s; either all times of its steps are DateTimeTz, or none is", s.dataset.cat.Name, fieldDatatypesText([]*catalog.Field{first, step.At}))
		}
	}
	return nil
}

func (c *compiler) timeOfStep(s *sequenceInProgress, block extension.SequenceStep, d *datasetInProgress) (*catalog.Field, *modelspec.CompileError) {
	at := block.At
	var f *fieldInProgress
	switch {
	case at.IsSet():
		var ok bool
		if f, ok = c.findKeyFieldMaybeQualified(d, at.Name); !ok {
			return nil, c.unknownInStep(CodeUnknownField, at, d.validityFieldNames, "the time %q of the step %s is not a field of %s", at.Name, block.Name, d.cat.Name)
		}
	case d.cat.PrimaryTime == nil:
		err := s.invalid(block.Place, "the step %s needs at: %s has no primary time field", block.Name, d.cat.Name)
		err.Candidates = d.validityFieldNames()
		return nil, err
	default:
		at.Place = block.Place
		f = d.findFieldByName(d.cat.PrimaryTime.Name)
	}
	if f.cat.Err != nil {
		return nil, f.cat.Err
	}
	if c.extends {
		own := *f
		for range sqlexpr.Refs(f.cat.Expr.Default) { // a field of a finished model reads its own columns, or joined fields
			own.joins = true
		}
		f = &own
	}
	if fault := validityFieldFault(f); fault != "" {
		return nil, invalidReferenceError(at, "sequence", "the time of the step %s is %s, which %s", block.Name, f.cat.QualifiedName(), fault).
			errorWithCandidates(c, f.cat.Name, d.validityFieldNames)
	}
	if !c.extends { // a finished model has the types of its fields
		f.cat.Type = f.cat.Datatype.LogicalType()
	}
	return f.cat, nil
}

// unknownInStep returns the error of a name in a step that the model does not have: a query has a code for each kind of name.
func (c *compiler) unknownInStep(code string, ref extension.ObjectRef, names func() []string, format string, args ...any) *modelspec.CompileError {
	err := invalidReferenceError(ref, "sequence", format, args...).errorWithCandidates(c, ref.Name, names)
	if c.extends {
		err.Code, err.Hint = code, ""
	}
	return err
}

// keyOfStep returns the fields of the primary key, which distinguish the rows of the step.
func (s *sequenceInProgress) keyOfStep(block extension.SequenceStep, d *datasetInProgress) ([]*catalog.Field, *modelspec.CompileError) {
	if len(d.cat.PrimaryKey) == 0 {
		return nil, s.invalid(block.Place, "the step %s needs a primary_key of %s, which names the row of the step", block.Name, d.cat.Name)
	}
	var out []*catalog.Field
	for _, name := range d.cat.PrimaryKey {
		f := d.fieldOfKeyColumn(name)
		if f == nil {
			return nil, s.invalid(block.Place, "the step %s needs a field of %s for the column %s of its primary_key", block.Name, d.cat.Name, name)
		}
		if f.cat.Err != nil {
			return nil, f.cat.Err
		}
		out = append(out, f.cat)
	}
	return out, nil
}

// fieldOfKeyColumn returns the field of a row's own columns that a column of a key means.
func (d *datasetInProgress) fieldOfKeyColumn(name string) *fieldInProgress {
	if d.model != nil {
		if f := d.cat.FieldOfKeyColumn(name); f != nil {
			return newFieldInProgressFromCatalog(d, f)
		}
		return nil
	}
	isUsable := func(f *fieldInProgress) bool { return !f.dropped && !f.joins && f.ext.LOD == nil }
	if f := d.findKeyField(strings.Trim(name, `"`)); f != nil && isUsable(f) {
		return f
	}
	for _, f := range d.list {
		if isUsable(f) && f.cat.MatchesColumnName(name) {
			return f
		}
	}
	return nil
}

// addSequenceFields gives a sequence the fields that its steps make.
func (c *compiler) addSequenceFields(s *sequenceInProgress) *modelspec.CompileError {
	d, out := s.dataset, s.dataset.cat.Sequence
	for i, name := range s.block.Entity {
		path := name.Expr.(*sqlexpr.Column).Path
		f, err := c.addSequenceField(s, catalog.SequenceColumn{Name: path[len(path)-1].Text, Kind: catalog.SequenceColumnEntity, Index: i}, "")
		if err != nil {
			return err
		}
		s.entity = append(s.entity, f)
	}
	for i, step := range s.stepsWithFields() {
		f, err := c.addSequenceField(s, catalog.SequenceColumn{Name: step.Name + "_at", Kind: catalog.SequenceColumnAt, Step: i}, step.At.Datatype)
		if err != nil {
			return err
		}
		if f != nil {
			f.cat.Granularity, f.ext.Granularity = step.At.Granularity, step.At.Granularity
		}
		for k, key := range step.Key {
			column := catalog.SequenceColumn{Name: step.Name + "_" + key.Name, Kind: catalog.SequenceColumnKey, Step: i, Index: k}
			if c.extends && step.Dataset.VisibleField(key) != key { // the reader does not see it, or sees it masked
				out.Columns = append(out.Columns, column)
				continue
			}
			f, err := c.addSequenceField(s, column, key.Datatype)
			if err != nil {
				return err
			}
			if f != nil {
				f.like = s.steps[i].fieldOfKeyColumn(s.steps[i].cat.PrimaryKey[k])
			}
		}
	}
	for _, column := range s.columnsOfRow() {
		if _, err := c.addSequenceField(s, column, datatypesOfSequenceColumns[column.Kind]); err != nil {
			return err
		}
	}
	doc := *d.doc
	doc.PrimaryKey, d.cat.PrimaryKey = nil, nil
	for _, key := range out.Steps[0].Key {
		name := out.Steps[0].Name + "_" + key.Name
		d.cat.PrimaryKey = append(d.cat.PrimaryKey, name)
		doc.PrimaryKey = append(doc.PrimaryKey, modelspec.LocatedText{Value: name})
	}
	if out.HasPeriods() {
		d.cat.PrimaryKey = append(d.cat.PrimaryKey, periodFieldName)
		doc.PrimaryKey = append(doc.PrimaryKey, modelspec.LocatedText{Value: periodFieldName})
	}
	d.doc = &doc
	return nil
}

// stepsWithFields returns the steps whose row is one of a row of the sequence: a period has any number of rows of the second step.
func (s *sequenceInProgress) stepsWithFields() []catalog.SequenceStep {
	steps := s.dataset.cat.Sequence.Steps
	if s.dataset.cat.Sequence.HasPeriods() {
		return steps[:1]
	}
	return steps
}

// datatypesOfSequenceColumns are the datatypes of the columns that no field of a step gives its own.
var datatypesOfSequenceColumns = map[catalog.SequenceColumnKind]modelspec.Datatype{
	catalog.SequenceColumnSeconds: modelspec.DatatypeFloat, catalog.SequenceColumnReached: modelspec.DatatypeInteger,
	catalog.SequenceColumnPeriod: modelspec.DatatypeInteger, catalog.SequenceColumnPeriodStart: modelspec.DatatypeDate,
	catalog.SequenceColumnActive: modelspec.DatatypeBoolean, catalog.SequenceColumnEvents: modelspec.DatatypeInteger,
}

// columnsOfRow lists the columns that describe what followed a start.
func (s *sequenceInProgress) columnsOfRow() []catalog.SequenceColumn {
	if s.dataset.cat.Sequence.HasPeriods() {
		return []catalog.SequenceColumn{
			{Name: periodFieldName, Kind: catalog.SequenceColumnPeriod}, {Name: "period_start", Kind: catalog.SequenceColumnPeriodStart},
			{Name: "active", Kind: catalog.SequenceColumnActive}, {Name: "events", Kind: catalog.SequenceColumnEvents},
		}
	}
	var out []catalog.SequenceColumn
	for i, step := range s.dataset.cat.Sequence.Steps {
		out = append(out, catalog.SequenceColumn{Name: step.Name + "_seconds", Kind: catalog.SequenceColumnSeconds, Step: i})
	}
	return append(out, catalog.SequenceColumn{Name: reachedFieldName, Kind: catalog.SequenceColumnReached})
}

// addSequenceField adds a column of a sequence, and the field that reads it unless a declared one has its name.
func (c *compiler) addSequenceField(s *sequenceInProgress, column catalog.SequenceColumn, datatype modelspec.Datatype) (*fieldInProgress, *modelspec.CompileError) {
	d := s.dataset
	if before := d.cat.Sequence.Column(column.Name); before >= 0 {
		repair := "choose other names of its steps"
		if !hasNameOfStep(column) && !hasNameOfStep(d.cat.Sequence.Columns[before]) {
			repair = "its entity needs a field of another name, which may have the same expression"
		}
		message := fmt.Sprintf("two fields of the sequence %s would be named %q", d.cat.Name, column.Name)
		if c.extends {
			return nil, queryPartError(CodeDuplicateOutputNameInQuery, s.block.Location, repair, "%s", message)
		}
		return nil, s.invalid(s.block.Place, "%s: %s", message, repair)
	}
	d.cat.Sequence.Columns = append(d.cat.Sequence.Columns, column)
	if d.findFieldByName(column.Name) != nil {
		return nil, nil
	}
	place := s.block.Place
	c.addField(d, &modelspec.Field{
		Place: place, Name: modelspec.LocatedText{Value: column.Name}, Datatype: modelspec.LocatedText{Value: datatype.String()},
		Expression: &modelspec.Expression{Place: place, Entries: []*modelspec.DialectEntry{{
			Place: place, Dialect: modelspec.LocatedText{Value: "ANSI_SQL"}, Expression: modelspec.LocatedText{Value: sqlexpr.Format(columnOfSequence(column.Name))},
		}}},
	})
	return d.fields[foldCase(column.Name)], nil
}

// hasNameOfStep reports whether the name of a column begins with that of its step.
func hasNameOfStep(c catalog.SequenceColumn) bool {
	return c.Kind == catalog.SequenceColumnAt || c.Kind == catalog.SequenceColumnKey || c.Kind == catalog.SequenceColumnSeconds
}

func columnOfSequence(name string) *sqlexpr.Column {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}}
}

// checkColumns rejects declared fields that read columns which the sequence does not have.
func (s *sequenceInProgress) checkColumns() *modelspec.CompileError {
	for _, f := range s.dataset.list {
		for _, column := range sqlexpr.ColumnReferences(f.cat.Expr.Default) {
			if name := column.Path[len(column.Path)-1].Text; s.dataset.cat.Sequence.Column(name) < 0 {
				err := &modelspec.CompileError{Code: CodeUnknownColumn, Location: f.doc.Location, Position: f.doc.Position,
					Message: "the field " + f.cat.QualifiedName() + " reads the column " + quoteExcerpt(name) + ", which the sequence does not have"}
				for _, c := range s.dataset.cat.Sequence.Columns {
					err.Candidates = append(err.Candidates, c.Name)
				}
				return err
			}
		}
	}
	return nil
}

// addRelationshipsOfSequences adds the relationships that lead from the rows of sequences to those of their steps.
func (c *compiler) addRelationshipsOfSequences() {
	c.eachSequence(func(s *sequenceInProgress) *modelspec.CompileError { return c.addStepRelationships(s) })
}

func (c *compiler) addStepRelationships(s *sequenceInProgress) *modelspec.CompileError {
	d := s.dataset
	for i := range s.stepsWithFields() {
		step := &d.cat.Sequence.Steps[i]
		name := d.cat.Name + "_" + step.Name
		for _, r := range c.cat.Relationships {
			if strings.EqualFold(r.Name, name) {
				return &modelspec.CompileError{Code: modelspec.CodeDuplicateName, Location: s.block.Steps[i].Location, Position: s.block.Steps[i].Position,
					Message: "the relationship " + name + " of the step is declared already", Hint: "choose another name of the step"}
			}
		}
		if c.findDataset(name) != nil {
			return &modelspec.CompileError{Code: modelspec.CodeDuplicateName, Location: s.block.Steps[i].Location, Position: s.block.Steps[i].Position,
				Message: "the relationship " + name + " of the step has the name of a dataset", Hint: "choose another name of the step"}
		}
		r := &catalog.Relationship{
			ID: len(c.cat.Relationships), Name: name, From: d.cat, To: step.Dataset, ToFields: step.Key, Cardinality: modelspec.ManyToOne, NamedOnly: i > 0,
		}
		for _, key := range step.Key {
			r.FromFields = append(r.FromFields, c.keyFieldOfSequence(d, step.Name+"_"+key.Name, key))
		}
		c.cat.Relationships = append(c.cat.Relationships, r)
		step.Rel = r
	}
	return nil
}

// keyFieldOfSequence returns the field that reads the key of a step, beside a declared field of its name, too.
func (c *compiler) keyFieldOfSequence(d *datasetInProgress, name string, key *catalog.Field) *catalog.Field {
	if f := d.findKeyField(name); f != nil && f.like != nil && f.cat.Expr.Default != nil {
		return f.cat
	}
	f := &catalog.Field{Dataset: d.cat, Name: name, Datatype: key.Datatype, Type: key.Type, Expr: catalog.DialectVariants[sqlexpr.Expr]{Default: columnOfSequence(name)}}
	c.cat.AddPlainField(f)
	return f
}

// resolveSequences resolves what the steps read of their datasets.
func (c *compiler) resolveSequences() {
	c.eachSequence(func(s *sequenceInProgress) *modelspec.CompileError { return c.resolveSteps(s) })
}

func (c *compiler) resolveSteps(s *sequenceInProgress) *modelspec.CompileError {
	out := s.dataset.cat.Sequence
	for i := range out.Steps {
		block, step := s.block.Steps[i], &out.Steps[i]
		scope := predicateScope{compiler: c, key: "sequence", home: s.steps[i]}
		if block.Where != nil {
			where, err := c.resolvePayloadPredicate(block.Where, scope)
			if err != nil {
				return err
			}
			for ref := range sqlexpr.Refs(where) {
				if f := c.cat.FieldByID(ref.ID); c.cat.ReadsSequence(f) {
					return s.invalid(block.Where.Place, "the step %s reads %s, which reads a sequence", step.Name, f.SourceField().QualifiedName())
				}
			}
			step.Where = where
		}
		var err *modelspec.CompileError
		if step.Entity, err = c.resolveStepFields(s, i, "entity", s.block.Entity, block.Entity); err != nil {
			return err
		}
		if step.Same, err = c.resolveStepFields(s, i, "same", s.block.Same, block.Same); err != nil {
			return err
		}
	}
	return c.describeEntity(s)
}

// resolveStepFields resolves the fields of the entity, or of same, of a step: those of the sequence unless the step names others.
func (c *compiler) resolveStepFields(s *sequenceInProgress, at int, key string, all, own []*extension.PayloadExpression) ([]*catalog.Field, *modelspec.CompileError) {
	step := s.dataset.cat.Sequence.Steps[at]
	if own != nil && len(own) != len(all) {
		return nil, s.invalid(s.block.Steps[at].Place, "the step %s has %d fields of %s, and the sequence %d", step.Name, len(own), key, len(all))
	}
	isShared := own == nil
	if isShared {
		own = all
	}
	scope := predicateScope{compiler: c, key: "sequence", home: s.steps[at]}
	var out []*catalog.Field
	for i, name := range own {
		id, err := scope.fieldIDOfName(name.Expr.(*sqlexpr.Column))
		if err != nil {
			if isShared && err.Code == CodeCrossDatasetAggregate {
				ref := extension.ObjectRef{Place: s.block.Steps[at].Place, Name: name.Text}
				return nil, c.unknownInStep(CodeUnknownField, ref, s.steps[at].fieldNames, "the step %s names no %s, and %s has no field %q", step.Name, key, step.Dataset.Name, name.Text)
			}
			if err.Location == "" {
				err.Location, err.Position = name.Location, name.Position
			}
			return nil, err
		}
		f := c.cat.FieldByID(id)
		if c.cat.ReadsSequence(f) {
			return nil, s.invalid(name.Place, "the step %s reads %s, which reads a sequence", step.Name, f.SourceField().QualifiedName())
		}
		if at > 0 {
			first := s.dataset.cat.Sequence.Steps[0].Entity
			if key == "same" {
				first = s.dataset.cat.Sequence.Steps[0].Same
			}
			if a, b := first[i].SourceField(), f.SourceField(); !areComparable(a.Type, b.Type) {
				return nil, s.invalid(name.Place, "the step %s compares %s (%s) with %s (%s)", step.Name, b.QualifiedName(), b.Type, a.QualifiedName(), a.Type)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// areComparable reports whether values of two types may be equal, where both types are known.
func areComparable(a, b sqlexpr.Type) bool {
	return a == b || a == sqlexpr.TypeUnknown || b == sqlexpr.TypeUnknown || a.IsNumeric() && b.IsNumeric()
}

// describeEntity gives the fields of the entity the types of those of the first step.
func (c *compiler) describeEntity(s *sequenceInProgress) *modelspec.CompileError {
	for i, f := range s.dataset.cat.Sequence.Steps[0].Entity {
		own := s.entity[i]
		if own == nil {
			continue
		}
		source := f.SourceField()
		own.like = c.datasetInProgressOfCatalogDataset(source.Dataset).findKeyField(source.Name)
		own.cat.Datatype, own.cat.Type = source.Datatype, source.Type
	}
	return nil
}
