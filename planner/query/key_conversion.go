package query

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

const (
	grainKey = "grain"
	partKey  = "part"
)

// queryKeysWithConditionText are the keys whose texts are conditions.
var queryKeysWithConditionText = []string{"where_sql", "context_filter", "where"}

// convertToKeyShape returns the value written as a key takes it: unchanged, or in the shape that it clearly stands for;
// nil if there is none. It looks at the value itself and at the elements of a list; correctNested continues inside.
func (n *jsonNode) convertToKeyShape(k bodyKey) *jsonNode {
	if n.hasShapeOfKind(k.kind) {
		return n.withLowerGrain(k)
	}
	if text := strings.TrimSpace(n.text()); text != "" && (text[0] == '[' || text[0] == '{') && k.kind != bodyKeyValueText {
		if parsed := parseJSON(text); parsed != nil {
			return parsed.convertToKeyShape(k)
		}
		return nil
	}
	switch k.kind {
	case bodyKeyValueText:
		return n.convertToText(k)
	case bodyKeyValueBoolean, bodyKeyValueBooleanOrText:
		return n.convertToScalar(func(text string) bool { return text == "true" || text == "false" })
	case bodyKeyValueInteger:
		return n.convertToInteger()
	case bodyKeyValueNumber:
		return n.convertToScalar(isJSONNumber)
	case bodyKeyValueTextArray, bodyKeyValueTextOrObjectArray, bodyKeyValueObjectArray:
		return n.convertToList(k)
	case bodyKeyValueNestedTextArray:
		names := n.convertToKeyShape(bodyKey{k.name, bodyKeyValueTextArray, nil})
		if names == nil || n.open == '[' && len(n.items) == 0 {
			return nil
		}
		return &jsonNode{open: '[', items: []*jsonNode{names}}
	case bodyKeyValueFixedKeysObject:
		return n.convertToRange(k)
	}
	return nil
}

// withLowerGrain returns the value of a key; a grain in another case is written in lower case. No period of a calendar has
// such a name.
func (n *jsonNode) withLowerGrain(k bodyKey) *jsonNode {
	if k.name != grainKey || !n.isText() {
		return n
	}
	if lower := lowerGrain(n.text()); lower != n.text() {
		return newTextNode(lower)
	}
	return n
}

func lowerGrain(text string) string {
	if _, ok := sqlexpr.ParseGrain(strings.ToLower(text)); ok {
		return strings.ToLower(text)
	}
	return text
}

// parseJSON reads a text as JSON; nil where it is not.
func parseJSON(text string) *jsonNode {
	s := scanner{jsonLexer: jsonLexer{text: text}}
	parsed, err := s.readTree()
	if err != nil || s.expectEnd() != nil {
		return nil
	}
	return parsed
}

// keysWithNamesAndEnumValues are keys that take a name or one of a few words. The texts of numbers, true and null are not such values.
var keysWithNamesAndEnumValues = []string{"dialect", grainKey, partKey, "saved", "metric", "from", "field", "key", "dataset", "time_dimension", "dimension"}

// convertToText writes a scalar, or the one text of a list, as a text. It joins several conditions by AND.
func (n *jsonNode) convertToText(k bodyKey) *jsonNode {
	switch {
	case !n.isText() && n.open == 0 && slices.Contains(keysWithNamesAndEnumValues, k.name):
		return nil
	case n.open == 0:
		return newTextNode(n.raw)
	case n.open != '[' || len(n.items) == 0 || !allNodesMatch(n.items, (*jsonNode).isText):
		return nil
	case len(n.items) == 1:
		return n.items[0]
	case !slices.Contains(queryKeysWithConditionText, k.name):
		return nil
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = "(" + item.text() + ")"
	}
	return newTextNode(strings.Join(parts, " AND "))
}

// convertToScalar writes a text as the scalar that it spells, if accepts does.
func (n *jsonNode) convertToScalar(accepts func(string) bool) *jsonNode {
	if text := strings.ToLower(strings.TrimSpace(n.text())); n.isText() && accepts(text) {
		return &jsonNode{raw: text}
	}
	return nil
}

// convertToInteger writes a text of digits, or a number with a fraction of 0, as an integer.
func (n *jsonNode) convertToInteger() *jsonNode {
	text := n.raw
	if n.isText() {
		text = strings.TrimSpace(n.text())
	}
	if whole, fraction, ok := strings.Cut(text, "."); ok && fraction != "" && strings.Trim(fraction, "0") == "" {
		text = whole
	}
	if out := (&jsonNode{raw: text}); isJSONNumber(text) && out.hasShapeOfKind(bodyKeyValueInteger) {
		return out
	}
	return nil
}

