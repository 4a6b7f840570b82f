package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// rollupDefinitions computes the hashes of rollups, each once.
type rollupDefinitions struct {
	catalog *catalog.Catalog
	known   sync.Map // of string, by rollupDefinitionKey
}

// rollupDefinitionKey is what a hash depends on besides the model.
type rollupDefinitionKey struct {
	rollup, dialect string
	byCodePoint     bool
}

// of returns the hash of a rollup on a connection; "" for one that the model does not have.
func (d *rollupDefinitions) of(name string, t compileTarget) string {
	key := rollupDefinitionKey{name, t.dialect.Name(), t.planner.Caps.TextByCast}
	if known, ok := d.known.Load(key); ok {
		return known.(string) //nolint:forcetypeassert // by the comment on known
	}
	r := d.catalog.Rollup(name)
	if r == nil {
		return ""
	}
	hash := rollupFingerprint(d.catalog, r, t)
	d.known.Store(key, hash)
	return hash
}

// rollupFingerprint returns a hash of all that decides which rows the table of a rollup has on a connection, and of nothing that decides only when and where
// it is read or built.
func rollupFingerprint(cat *catalog.Catalog, r *catalog.Rollup, t compileTarget) string {
	d := rollupDescription{cat: cat, dialect: t.dialect.Name(), described: map[*catalog.Field]bool{}}
	d.add("dialect", t.dialect.Name(), fmt.Sprint(t.planner.Caps.TextByCast))
	d.add("clock", cat.TimeZone, fmt.Sprint(cat.WeekStart))
	d.addDataset(r.Of)
	for _, g := range r.Groups {
		d.add("group", g.Column, g.Grain.String(), d.field(g.Field))
	}
	for _, m := range r.Measures {
		d.add("measure", m.Column, fmt.Sprint(m.Measure.Agg), d.expression(m.Measure.Arg), d.expression(m.Measure.OrderBy), fmt.Sprint(m.Measure.Options), m.Measure.Type.String())
	}
	for _, w := range r.Where {
		d.add("where", d.expression(w.Expr))
	}
	sum := sha256.Sum256([]byte(d.text.String()))
	return hex.EncodeToString(sum[:])
}

// rollupDescription writes what a rollup is made of, each field and dataset once.
type rollupDescription struct {
	cat       *catalog.Catalog
	dialect   string
	text      strings.Builder
	described map[*catalog.Field]bool
	datasets  []*catalog.Dataset
}

func (d *rollupDescription) add(parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(&d.text, "%q ", p)
	}
	d.text.WriteByte('\n')
}

func (d *rollupDescription) addDataset(s *catalog.Dataset) {
	for _, known := range d.datasets {
		if known == s {
			return
		}
	}
	d.datasets = append(d.datasets, s)
	d.add("dataset", s.Name, s.Source.Text())
}

// field returns a name of a field by its path, and describes it.
func (d *rollupDescription) field(f *catalog.Field) string {
	name := d.cat.Datasets[f.Dataset.ID].Name + "." + f.Name
	if f.Joined != nil {
		name = d.path(f.Joined.Path) + d.field(f.Joined.Field)
	}
	if d.described[f] || f.Joined != nil {
		return name
	}
	d.described[f] = true
	d.addDataset(f.Dataset)
	encoding := ""
	if f.Encoding != nil {
		encoding = fmt.Sprintf("%+v", *f.Encoding)
	}
	d.add("field", name, f.Type.String(), string(f.Datatype), fmt.Sprint(f.Granularity), encoding, d.expression(f.Expr.ForDialect(d.dialect)))
	return name
}

// path returns a name of a path, and describes its relationships.
func (d *rollupDescription) path(steps []catalog.JoinStep) string {
	name := ""
	for _, s := range steps {
		name += fmt.Sprintf("%s/%v/", s.Rel.Name, s.Reverse)
		d.addDataset(s.Rel.From)
		d.addDataset(s.Rel.To)
		parts := []string{"relationship", s.Rel.Name, s.Rel.From.Name, s.Rel.To.Name, fmt.Sprint(s.Rel.JoinType)}
		for i := range s.Rel.FromFields {
			parts = append(parts, d.field(s.Rel.FromFields[i]), d.field(s.Rel.ToFields[i]))
		}
		if s.Rel.Valid != nil {
			for _, f := range s.Rel.Valid.Fields() {
				parts = append(parts, "valid", d.field(f))
			}
		}
		d.add(parts...)
	}
	return name
}

// expression returns an expression with the names of its fields, and describes them.
func (d *rollupDescription) expression(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		ref, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: d.field(d.cat.FieldByID(ref.ID)), Quoted: true}}}
	}))
}
