package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// edges builds a catalog from lines "name from to cardinality"; datasets appear
// in the order in which they are first named.
func edges(lines ...string) *catalog.Catalog {
	c := &catalog.Catalog{}
	datasets := map[string]*catalog.Dataset{}
	dataset := func(name string) *catalog.Dataset {
		if datasets[name] == nil {
			datasets[name] = &catalog.Dataset{ID: len(c.Datasets), Name: name}
			c.Datasets = append(c.Datasets, datasets[name])
		}
		return datasets[name]
	}
	cardinalities := map[string]modelspec.Cardinality{
		"n:1": modelspec.ManyToOne, "1:1": modelspec.OneToOne, "n:n": modelspec.ManyToMany, "?": modelspec.UnprovenCardinality,
	}
	for _, line := range lines {
		part := strings.Fields(line)
		c.Relationships = append(c.Relationships, &catalog.Relationship{
			ID: len(c.Relationships), Name: part[0], From: dataset(part[1]), To: dataset(part[2]), Cardinality: cardinalities[part[3]],
		})
	}
	c.BuildIndexes()
	return c
}

func show(paths [][]catalog.JoinStep) []string {
	var out []string
	for _, path := range paths {
		var names []string
		for _, s := range path {
			name := s.Rel.Name
			if s.Reverse {
				name = "<" + name
			}
			names = append(names, name)
		}
		out = append(out, strings.Join(names, " "))
	}
	return out
}

// star: lines → orders → customers → regions, orders → dates twice, returns to
// orders unproven, profiles one-to-one with customers.
var star = edges(
	"lo lines orders n:1",
	"oc orders customers n:1",
	"cr customers regions n:1",
	"ordered orders dates n:1",
	"shipped orders dates n:1",
	"ro returns orders ?",
	"pc profiles customers 1:1",
	"boss customers customers n:1",
	"tags orders tags n:n",
)

func TestGraph_ReachesAlongSafeEdges(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"lines", "regions", true},
		{"lines", "lines", true},
		{"orders", "lines", false},
		{"customers", "profiles", true},
		{"lines", "profiles", true},
		{"profiles", "regions", true},
		{"returns", "orders", false},
		{"orders", "tags", false},
		{"regions", "customers", false},
	} {
		if got := star.ReachesSafely(star.Dataset(c.from), star.Dataset(c.to)); got != c.want {
			t.Errorf("%s to %s: %v", c.from, c.to, got)
		}
	}
}

func TestGraph_Paths(t *testing.T) {
	safe := func(from, to string, limit int) []string {
		return show(star.SafePaths(star.Dataset(from), star.Dataset(to), limit))
	}
	forward := func(from, to string) []string {
		return show(star.DeclaredDirectionPaths(star.Dataset(from), star.Dataset(to), 10))
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"one path", safe("lines", "regions", 10), []string{"lo oc cr"}},
		{"two roles", safe("lines", "dates", 10), []string{"lo ordered", "lo shipped"}},
		{"two roles, limited", safe("lines", "dates", 1), []string{"lo ordered"}},
		{"to itself", safe("orders", "orders", 10), []string{""}},
		{"against a one-to-one edge", safe("orders", "profiles", 10), []string{"oc <pc"}},
		{"no path", safe("regions", "orders", 10), nil},
		{"forward over an unproven edge", forward("returns", "customers"), []string{"ro oc"}},
		{"forward over many-to-many", forward("orders", "tags"), []string{"tags"}},
		{"never against an edge", forward("customers", "orders"), nil},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

func TestGraph_EdgesLeavingDataset(t *testing.T) {
	for name, want := range map[string][]string{
		"customers": {"cr", "<pc", "boss"},
		"orders":    {"oc", "ordered", "shipped", "tags"},
		"regions":   nil,
	} {
		var paths [][]catalog.JoinStep
		for _, s := range star.NamedPathStepsFrom(star.Dataset(name)) {
			paths = append(paths, []catalog.JoinStep{s})
		}
		if d := cmp.Diff(want, show(paths)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestGraph_CyclesTerminate(t *testing.T) {
	c := edges("ab a b n:1", "bc b c n:1", "ca c a n:1")
	got := show(c.SafePaths(c.Dataset("a"), c.Dataset("c"), 10))
	if d := cmp.Diff([]string{"ab bc"}, got); d != "" || !c.ReachesSafely(c.Dataset("c"), c.Dataset("b")) {
		t.Error(d)
	}
}
