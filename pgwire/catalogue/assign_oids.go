package catalogue

import (
	"hash/fnv"
	"slices"
)

// The OIDs of what a model has lie between these; PostgreSQL gives its own objects lower ones.
const (
	firstModelOID  = 16384
	endOfModelOIDs = 1 << 31
)

// hashToModelOID returns the OID of an object by its kind and name. It is equal in every process.
func hashToModelOID(kind, name string) uint32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind + "\x00" + name))
	return uint32(firstModelOID + h.Sum64()%(endOfModelOIDs-firstModelOID))
}

// catalogueObjectKey is what has an OID.
type catalogueObjectKey struct{ kind, name string }

// assignOIDs gives objects their OIDs. Of objects with the same one, the later in the order of names takes
// the next that is free.
func assignOIDs(objects []catalogueObjectKey) map[catalogueObjectKey]uint32 {
	sorted := slices.Clone(objects)
	slices.SortFunc(sorted, func(a, b catalogueObjectKey) int {
		if a.name != b.name {
			if a.name < b.name {
				return -1
			}
			return 1
		}
		if a.kind < b.kind {
			return -1
		}
		return 1
	})
	out, taken := make(map[catalogueObjectKey]uint32, len(sorted)), map[uint32]bool{}
	for _, o := range slices.Compact(sorted) {
		oid := hashToModelOID(o.kind, o.name)
		for taken[oid] {
			if oid++; oid == endOfModelOIDs {
				oid = firstModelOID
			}
		}
		taken[oid] = true
		out[o] = oid
	}
	return out
}
