package catalog

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// ContinueNamedPathByRelationship returns the step by which a relationship continues a named path that leaves
// start: in its declared direction, or against it where it is one-to-one. Where it
// does not continue the path, why is the reason.
func ContinueNamedPathByRelationship(start *Dataset, path []JoinStep, rel *Relationship) (next JoinStep, why string) {
	at := start
	visited := []*Dataset{start}
	for _, s := range path {
		at = s.TargetDataset()
		visited = append(visited, at)
	}
	next = JoinStep{Rel: rel}
	if rel.IsSelfJoin() || len(path) > 0 && path[0].Rel.IsSelfJoin() {
		if len(path) > 0 || rel.From != start {
			return JoinStep{}, "a self-relationship can only be the single step of a path that leaves its own dataset"
		}
		return next, ""
	}
	switch {
	case rel.From == at:
	case rel.To == at && rel.SafeBackward():
		next.Reverse = true
	default:
		return JoinStep{}, "relationship " + rel.Name + " does not leave " + at.Name
	}
	if slices.Contains(visited, next.TargetDataset()) {
		return JoinStep{}, "the path visits " + next.TargetDataset().Name + " twice"
	}
	return next, ""
}

// LODJoinPaths lists the paths on which a level-of-detail field over the rows of home
// finds a dataset, at most limit of them: several are ambiguous. Via decides for the
// datasets that it passes, and for those that rows reach through the carrier alone.
func (c *Catalog) LODJoinPaths(l *LOD, home, to *Dataset, limit int) [][]JoinStep {
	paths := c.WithoutView().SafePaths(home, to, limit)
	if len(paths) < 2 || len(l.Via) == 0 || l.Via[0].SourceDataset() != home {
		return paths
	}
	for i, s := range l.Via {
		if s.TargetDataset() == to {
			return [][]JoinStep{l.Via[:i+1]}
		}
	}
	carrier := l.Via[len(l.Via)-1].TargetDataset()
	var along [][]JoinStep
	for _, p := range paths {
		if !slices.ContainsFunc(p, func(s JoinStep) bool { return s.TargetDataset() == carrier }) {
			return paths
		}
		if len(p) > len(l.Via) && slices.Equal(p[:len(l.Via)], l.Via) {
			along = append(along, p)
		}
	}
	if len(along) == 1 && len(paths) < limit {
		return along
	}
	return paths
}

// PathsToLODCarrier lists the paths from the rows that a level-of-detail field
// aggregates to the dataset that carries it, at most limit of them.
func (c *Catalog) PathsToLODCarrier(f *Field, home *Dataset, limit int) [][]JoinStep {
	if via := f.LOD.Via; len(via) > 0 && via[0].SourceDataset() == home {
		return [][]JoinStep{via}
	}
	return c.WithoutView().SafePaths(home, f.Dataset, limit)
}

// LODConditionPaths lists the paths of LODJoinPaths that a condition of the request may follow.
func (c *Catalog) LODConditionPaths(l *LOD, home, to *Dataset, limit int) [][]JoinStep {
	return c.followed(c.LODJoinPaths(l, home, to, limit))
}

// LacksTargetKey reports whether a step would be safe if its target declared the key that it joins on. A reader who does not see the
// columns of the key learns nothing of it.
func (s JoinStep) LacksTargetKey() bool {
	return !s.Reverse && s.Rel.Cardinality == modelspec.UnprovenCardinality && len(s.Rel.ToFields) > 0 && !HidesColumnsOf(s.Rel)
}

// RelationshipsMissingTargetKeys lists the relationships on a path that would be safe to follow if their
// targets declared the keys that they join on. Ok is false where the path has none of
// these, or a step that no key makes safe.
func RelationshipsMissingTargetKeys(path []JoinStep) (out []*Relationship, ok bool) {
	for _, s := range path {
		switch {
		case s.Safe() || slices.Contains(out, s.Rel):
		case s.LacksTargetKey():
			out = append(out, s.Rel)
		default:
			return nil, false
		}
	}
	return out, len(out) > 0
}

// RelationshipsMissingTargetKeysOnOnlyPath returns the relationships without target keys of the path between two datasets in the
// declared directions, if exactly one path is safe or would be with keys.
func (c *Catalog) RelationshipsMissingTargetKeysOnOnlyPath(from, to *Dataset, limit int) (out []*Relationship, ok bool) {
	found := 0
	for _, p := range c.DeclaredDirectionPaths(from, to, limit) {
		if rels, keyless := RelationshipsMissingTargetKeys(p); keyless {
			out, found = rels, found+1
		}
	}
	return out, found == 1 && len(c.SafePaths(from, to, 1)) == 0
}

// TargetKeyColumns returns the columns that a relationship joins to, else its fields.
func (r *Relationship) TargetKeyColumns() []string {
	out := make([]string, len(r.ToFields))
	for i, f := range r.ToFields {
		out[i] = f.Name
		if c, ok := f.Expr.Default.(*sqlexpr.Column); ok {
			out[i] = c.Path[len(c.Path)-1].Text
		}
	}
	return out
}

// KeyDeclarationHint returns the key that a keyless relationship's target could declare.
func (r *Relationship) KeyDeclarationHint() string {
	columns := strings.Join(r.TargetKeyColumns(), ", ")
	key := "primary_key: [" + columns + "]"
	if len(r.To.PrimaryKey) > 0 {
		key = "unique_keys: [[" + columns + "]]"
	}
	return "declare " + key + " on the dataset " + r.To.Name + ", if no two of its rows share that key"
}