// convertToList writes one element as a list, and the elements of a list as the key takes them.
func (n *jsonNode) convertToList(k bodyKey) *jsonNode {
	var elements []*jsonNode
	switch {
	case n.isText():
		for _, part := range splitReferences(n.text(), k) {
			elements = append(elements, newTextNode(part))
		}
	case n.isObject():
		elements = []*jsonNode{n}
	case n.open == '[':
		elements = n.items
	}
	if elements == nil {
		return nil
	}
	out := &jsonNode{open: '['}
	for _, e := range elements {
		if e = e.convertToListElement(k); e == nil {
			return nil
		}
		out.items = append(out.items, e)
	}
	return out
}

// convertToListElement returns an element of a list as the key takes it; nil where that is not clear.
func (n *jsonNode) convertToListElement(k bodyKey) *jsonNode {
	switch {
	case k.kind == bodyKeyValueObjectArray && n.isText():
		return expandShorthandTextToObject(k, n.text())
	case k.kind == bodyKeyValueTextArray && n.isObject():
		return textFromObject(n)
	case n.isText(), n.isObject() && k.kind != bodyKeyValueTextArray:
		return n
	}
	return nil
}

// expandShorthandTextToObject returns the element of a list that a text stands for: a field with a grain or a part after a colon, a column with a
// direction, or the first key of the object.
func expandShorthandTextToObject(k bodyKey, text string) *jsonNode {
	text = strings.TrimSpace(text)
	if len(k.nested) == 0 || text == "" {
		return nil
	}
	first := func(value string) []jsonMember { return []jsonMember{{k.nested[0].name, newTextNode(value)}} }
	switch k.name {
	case groupByKey:
		members := first(text)
		if at := strings.LastIndexByte(text, ':'); at > 0 && isGrainWord(text[at+1:]) {
			members = append(first(text[:at]), unitMember(text[at+1:]))
		}
		return &jsonNode{open: '{', members: members}
	case orderByKey:
		name, descending := splitDirection(text)
		members := first(name)
		if descending {
			members = append(members, jsonMember{"desc", &jsonNode{raw: "true"}})
		}
		return &jsonNode{open: '{', members: members}
	}
	return &jsonNode{open: '{', members: first(text)}
}

// unitMember returns the member of a group that the word after a colon stands for: a part of a time, else a grain.
func unitMember(word string) jsonMember {
	if lower := strings.ToLower(word); sqlexpr.IsTimePart(lower) {
		return jsonMember{partKey, newTextNode(lower)}
	}
	return jsonMember{grainKey, newTextNode(lowerGrain(word))}
}

// textFromObject returns the text that an object with a field, and perhaps a grain or a part, stands for.
func textFromObject(n *jsonNode) *jsonNode {
	text, grain := "", ""
	for _, m := range n.members {
		switch {
		case !m.value.isText():
			return nil
		case (m.key == grainKey || m.key == partKey) && grain == "":
			grain = ":" + unitMember(m.value.text()).value.text()
		case text == "" && slices.Contains([]string{"field", "name", "dimension", "metric"}, m.key):
			text = m.value.text()
		default:
			return nil
		}
	}
	if text == "" {
		return nil
	}
	return newTextNode(text + grain)
}

// convertToPlainReference rewrites an item of metrics or group_by that gives nothing but a name in the form of the list: {"name": "revenue"}
// of metrics is "revenue", and of group_by a field. It is nil for another item.
func convertToPlainReference(n *jsonNode, k bodyKey) *jsonNode {
	switch {
	case !n.isObject():
		return nil
	case k.kind == bodyKeyValueTextOrObjectArray && len(n.members) == 1:
		return textFromObject(n)
	case k.name != groupByKey || n.memberValue("field") != nil || n.memberValue(expressionKey) != nil:
		return nil
	}
	out := &jsonNode{open: '{'}
	hasName := false
	for _, m := range n.members {
		switch {
		case m.key == "name" && !hasName && isNameOfField(m.value.text()):
			hasName = true
			m.key = "field"
		case m.key != grainKey && m.key != partKey:
			return nil
		}
		out.members = append(out.members, m)
	}
	if !hasName {
		return nil
	}
	return out
}

