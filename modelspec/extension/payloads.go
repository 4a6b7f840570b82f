package extension

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Ref is a name in a payload that stands for another object of the model.
type Ref struct {
	Name string
	modelspec.Place
}

// Set reports whether the payload names something.
func (r Ref) Set() bool { return r.Name != "" }

// Dataset is a dataset's payload.
type Dataset struct{ TimeDimension Ref }

// Relationship is a relationship's payload; "" where it is silent.
type Relationship struct{ JoinType, Cardinality string }

// ReadDataset reads a dataset's payload.
func ReadDataset(owner modelspec.Place, entries []*modelspec.CustomExtension) (Dataset, Diagnostics) {
	r, root := openPayload(OnDataset, owner, entries)
	var out Dataset
	if root != nil {
		out.TimeDimension = object{r, root}.ref("time_dimension")
	}
	return out, r.finish()
}

// joinTypes are the values of join_type.
var joinTypes = []string{"left", "inner"}

// ReadRelationship reads a relationship's payload.
func ReadRelationship(owner modelspec.Place, entries []*modelspec.CustomExtension) (Relationship, Diagnostics) {
	r, root := openPayload(OnRelationship, owner, entries)
	var out Relationship
	if root != nil {
		o := object{r, root}
		r.key = "join_type"
		out.JoinType = o.enum("join_type", "", joinTypes...)
		r.key = "cardinality"
		out.Cardinality = o.enum("cardinality", "", modelspec.Cardinalities()...)
	}
	return out, r.finish()
}

// ref reads a string that names another object.
func (o object) ref(key string) Ref {
	o.key = key
	n := o.get(key)
	if n == nil {
		return Ref{}
	}
	return o.readRef(n)
}

func (r *reader) readRef(n *node) Ref {
	return Ref{Name: r.text(n), Place: r.placeOf(n)}
}

// grain reads a calendar granularity.
func (o object) grain(key string) sqlexpr.Grain {
	g, _ := sqlexpr.ParseGrain(o.enum(key, "", sqlexpr.GrainNames()...))
	return g
}
