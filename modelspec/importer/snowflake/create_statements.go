package snowflake

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// readStatements reads the CREATE SEMANTIC VIEW statements of a file as the documents that they stand for. Any other statement is a
// dropped entry. A text that is not such a statement is an error with its place.
func (v *semanticViewImport) readStatements(s importer.SourceFile, order int) ([]*importer.Node, error) {
	tokens, err := statementTokens(s.Name, string(s.Text))
	if err != nil {
		return nil, err
	}
	p := &statementParser{file: s.Name, order: order, text: string(s.Text), tokens: tokens, view: v}
	for i, c := range s.Text {
		if c == '\n' {
			p.lineEnds = append(p.lineEnds, i)
		}
	}
	var out []*importer.Node
	for p.peek().kind != tokenEnd {
		if p.acceptSign(";") {
			continue
		}
		begin := p.peek()
		if p.acceptWords("CREATE", "OR", "REPLACE", "SEMANTIC", "VIEW") || p.acceptWords("CREATE", "OR", "ALTER", "SEMANTIC", "VIEW") || p.acceptWords("CREATE", "SEMANTIC", "VIEW") {
			document, err := p.parseView(begin)
			if err != nil {
				return nil, err
			}
			out = append(out, document)
			continue
		}
		name := begin.text
		for p.peek().kind != tokenEnd && !p.isSign(";") {
			p.advance()
		}
		v.report.AddDropped(p.nodeAt(begin), "statement", name, "only CREATE SEMANTIC VIEW is read")
	}
	return out, nil
}

// isStatementFile reports whether a file holds statements, and not YAML.
func isStatementFile(s importer.SourceFile) bool {
	if strings.HasSuffix(strings.ToLower(s.Name), ".sql") {
		return true
	}
	begin, err := spaceAndCommentsEnd(string(s.Text), 0)
	rest := string(s.Text)[begin:]
	return err == nil && len(rest) > len("CREATE ") && strings.EqualFold(rest[:len("CREATE ")-1], "CREATE") && strings.ContainsAny(rest[len("CREATE"):len("CREATE ")], " \t\r\n")
}

// statementParser reads the tokens of a file.
type statementParser struct {
	file   string
	order  int
	text   string
	tokens []token
	next   int
	view   *semanticViewImport
	// lineEnds are the offsets of the line breaks.
	lineEnds []int

	tables  map[string]*importer.Node // of the statement, by name in lower case
	aliases []string
}

func (p *statementParser) peek() token { return p.tokens[p.next] }

// peekAfter returns the token a number of places ahead.
func (p *statementParser) peekAfter(n int) token {
	return p.tokens[min(p.next+n, len(p.tokens)-1)]
}

func (p *statementParser) advance() token {
	t := p.tokens[p.next]
	p.next = min(p.next+1, len(p.tokens)-1)
	return t
}

func (p *statementParser) isSign(sign string) bool {
	return p.peek().kind == tokenSign && p.peek().text == sign
}

func (p *statementParser) acceptSign(sign string) bool {
	if !p.isSign(sign) {
		return false
	}
	p.advance()
	return true
}

func (p *statementParser) isWords(words ...string) bool {
	for i, word := range words {
		if t := p.peekAfter(i); t.kind != tokenWord || t.text != word {
			return false
		}
	}
	return true
}

// acceptWords passes words if they are all next.
func (p *statementParser) acceptWords(words ...string) bool {
	if !p.isWords(words...) {
		return false
	}
	p.next += len(words)
	return true
}

// newExpectedError returns an error at the next token.
func (p *statementParser) newExpectedError(want string) error {
	t := p.peek()
	found := "the end of the file"
	if t.kind != tokenEnd {
		found = p.text[t.begin:min(t.end, t.begin+40)]
	}
	return newStatementError(p.file, p.text, t.begin, "expected "+want+", found "+found)
}

func (p *statementParser) expectSign(sign, of string) error {
	if !p.acceptSign(sign) {
		return p.newExpectedError(sign + " " + of)
	}
	return nil
}

// The nodes of a document.

func (p *statementParser) nodeAt(t token) *importer.Node {
	line, _ := slices.BinarySearch(p.lineEnds, t.begin)
	return importer.NewInputTextNode(p.file, line+1, p.order, "")
}

func (p *statementParser) textNode(t token, text string) *importer.Node {
	n := p.nodeAt(t)
	n.Text, n.Quoted = text, true
	return n
}

