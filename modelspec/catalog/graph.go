package catalog

// Step is one join along a relationship. Forward goes from the many side to
// the one side; Reverse the other way.
type Step struct {
	Rel     *Relationship
	Reverse bool
}

// Source is the dataset the step leaves.
func (s Step) Source() *Dataset {
	if s.Reverse {
		return s.Rel.To
	}
	return s.Rel.From
}

// Target is the dataset the step arrives at.
func (s Step) Target() *Dataset {
	if s.Reverse {
		return s.Rel.From
	}
	return s.Rel.To
}

// Safe reports whether the step never multiplies rows.
func (s Step) Safe() bool {
	if s.Reverse {
		return s.Rel.SafeBackward()
	}
	return s.Rel.SafeForward()
}

// graph answers reachability along safe edges in constant time. Self
// relationships are not part of it: only a reference that names one uses it.
type graph struct {
	safe    [][]Step // by dataset ID
	forward [][]Step // every edge in its declared direction, proven or not
	reach   []bitset // along safe edges, including the dataset itself
}

type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }

func newGraph(c *Catalog) graph {
	n := len(c.Datasets)
	g := graph{safe: make([][]Step, n), forward: make([][]Step, n), reach: make([]bitset, n)}
	for _, r := range c.Relationships {
		if r.Self() {
			continue
		}
		fwd, back := Step{Rel: r}, Step{Rel: r, Reverse: true}
		g.forward[r.From.ID] = append(g.forward[r.From.ID], fwd)
		if fwd.Safe() {
			g.safe[r.From.ID] = append(g.safe[r.From.ID], fwd)
		}
		if back.Safe() {
			g.safe[r.To.ID] = append(g.safe[r.To.ID], back)
		}
	}
	var stack []int
	for i := range c.Datasets {
		set := newBitset(n)
		set.add(i)
		stack = append(stack[:0], i)
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, s := range g.safe[at] {
				if to := s.Target().ID; !set.has(to) {
					set.add(to)
					stack = append(stack, to)
				}
			}
		}
		g.reach[i] = set
	}
	return g
}

// Reaches reports whether `to` can be joined from `from` along safe edges.
func (c *Catalog) Reaches(from, to *Dataset) bool { return c.graph.reach[from.ID].has(to.ID) }

// SafePaths lists the simple paths along safe edges, in document order of their
// relationships, at most limit of them. From a dataset to itself there is one
// path, the empty one.
func (c *Catalog) SafePaths(from, to *Dataset, limit int) [][]Step {
	if !c.Reaches(from, to) {
		return nil
	}
	s := search{edges: c.graph.safe, reach: c.graph.reach, to: to, limit: limit, seen: map[int]bool{}}
	s.walk(from)
	return s.found
}

// ForwardPaths lists the simple paths along edges in their declared direction,
// proven or not, at most limit of them. It answers which dataset could be the
// root of a query that no safe path serves.
func (c *Catalog) ForwardPaths(from, to *Dataset, limit int) [][]Step {
	s := search{edges: c.graph.forward, to: to, limit: limit, seen: map[int]bool{}}
	s.walk(from)
	return s.found
}

// Leaving lists the relationships that a named path may take from d, in
// document order: every edge in its declared direction, one-to-one edges both
// ways, and self relationships.
func (c *Catalog) Leaving(d *Dataset) []Step {
	var out []Step
	for _, r := range c.Relationships {
		if r.From == d {
			out = append(out, Step{Rel: r})
		} else if r.To == d && r.SafeBackward() {
			out = append(out, Step{Rel: r, Reverse: true})
		}
	}
	return out
}

// search is a depth-first enumeration of simple paths.
type search struct {
	edges [][]Step
	reach []bitset // nil: no pruning
	to    *Dataset
	limit int
	seen  map[int]bool
	path  []Step
	found [][]Step
}

func (s *search) walk(at *Dataset) {
	if len(s.found) >= s.limit {
		return
	}
	if at == s.to {
		s.found = append(s.found, append([]Step(nil), s.path...))
		return
	}
	s.seen[at.ID] = true
	for _, e := range s.edges[at.ID] {
		to := e.Target()
		if s.seen[to.ID] || (s.reach != nil && !s.reach[to.ID].has(s.to.ID)) {
			continue
		}
		s.path = append(s.path, e)
		s.walk(to)
		s.path = s.path[:len(s.path)-1]
	}
	delete(s.seen, at.ID)
}
