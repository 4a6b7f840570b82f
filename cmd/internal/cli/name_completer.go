package cli

import (
	"slices"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/engine"
)

// nameCompleter completes the names of relations and columns in a line, in a command those of relations alone.
type nameCompleter struct {
	relations, all []string // sorted
}

func newNameCompleter(relations []engine.RelationInfo) nameCompleter {
	var n nameCompleter
	for _, r := range relations {
		n.relations = append(n.relations, r.Name)
		n.all = append(n.all, r.Name)
		for _, c := range r.Columns {
			n.all = append(n.all, c.Name)
		}
	}
	slices.Sort(n.relations)
	slices.Sort(n.all)
	n.all = slices.Compact(n.all)
	return n
}

// maxShownCompletions is how many names are shown where several fit.
const maxShownCompletions = 40

// complete completes the name that ends at a position, in bytes, as far as all names agree that begin with it. If they do not go on
// alike, it returns them as choices. Case does not count.
func (n nameCompleter) complete(line string, pos int) (newLine string, newPos int, choices []string) {
	begin := strings.LastIndexFunc(line[:pos], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	typed := line[begin:pos]
	names := n.all
	if strings.HasPrefix(line, `\`) {
		names = n.relations
	}
	var fit []string
	for _, name := range names {
		if len(name) >= len(typed) && strings.EqualFold(name[:len(typed)], typed) {
			fit = append(fit, name)
		}
	}
	if typed == "" || len(fit) == 0 {
		return line, pos, nil
	}
	common := fit[0]
	for _, name := range fit[1:] {
		for !strings.HasPrefix(name, common) {
			runes := []rune(common)
			common = string(runes[:len(runes)-1])
		}
	}
	if len(common) < len(typed) || len(fit) > 1 && common == typed {
		return line, pos, fit[:min(len(fit), maxShownCompletions)]
	}
	return line[:begin] + common + line[pos:], begin + len(common), nil
}
