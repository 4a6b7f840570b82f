package compile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// fieldInProgress is one being compiled.
type fieldInProgress struct {
	doc    *modelspec.Field
	ds     *datasetInProgress
	cat    *catalog.Field
	source catalog.DialectVariants[parsedDialectEntry]
	ext    extension.Field

	aggregates bool
	dropped    bool // it aggregates without a grain: nothing may refer to it
	joins      bool // it names, maybe through other fields, fields of other datasets
	state      visitState
	like       *fieldInProgress // whose values it has, of a field that a step gives to its sequence; nil for any other
	mask       sqlexpr.Expr     // what a reader sees of it, with OwnValue in the places of its expression; nil for the expression itself
	nodes      int              // size of the expanded expression
	levels     int              // how many fields deep it expands
}

// parsedDialectEntry is one spelling of an expression, parsed.
type parsedDialectEntry struct {
	expr  sqlexpr.Expr
	entry *modelspec.DialectEntry
}

// nativeDialect returns the dialect in whose own spelling the source is, "" for a portable entry.
func (s parsedDialectEntry) nativeDialect() string {
	if s.entry == nil || modelspec.IsPortableDialect(s.entry.Dialect.Value) {
		return ""
	}
	return sqlexpr.CanonicalDialect(s.entry.Dialect.Value)
}

type visitState uint8

const (
	stateNotVisited visitState = iota
	stateBeingVisited
	stateVisited
)

// parseFields parses every field and gives those that stay their place in the
// catalog.
func (c *compiler) parseFields() {
	c.bare = make(map[string][]*fieldInProgress)
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		d.list = make([]*fieldInProgress, 0, len(d.doc.Fields))
		d.cat.Fields = make([]*catalog.Field, 0, len(d.doc.Fields))
		for doc := range cancel.EachUntilDone(c.ctx, d.doc.Fields) {
			c.addField(d, doc)
		}
	}
}

func (c *compiler) addField(d *datasetInProgress, doc *modelspec.Field) {
	key := foldCase(doc.Name.Value)
	if d.fields[key] != nil {
		return // a duplicate, which validation reports
	}
	f := &fieldInProgress{doc: doc, ds: d, cat: &catalog.Field{
		Dataset: d.cat, Name: doc.Name.Value, Datatype: modelspec.Datatype(doc.Datatype.Value), Declared: doc.Dimension != nil,
		Label: doc.Label, Description: doc.Description, AIContext: doc.AIContext,
	}}
	if c.isHiddenInView(f) {
		return
	}
	d.fields[key] = f
	c.parseField(f)
	if f.dropped {
		return
	}
	c.maskInView(f)
	f.cat.ID = len(c.cat.Fields)
	c.cat.Fields = append(c.cat.Fields, f.cat)
	d.cat.Fields = append(d.cat.Fields, f.cat)
	d.list = append(d.list, f)
	c.bare[key] = append(c.bare[key], f)
}

// parseField parses a field's expression and reads its payload. One that
// aggregates needs a grain; without it, it is dropped.
func (c *compiler) parseField(f *fieldInProgress) {
	f.source, f.cat.Err, f.cat.ErrByDialect = c.parseDialectVariants(f.doc.Expression, f.doc.Place)
	c.resolveStructMembersInField(f)
	read, err := c.shouldReadPayloads(f.doc.Place, f.doc.Extensions)
	if read {
		payload, found := extension.ReadField(f.doc.Place, f.doc.Extensions)
		f.ext, err = payload, c.addDiagnosticsAndReturnFirstError(found)
	}
	if err != nil && f.cat.Err == nil {
		f.cat.Err = err
	}
	f.cat.IsDimension, f.cat.Order = f.ext.IsDimension, f.ext.Order
	f.aggregates = f.source.Default.expr != nil && sqlexpr.HasAggregate(f.source.Default.expr)
	if f.aggregates && f.ext.LOD == nil && f.cat.Err == nil {
		f.dropped = true
		c.addWarning(CodeAggregateFieldDropped, f.doc.MemberLocation("expression"), f.source.Default.entry.Expression.Position,
			"the field %s.%s aggregates but declares no grain (lod); it is dropped, and what refers to it fails", f.ds.cat.Name, f.cat.Name)
	}
}

