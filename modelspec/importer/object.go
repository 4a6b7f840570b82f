package importer

// Object is a map of the input whose keys are read one by one. The keys that were not read
// are entries of the report.
type Object struct {
	*Node
	report    *Report
	construct string
	name      string
	used      map[string]bool
}

// Object begins to read a map. Of a node that is not a map it records a dropped entry and
// returns nil.
func (r *Report) Object(n *Node, construct, name string) *Object {
	if n.Kind != Map {
		r.Dropped(n, construct, name, "a map is expected")
		return nil
	}
	return &Object{n, r, construct, name, map[string]bool{}}
}

// Get returns the value of a key, nil where it is missing or null.
func (o *Object) Get(key string) *Node {
	o.used[key] = true
	return o.Node.Get(key)
}

// Text returns the text of a key, "" where it is missing. A list or a map in its place is a
// dropped entry.
func (o *Object) Text(key string) string {
	n := o.Get(key)
	if n != nil && n.Kind != Scalar {
		o.drop(n, key, "a text is expected")
	}
	return n.String()
}

// List returns the items of a key. A value that is not a list is a dropped entry.
func (o *Object) List(key string) []*Node {
	n := o.Get(key)
	if n == nil {
		return nil
	}
	if n.Kind != List {
		o.drop(n, key, "a list is expected")
	}
	return n.Items
}

// Drop records a key that is known and has no counterpart.
func (o *Object) Drop(key, reason string) {
	o.used[key] = true
	for _, m := range o.Members {
		if m.Key == key && m.Value.Kind != Null {
			o.drop(o.at(m), key, reason)
		}
	}
}

// Ignore marks keys without a meaning as read.
func (o *Object) Ignore(keys ...string) {
	for _, key := range keys {
		o.used[key] = true
	}
}

// Close records the keys that were not read.
func (o *Object) Close() {
	for _, m := range o.Members {
		if !o.used[m.Key] && m.Value.Kind != Null {
			o.drop(o.at(m), m.Key, "the key is not known")
		}
	}
}

func (o *Object) drop(at *Node, key, reason string) {
	name := key
	if o.name != "" {
		name = o.name + "." + key
	}
	o.report.Dropped(at, o.construct+" key", name, reason)
}

// Child begins to read a map in the map, whose keys are reported under the name of both.
func (o *Object) Child(n *Node, key string) *Object {
	name := key
	if o.name != "" {
		name = o.name + "." + key
	}
	return o.report.Object(n, o.construct, name)
}