func (p *statementParser) mapNode(t token) *importer.Node {
	n := p.nodeAt(t)
	n.Kind = importer.KindMap
	return n
}

func (p *statementParser) listNode(t token, items ...*importer.Node) *importer.Node {
	n := p.nodeAt(t)
	n.Kind, n.Items = importer.KindList, items
	return n
}

func addMember(n *importer.Node, key string, value *importer.Node) {
	n.Members = append(n.Members, importer.MapEntry{Key: key, Line: value.Line, Value: value})
}

// appendItem adds an item to the list of a key.
func appendItem(n *importer.Node, key string, item *importer.Node) {
	for _, m := range n.Members {
		if m.Key == key {
			m.Value.Items = append(m.Value.Items, item)
			return
		}
	}
	list := *item
	list.Kind, list.Text, list.Members, list.Items = importer.KindList, "", nil, []*importer.Node{item}
	addMember(n, key, &list)
}

// parseView reads a statement behind CREATE SEMANTIC VIEW.
func (p *statementParser) parseView(begin token) (*importer.Node, error) {
	p.acceptWords("IF", "NOT", "EXISTS")
	n := p.mapNode(begin)
	name, err := p.parseNameParts("the name of the semantic view")
	if err != nil {
		return nil, err
	}
	p.tables, p.aliases = map[string]*importer.Node{}, nil
	p.acceptWords("AS")
	addMember(n, "name", p.textNode(begin, name[len(name)-1].text))
	for !p.isSign(";") && p.peek().kind != tokenEnd {
		if err := p.parseClause(n); err != nil {
			return nil, err
		}
	}
	for _, alias := range p.aliases {
		appendItem(n, "tables", p.tables[alias])
	}
	return n, nil
}

// parseClause reads one clause of a semantic view.
func (p *statementParser) parseClause(n *importer.Node) error {
	at := p.peek()
	switch {
	case p.acceptWords("TABLES"):
		return p.parseList("TABLES", func() error { return p.parseTable() })
	case p.acceptWords("RELATIONSHIPS"):
		return p.parseList("RELATIONSHIPS", func() error { return p.parseRelationship(n) })
	case p.acceptWords("FACTS"):
		return p.parseList("FACTS", func() error { return p.parseElement(n, "fact") })
	case p.acceptWords("DIMENSIONS"):
		return p.parseList("DIMENSIONS", func() error { return p.parseElement(n, "dimension") })
	case p.acceptWords("METRICS"):
		return p.parseList("METRICS", func() error { return p.parseElement(n, "metric") })
	case p.acceptWords("COPY", "GRANTS"):
		return nil
	case p.acceptWords("AI_SQL_GENERATION"):
		return p.parseText(n, "custom_instructions")
	case p.acceptWords("AI_QUESTION_CATEGORIZATION"):
		instructions := p.mapNode(at)
		addMember(n, "module_custom_instructions", instructions)
		return p.parseText(instructions, "question_categorization")
	case p.acceptWords("AI_VERIFIED_QUERIES"):
		return p.parseList("AI_VERIFIED_QUERIES", func() error { return p.parseVerifiedQuery(n) })
	case p.acceptWords("MAX_STALENESS"):
		p.acceptSign("=")
		addMember(n, "max_staleness", p.textNode(at, p.advance().text))
		return nil
	case p.acceptWords("WITH", "EXTENSION"), p.acceptWords("EXTENSION"):
		return p.parseParenthesized(n, at, "extension")
	}
	known, err := p.parseDescription(n)
	if err == nil && !known {
		err = p.newExpectedError("a clause of CREATE SEMANTIC VIEW, such as TABLES, METRICS or COMMENT")
	}
	return err
}

// parseList reads items between parentheses.
func (p *statementParser) parseList(clause string, item func() error) error {
	if err := p.expectSign("(", "after "+clause); err != nil {
		return err
	}
	for !p.acceptSign(")") {
		if err := item(); err != nil {
			return err
		}
		if !p.acceptSign(",") && !p.isSign(")") {
			return p.newExpectedError("a comma or ) in " + clause)
		}
	}
	return nil
}

// parseText reads a string, with an equals sign before it or without.
func (p *statementParser) parseText(n *importer.Node, key string) error {
	p.acceptSign("=")
	if p.peek().kind != tokenString {
		return p.newExpectedError("a string")
	}
	t := p.advance()
	addMember(n, key, p.textNode(t, t.text))
	return nil
}

