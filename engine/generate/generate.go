package generate

import (
	"context"
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/sqlemit"
)

// Result is a generated model.
type Result struct {
	Model  *draft.Model
	Report Report
}

// GenerateFromTables makes a model of tables. The dialect decides which names need quotes. The error is
// that of the context, or the *executor.Error of a warehouse that cannot be reached.
func GenerateFromTables(ctx context.Context, list []tables.Table, proofs DataProver, d *sqlemit.Dialect, o Options) (*Result, error) {
	g := &generator{ctx: ctx, options: o, proofs: proofs, dialect: d}
	g.addDatasets(list)
	g.addColumnNotes()
	for _, step := range []func(*generator){
		(*generator).detectTypesOfUntypedColumns, (*generator).findKeys, (*generator).findEncodedDates, (*generator).noteDatesInTexts,
		(*generator).addDeclaredRelationships, (*generator).inferRelationships,
	} {
		step(g)
		if g.err != nil {
			return nil, g.err
		}
	}
	g.nameRelationships()
	g.chooseFieldAggregates()
	metrics := g.listMetrics()
	return &Result{Model: g.buildDraftModel(metrics), Report: g.buildReport(metrics)}, nil
}

type generator struct {
	ctx      context.Context
	options  Options
	proofs   DataProver
	dialect  *sqlemit.Dialect
	datasets []*tableDataset
	edges    []*relationshipCandidate
	notes    []string
	err      error // ends the run
}

// tableDataset is a table with what was found out about it.
type tableDataset struct {
	table  *tables.Table
	name   string
	bases  []string // the name of the table alone, which names of columns refer to: singular, plural and with separated words
	fields []*columnField
	key    primaryKeyChoice
	unique [][]*columnField
}

// primaryKeyChoice is the primary key of a dataset.
type primaryKeyChoice struct {
	fields   []*columnField
	how      string
	rows     int64
	complete bool
	// likely is a key that nothing has proven.
	likely []*columnField
}

// columnField is a column with its role.
type columnField struct {
	dataset  *tableDataset
	column   *tables.Column
	name     string
	words    string // the name of the column with separated words, which decides on the role of the field
	datatype tables.Datatype
	// encodedDate: the integers are dates such as 20240131.
	encodedDate bool
	inKey       bool
	inEdge      bool // joined by a relationship that is written
	comments    []string
	metric      string // total, average or ""
}

func (f *columnField) isTime() bool {
	switch f.datatype {
	case tables.DatatypeDate, tables.DatatypeDateTime, tables.DatatypeDateTimeTz:
		return true
	}
	return f.encodedDate
}

func (f *columnField) isNumber() bool {
	return f.datatype == tables.DatatypeInteger || f.datatype == tables.DatatypeDecimal || f.datatype == tables.DatatypeFloat
}

// isComparable reports whether values of the field are equal or not without doubt.
func (f *columnField) isComparable() bool {
	switch f.datatype {
	case tables.DatatypeOpaque, tables.DatatypeUndeclared, tables.DatatypeFloat, tables.DatatypeBoolean:
		return false
	}
	return true
}

func (g *generator) addNote(text string) { g.notes = append(g.notes, text) }

// noteFailureOrStopRun notes that a question has no answer, and ends the run where no other has one either.
func (g *generator) noteFailureOrStopRun(what string, err error) {
	if ctxErr := g.ctx.Err(); ctxErr != nil {
		g.err = ctxErr
		return
	}
	var failure *executor.Error
	if !errors.As(err, &failure) {
		g.err = err
		return
	}
	switch failure.Code {
	case executor.CodeConnection, executor.CodeAuth, executor.CodeConfig:
		g.err = err
		return
	}
	g.addNote(what + ": not proven, because the statement failed: " + failure.Error())
}

// addDatasets names datasets and fields. A table or column without a name has no place in a model.
func (g *generator) addDatasets(list []tables.Table) {
	for i, name := range datasetNames(list) {
		t := &list[i]
		if t.Name == "" {
			g.addNote("a table without a name is left out")
			continue
		}
		d := &tableDataset{table: t, name: name, bases: namesOfRowsOf(t.Name), key: primaryKeyChoice{how: keyMissing}}
		for j, fieldName := range deriveFieldNames(t.Columns) {
			c := &t.Columns[j]
			if c.Name == "" {
				g.addNote(name + ": a column without a name is left out")
				continue
			}
			d.fields = append(d.fields, &columnField{dataset: d, column: c, name: fieldName, words: identifierOfWords(c.Name), datatype: c.Datatype})
		}
		g.datasets = append(g.datasets, d)
	}
}

// addColumnNotes adds the notes about columns of data files. The field of a column whose days are ambiguous has a comment.
func (g *generator) addColumnNotes() {
	for _, n := range g.options.ColumnNotes {
		for _, d := range g.datasets {
			if f := d.fieldOfColumn(n.Column); d.table.Name == n.Table && f != nil {
				g.addNote(n.Text)
				if n.AmbiguousDays {
					f.comments = append(f.comments, n.Text)
				}
			}
		}
	}
}

// detectTypesOfUntypedColumns requests the types of columns that declare none.
func (g *generator) detectTypesOfUntypedColumns() {
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if f.datatype != tables.DatatypeUndeclared {
				continue
			}
			found, err := g.proofs.ColumnValueType(g.ctx, d.table, f.column.Name)
			if err != nil {
				g.noteFailureOrStopRun(f.qualifiedName()+": the type", err)
				found = tables.DatatypeOpaque
			}
			if f.datatype = found; g.err != nil {
				return
			}
		}
	}
}

func (f *columnField) qualifiedName() string { return f.dataset.name + "." + f.name }

// fieldOfColumn returns the field of a column, nil if there is none.
func (d *tableDataset) fieldOfColumn(column string) *columnField {
	for _, f := range d.fields {
		if f.column.Name == column {
			return f
		}
	}
	return nil
}

// findFieldsOfColumns returns the fields of columns, nil if one of them has none.
func (d *tableDataset) findFieldsOfColumns(columns []string) []*columnField {
	var out []*columnField
	for _, c := range columns {
		f := d.fieldOfColumn(c)
		if f == nil {
			return nil
		}
		out = append(out, f)
	}
	return out
}

func fieldNamesOf(fields []*columnField) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

func formatInteger(n int64) string { return strconv.FormatInt(n, 10) }