// isNameOfField reports whether a name can only be that of a field: an output column has no point in its name.
func isNameOfField(name string) bool {
	return isReference(name) && (strings.Contains(name, ".") || name == "metric_time")
}

// convertToRange writes two texts as the bounds of a range.
func (n *jsonNode) convertToRange(k bodyKey) *jsonNode {
	isRange := len(k.nested) >= 2 && k.nested[0].name == "start" && k.nested[1].name == "end"
	if !isRange || n.open != '[' || len(n.items) != 2 || !allNodesMatch(n.items, (*jsonNode).isText) {
		return nil
	}
	return &jsonNode{open: '{', members: []jsonMember{{"start", n.items[0]}, {"end", n.items[1]}}}
}

// convertDirectionMember turns a member that gives the direction of an order into desc, and returns the index of that key; -1
// for another member.
func (r *keyCorrection) convertDirectionMember(m *jsonMember, keys []bodyKey, taken map[string]bool) int {
	desc := slices.IndexFunc(keys, func(k bodyKey) bool { return k.name == "desc" })
	column := slices.IndexFunc(keys, func(k bodyKey) bool { return k.name == "key" })
	direction := strings.ToLower(m.value.text())
	isDescending := slices.Contains([]string{"desc", "descending"}, direction)
	switch {
	case desc < 0 || column < 0 || !isDescending && !slices.Contains([]string{"asc", "ascending"}, direction):
		return -1
	case slices.Contains([]string{"direction", "dir", "order", "sort"}, strings.ToLower(m.key)) && !taken["desc"]:
		m.value = &jsonNode{raw: "false"}
		if isDescending {
			m.value.raw = "true"
		}
		return desc
	}
	return -1
}

// convertColumnKeyedOrderItem rewrites an element of order_by of the form {"revenue": "desc"} with the keys of order_by; nil for another.
func convertColumnKeyedOrderItem(n *jsonNode, k bodyKey) *jsonNode {
	isKey := func(name string) bool {
		return slices.ContainsFunc(k.nested, func(nested bodyKey) bool { return nested.name == name })
	}
	if k.name != orderByKey || !n.isObject() || len(n.members) != 1 || isKey(n.members[0].key) {
		return nil
	}
	if name, descending := splitDirection("column " + n.members[0].value.text()); name == "column" {
		direction := ""
		if descending {
			direction = "-"
		}
		return expandShorthandTextToObject(k, direction+n.members[0].key)
	}
	return nil
}

// splitReferences splits a text at its commas, if all parts are names.
func splitReferences(text string, k bodyKey) []string {
	parts := strings.Split(text, ",")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
		name := parts[i]
		if k.name == orderByKey {
			name, _ = splitDirection(name)
		}
		if !isReference(name) {
			return []string{text}
		}
	}
	return parts
}

// isReference reports whether a text is a name, a path of names, or one with a grain.
func isReference(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return r < '0' && r != '.' || r > '9' && r < 'A' && r != ':' || r > 'Z' && r < 'a' && r != '_' || r > 'z' && r < 0x80
	}) < 0
}

func isGrainWord(text string) bool { return isReference(text) && !strings.ContainsAny(text, ".:") }

// splitDirection splits the direction from a column: -revenue, revenue desc, revenue:asc. Nulls are last in any case.
func splitDirection(text string) (column string, descending bool) {
	text = strings.TrimSpace(text)
	if words := strings.Fields(text); len(words) > 2 && strings.EqualFold(strings.Join(words[len(words)-2:], " "), "nulls last") {
		text = strings.Join(words[:len(words)-2], " ")
	}
	if name, ok := strings.CutPrefix(text, "-"); ok {
		return strings.TrimSpace(name), true
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "+"))
	if at := strings.LastIndexAny(text, " :"); at > 0 {
		switch strings.ToLower(text[at+1:]) {
		case "desc", "descending":
			return strings.TrimSpace(text[:at]), true
		case "asc", "ascending":
			return strings.TrimSpace(text[:at]), false
		}
	}
	return text, false
}

func isJSONNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
}

// text returns the value of a text; "" for other values.
func (n *jsonNode) text() string {
	if !n.isText() {
		return ""
	}
	r := jsonLexer{text: n.raw}
	value, err := r.readString()
	if err != nil {
		return ""
	}
	return value
}

func newTextNode(text string) *jsonNode {
	var b strings.Builder
	writeJSONString(&b, text)
	return &jsonNode{raw: b.String()}
}