// parseParenthesized passes what is between parentheses, which has no counterpart.
func (p *statementParser) parseParenthesized(n *importer.Node, at token, key string) error {
	if !p.isSign("(") {
		return p.newExpectedError("(")
	}
	begin := p.peek()
	for open := 0; ; {
		t := p.advance()
		switch {
		case t.kind == tokenEnd:
			return newStatementError(p.file, p.text, begin.begin, "the parenthesis that begins here has no end")
		case t.kind == tokenSign && t.text == "(":
			open++
		case t.kind == tokenSign && t.text == ")":
			open--
		}
		if open == 0 {
			addMember(n, key, p.textNode(at, p.text[begin.begin:t.end]))
			return nil
		}
	}
}

// parseDescription reads what describes an object: synonyms, a comment, tags and a search service.
func (p *statementParser) parseDescription(n *importer.Node) (known bool, err error) {
	at := p.peek()
	switch {
	case p.acceptWords("WITH", "SYNONYMS"):
		p.acceptSign("=")
		list := p.listNode(at)
		addMember(n, "synonyms", list)
		return true, p.parseList("SYNONYMS", func() error {
			if p.peek().kind != tokenString {
				return p.newExpectedError("a string")
			}
			t := p.advance()
			list.Items = append(list.Items, p.textNode(t, t.text))
			return nil
		})
	case p.isWords("COMMENT") && p.peekAfter(1).text == "=":
		p.advance()
		return true, p.parseText(n, "description")
	case p.acceptWords("WITH", "TAG"), p.acceptWords("TAG"):
		return true, p.parseParenthesized(n, at, "tags")
	case p.acceptWords("WITH", "CORTEX", "SEARCH", "SERVICE"):
		name, err := p.parseNameParts("the name of a search service")
		if err != nil {
			return true, err
		}
		if p.acceptWords("USING") {
			p.advance()
		}
		addMember(n, "cortex_search_service", p.textNode(at, name[len(name)-1].text))
		return true, nil
	}
	return false, nil
}

// parseNameParts reads a name of one or several parts.
func (p *statementParser) parseNameParts(what string) ([]token, error) {
	var out []token
	for {
		t := p.peek()
		if t.kind != tokenWord && t.kind != tokenQuotedName {
			return nil, p.newExpectedError(what)
		}
		if t.kind == tokenWord {
			t.text = p.text[t.begin:t.end]
		}
		out = append(out, t)
		p.advance()
		if !p.acceptSign(".") {
			return out, nil
		}
	}
}

// parseNames reads names of one part between parentheses.
func (p *statementParser) parseNames(clause string) (list *importer.Node, err error) {
	list = p.listNode(p.peek())
	err = p.parseList(clause, func() error {
		name, err := p.parseNameParts("a name")
		if err != nil {
			return err
		}
		list.Items = append(list.Items, p.textNode(name[0], name[len(name)-1].text))
		return nil
	})
	return list, err
}

// parseTable reads a logical table.
func (p *statementParser) parseTable() error {
	at := p.peek()
	name, err := p.parseNameParts("the name of a table")
	if err != nil {
		return err
	}
	alias := name[len(name)-1].text
	if p.acceptWords("AS") {
		if name, err = p.parseNameParts("the name of a table"); err != nil {
			return err
		}
	}
	n := p.mapNode(at)
	addMember(n, "name", p.textNode(at, alias))
	addMember(n, "base_table", p.textNode(name[0], p.text[name[0].begin:name[len(name)-1].end]))
	for !p.isSign(",") && !p.isSign(")") {
		if err := p.parseTableOption(n); err != nil {
			return err
		}
	}
	key := strings.ToLower(alias)
	if p.tables[key] != nil {
		p.view.report.AddDropped(n, "table", alias, "another table has the name")
		return nil
	}
	p.tables[key] = n
	p.aliases = append(p.aliases, key)
	p.view.untyped[n] = true
	return nil
}

func (p *statementParser) parseTableOption(n *importer.Node) error {
	at := p.peek()
	switch {
	case p.acceptWords("PRIMARY", "KEY"), p.acceptWords("UNIQUE"):
		columns, err := p.parseNames("a key")
		if err != nil {
			return err
		}
		key := p.mapNode(at)
		addMember(key, "columns", columns)
		if at.text == "PRIMARY" {
			addMember(n, "primary_key", key)
		} else {
			appendItem(n, "unique_keys", key)
		}
		return nil
	case p.acceptWords("CONSTRAINT"):
		begin := at.begin
		for !p.isSign(",") && !p.isSign(")") && !p.isWords("EXCLUSIVE") && p.peek().kind != tokenEnd {
			p.advance()
		}
		if !p.isWords("EXCLUSIVE") {
			return p.newExpectedError("EXCLUSIVE at the end of DISTINCT RANGE")
		}
		addMember(n, "distinct_range", p.textNode(at, p.text[begin:p.advance().end]))
		return nil
	}
	known, err := p.parseDescription(n)
	if err == nil && !known {
		err = p.newExpectedError("a comma, ), or a key, synonyms or a comment of the table")
	}
	return err
}

