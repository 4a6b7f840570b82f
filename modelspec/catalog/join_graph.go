package catalog

import (
	"iter"
	"math"
	"math/bits"
)

// JoinStep is one join along a relationship. Forward goes from the many side to
// the one side; Reverse the other way.
type JoinStep struct {
	Rel     *Relationship
	Reverse bool
}

// SourceDataset returns the dataset the step leaves.
func (s JoinStep) SourceDataset() *Dataset {
	if s.Reverse {
		return s.Rel.To
	}
	return s.Rel.From
}

// TargetDataset returns the dataset the step arrives at.
func (s JoinStep) TargetDataset() *Dataset {
	if s.Reverse {
		return s.Rel.From
	}
	return s.Rel.To
}

// Safe reports whether the step never multiplies rows.
func (s JoinStep) Safe() bool {
	if s.Reverse {
		return s.Rel.SafeBackward()
	}
	return s.Rel.SafeForward()
}

// joinGraph answers reachability along safe edges in constant time. Self
// relationships and those to the later steps of a sequence are not part of it: only a reference that names one uses it.
type joinGraph struct {
	safe    [][]JoinStep   // by dataset ID
	paths   [][][]JoinStep // for each of safe, the path that has it alone
	forward [][]JoinStep   // every edge in its declared direction, proven or not
	reach   []bitset       // along safe edges, including the dataset itself; nil for itself alone
}

type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }

func (b bitset) union(o bitset) {
	for i, w := range o {
		b[i] |= w
	}
}

func (b bitset) intersect(o bitset) {
	for i, w := range o {
		b[i] &= w
	}
}

func newJoinGraph(datasets []*Dataset, relationships []*Relationship) joinGraph {
	n := len(datasets)
	g := joinGraph{safe: make([][]JoinStep, n), forward: make([][]JoinStep, n), reach: make([]bitset, n)}
	for _, r := range relationships {
		if r.IsSelfJoin() || r.NamedOnly {
			continue
		}
		fwd, back := JoinStep{Rel: r}, JoinStep{Rel: r, Reverse: true}
		g.forward[r.From.ID] = append(g.forward[r.From.ID], fwd)
		if fwd.Safe() {
			g.safe[r.From.ID] = append(g.safe[r.From.ID], fwd)
		}
		if back.Safe() {
			g.safe[r.To.ID] = append(g.safe[r.To.ID], back)
		}
	}
	g.paths = pathsOfSteps(g.safe)
	r := reachabilityComputation{joinGraph: g, order: make([]int, n), low: make([]int, n)}
	for i := range datasets {
		if r.order[i] == 0 && len(g.safe[i]) > 0 {
			r.visitDataset(i)
		}
	}
	return g
}

// pathsOfSteps returns the path of each step, by dataset.
func pathsOfSteps(steps [][]JoinStep) [][][]JoinStep {
	out := make([][][]JoinStep, len(steps))
	for dataset, of := range steps {
		out[dataset] = make([][]JoinStep, len(of))
		for i := range of {
			out[dataset][i] = of[i : i+1 : i+1]
		}
	}
	return out
}

// reachabilityComputation computes what each dataset reaches. Datasets that reach each other
// share one set (Tarjan's strongly connected components, which come out in an order
// in which everything that a component reaches is there before it).
type reachabilityComputation struct {
	joinGraph
	count      int
	order, low []int // by dataset; 0: not visited
	stack      []int // visited, in no component yet
}

func (r *reachabilityComputation) visitDataset(at int) {
	r.count++
	r.order[at], r.low[at] = r.count, r.count
	r.stack = append(r.stack, at)
	for _, s := range r.safe[at] {
		to := s.TargetDataset().ID
		if r.order[to] == 0 {
			r.visitDataset(to)
		}
		r.low[at] = min(r.low[at], r.low[to])
	}
	if r.low[at] == r.order[at] {
		r.popConnectedComponent(at)
	}
}

// popConnectedComponent makes a component of what is on the stack from a dataset on.
func (r *reachabilityComputation) popConnectedComponent(first int) {
	from := len(r.stack) - 1
	for r.stack[from] != first {
		from--
	}
	members := r.stack[from:]
	r.stack = r.stack[:from]
	set := newBitset(len(r.reach))
	for _, m := range members {
		r.low[m] = math.MaxInt // no longer on the stack
		set.add(m)
		for _, s := range r.safe[m] {
			to := s.TargetDataset().ID
			if below := r.reach[to]; below != nil {
				set.union(below)
			} else {
				set.add(to)
			}
		}
	}
	for _, m := range members {
		r.reach[m] = set
	}
}