// parseDialectVariants parses the entries of an expression that can be chosen. An
// expression with no SQL entry is an error that is not listed yet: it counts
// once the object is in use.
func (c *compiler) parseDialectVariants(e *modelspec.Expression, owner modelspec.Place) (out catalog.DialectVariants[parsedDialectEntry], err *modelspec.CompileError, byDialect map[string]*modelspec.CompileError) {
	var place modelspec.Place
	if e != nil {
		place = e.Place
	} else {
		place = modelspec.Place{Location: owner.MemberLocation("expression"), Position: owner.Position}
	}
	chosen := e.DefaultEntry()
	if chosen == nil {
		return out, &modelspec.CompileError{
			Code: CodeNoSQLDialect, Location: place.Location, Position: place.Position,
			Message: "the expression has no entry in ANSI_SQL or another SQL dialect",
			Hint:    "add an entry with dialect ANSI_SQL",
		}, nil
	}
	out.Default, err = c.parseDialectEntry(place, chosen)
	c.warnOfUnportableFunctions(e, chosen, out.Default.expr)
	for _, entry := range e.Entries {
		name := sqlexpr.CanonicalDialect(entry.Dialect.Value)
		if entry == chosen || e.EntryForDialect(name) != entry || strings.TrimSpace(entry.Expression.Value) == strings.TrimSpace(chosen.Expression.Value) {
			continue
		}
		parsed, failure := c.parseDialectEntry(place, entry)
		if failure != nil {
			recordDialectError(&byDialect, name, failure)
			continue
		}
		if out.ByDialect == nil {
			out.ByDialect = map[string]parsedDialectEntry{}
		}
		out.ByDialect[name] = parsed
	}
	return out, err, byDialect
}

func (c *compiler) parseDialectEntry(place modelspec.Place, entry *modelspec.DialectEntry) (parsedDialectEntry, *modelspec.CompileError) {
	src := parsedDialectEntry{entry: entry}
	p := c.parseExpressionCached(entry.Expression.Value, src.nativeDialect())
	if err := c.countTokensTowardLimit(p.tokens, place); err != nil {
		return parsedDialectEntry{}, err
	}
	if p.err != nil {
		failure := expressionSyntaxError(place.Location, entry.Expression, p.err)
		if failure.Position == (modelspec.Position{}) {
			failure.Position = entry.Position // the text is missing
		}
		return parsedDialectEntry{}, c.addAndReturnError(failure)
	}
	src.expr = p.expr
	return src, nil
}

// expressionSyntaxError restates a parser's error as a compile error at its place.
func expressionSyntaxError(location string, text modelspec.LocatedText, err error) *modelspec.CompileError {
	out := &modelspec.CompileError{Code: CodeUnparseable, Location: location, Position: text.Position, Message: err.Error()}
	if syntax := (*sqlexpr.SyntaxError)(nil); errors.As(err, &syntax) {
		out.Position = text.PositionAtOffset(syntax.Offset)
		if syntax.Hint != "" {
			out.Hint = syntax.Hint
			out.Message = strings.TrimSuffix(out.Message, ": "+syntax.Hint)
		}
	}
	out.Message = fmt.Sprintf("the expression %s does not parse: %s", quoteExcerpt(text.Value), out.Message)
	return out
}

// maxQuotedCharacters is how many characters of an expression or a name a message repeats.
const maxQuotedCharacters = 80

// quoteExcerpt shows an expression in a message, on one line and not too long.
func quoteExcerpt(s string) string {
	if cut := 8 * maxQuotedCharacters; len(s) > cut {
		s = s[:cut] // the rest is not read either
	}
	return "`" + shortenText(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")) + "`"
}

// quoteExpr shows a parsed expression as quote shows its text.
func quoteExpr(e sqlexpr.Expr) string { return quoteExcerpt(sqlexpr.Format(e)) }

// shortenText shortens a text for a message.
func shortenText(s string) string {
	n, cut := 0, 0
	for at := range s {
		switch n++; n {
		case maxQuotedCharacters:
			cut = at
		case maxQuotedCharacters + 1:
			return s[:cut] + "…"
		}
	}
	return s
}

func recordDialectError(m *map[string]*modelspec.CompileError, dialect string, err *modelspec.CompileError) {
	if *m == nil {
		*m = map[string]*modelspec.CompileError{}
	}
	(*m)[dialect] = err
}
