package mutants_test

// compareMutants are faults of earlier ranges, and of the buckets that meet.
var compareMutants = []mutant{
	{"week rounded down", "planner/internal/where/weekday_alignment.go", "	return query.PeriodOffset{Count: (days + 3) / 7", "	if isMutant(NAME) {\n		days -= 3\n	}\n	return query.PeriodOffset{Count: (days + 3) / 7"},
	{"range of the second item for the first", "planner/internal/where/previous_range.go", "	c := in.Query.Compare[comparison]\n	if c.Range", "	if comparison == 0 && len(in.Query.Compare) > 1 && isMutant(NAME) {\n		comparison = 1\n	}\n	c := in.Query.Compare[comparison]\n	if c.Range"},
	{"buckets of each item move as those of the first", "planner/internal/compare/comparison.go", "	return all[tag-measure.FirstPreviousRangeIndex]", "	if isMutant(NAME) {\n		return all[0]\n	}\n	return all[tag-measure.FirstPreviousRangeIndex]"},
	{"a fact is read in the ranges of all items", "planner/internal/branch/scans.go", "			return where.Scan{Tag: -1, Compared: tags}", "			if isMutant(NAME) {\n				tags = 0\n			}\n			return where.Scan{Tag: -1, Compared: tags}"},
}