// parseRelationship reads a relationship. Without columns of the referenced table it means the primary key of that table.
func (p *statementParser) parseRelationship(view *importer.Node) error {
	at := p.peek()
	name, err := p.parseNameParts("a relationship")
	if err != nil {
		return err
	}
	left := name
	isNamed := p.acceptWords("AS")
	if isNamed {
		if left, err = p.parseNameParts("the name of a table"); err != nil {
			return err
		}
	}
	leftColumns, err := p.parseNames("the columns of a relationship")
	if err != nil {
		return err
	}
	if !p.acceptWords("REFERENCES") {
		return p.newExpectedError("REFERENCES")
	}
	right, err := p.parseNameParts("the name of a table")
	if err != nil {
		return err
	}
	leftTable, rightTable := left[len(left)-1].text, right[len(right)-1].text
	relationship := name[len(name)-1].text
	if !isNamed {
		relationship = leftTable + "_" + rightTable
	}
	n := p.mapNode(at)
	addMember(n, "name", p.textNode(at, relationship))
	addMember(n, "left_table", p.textNode(left[0], leftTable))
	addMember(n, "right_table", p.textNode(right[0], rightTable))
	rightColumns, condition, err := p.parseReferencedColumns(rightTable)
	if err != nil {
		return err
	}
	for i, column := range leftColumns.Items {
		pair := p.mapNode(at)
		addMember(pair, "left_column", column)
		if i < len(rightColumns) {
			addMember(pair, "right_column", rightColumns[i])
		}
		if condition != "" {
			addMember(pair, "condition", p.textNode(at, condition))
		}
		appendItem(n, "relationship_columns", pair)
	}
	if condition == "" && len(rightColumns) != len(leftColumns.Items) {
		p.view.report.AddDropped(n, "relationship", relationship, "it has other numbers of columns on its two sides, or refers to a table without a primary key")
		return nil
	}
	appendItem(view, "relationships", n)
	return nil
}

// parseReferencedColumns reads the columns behind REFERENCES. A condition other than equality is returned as it is written.
func (p *statementParser) parseReferencedColumns(table string) (columns []*importer.Node, condition string, err error) {
	if !p.isSign("(") {
		return p.tables[strings.ToLower(table)].Get("primary_key").Get("columns").List(), "", nil
	}
	begin := p.peek()
	for _, t := range p.tokens[p.next:] {
		if t.kind == tokenSign && t.text == ")" || t.kind == tokenEnd {
			break
		}
		if t.kind == tokenWord && (t.text == "ASOF" || t.text == "BETWEEN") {
			n := p.mapNode(begin)
			err := p.parseParenthesized(n, begin, "condition")
			return nil, n.Get("condition").String(), err
		}
	}
	list, err := p.parseNames("the columns of a relationship")
	return list.List(), "", err
}

// parseVerifiedQuery reads a question with its SQL.
func (p *statementParser) parseVerifiedQuery(view *importer.Node) error {
	at := p.peek()
	name, err := p.parseNameParts("the name of a verified query")
	if err != nil {
		return err
	}
	n := p.mapNode(at)
	addMember(n, "name", p.textNode(at, name[0].text))
	if !p.acceptWords("AS") {
		return p.newExpectedError("AS")
	}
	if err := p.expectSign("(", "before the question of a verified query"); err != nil {
		return err
	}
	keys := map[string]string{"QUESTION": "question", "SQL": "sql", "VERIFIED_AT": "verified_at", "VERIFIED_BY": "verified_by", "ONBOARDING_QUESTION": "use_as_onboarding_question"}
	for !p.acceptSign(")") {
		word := p.peek()
		key := keys[word.text]
		if word.kind != tokenWord || key == "" {
			return p.newExpectedError("QUESTION, SQL, VERIFIED_AT, VERIFIED_BY, ONBOARDING_QUESTION or )")
		}
		p.advance()
		p.acceptSign("=")
		if p.isSign("(") {
			if err := p.parseParenthesized(n, word, key); err != nil {
				return err
			}
			continue
		}
		value := p.advance()
		addMember(n, key, p.textNode(value, value.text))
	}
	appendItem(view, "verified_queries", n)
	return nil
}

