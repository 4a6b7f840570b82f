package query

import "github.com/semlayer/semlayer/modelspec/limits"

const (
	groupByKey    = "group_by"
	orderByKey    = "order_by"
	expressionKey = "expression"
)

var groupByKeyReaders = []keyReader[GroupBy]{
	{bodyKey{"field", bodyKeyValueText, nil}, func(s *scanner, g *GroupBy) error { return s.readName(&g.Field) }},
	{bodyKey{"grain", bodyKeyValueText, nil}, func(s *scanner, g *GroupBy) error { return s.readName(&g.Grain) }},
	{bodyKey{partKey, bodyKeyValueText, nil}, func(s *scanner, g *GroupBy) error { return s.readName(&g.Part) }},
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, g *GroupBy) error { return s.readResultColumnName(&g.Name) }},
	{bodyKey{expressionKey, bodyKeyValueText, nil}, func(s *scanner, g *GroupBy) error { return readNonEmptyText(s, &g.Expression) }},
}

// groupExpressionKeyReaders are the keys of an item that has an expression.
var groupExpressionKeyReaders = groupByKeyReaders[3:]

var orderByKeyReaders = []keyReader[OrderBy]{
	{bodyKey{"key", bodyKeyValueText, nil}, func(s *scanner, o *OrderBy) error { return s.readName(&o.Key) }},
	{bodyKey{"desc", bodyKeyValueBoolean, nil}, func(s *scanner, o *OrderBy) error { return s.readBool(&o.Desc) }},
}

var timeRangeKeyReaders = []keyReader[TimeRange]{
	{bodyKey{"start", bodyKeyValueText, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.Start) }},
	{bodyKey{"end", bodyKeyValueText, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.End) }},
	{bodyKey{"dimension", bodyKeyValueText, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.Dimension) }},
	{bodyKey{"last", bodyKeyValueFixedKeysObject, keysOfReaders(relativeRangeKeyReaders)}, func(s *scanner, t *TimeRange) error { return readRelativeRange(s, &t.Last) }},
}

var boundedRangeKeyReaders = timeRangeKeyReaders[:2]

func readGroupBys(s *scanner, into *[]GroupBy) error {
	return s.readArray(limits.QueryGroupBys, `an array of objects such as {"field": "orders.status"}`, func(int) error {
		if s.peek() != '{' {
			return s.wrongTypeError(`an object such as {"field": "orders.status"}`)
		}
		*into = append(*into, GroupBy{})
		g := &(*into)[len(*into)-1]
		if err := readObject(s, groupByKeyReaders, g); err != nil {
			return err
		}
		if g.Expression == "" {
			return s.requireKeyValue(g.Field, "a field", `{"field": "orders.status"}`)
		}
		if g.Field != "" || g.Grain != "" || g.Part != "" {
			return unknownKeySignal{}
		}
		return s.requireKeyValue(g.Name, "a name", `{"name": "large", "expression": "orders.amount > 100"}`)
	})
}

func readOrderBys(s *scanner, into *[]OrderBy) error {
	return s.readArray(limits.QueryOrderKeys, `an array of objects such as {"key": "revenue", "desc": true}`, func(int) error {
		if s.peek() != '{' {
			return s.wrongTypeError(`an object such as {"key": "revenue", "desc": true}`)
		}
		*into = append(*into, OrderBy{})
		o := &(*into)[len(*into)-1]
		if err := readObject(s, orderByKeyReaders, o); err != nil {
			return err
		}
		return s.requireKeyValue(o.Key, "a key", `{"key": "revenue", "desc": true}`)
	})
}

// readTimeRange reads a range with the given keys, or null.
func readTimeRange(s *scanner, fields []keyReader[TimeRange], into **TimeRange) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(TimeRange)
	if err := readObject(s, fields, *into); err != nil {
		return err
	}
	return (*into).checkRelativeUnit(s)
}

func readTaggedRanges(s *scanner, into *[]TaggedRange) error {
	return s.readNamedMembers(limits.QueryTimeRanges, "an object of named ranges", func(tag string) error {
		r := TaggedRange{Tag: tag}
		if err := readObject(s, timeRangeKeyReaders, &r.TimeRange); err != nil {
			return err
		}
		if err := r.checkRelativeUnit(s); err != nil {
			return err
		}
		*into = append(*into, r)
		return nil
	})
}

func readParams(s *scanner, into *[]ParamBinding) error {
	return s.readNamedMembers(limits.QueryParams, "an object of parameter names and values", func(name string) error {
		p := ParamBinding{Name: name}
		if s.peek() != '[' {
			v, err := s.readScalar()
			p.Values = []ParamValue{v}
			*into = append(*into, p)
			return err
		}
		p.List = true
		err := s.readArray(limits.QueryValuesPerParam, "", func(int) error {
			v, err := s.readScalar()
			p.Values = append(p.Values, v)
			return err
		})
		*into = append(*into, p)
		return err
	})
}

// readScalar reads a scalar.
func (s *scanner) readScalar() (ParamValue, error) {
	switch c := s.peek(); {
	case c == '"':
		text, err := s.readString()
		return ParamValue{Kind: StringValue, Text: text}, err
	case c == '-' || ('0' <= c && c <= '9'):
		digits, err := s.readNumberToken()
		return ParamValue{Kind: NumberValue, Text: digits}, err
	case c == 't' || c == 'f':
		word, err := s.readLiteralWord()
		return ParamValue{Kind: BoolValue, Text: word}, err
	case s.consumeNull():
		return ParamValue{Kind: NullValue, Text: "null"}, nil
	}
	return ParamValue{}, s.wrongTypeError("a string, number, boolean or an array of them")
}
