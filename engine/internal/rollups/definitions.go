package rollups

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

// Definitions computes the hashes of the rollups of a model, each once.
type Definitions struct {
	Catalog *catalog.Catalog
	known   sync.Map // of string, by definitionKey
}

// NewDefinitions returns the hashes of the rollups of a model.
func NewDefinitions(cat *catalog.Catalog) *Definitions { return &Definitions{Catalog: cat} }

// definitionKey is what a hash depends on besides the model.
type definitionKey struct {
	rollup, dialect string
	byCodePoint     bool
}

// Of returns the hash of a rollup for a dialect, and for whether texts are compared by code point there; "" for a rollup that the model does
// not have.
func (all *Definitions) Of(name string, dialect *sqlemit.Dialect, byCodePoint bool) string {
	key := definitionKey{name, dialect.Name(), byCodePoint}
	if known, ok := all.known.Load(key); ok {
		return known.(string) //nolint:forcetypeassert // by the comment on known
	}
	r := all.Catalog.Rollup(name)
	if r == nil {
		return ""
	}
	hash := fingerprint(all.Catalog, r, key)
	all.known.Store(key, hash)
	return hash
}

// fingerprint returns a hash of all that decides which rows the table of a rollup has on a connection, and of nothing that decides only when and where
// it is read or built.
func fingerprint(cat *catalog.Catalog, r *catalog.Rollup, key definitionKey) string {
	d := description{cat: cat, dialect: key.dialect, described: map[*catalog.Field]bool{}}
	d.add("dialect", key.dialect, fmt.Sprint(key.byCodePoint))
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

// description writes what a rollup is made of, each field and dataset once.
type description struct {
	cat       *catalog.Catalog
	dialect   string
	text      strings.Builder
	described map[*catalog.Field]bool
	datasets  []*catalog.Dataset
}

func (d *description) add(parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(&d.text, "%q ", p)
	}
	d.text.WriteByte('\n')
}

func (d *description) addDataset(s *catalog.Dataset) {
	for _, known := range d.datasets {
		if known == s {
			return
		}
	}
	d.datasets = append(d.datasets, s)
	d.add("dataset", s.Name, s.Source.Text())
}

// field returns a name of a field by its path, and describes it.
func (d *description) field(f *catalog.Field) string {
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
func (d *description) path(steps []catalog.JoinStep) string {
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
func (d *description) expression(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: d.field(d.cat.FieldByID(ref.ID)), Quoted: true}}}
	}))
}
