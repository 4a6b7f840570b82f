package plan

import "strings"

// Snapshots adds to its rows the snapshot of each bucket that they are in: the last or the first value of a
// column in the rows of the bucket. Its schema is Cols, then a column for each of Buckets.
type Snapshots struct {
	isNode
	Input Node
	Cols  []NamedExpr
	// By is the position in Cols of the values that are snapshots.
	By      int
	Latest  bool
	Buckets []SnapshotPartitioning
	// Why describes the branch in EXPLAIN.
	Why string
}

// SnapshotPartitioning is one way to part the rows: rows with equal values in Partition, which are positions in
// Cols, are one bucket. NULL is equal to NULL. Name is the column of the snapshot.
type SnapshotPartitioning struct {
	Name      string
	Partition []int
}

// Schema returns the columns, then the snapshots.
func (n *Snapshots) Schema() Schema {
	s := appendNamedColumns(make(Schema, 0, len(n.Cols)+len(n.Buckets)), n.Cols)
	for _, b := range n.Buckets {
		s = append(s, Column{Name: b.Name, Type: n.Cols[n.By].Type})
	}
	return s
}

// Inputs returns the node with the rows.
func (n *Snapshots) Inputs() []Node { return []Node{n.Input} }

// Describe lists the columns and the snapshot of each kind of bucket.
func (n *Snapshots) Describe() string {
	which := "first"
	if n.Latest {
		which = "last"
	}
	s := "Snapshots" + explainNote(n.Why) + " of " + namedExprsText(n.Cols, n.Input.Schema())
	for _, b := range n.Buckets {
		s += " with " + b.Name + " = " + which + " " + n.Cols[n.By].Name
		if len(b.Partition) == 0 {
			continue
		}
		names := make([]string, len(b.Partition))
		for i, p := range b.Partition {
			names[i] = n.Cols[p].Name
		}
		s += " by " + strings.Join(names, ", ")
	}
	return s
}

func checkSnapshots(n *Snapshots) error {
	if err := requireThat(n.By >= 0 && n.By < len(n.Cols) && len(n.Buckets) > 0, "snapshots of column %d of %d in %d kinds of buckets", n.By, len(n.Cols), len(n.Buckets)); err != nil {
		return err
	}
	names := n.Cols
	for _, b := range n.Buckets {
		names = append(names[:len(names):len(names)], NamedExpr{Name: b.Name, Expr: n.Cols[n.By].Expr})
		for _, p := range b.Partition {
			if p < 0 || p >= len(n.Cols) {
				return requireThat(false, "a bucket of snapshots by column %d of %d", p, len(n.Cols))
			}
		}
	}
	return checkNamedExprs(n.Input, names)
}
