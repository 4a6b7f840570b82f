package query

import "encoding/binary"

// cacheKeyBytes is a string in which every part carries its length, so that no two
// sequences of parts give the same string.
type cacheKeyBytes []byte

func (k cacheKeyBytes) appendCount(n int) cacheKeyBytes { return binary.AppendUvarint(k, uint64(n)) }

func (k cacheKeyBytes) appendInt64(n int64) cacheKeyBytes { return binary.AppendVarint(k, n) }

func (k cacheKeyBytes) appendLengthPrefixed(s string) cacheKeyBytes {
	return append(k.appendCount(len(s)), s...)
}

func (k cacheKeyBytes) appendTextList(all []string) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, s := range all {
		k = k.appendLengthPrefixed(s)
	}
	return k
}

// appendRemovedKeys appends the keys that are removed from a saved query, if one is used.
func (k cacheKeyBytes) appendRemovedKeys(saved string, removed []string) cacheKeyBytes {
	if saved == "" {
		return k
	}
	return k.appendTextList(removed)
}

func (k cacheKeyBytes) appendBool(b bool) cacheKeyBytes {
	if b {
		return append(k, 1)
	}
	return append(k, 0)
}

func (k cacheKeyBytes) appendOptionalInt64(n *int64) cacheKeyBytes {
	if n == nil {
		return k.appendBool(false)
	}
	return binary.AppendVarint(k.appendBool(true), *n)
}

func (k cacheKeyBytes) appendTimeRange(r *TimeRange) cacheKeyBytes {
	if r == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendLengthPrefixed(r.Start).appendLengthPrefixed(r.End).appendLengthPrefixed(r.Dimension).appendRelativeRange(r.Last)
}

func (k cacheKeyBytes) appendOrderBys(all []OrderBy) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, o := range all {
		k = k.appendLengthPrefixed(o.Key).appendBool(o.Desc).appendBool(o.NullsFirst)
	}
	return k
}

func (k cacheKeyBytes) appendParams(all []ParamBinding) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, p := range all {
		k = k.appendLengthPrefixed(p.Name).appendBool(p.List).appendScalars(p.Values)
	}
	return k
}

func (k cacheKeyBytes) appendScalars(all []ParamValue) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, v := range all {
		k = append(k, byte(v.Kind)).appendLengthPrefixed(v.Text)
	}
	return k
}

func (k cacheKeyBytes) appendGroupBys(all []GroupBy) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, g := range all {
		k = k.appendLengthPrefixed(g.Field).appendLengthPrefixed(g.Grain).appendLengthPrefixed(g.Part).appendLengthPrefixed(g.Name).appendLengthPrefixed(g.Expression)
	}
	return k
}

func (k cacheKeyBytes) appendTaggedRanges(all []TaggedRange) cacheKeyBytes {
	k = k.appendCount(len(all))
	for i := range all {
		k = k.appendLengthPrefixed(all[i].Tag).appendTimeRange(&all[i].TimeRange)
	}
	return k
}

func (k cacheKeyBytes) appendTotals(all [][]string) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, columns := range all {
		k = k.appendTextList(columns)
	}
	return k
}

func (k cacheKeyBytes) appendShares(all []ShareRequest) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, s := range all {
		k = k.appendLengthPrefixed(s.Metric).appendTextList(s.Of)
	}
	return k
}

func (k cacheKeyBytes) appendLocalFields(all []LocalField) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, f := range all {
		k = k.appendLengthPrefixed(f.Dataset).appendLengthPrefixed(f.Name).appendLengthPrefixed(f.Expression).appendLengthPrefixed(f.Clock).appendBool(f.LOD != nil)
		if f.LOD != nil {
			k = k.appendTextList(f.LOD.Grain).appendLengthPrefixed(f.LOD.Where).appendTextList(f.LOD.Via)
		}
	}
	return k
}

func (k cacheKeyBytes) appendComparisons(items Comparisons) cacheKeyBytes {
	k = k.appendCount(len(items)).appendBool(items.IsList())
	for _, c := range items {
		k = k.appendBool(c.Offset != nil)
		if c.Offset != nil {
			k = k.appendInt64(c.Offset.Count).appendLengthPrefixed(c.Offset.Unit)
		}
		k = k.appendTimeRange(c.Range).appendTextList(c.Metrics).appendLengthPrefixed(c.Name).appendLengthPrefixed(c.Align)
	}
	return k
}

func (k cacheKeyBytes) appendTop(t *Top) cacheKeyBytes {
	if t == nil {
		return k.appendBool(false)
	}
	k = k.appendBool(true).appendLengthPrefixed(t.Dimension).appendInt64(t.N).appendLengthPrefixed(t.By).appendOptionalBool(t.Desc).appendTextList(t.Within).appendBool(t.Other != nil)
	if t.Other != nil {
		k = k.appendLengthPrefixed(t.Other.Label).appendBool(t.Other.Off)
	}
	if k = k.appendBool(t.Rank != nil); t.Rank != nil {
		k = k.appendBool(t.Rank.WhereSQL != nil).appendBool(t.Rank.AllTimes).appendTimeRange(t.Rank.TimeRange)
		if t.Rank.WhereSQL != nil {
			k = k.appendLengthPrefixed(*t.Rank.WhereSQL)
		}
	}
	return k
}

func (k cacheKeyBytes) appendFill(f *Fill) cacheKeyBytes {
	if f == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendLengthPrefixed(f.Value)
}

func (k cacheKeyBytes) appendRelativeRange(r *RelativeRange) cacheKeyBytes {
	if r == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendInt64(r.N).appendLengthPrefixed(r.Unit).appendOptionalBool(r.Complete)
}

// appendOptionalBool appends a boolean that may be absent.
func (k cacheKeyBytes) appendOptionalBool(b *bool) cacheKeyBytes {
	if b == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendBool(*b)
}
