package cli

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// maxShownFindingPlaces is how many places of equal findings a line lists.
const maxShownFindingPlaces = 12

// findingGroup is a finding and those that differ from it by what they are about.
type findingGroup[F any] struct {
	first F
	rest  []F
}

// groupFindings parts findings by their codes and their messages without names, in the
// order of the first of each.
func groupFindings[F any](list []F, of func(F) (code, message string)) []findingGroup[F] {
	var out []findingGroup[F]
	at := map[[2]string]int{}
	for _, f := range list {
		code, message := of(f)
		key := [2]string{code, messageWithoutNames(message)}
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			out = append(out, findingGroup[F]{first: f})
			continue
		}
		out[i].rest = append(out[i].rest, f)
	}
	return out
}

// messageWithoutNames returns a message with each word that is not plain text replaced: names of
// fields hold dots or underscores, and what is quoted is a name. A suggestion stays.
func messageWithoutNames(message string) string {
	message, suggestion, _ := strings.Cut(message, "did you mean")
	words := strings.Fields(message)
	for i, w := range words {
		if strings.ContainsAny(strings.TrimRight(w, ".,;:"), "._\"'`0123456789") {
			words[i] = "…"
		}
	}
	return strings.Join(words, " ") + suggestion
}

func warningGroupKey(w modelspec.CompileWarning) (code, message string) { return w.Code, w.Message }

func findingGroupKey(f finding) (code, message string) { return f.code, f.message }

// otherFindingPlacesText lists the places of the findings equal to a first one; "" if there are none.
func otherFindingPlacesText(rest []finding) string {
	if len(rest) == 0 {
		return ""
	}
	var places []string
	for _, f := range rest[:min(len(rest), maxShownFindingPlaces)] {
		places = append(places, findingLocationText(f))
	}
	text := strconv.Itoa(len(rest)) + " more, at " + strings.Join(places, ", ")
	if more := len(rest) - len(places); more > 0 {
		text += " and " + strconv.Itoa(more) + " other places (--format json lists all)"
	}
	return text
}

func findingLocationText(f finding) string {
	if f.at.Line < 1 {
		return f.location
	}
	return strconv.Itoa(f.at.Line) + ":" + strconv.Itoa(f.at.Column)
}

// maxShownFindingsPerCode is how many findings of one code about data are shown in full.
const maxShownFindingsPerCode = 5

// hiddenFindingCount counts the findings of a code that are not shown.
type hiddenFindingCount struct {
	code  string
	count int
}

// limitShownFindings returns what a text shows of a group, and how many findings about data it leaves out: one wrong
// column may be in a hundred fields.
func (g titledFindings) limitShownFindings() (list []findingGroup[finding], hidden []hiddenFindingCount) {
	seen := map[string]int{}
	at := map[string]int{}
	for _, one := range g.groupEqualFindings() {
		code := one.first.code
		if seen[code]++; !one.first.data || seen[code] <= maxShownFindingsPerCode {
			list = append(list, one)
			continue
		}
		if _, ok := at[code]; !ok {
			at[code] = len(hidden)
			hidden = append(hidden, hiddenFindingCount{code: code})
		}
		hidden[at[code]].count++
	}
	return list, hidden
}
