package access

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// fileReader gathers the findings of one file. A value of the wrong type is noted and read as absent.
type fileReader struct {
	findings []modelspec.Issue
	names    *suggest.RankingBudget
}

// maxFindings bounds the findings of one file: a text of 1 MiB could have a hundred thousand.
const maxFindings = 500

// addFinding returns the finding, for its candidates.
func (r *fileReader) addFinding(n *document.Node, code, location, hint, format string, args ...any) *modelspec.Issue {
	if len(r.findings) == maxFindings {
		return new(modelspec.Issue)
	}
	r.findings = append(r.findings, modelspec.Issue{
		Severity: modelspec.SeverityError, Code: code, Location: location, Hint: hint,
		Message: fmt.Sprintf(format, args...), Position: positionOfNode(n),
	})
	return &r.findings[len(r.findings)-1]
}

func (r *fileReader) addInvalid(n *document.Node, location, format string, args ...any) {
	r.addFinding(n, CodeInvalidPolicy, location, "", format, args...)
}

func positionOfNode(n *document.Node) modelspec.Position {
	return modelspec.Position{Line: int(n.Line), Column: int(n.Column)}
}

// nodeOf returns a node at the place of a text, for findings.
func nodeOf(t Text) *document.Node {
	return &document.Node{Line: int32(t.Line), Column: int32(t.Column)}
}

func textOfNode(n *document.Node) Text { return Text{n.Value, int(n.Line), int(n.Column)} }

// mappingReader is one mapping that is read.
type mappingReader struct {
	*fileReader
	modelspec.Place
	node    *document.Node
	members []*document.Node
}

// openMapping opens a mapping; ok is false, and the mistake noted, for anything else. Without known keys each key is a name.
func (r *fileReader) openMapping(n *document.Node, location, what string, known ...string) (o mappingReader, ok bool) {
	n = n.FollowAlias()
	if n.Kind != document.MappingNode {
		r.addInvalid(n, location, "%s must be an object, is %s", what, n.Describe())
		return mappingReader{}, false
	}
	o = mappingReader{r, modelspec.Place{Location: location, Position: positionOfNode(n)}, n, n.Members()}
	for i := 0; i < len(o.members); i += 2 {
		key := o.members[i]
		switch at := o.MemberLocation(key.Value); {
		case len(known) == 0 && strings.TrimSpace(key.Value) == "":
			r.addInvalid(key, at, "%s has a blank name", what)
		case len(known) > 0 && !slices.Contains(known, key.Value):
			r.addUnknownKey(key, at, what, known)
		}
	}
	return o, true
}

func (r *fileReader) addUnknownKey(key *document.Node, location, what string, known []string) {
	hint := "the keys are " + strings.Join(known, ", ")
	if near, ok := suggest.ClosestIfNear(key.Value, known); ok {
		hint = "did you mean " + near + "?"
	}
	found := r.addFinding(key, CodeInvalidPolicy, location, hint, "%s has no key %q", what, key.Value)
	found.Candidates = r.names.Nearest(key.Value, func() []string { return known }, maxCandidates)
}

// maxCandidates is the number of names that a finding offers.
const maxCandidates = 3

// visitMembers calls f for each name and its value.
func (o mappingReader) visitMembers(f func(name Text, value *document.Node, location string)) {
	for i := 0; i < len(o.members); i += 2 {
		f(textOfNode(o.members[i]), o.members[i+1].FollowAlias(), o.MemberLocation(o.members[i].Value))
	}
}

// find returns the value of a key, nil when it is absent. A null is a value: nothing is granted, and nothing left out, by a value
// that was forgotten.
func (o mappingReader) find(key string) *document.Node {
	for i := 0; i < len(o.members); i += 2 {
		if o.members[i].Value == key {
			return o.members[i+1].FollowAlias()
		}
	}
	return nil
}

// findRequired is find for a key that must be there.
func (o mappingReader) findRequired(key, what string) *document.Node {
	n := o.find(key)
	if n == nil {
		o.addInvalid(o.node, o.MemberLocation(key), "%s is missing; it must be %s", key, what)
	}
	return n
}

// readString reads a string that is not blank; ok is false, and the mistake noted, for anything else.
func (r *fileReader) readString(n *document.Node, location, what string) (Text, bool) {
	switch n = n.FollowAlias(); {
	case !n.IsText():
		hint := ""
		if n.Kind == document.ScalarNode && n.Tag != "!!null" {
			hint = "put it in quotes"
		}
		r.addFinding(n, CodeInvalidPolicy, location, hint, "%s must be a string, is %s", what, n.Describe())
		return Text{}, false
	case strings.TrimSpace(n.Value) == "":
		r.addInvalid(n, location, "%s is blank", what)
		return Text{}, false
	}
	return textOfNode(n), true
}

// readText reads an optional string.
func (o mappingReader) readText(key string) Text {
	if n := o.find(key); n != nil {
		t, _ := o.readString(n, o.MemberLocation(key), key)
		return t
	}
	return Text{}
}

// readTexts reads an optional list of strings.
func (o mappingReader) readTexts(key string) []Text {
	if n := o.find(key); n != nil {
		return o.readTextList(n, o.MemberLocation(key), key, false)
	}
	return nil
}

func (r *fileReader) readTextList(n *document.Node, location, what string, blank bool) []Text {
	if n = n.FollowAlias(); n.Kind != document.SequenceNode {
		r.addInvalid(n, location, "%s must be a list of strings, is %s", what, n.Describe())
		return nil
	}
	out := make([]Text, 0, len(n.Content))
	for i, item := range n.Content {
		at := locationOfItem(location, i)
		if item = item.FollowAlias(); blank && item.IsText() && item.Value == "" {
			out = append(out, textOfNode(item))
		} else if t, ok := r.readString(item, at, "an item of "+what); ok {
			out = append(out, t)
		}
	}
	return out
}

// readAllOrTexts reads the word all, or a list of strings.
func (r *fileReader) readAllOrTexts(n *document.Node, location, what string, blank bool) (all bool, list []Text) {
	if n.Kind == document.ScalarNode {
		if n.IsText() && n.Value == "all" {
			return true, nil
		}
		r.addInvalid(n, location, "%s must be the word all, or a list of names, is %s", what, describeScalar(n))
		return false, nil
	}
	return false, r.readTextList(n, location, what, blank)
}

func describeScalar(n *document.Node) string {
	if n.IsText() {
		return strconv.Quote(n.Value)
	}
	return n.Describe()
}

// readBoolean reads an optional true or false.
func (o mappingReader) readBoolean(key string, absent bool) bool {
	n := o.find(key)
	switch {
	case n == nil:
		return absent
	case !n.IsBool():
		o.addInvalid(n, o.MemberLocation(key), "%s must be true or false, is %s", key, n.Describe())
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

// readInteger reads an optional integer; ok is false when it is absent or wrong.
func (o mappingReader) readInteger(key string, low, high int64) (value int64, ok bool) {
	n := o.find(key)
	if n == nil {
		return 0, false
	}
	if n.Kind == document.ScalarNode && n.Tag == "!!int" {
		value, err := strconv.ParseInt(n.Value, 10, 64)
		if err == nil && low <= value && value <= high {
			return value, true
		}
	}
	bounds := fmt.Sprintf("of at least %d", low)
	if high < math.MaxInt64 {
		bounds = fmt.Sprintf("from %d to %d", low, high)
	}
	o.addInvalid(n, o.MemberLocation(key), "%s must be an integer %s, is %s", key, bounds, n.Describe())
	return 0, false
}

func locationOfItem(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
