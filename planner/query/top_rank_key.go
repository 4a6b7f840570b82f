package query

// TopRank is over which rows Top ranks the values, where they are not those of the query.
type TopRank struct {
	WhereSQL  *string    // in the place of where_sql; nil keeps that of the query, "" drops it
	TimeRange *TimeRange // in the place of the ranges of the query; nil keeps them
	AllTimes  bool       // no range
}

// HasRange reports whether the ranking has a range in the place of the query's, or none.
func (r *TopRank) HasRange() bool { return r.TimeRange != nil || r.AllTimes }

// MarshalJSON writes the keys that are given; null for none.
func (r TopRank) MarshalJSON() ([]byte, error) {
	type member struct {
		key   string
		value any
	}
	var members []member
	if r.WhereSQL != nil && *r.WhereSQL == "" {
		members = append(members, member{"where_sql", nil})
	} else if r.WhereSQL != nil {
		members = append(members, member{"where_sql", *r.WhereSQL})
	}
	if r.HasRange() {
		members = append(members, member{"time_range", r.TimeRange})
	}
	return encodeOrderedObject(len(members), func(i int) (string, any) { return members[i].key, members[i].value })
}

var topRankKeyReaders = []keyReader[TopRank]{
	{bodyKey{"where_sql", bodyKeyValueText, nil}, func(s *scanner, r *TopRank) error {
		r.WhereSQL = new(string)
		if s.consumeNull() {
			return nil
		}
		return s.readText(r.WhereSQL)
	}},
	{bodyKey{"time_range", bodyKeyValueFixedKeysObject, keysOfReaders(timeRangeKeyReaders)}, func(s *scanner, r *TopRank) error {
		err := readAnyTimeRange(s, &r.TimeRange)
		r.AllTimes = r.TimeRange == nil
		return err
	}},
}

func readTopRank(s *scanner, into **TopRank) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(TopRank)
	return readObject(s, topRankKeyReaders, *into)
}
