package extension

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// TimeFormat is a time block. Whether the column compares as a number depends
// on the field's datatype, which the payload does not know.
type TimeFormat struct {
	modelspec.Place
	Format      *catalog.TimeFormat
	Granularity sqlexpr.Grain
}

var unitsByEpochName = map[string]string{"epoch_seconds": "seconds", "epoch_millis": "millis", "epoch_days": "days"}

func (o payloadObjectReader) readTimeBlock() *TimeFormat {
	before := len(o.Errors)
	in, ok := o.openMember("time")
	if !ok {
		return nil
	}
	out := &TimeFormat{Place: o.placeOfNode(in.n), Granularity: in.readGrain("granularity")}
	if format := in.readMember("format"); format != nil {
		parsed, err := parseTimeFormat(format.Value)
		if err != nil {
			o.addError(CodeInvalidPayload, format, "tokens are yyyy Q MM ww dd HH mm ss, literal text stands in single quotes", "%s: %s", o.pathForMessage(format), err)
		}
		out.Format = parsed
	}
	if len(o.Errors) > before {
		return nil
	}
	if g := out.Granularity; g != sqlexpr.GrainNone && !out.Format.Grain.Subdivides(g) && out.Format.Grain != sqlexpr.GrainNone {
		o.addInvalidError(in.findMember("granularity"), "a column of the format %s stores %ss and cannot be read by %s", out.Format.Text, out.Format.Grain, g)
		return nil
	}
	return out
}

// allowedNextLayoutTokens lists the tokens that may follow a token, so that the text sorts as
// time does: largest unit first, none left out.
var allowedNextLayoutTokens = map[string][]string{
	"": {"yyyy"}, "yyyy": {"Q", "MM", "ww"}, "MM": {"dd"}, "dd": {"HH"}, "HH": {"mm"}, "mm": {"ss"},
}

var grainOfLayoutToken = map[string]sqlexpr.Grain{
	"yyyy": sqlexpr.GrainYear, "Q": sqlexpr.GrainQuarter, "MM": sqlexpr.GrainMonth, "ww": sqlexpr.GrainWeek, "dd": sqlexpr.GrainDay,
}

// parseTimeFormat reads a layout or the name of an epoch.
func parseTimeFormat(text string) (*catalog.TimeFormat, error) {
	f := &catalog.TimeFormat{Text: text}
	if unit, ok := unitsByEpochName[text]; ok {
		f.Epoch = unit
		if unit == "days" {
			f.Grain = sqlexpr.GrainDay
		}
		return f, nil
	}
	last := ""
	for rest := text; rest != ""; {
		part, tail, err := parseTimeLayoutPart(rest)
		if err != nil {
			return nil, err
		}
		rest = tail
		if part.Token != "" {
			if !listContains(allowedNextLayoutTokens[last], part.Token) {
				return nil, fmt.Errorf("%q does not sort as time does: %s cannot follow %s", text, part.Token, describeTimeLayoutToken(last))
			}
			last = part.Token
		}
		f.Layout = append(f.Layout, part)
	}
	if last == "" {
		return nil, fmt.Errorf("%q names no part of a date", text)
	}
	f.Grain = grainOfLayoutToken[last]
	return f, nil
}

func describeTimeLayoutToken(token string) string {
	if token == "" {
		return "the beginning"
	}
	return token
}

func listContains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// parseTimeLayoutPart reads one token or one stretch of literal text.
func parseTimeLayoutPart(s string) (part catalog.TimeLayoutPart, rest string, err error) {
	for _, token := range []string{"yyyy", "MM", "dd", "HH", "mm", "ss", "ww", "Q"} {
		if strings.HasPrefix(s, token) {
			return catalog.TimeLayoutPart{Token: token}, s[len(token):], nil
		}
	}
	if s[0] == '\'' {
		end := strings.IndexByte(s[1:], '\'')
		if end <= 0 {
			return part, "", fmt.Errorf("%q has a quote that is not closed, or is empty", s)
		}
		return catalog.TimeLayoutPart{Literal: s[1 : 1+end]}, s[end+2:], nil
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("-/.:_, +", r) })
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return part, "", fmt.Errorf("%q is not a token of a layout", s)
	}
	return catalog.TimeLayoutPart{Literal: s[:end]}, s[end:], nil
}

// readTimeZone reads the name of a zone in the IANA database.
func (o payloadObjectReader) readTimeZone() string {
	n := o.readMember("time_zone")
	if n == nil {
		return ""
	}
	name := n.Value
	if _, ok := timezone.Load(name); !ok {
		near := suggest.Nearest(name, timezone.Names(), 3)
		o.addError(CodeInvalidPayload, n, "the nearest names are "+strings.Join(near, ", "), "time_zone %q is not the name of a zone in the IANA database", name)
		return ""
	}
	return name
}
