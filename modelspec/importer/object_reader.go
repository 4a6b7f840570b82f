package importer

// ObjectReader is a map of the input whose keys are read one by one. The keys that were not read
// are entries of the report.
type ObjectReader struct {
	*Node
	report    *Report
	construct string
	name      string
	used      map[string]bool
}

// ReadObject begins to read a map. If the node is not a map, it records a dropped entry and
// returns nil.
func (r *Report) ReadObject(n *Node, construct, name string) *ObjectReader {
	if n.Kind != KindMap {
		r.AddDropped(n, construct, name, "a map is expected")
		return nil
	}
	return &ObjectReader{n, r, construct, name, map[string]bool{}}
}

// Get returns the value of a key, nil where it is missing or null.
func (o *ObjectReader) Get(key string) *Node {
	o.used[key] = true
	return o.Node.Get(key)
}

// GetText returns the text of a key, "" where it is missing. A list or a map in its place is a
// dropped entry.
func (o *ObjectReader) GetText(key string) string {
	n := o.Get(key)
	if n != nil && n.Kind != KindScalar {
		o.addDroppedKeyEntry(n, key, "a text is expected")
	}
	return n.String()
}

// GetList returns the items of a key. A value that is not a list is a dropped entry.
func (o *ObjectReader) GetList(key string) []*Node {
	n := o.Get(key)
	if n == nil {
		return nil
	}
	if n.Kind != KindList {
		o.addDroppedKeyEntry(n, key, "a list is expected")
	}
	return n.Items
}

// RecordDroppedKey records a key that is known and has no counterpart.
func (o *ObjectReader) RecordDroppedKey(key, reason string) {
	o.recordKey(key, OutcomeDropped, reason)
}

// RecordPresentationKeys records keys that show values and have no part in them.
func (o *ObjectReader) RecordPresentationKeys(keys ...string) {
	for _, key := range keys {
		o.recordKey(key, OutcomePresentation, "it is presentation")
	}
}

func (o *ObjectReader) recordKey(key string, outcome Outcome, reason string) {
	o.used[key] = true
	for _, m := range o.Members {
		if m.Key == key && m.Value.Kind != KindNull {
			o.addKeyEntry(o.memberKeyNode(m), key, outcome, reason)
		}
	}
}

// IgnoreKeys marks keys without a meaning as read.
func (o *ObjectReader) IgnoreKeys(keys ...string) {
	for _, key := range keys {
		o.used[key] = true
	}
}

// Close records the keys that were not read.
func (o *ObjectReader) Close() {
	for _, m := range o.Members {
		if !o.used[m.Key] && m.Value.Kind != KindNull {
			o.addDroppedKeyEntry(o.memberKeyNode(m), m.Key, "the key is not known")
		}
	}
}

func (o *ObjectReader) addDroppedKeyEntry(at *Node, key, reason string) {
	o.addKeyEntry(at, key, OutcomeDropped, reason)
}

func (o *ObjectReader) addKeyEntry(at *Node, key string, outcome Outcome, reason string) {
	name := key
	if o.name != "" {
		name = o.name + "." + key
	}
	o.report.addEntry(at, o.construct+" key", name, outcome, reason, nil)
}

// ReadChild begins to read a map in the map, whose keys are reported under the name of both.
func (o *ObjectReader) ReadChild(n *Node, key string) *ObjectReader {
	name := key
	if o.name != "" {
		name = o.name + "." + key
	}
	return o.report.ReadObject(n, o.construct, name)
}