// parseElement reads a fact, a dimension or a metric.
func (p *statementParser) parseElement(view *importer.Node, construct string) error {
	at := p.peek()
	n := p.mapNode(at)
	if (p.isWords("PRIVATE") || p.isWords("PUBLIC")) && p.peekAfter(1).text != "." && p.peekAfter(1).text != "AS" {
		if p.advance().text == "PRIVATE" {
			addMember(n, "access_modifier", p.textNode(at, "private_access"))
		}
	}
	name, err := p.parseNameParts("the name of a " + construct)
	if err != nil {
		return err
	}
	addMember(n, "name", p.textNode(name[0], name[len(name)-1].text))
	for !p.isWords("AS") {
		if err := p.parseMetricOption(n, construct); err != nil {
			return err
		}
	}
	p.advance()
	if err := p.parseExpression(n); err != nil {
		return err
	}
	for !p.isSign(",") && !p.isSign(")") {
		known, err := p.parseDescription(n)
		if err == nil && !known {
			err = p.newExpectedError("a comma, ), synonyms or a comment")
		}
		if err != nil {
			return err
		}
	}
	if len(name) == 1 && construct == "metric" {
		appendItem(view, "metrics", n)
		return nil
	}
	table := p.tables[strings.ToLower(name[0].text)]
	if len(name) != 2 || table == nil {
		p.view.report.AddDropped(n, construct, p.text[name[0].begin:name[len(name)-1].end], "its table is not in TABLES")
		return nil
	}
	appendItem(table, construct+"s", n)
	return nil
}

// parseMetricOption reads what is between the name of a metric and its expression.
func (p *statementParser) parseMetricOption(n *importer.Node, construct string) error {
	switch {
	case construct == "metric" && p.acceptWords("USING"):
		list, err := p.parseNames("USING")
		if err == nil {
			addMember(n, "using_relationships", list)
		}
		return err
	case construct == "metric" && p.acceptWords("NON", "ADDITIVE", "BY"):
		return p.parseList("NON ADDITIVE BY", func() error {
			at := p.peek()
			name, err := p.parseNameParts("a dimension")
			if err != nil {
				return err
			}
			d := p.mapNode(at)
			if len(name) > 1 {
				addMember(d, "table", p.textNode(at, name[len(name)-2].text))
			}
			addMember(d, "dimension", p.textNode(at, name[len(name)-1].text))
			if p.isWords("ASC") || p.isWords("DESC") {
				addMember(d, "sort_direction", p.textNode(at, strings.ToLower(p.advance().text)))
			}
			if p.acceptWords("NULLS") {
				addMember(d, "null_order", p.textNode(at, strings.ToLower(p.advance().text)))
			}
			appendItem(n, "non_additive_dimensions", d)
			return nil
		})
	}
	return p.newExpectedError("AS and an expression")
}

// parseExpression reads an expression, which ends before a comma, a parenthesis that it does not open, or what describes its element.
func (p *statementParser) parseExpression(n *importer.Node) error {
	begin := p.peek()
	end := begin
	for open := 0; ; end = p.advance() {
		t := p.peek()
		switch {
		case t.kind == tokenEnd:
			return p.newExpectedError("a comma or ) after an expression")
		case open == 0 && (p.isSign(",") || p.isSign(")") || p.beginsDescription()):
			if end.begin == begin.begin && p.next > 0 && p.tokens[p.next].begin == begin.begin {
				return p.newExpectedError("an expression")
			}
			addMember(n, "expr", p.textNode(begin, p.text[begin.begin:end.end]))
			return nil
		case t.kind == tokenSign && slices.Contains([]string{"(", "["}, t.text):
			open++
		case t.kind == tokenSign && slices.Contains([]string{")", "]"}, t.text):
			open--
		}
	}
}

// beginsDescription reports whether the next words describe an element.
func (p *statementParser) beginsDescription() bool {
	return p.isWords("WITH", "SYNONYMS") || p.isWords("WITH", "TAG") || p.isWords("WITH", "CORTEX") ||
		p.isWords("COMMENT") && p.peekAfter(1).text == "=" || p.isWords("TAG") && p.peekAfter(1).text == "("
}
