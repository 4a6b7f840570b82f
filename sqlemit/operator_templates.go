package sqlemit

// operatorTemplates are the operators whose spelling differs. $1 and $2 are the
// operands.
type operatorTemplates struct {
	divide template // real division; $1 is already a double
	mod    template
	// modAny is mod where the divisor is not known to be an integer; absent
	// where that makes no difference.
	modAny template
	// modNegativeZero: a remainder may be a zero that is less than zero, or an error,
	// unless both numbers are whole; modAny then serves all others.
	modNegativeZero bool
	concat          template
	// concatAny is concat where neither operand is known to be text; absent
	// where that makes no difference.
	concatAny template
	same      template // null-safe equality
	differ    template
	joinSame  template // null-safe equality on which a hash join can run
	isTrue    template
	notTrue   template
	isFalse   template
	notFalse  template
	boolMin   template // MIN of conditions; absent where MIN takes them
	boolMax   template // MAX of conditions
	// inIgnoresNullItems: IN does not see the NULLs of its list.
	inIgnoresNullItems bool
	// inIgnoresNullRows: IN does not see the NULLs of a subquery.
	inIgnoresNullRows bool
}

// withStandardTruthTests is x IS [NOT] TRUE and FALSE of standard SQL.
func (o operatorTemplates) withStandardTruthTests() operatorTemplates {
	o.isTrue = parseTemplate("@1 IS TRUE")
	o.notTrue = parseTemplate("@1 IS NOT TRUE")
	o.isFalse = parseTemplate("@1 IS FALSE")
	o.notFalse = parseTemplate("@1 IS NOT FALSE")
	return o
}

// withTruthTestsByCoalesce means the same to engines that lack it.
func (o operatorTemplates) withTruthTestsByCoalesce() operatorTemplates {
	o.isTrue = parseTemplate("COALESCE($1, FALSE)")
	o.notTrue = parseTemplate("NOT COALESCE($1, FALSE)")
	o.isFalse = parseTemplate("NOT COALESCE($1, TRUE)")
	o.notFalse = parseTemplate("COALESCE($1, TRUE)")
	return o
}

// withStandardDistinctFrom is IS [NOT] DISTINCT FROM.
func (o operatorTemplates) withStandardDistinctFrom() operatorTemplates {
	o.same = parseTemplate("@1 IS NOT DISTINCT FROM @2")
	o.differ = parseTemplate("@1 IS DISTINCT FROM @2")
	return o
}

// withDistinctFromByCoalesce means the same to engines that lack it.
func (o operatorTemplates) withDistinctFromByCoalesce() operatorTemplates {
	o.same = parseTemplate("COALESCE(@1 = @2, @1 IS NULL AND @2 IS NULL)")
	o.differ = parseTemplate("NOT COALESCE(@1 = @2, @1 IS NULL AND @2 IS NULL)")
	return o
}

// withTextJoinEquality compares two columns as texts that are never null, for engines
// whose hash joins take nothing but an equality.
func (o operatorTemplates) withTextJoinEquality(text string) operatorTemplates {
	o.joinSame = parseTemplate("COALESCE(CAST($1 AS " + text + "), '') = COALESCE(CAST($2 AS " + text + "), '') AND (@1 IS NULL) = (@2 IS NULL)")
	return o
}