// ReachesSafely reports whether `to` can be joined from `from` along safe edges.
func (c *Catalog) ReachesSafely(from, to *Dataset) bool {
	set := c.graph.reach[from.ID]
	return from.ID == to.ID || set != nil && set.has(to.ID)
}

// DatasetsReachableFrom lists the datasets that can be joined from a dataset along safe edges, itself included, in document order.
func (c *Catalog) DatasetsReachableFrom(from *Dataset) iter.Seq[*Dataset] {
	return func(yield func(*Dataset) bool) {
		set := c.graph.reach[from.ID]
		if set == nil {
			yield(from)
			return
		}
		for at, word := range set {
			for ; word != 0; word &= word - 1 {
				if !yield(c.Datasets[at*64+bits.TrailingZeros64(word)]) {
					return
				}
			}
		}
	}
}

// SafePaths lists the simple paths along safe edges, in document order of their
// relationships, at most limit of them. From a dataset to itself there is one
// path, the empty one.
func (c *Catalog) SafePaths(from, to *Dataset, limit int) [][]JoinStep {
	if !c.ReachesSafely(from, to) {
		return nil
	}
	if only := c.OnlySafeEdge(from, to); only != nil && limit > 0 {
		return only
	}
	s := pathSearch{edges: c.graph.safe, reach: c.graph.reach, from: from, to: to, limit: limit}
	s.searchPathsFrom(from)
	return s.found
}

// OnlySafeEdge returns the path of the one safe edge from a dataset to another, if no other edge begins a path between them; else
// nil. Nothing is searched or made for it.
func (c *Catalog) OnlySafeEdge(from, to *Dataset) [][]JoinStep {
	edges := c.graph.safe[from.ID]
	only := -1
	for i, e := range edges {
		target := e.TargetDataset()
		if below := c.graph.reach[target.ID]; target != to && (below == nil || !below.has(to.ID)) {
			continue
		}
		if only >= 0 {
			return nil
		}
		only = i
	}
	if only < 0 || edges[only].TargetDataset() != to {
		return nil
	}
	return c.graph.paths[from.ID][only : only+1 : only+1]
}

// DeclaredDirectionPaths lists the simple paths along edges in their declared direction,
// proven or not, at most limit of them. It answers which dataset could be the
// root of a query that no safe path serves.
func (c *Catalog) DeclaredDirectionPaths(from, to *Dataset, limit int) [][]JoinStep {
	s := pathSearch{edges: c.graph.forward, from: from, to: to, limit: limit}
	s.searchPathsFrom(from)
	return s.found
}

// NamedPathStepsFrom lists the relationships that a named path may take from d, in
// document order: every edge in its declared direction, one-to-one edges both
// ways, and self relationships.
func (c *Catalog) NamedPathStepsFrom(d *Dataset) []JoinStep {
	var out []JoinStep
	for _, r := range c.Relationships {
		if c.view != nil && c.Relationship(r.Name) != r {
			continue
		}
		if r.From == d {
			out = append(out, JoinStep{Rel: r})
		} else if r.To == d && r.SafeBackward() {
			out = append(out, JoinStep{Rel: r, Reverse: true})
		}
	}
	return out
}

// pathSearch is a depth-first enumeration of simple paths.
type pathSearch struct {
	edges [][]JoinStep
	reach []bitset // nil: no pruning
	from  *Dataset
	to    *Dataset
	limit int
	path  []JoinStep
	found [][]JoinStep
}

func (s *pathSearch) searchPathsFrom(at *Dataset) {
	if len(s.found) >= s.limit {
		return
	}
	if at == s.to {
		s.found = append(s.found, append([]JoinStep(nil), s.path...))
		return
	}
	for _, e := range s.edges[at.ID] {
		to := e.TargetDataset()
		if s.isOnPath(to) || (s.reach != nil && to != s.to && (s.reach[to.ID] == nil || !s.reach[to.ID].has(s.to.ID))) {
			continue
		}
		s.path = append(s.path, e)
		s.searchPathsFrom(to)
		s.path = s.path[:len(s.path)-1]
	}
}

// isOnPath reports whether the path to the place of the search has a dataset.
func (s *pathSearch) isOnPath(d *Dataset) bool {
	for _, e := range s.path {
		if e.TargetDataset() == d {
			return true
		}
	}
	return d == s.from
}
