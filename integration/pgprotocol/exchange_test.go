package pgprotocol

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/executor/testwait"
)

// client speaks the messages of the protocol itself.
type client struct{ *pgproto3.Frontend }

// open opens a session without TLS, and takes its connection over.
func open(t *testing.T, uri string) client {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := c.Hijack()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Conn.Close() })
	_ = taken.Conn.SetDeadline(time.Now().Add(testwait.Deadline))
	return client{taken.Frontend}
}

// exchange sends the messages of a script, one a line, and returns the messages that come back.
func (c client) exchange(t *testing.T, script string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := messageOf(t, line)
		c.Send(m)
		switch m.(type) {
		case *pgproto3.Query, *pgproto3.Sync:
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			out = append(out, c.read(t)...)
		}
	}
	return out
}

// messageOf reads a message: its letter, and its parts between bars.
func messageOf(t *testing.T, line string) pgproto3.FrontendMessage {
	t.Helper()
	kind, rest, _ := strings.Cut(line, " ")
	parts := strings.SplitN(rest, "|", 3)
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	switch kind {
	case "Query":
		return &pgproto3.Query{String: strings.ReplaceAll(rest, `\n`, "\n")}
	case "Parse":
		return &pgproto3.Parse{Name: parts[0], Query: parts[1], ParameterOIDs: numbersOf[uint32](t, parts[2])}
	case "Bind": // portal | statement | formats of the columns, then values
		formats, values, _ := strings.Cut(parts[2], ":")
		m := &pgproto3.Bind{DestinationPortal: parts[0], PreparedStatement: parts[1], ResultFormatCodes: numbersOf[int16](t, formats)}
		for _, v := range strings.Split(values, ",") {
			switch {
			case values == "":
			case v == "NULL":
				m.Parameters = append(m.Parameters, nil)
			default:
				m.Parameters = append(m.Parameters, []byte(v))
			}
		}
		return m
	case "BindBinary": // portal | statement | values in hexadecimal
		m := &pgproto3.Bind{DestinationPortal: parts[0], PreparedStatement: parts[1], ParameterFormatCodes: []int16{1}}
		for _, v := range strings.Split(parts[2], ",") {
			b, err := hex.DecodeString(v)
			if err != nil {
				t.Fatal(err)
			}
			m.Parameters = append(m.Parameters, b)
		}
		return m
	case "DescribeStatement":
		return &pgproto3.Describe{ObjectType: 'S', Name: rest}
	case "DescribePortal":
		return &pgproto3.Describe{ObjectType: 'P', Name: rest}
	case "Execute":
		m := &pgproto3.Execute{Portal: parts[0]}
		if n := numbersOf[uint32](t, parts[1]); len(n) > 0 {
			m.MaxRows = n[0]
		}
		return m
	case "CloseStatement":
		return &pgproto3.Close{ObjectType: 'S', Name: rest}
	case "ClosePortal":
		return &pgproto3.Close{ObjectType: 'P', Name: rest}
	case "Flush":
		return &pgproto3.Flush{}
	case "Sync":
		return &pgproto3.Sync{}
	}
	t.Fatalf("no message: %s", line)
	return nil
}

func numbersOf[N int16 | uint32](t *testing.T, text string) []N {
	t.Helper()
	var out []N
	for word := range strings.FieldsSeq(text) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, N(n))
	}
	return out
}

// read reads messages up to ReadyForQuery, as short texts.
func (c client) read(t *testing.T) []string {
	t.Helper()
	var out []string
	for {
		m, err := c.Receive()
		if err != nil {
			return append(out, "the connection ended: "+err.Error())
		}
		switch m := m.(type) {
		case *pgproto3.ReadyForQuery:
			return append(out, "ReadyForQuery "+string(m.TxStatus))
		case *pgproto3.ParameterStatus:
			if m.Name == "application_name" { // the others differ, and do not change
				out = append(out, "ParameterStatus "+m.Name+" "+m.Value)
			}
		case *pgproto3.BackendKeyData, *pgproto3.AuthenticationOk:
		default:
			out = append(out, textOf(m))
		}
	}
}

// textOf returns what of a message must be equal.
func textOf(m pgproto3.BackendMessage) string {
	switch m := m.(type) {
	case *pgproto3.CommandComplete:
		return "CommandComplete " + string(m.CommandTag)
	case *pgproto3.ErrorResponse:
		return fmt.Sprintf("%s %s at %d", m.Severity, m.Code, m.Position)
	case *pgproto3.NoticeResponse:
		return m.Severity + " " + m.Code
	case *pgproto3.ParameterDescription:
		return fmt.Sprint("ParameterDescription ", m.ParameterOIDs)
	case *pgproto3.RowDescription:
		out := "RowDescription"
		for _, f := range m.Fields {
			out += fmt.Sprintf(" %s:%d:%d:%d", f.Name, f.DataTypeOID, f.DataTypeSize, f.Format)
			if f.TableOID != 0 {
				out += fmt.Sprintf(":%d", f.TableAttributeNumber) // the OIDs of tables differ
			}
		}
		return out
	case *pgproto3.DataRow:
		out := "DataRow"
		for _, v := range m.Values {
			if v == nil {
				out += " NULL"
			} else {
				out += fmt.Sprintf(" %q", v)
			}
		}
		return out
	case *pgproto3.CopyData:
		return fmt.Sprintf("CopyData %q", m.Data)
	case *pgproto3.CopyOutResponse:
		return fmt.Sprintf("CopyOutResponse %d %v", m.OverallFormat, m.ColumnFormatCodes)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
}
