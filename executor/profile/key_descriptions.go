package profile

// KeyType is the type of the value of a key. Each value may also be a text with variables.
type KeyType uint8

// The types of keys.
const (
	KeyTypeText KeyType = iota
	KeyTypeBoolean
	KeyTypeInteger
	KeyTypePaths   // a path, or a list of paths
	KeyTypeSession // the mapping of a Session
	KeyTypeExec    // the mapping of a program that prints a secret
	KeyTypeCache   // the mapping of a ResultCache
	KeyTypeTexts   // a mapping of names to texts
	KeyTypeRollups // the mapping of a RollupWriting, with keys of a connection
)

// KeyDescription describes one key of a connection profile.
type KeyDescription struct {
	Name     string
	Type     KeyType
	Required bool     // in every profile of the type, with no key in its place
	Words    []string // of a text: the only values, in any case; nil where any is accepted
	Least    int      // of an integer: the smallest
	Most     int      // of an integer: the largest
}

// keyDescription returns the description of a key that is being read, to be completed.
func (r *profileReader) keyDescription(name string) *KeyDescription {
	for _, k := range r.described {
		if k.Name == name {
			return k
		}
	}
	k := &KeyDescription{Name: name}
	r.described = append(r.described, k)
	return k
}

// keyDescriptions copies the descriptions of the keys that were read.
func (r *profileReader) keyDescriptions() []KeyDescription {
	out := make([]KeyDescription, len(r.described))
	for i, k := range r.described {
		out[i] = *k
	}
	return out
}

// CommonKeys describes the keys that profiles of every type have.
func CommonKeys() []KeyDescription {
	r := &profileReader{}
	r.readCommonKeys(&Profile{})
	r.readWarehouseType()
	r.keyDescription("type").Words = warehouseTypeNames()
	return r.keyDescriptions()
}
