package access

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// The codes of warnings about policies that are judged against a model.
const (
	CodeAttributeUnused   = "policy_attribute_unused"
	CodeTextNamesHidden   = "policy_text_names_hidden"
	CodeRoleSeesNothing   = "policy_role_empty"
	maxWarningsOfPolicies = 100
)

// Warnings lists what the author of the policies should know: attributes that nothing reads, roles that see nothing, and descriptions of
// visible objects that name hidden ones.
func (a *Applied) Warnings(ctx context.Context) ([]modelspec.Issue, error) {
	var out []modelspec.Issue
	warn := func(at Text, code, format string, args ...any) {
		if len(out) < maxWarningsOfPolicies {
			out = append(out, modelspec.Issue{Severity: modelspec.SeverityWarning, Code: code, Position: at.Position(), Message: fmt.Sprintf(format, args...)})
		}
	}
	var names []string
	for i := range a.policies.Roles {
		names = append(names, a.policies.Roles[i].Name.Value)
	}
	used := a.policies.NeededAttributes(names)
	for _, attribute := range a.file.Attributes {
		if !slices.Contains(used, attribute.Name.Value) {
			warn(attribute.Name, CodeAttributeUnused, "no rule and no mask reads the attribute %s", attribute.Name.Value)
		}
	}
	for i := range a.policies.Roles {
		role := &a.policies.Roles[i]
		view, err := a.View(ctx, []string{role.Name.Value}, func(*catalog.Catalog, *catalog.SavedQuery) error { return nil })
		if err != nil {
			return nil, err
		}
		if len(view.Catalog.Metrics) == 0 && len(view.Catalog.Fields) == 0 {
			warn(role.Name, CodeRoleSeesNothing, "the role %s sees no metric and no field", role.Name.Value)
		}
		texts := visibleTexts(view.Catalog)
		for _, name := range slices.Sorted(maps.Keys(view.why)) {
			bare := name[strings.LastIndexByte(name, '.')+1:]
			if slices.ContainsFunc(texts, func(text string) bool {
				return namesWord(text, name) || len(bare) > 3 && namesWord(text, bare) && !isVisible(view.Catalog, bare)
			}) {
				warn(role.Name, CodeTextNamesHidden, "a description that the role %s sees names %s, which is hidden from it", role.Name.Value, name)
			}
		}
	}
	return out, nil
}

// visibleTexts lists the descriptions, labels and contexts of a catalog.
func visibleTexts(cat *catalog.Catalog) []string {
	var out []string
	add := func(texts ...any) {
		for _, t := range texts {
			if text := fmt.Sprint(t); t != nil && text != "" {
				out = append(out, text)
			}
		}
	}
	add(cat.Description, cat.AIContext)
	for _, d := range cat.Datasets {
		add(d.Label, d.Description, d.AIContext)
		for _, f := range d.Fields {
			add(f.Label, f.Description, f.AIContext)
		}
	}
	for _, m := range cat.Metrics {
		add(m.Label, m.Description, m.AIContext)
	}
	return out
}

// namesWord reports whether a text has a name as a word.
func namesWord(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	isPart := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 0x80)
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		at := from + i
		if !isPart(at-1) && !isPart(at+len(name)) {
			return true
		}
		from = at + 1
	}
}
