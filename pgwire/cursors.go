package pgwire

import (
	"context"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// declareCursor opens a cursor, which is a portal with a name.
func (s *session) declareCursor(ctx context.Context, c *statement.Declare, query *preparedStatement, params []BindParameterValue) error {
	switch {
	case !s.isInSharedTransaction() && !c.Hold:
		return newSessionError(sqlstateNoActiveTransaction, "DECLARE CURSOR can only be used in transaction blocks")
	case c.Scroll:
		return newSessionError(sqlstateFeatureNotSupported, "a cursor that scrolls is not supported")
	case s.portals[c.Name] != nil:
		return newSessionError(sqlstateDuplicateCursor, "there is a cursor "+clipText(c.Name)+" already")
	}
	formats := []int16{value.TextFormat}
	if c.Binary {
		formats[0] = value.BinaryFormat
	}
	p, err := s.newPortal(ctx, query, params, formats)
	if err != nil {
		return shiftErrorPosition(err, c.Before)
	}
	p.isCursor, p.isHeld = true, c.Hold
	query.parsed = nil // a tree takes many times the bytes of its text
	return s.addPortal(c.Name, p)
}

// addPortal keeps a portal under a name; the unnamed one is replaced.
func (s *session) addPortal(name string, p *portal) error {
	if old := s.portals[name]; old != nil {
		if name != "" {
			return newSessionError(sqlstateDuplicateCursor, "there is a portal "+clipText(name)+" already")
		}
		old.close()
		delete(s.portals, name)
	}
	if len(s.portals) >= maxPortals {
		return newSessionError(sqlstateConfigurationLimitExceeded, "the session has the maximum number of portals: "+strconv.Itoa(maxPortals))
	}
	if err := s.growKept(p.keptBytes() + len(name)); err != nil {
		return err
	}
	s.portalID++
	p.id = s.portalID
	s.portals[strings.Clone(name)] = p
	return nil
}

func (s *session) findCursor(name string) (*portal, error) {
	if p, ok := s.portals[name]; ok {
		return p, nil
	}
	return nil, newSessionError(sqlstateUnknownCursor, "there is no cursor "+clipText(name))
}

func (s *session) closeCursor(c *statement.CloseCursor) (string, error) {
	if c.Name == "" {
		s.closePortalsOpenedAfter(0)
		return "CLOSE CURSOR ALL", nil
	}
	p, err := s.findCursor(c.Name)
	if err != nil {
		return "", err
	}
	p.close()
	delete(s.portals, c.Name)
	return "CLOSE CURSOR", nil
}

// limitedCursorRows are the next rows of a cursor: at most left of them.
type limitedCursorRows struct {
	cursor  *portal
	formats []int16
	left    int64
}

func (r *limitedCursorRows) next(ctx context.Context) error {
	if r.left <= 0 {
		return io.EOF
	}
	r.left--
	n, _, err := r.cursor.fetchRows(ctx, 1, func(of statementRows) error { return of.setFormats(r.formats) })
	if err == nil && n == 0 {
		return io.EOF
	}
	return err
}

func (r *limitedCursorRows) encodeCurrentRow(dst []byte) ([]byte, error) {
	return r.cursor.rows.encodeCurrentRow(dst)
}

func (r *limitedCursorRows) encodeCurrentValueAsText(dst []byte, column int) ([]byte, bool, error) {
	return r.cursor.rows.encodeCurrentValueAsText(dst, column)
}

func (r *limitedCursorRows) setFormats(formats []int16) error {
	r.formats = formats
	return nil
}

func (r *limitedCursorRows) close() { r.cursor.suspend() }

// initFetchPortal makes FETCH and MOVE of a cursor forward. The formats are those of the cursor where the client requests none.
func (s *session) initFetchPortal(out *portal, c *statement.Fetch, formats []int16) error {
	cursor, err := s.findCursor(c.Name)
	switch {
	case err != nil:
		return err
	case c.Absolute, c.Count < 0, c.Count == 0 && !c.Move && cursor.fetched > 0:
		return &sessionError{state: sqlstateCursorNotScrollable, message: "a cursor can only go forward", hint: "use FETCH FORWARD, NEXT or ALL"}
	}
	count := c.Count
	if c.All {
		count = math.MaxInt64
	}
	if c.Move {
		out.run = func(ctx context.Context) (string, error) {
			n, _, err := cursor.fetchRows(ctx, count, func(statementRows) error { return nil })
			cursor.suspend()
			return "MOVE " + strconv.FormatInt(n, 10), err
		}
		return nil
	}
	out.columns = slices.Clone(cursor.columns)
	if len(formats) == 0 {
		out.formats = cursor.formats
	} else if out.formats, err = expandFormats(formats, len(out.columns)); err != nil {
		return err
	}
	out.open = func(context.Context) (statementRows, error) {
		return &limitedCursorRows{cursor, out.formats, count}, nil
	}
	return nil
}
