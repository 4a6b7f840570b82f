package query

import "github.com/semlayer/semlayer/modelspec/limits"

var groupByFields = []field[GroupBy]{
	{key{"field", textKind, nil}, func(s *scanner, g *GroupBy) error { return s.readName(&g.Field) }},
	{key{"grain", textKind, nil}, func(s *scanner, g *GroupBy) error { return s.readName(&g.Grain) }},
	{key{"name", textKind, nil}, func(s *scanner, g *GroupBy) error { return s.readColumnName(&g.Name) }},
}

var orderByFields = []field[OrderBy]{
	{key{"key", textKind, nil}, func(s *scanner, o *OrderBy) error { return s.readName(&o.Key) }},
	{key{"desc", booleanKind, nil}, func(s *scanner, o *OrderBy) error { return s.readBool(&o.Desc) }},
}

var timeRangeFields = []field[TimeRange]{
	{key{"start", textKind, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.Start) }},
	{key{"end", textKind, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.End) }},
	{key{"dimension", textKind, nil}, func(s *scanner, t *TimeRange) error { return s.readName(&t.Dimension) }},
}

var windowFields = timeRangeFields[:2]

func readGroupBys(s *scanner, into *[]GroupBy) error {
	return s.readArray(limits.QueryGroupBys, `an array of objects such as {"field": "orders.status"}`, func(int) error {
		if s.peek() != '{' {
			return s.wrongTypeError(`an object such as {"field": "orders.status"}`)
		}
		var g GroupBy
		if err := readObject(s, groupByFields, &g); err != nil {
			return err
		}
		*into = append(*into, g)
		return s.required(g.Field, "a field", `{"field": "orders.status"}`)
	})
}

func readOrderBys(s *scanner, into *[]OrderBy) error {
	return s.readArray(limits.QueryOrderKeys, `an array of objects such as {"key": "revenue", "desc": true}`, func(int) error {
		if s.peek() != '{' {
			return s.wrongTypeError(`an object such as {"key": "revenue", "desc": true}`)
		}
		var o OrderBy
		if err := readObject(s, orderByFields, &o); err != nil {
			return err
		}
		*into = append(*into, o)
		return s.required(o.Key, "a key", `{"key": "revenue", "desc": true}`)
	})
}

// readRange reads a range with the given keys, or null.
func readRange(s *scanner, fields []field[TimeRange], into **TimeRange) error {
	if s.null() {
		return nil
	}
	*into = new(TimeRange)
	return readObject(s, fields, *into)
}

func readRanges(s *scanner, into *[]TaggedRange) error {
	return s.readNamed(limits.QueryTimeRanges, "an object of named ranges", func(tag string) error {
		r := TaggedRange{Tag: tag}
		if err := readObject(s, timeRangeFields, &r.TimeRange); err != nil {
			return err
		}
		*into = append(*into, r)
		return nil
	})
}

func readParams(s *scanner, into *[]ParamBinding) error {
	return s.readNamed(limits.QueryParams, "an object of parameter names and values", func(name string) error {
		p := ParamBinding{Name: name}
		if s.peek() != '[' {
			v, err := s.value()
			p.Values = []Value{v}
			*into = append(*into, p)
			return err
		}
		p.List = true
		err := s.readArray(limits.QueryParamValues, "", func(int) error {
			v, err := s.value()
			p.Values = append(p.Values, v)
			return err
		})
		*into = append(*into, p)
		return err
	})
}

// value reads a scalar.
func (s *scanner) value() (Value, error) {
	switch c := s.peek(); {
	case c == '"':
		text, err := s.str()
		return Value{Kind: StringValue, Text: text}, err
	case c == '-' || ('0' <= c && c <= '9'):
		digits, err := s.number()
		return Value{Kind: NumberValue, Text: digits}, err
	case c == 't' || c == 'f':
		word, err := s.literalWord()
		return Value{Kind: BoolValue, Text: word}, err
	case s.null():
		return Value{Kind: NullValue, Text: "null"}, nil
	}
	return Value{}, s.wrongTypeError("a string, number, boolean or an array of them")
}
