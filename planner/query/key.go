package query

import "encoding/binary"

// AppendKey appends a text that stands for the query: two queries with the same
// text ask for the same. It is for remembering answers by, is not meant to be
// read, and may differ between versions of this package.
func (q *MetricQuery) AppendKey(to []byte) []byte {
	k := append(keyText(to), 'm')
	k = k.texts(q.Metrics)
	k = k.count(len(q.GroupBy))
	for _, g := range q.GroupBy {
		k = k.text(g.Field).text(g.Grain).text(g.Name)
	}
	k = k.text(q.WhereSQL).text(q.ContextFilter).timeRange(q.TimeRange)
	k = k.count(len(q.TimeRanges))
	for _, r := range q.TimeRanges {
		k = k.text(r.Tag).timeRange(&r.TimeRange)
	}
	return k.orderBys(q.OrderBy).optional(q.Limit).count64(q.Offset).params(q.Params).text(q.Dialect).appendBool(q.Pretty).text(q.Connection).saved(q.Saved, q.Removed)
}

// AppendKey does for a detail query what MetricQuery.AppendKey does; no metric
// query has the text of a detail query.
func (q *DetailQuery) AppendKey(to []byte) []byte {
	k := append(keyText(to), 'd')
	k = k.text(q.From).texts(q.Fields).text(q.WhereSQL).timeRange(q.TimeRange)
	return k.orderBys(q.OrderBy).optional(q.Limit).count64(q.Offset).params(q.Params).text(q.Dialect).appendBool(q.Pretty).text(q.Connection).saved(q.Saved, q.Removed)
}

// keyText is a string in which every part carries its length, so that no two
// sequences of parts give the same string.
type keyText []byte

func (k keyText) count(n int) keyText { return binary.AppendUvarint(k, uint64(n)) }

func (k keyText) count64(n int64) keyText { return binary.AppendVarint(k, n) }

func (k keyText) text(s string) keyText { return append(k.count(len(s)), s...) }

func (k keyText) texts(all []string) keyText {
	k = k.count(len(all))
	for _, s := range all {
		k = k.text(s)
	}
	return k
}

// saved appends nothing for a query without a saved one.
func (k keyText) saved(name string, removed []string) keyText {
	if name == "" {
		return k
	}
	return k.text(name).texts(removed)
}

func (k keyText) appendBool(b bool) keyText {
	if b {
		return append(k, 1)
	}
	return append(k, 0)
}

func (k keyText) optional(n *int64) keyText {
	if n == nil {
		return k.appendBool(false)
	}
	return binary.AppendVarint(k.appendBool(true), *n)
}

func (k keyText) timeRange(r *TimeRange) keyText {
	if r == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).text(r.Start).text(r.End).text(r.Dimension)
}

func (k keyText) orderBys(all []OrderBy) keyText {
	k = k.count(len(all))
	for _, o := range all {
		k = k.text(o.Key).appendBool(o.Desc)
	}
	return k
}

func (k keyText) params(all []ParamBinding) keyText {
	k = k.count(len(all))
	for _, p := range all {
		k = k.text(p.Name).appendBool(p.List).count(len(p.Values))
		for _, v := range p.Values {
			k = append(k, byte(v.Kind)).text(v.Text)
		}
	}
	return k
}
