package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The bounds of texts in a line, in bytes.
const (
	maxNameBytes    = 256
	maxMessageBytes = 1024
)

// OutcomeOK is the outcome of a request without an error.
const OutcomeOK = "ok"

// Surface is an interface.
type Surface string

// The interfaces.
const (
	SurfaceREST Surface = "rest"
	SurfaceMCP  Surface = "mcp"
	SurfaceSQL  Surface = "sql"
)

// Entry is the content of a line beside the Facts of the request.
type Entry struct {
	Facts
	Time             time.Time
	QueryID          string
	RequestID        string
	Remote           string // address of the peer
	Identity, Issuer string
	Roles            []string
	Surface          Surface
	Route            string
	Model            string
	Bytes            int64 // of the body of the response
	Duration         time.Duration
	// Outcome is OutcomeOK or the code of an error; "" means that Facts has it.
	Outcome string
	Status  int    // 0 on an interface without HTTP
	Policy  string // revision of the policies file
	Message string // of the error, without words of a warehouse
}

// line is an Entry as it is written: the keys in this order, without those that are empty.
type line struct {
	Time       string          `json:"time"`
	QueryID    string          `json:"query_id,omitempty"`
	RequestID  string          `json:"request_id,omitempty"`
	Remote     string          `json:"remote,omitempty"`
	Identity   string          `json:"identity,omitempty"`
	Issuer     string          `json:"issuer,omitempty"`
	Roles      []string        `json:"roles,omitempty"`
	Surface    Surface         `json:"surface"`
	Route      string          `json:"route,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	Model      string          `json:"model,omitempty"`
	Plane      string          `json:"plane,omitempty"`
	Metrics    []string        `json:"metrics,omitempty"`
	Dimensions []string        `json:"dimensions,omitempty"`
	Datasets   []string        `json:"datasets,omitempty"`
	Filtered   []string        `json:"filtered,omitempty"`
	Connection string          `json:"connection,omitempty"`
	Dialect    string          `json:"dialect,omitempty"`
	Cache      string          `json:"cache,omitempty"`
	Rollups    []string        `json:"rollups,omitempty"`
	Rows       *int64          `json:"rows,omitempty"`
	Bytes      int64           `json:"bytes,omitempty"`
	DurationMS float64         `json:"duration_ms"`
	QueueMS    float64         `json:"queue_ms,omitempty"`
	PlanMS     float64         `json:"plan_ms,omitempty"`
	ExecuteMS  float64         `json:"execute_ms,omitempty"`
	SQLHash    string          `json:"sql_hash,omitempty"`
	Outcome    string          `json:"outcome"`
	Status     int             `json:"status,omitempty"`
	Policy     string          `json:"policy,omitempty"`
	Message    string          `json:"message,omitempty"`
	Request    json.RawMessage `json:"request,omitempty"`
	SQL        string          `json:"sql,omitempty"`
}

// outcome returns the outcome with the message of an error.
func (e *Entry) outcome() (code, message string) {
	switch {
	case e.Outcome != "" && e.Outcome != OutcomeOK:
		return e.Outcome, e.Message
	case e.Code != "":
		return e.Code, e.Facts.Message
	}
	return OutcomeOK, ""
}

// PolicyOf returns the revision of a policies file by the hash of its text.
func PolicyOf(hash string) string {
	const digits = 12
	return hash[:min(len(hash), digits)]
}

// appendLine appends the entry as one line. No text of a client can end the line: JSON escapes every control character.
func (e *Entry) appendLine(to []byte, literals bool) ([]byte, error) {
	code, message := e.outcome()
	sql := strings.Join(e.Statements, ";\n")
	out := line{
		Time: e.Time.UTC().Format("2006-01-02T15:04:05.000Z"), QueryID: e.QueryID, RequestID: cut(e.RequestID), Remote: cut(e.Remote),
		Identity: cut(e.Identity), Issuer: cut(e.Issuer), Roles: cutAll(e.Roles), Surface: e.Surface, Route: e.Route, Tool: cut(e.Tool), Model: cut(e.Model),
		Plane: e.Plane, Metrics: cutAll(e.Metrics), Dimensions: cutAll(e.Dimensions), Datasets: cutAll(e.Datasets), Filtered: cutAll(e.Filtered),
		Connection: cut(e.Connection), Dialect: e.Dialect, Cache: e.Cache, Rollups: cutAll(e.Rollups), Bytes: e.Bytes, DurationMS: milliseconds(e.Duration),
		QueueMS: milliseconds(e.Queue), PlanMS: milliseconds(e.Plan), ExecuteMS: milliseconds(e.Execute), SQLHash: hashOf(sql),
		Outcome: cut(code), Status: e.Status, Policy: e.Policy, Message: cutAt(message, maxMessageBytes),
	}
	if e.Executed {
		out.Rows = &e.Rows
	}
	if literals {
		out.Request, out.SQL = requestAsJSON(e.Request), sql
		if e.WarehouseWords != "" && code != OutcomeOK {
			out.Message = e.WarehouseWords
		}
	}
	text := bytes.NewBuffer(to)
	encoder := json.NewEncoder(text) // which ends the line
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(out)
	return escapeControls(text.Bytes()), err
}

// escapeControls escapes what JSON leaves as it is and terminals or readers of lines obey: DEL, the controls of eight bits, changes of the direction
// of text, and separators of lines.
func escapeControls(line []byte) []byte {
	obeyed := func(r rune) bool {
		return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
	}
	if !bytes.ContainsFunc(line, obeyed) {
		return line
	}
	out := make([]byte, 0, len(line)+16)
	for _, r := range string(line) {
		if obeyed(r) {
			out = append(out, `\u`...)
			out = append(out, hex.EncodeToString([]byte{byte(r >> 8), byte(r)})...)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// requestAsJSON returns a body as it is, without the line breaks between its tokens; one that is not JSON becomes a text.
func requestAsJSON(body []byte) json.RawMessage {
	if len(body) == 0 || json.Valid(body) {
		return bytes.ToValidUTF8(body, []byte("\uFFFD")) // the encoder leaves line breaks out
	}
	text, _ := json.Marshal(strings.ToValidUTF8(string(body), "\uFFFD")) // of a string, which always succeeds
	return text
}

func hashOf(sql string) string {
	if sql == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(sql))
	return hex.EncodeToString(sum[:])[:12]
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())) / 1000 }

func cutAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = cut(name)
	}
	return out
}

// cut bounds a name, which may be any text of a client.
func cut(name string) string { return cutAt(name, maxNameBytes) }

func cutAt(text string, most int) string {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) > most {
		return strings.ToValidUTF8(text[:most], "")
	}
	return text
}
