package generate

import (
	"context"
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/sqlemit"
)

// Result is a generated model.
type Result struct {
	Model  *draft.Model
	Report Report
}

// Generate makes a model of tables. The dialect decides which names need quotes. The error is
// that of the context, or the *executor.Error of a warehouse that cannot be reached.
func Generate(ctx context.Context, list []tables.Table, proofs Proofs, d *sqlemit.Dialect, o Options) (*Result, error) {
	g := &generator{ctx: ctx, options: o, proofs: proofs, dialect: d}
	g.addDatasets(list)
	for _, step := range []func(*generator){
		(*generator).findTypes, (*generator).findKeys, (*generator).findEncodedDates,
		(*generator).addForeignKeys, (*generator).inferRelationships,
	} {
		step(g)
		if g.err != nil {
			return nil, g.err
		}
	}
	g.nameRelationships()
	g.chooseRoles()
	metrics := g.metrics()
	return &Result{Model: g.model(metrics), Report: g.report(metrics)}, nil
}

type generator struct {
	ctx      context.Context
	options  Options
	proofs   Proofs
	dialect  *sqlemit.Dialect
	datasets []*dataset
	edges    []*edge
	notes    []string
	err      error // ends the run
}

// dataset is a table with what was found out about it.
type dataset struct {
	table  *tables.Table
	name   string
	base   string // the name of the table alone, which names of columns refer to
	fields []*field
	key    keyChoice
	unique [][]*field
}

// keyChoice is the primary key of a dataset.
type keyChoice struct {
	fields   []*field
	how      string
	rows     int64
	complete bool
	// likely is a key that nothing has proven.
	likely []*field
}

// field is a column with its role.
type field struct {
	dataset  *dataset
	column   *tables.Column
	name     string
	datatype tables.Datatype
	// encodedDate: the integers are dates such as 20240131.
	encodedDate bool
	inKey       bool
	inEdge      bool   // joined by a relationship that is written
	metric      string // total, average or ""
}

func (f *field) isTime() bool {
	switch f.datatype {
	case tables.Date, tables.DateTime, tables.DateTimeTz:
		return true
	}
	return f.encodedDate
}

func (f *field) isNumber() bool {
	return f.datatype == tables.Integer || f.datatype == tables.Decimal || f.datatype == tables.Float
}

// isComparable reports whether values of the field are equal or not without doubt.
func (f *field) isComparable() bool {
	switch f.datatype {
	case tables.Opaque, tables.Unknown, tables.Float, tables.Boolean:
		return false
	}
	return true
}

func (g *generator) note(text string) { g.notes = append(g.notes, text) }

// failed notes that a question has no answer, and ends the run where no other has one either.
func (g *generator) failed(what string, err error) {
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
	g.note(what + ": not proven, because the statement failed: " + failure.Error())
}

// addDatasets names datasets and fields. A table or column without a name has no place in a model.
func (g *generator) addDatasets(list []tables.Table) {
	for i, name := range datasetNames(list) {
		t := &list[i]
		if t.Name == "" {
			g.note("a table without a name is left out")
			continue
		}
		d := &dataset{table: t, name: name, base: datafiles.Ident(t.Name), key: keyChoice{how: howNone}}
		for j, fieldName := range fieldNames(t.Columns) {
			c := &t.Columns[j]
			if c.Name == "" {
				g.note(name + ": a column without a name is left out")
				continue
			}
			d.fields = append(d.fields, &field{dataset: d, column: c, name: fieldName, datatype: c.Datatype})
		}
		g.datasets = append(g.datasets, d)
	}
}

// findTypes asks for the types of columns that declare none.
func (g *generator) findTypes() {
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if f.datatype != tables.Unknown {
				continue
			}
			found, err := g.proofs.ValueType(g.ctx, d.table, f.column.Name)
			if err != nil {
				g.failed(f.qualified()+": the type", err)
				found = tables.Opaque
			}
			if f.datatype = found; g.err != nil {
				return
			}
		}
	}
}

func (f *field) qualified() string { return f.dataset.name + "." + f.name }

// fieldOf returns the field of a column, nil if there is none.
func (d *dataset) fieldOf(column string) *field {
	for _, f := range d.fields {
		if f.column.Name == column {
			return f
		}
	}
	return nil
}

// fieldsOf returns the fields of columns, nil if one of them has none.
func (d *dataset) fieldsOf(columns []string) []*field {
	var out []*field
	for _, c := range columns {
		f := d.fieldOf(c)
		if f == nil {
			return nil
		}
		out = append(out, f)
	}
	return out
}

func namesOf(fields []*field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
