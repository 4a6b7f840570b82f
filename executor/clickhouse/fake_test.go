package clickhouse_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/executortest"
)

const password = "c4n4ry"

// asked is a request as the fake server got it.
type asked struct {
	method   string
	text     string
	settings url.Values
	header   http.Header
}

// fake is a server with prepared responses that records its requests.
type fake struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

// newFake starts a server. The handler gets the statement's text.
func newFake(t testing.TB, answer func(w http.ResponseWriter, r *http.Request, text string)) *fake {
	t.Helper()
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		f.mu.Lock()
		f.asked = append(f.asked, asked{r.Method, string(text), r.URL.Query(), r.Header})
		f.mu.Unlock()
		answer(w, r, string(text))
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) requests() []asked {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]asked(nil), f.asked...)
}

func (f *fake) open(t testing.TB) *clickhouse.Executor {
	t.Helper()
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return open(t, clickhouse.Options{Host: u.Hostname(), Port: port, User: "reader", Password: executor.NewSecret(password), Database: "sales", PoolSize: 2})
}

var open = executortest.OpenForTest(clickhouse.Open)

// batchOfColumn makes a batch of one column.
func batchOfColumn[T any](t testing.TB, field arrow.Field, values ...T) arrow.RecordBatch {
	t.Helper()
	b := array.NewBuilder(memory.DefaultAllocator, field.Type).(interface {
		array.Builder
		Append(T)
	})
	defer b.Release()
	for _, v := range values {
		b.Append(v)
	}
	a := b.NewArray()
	defer a.Release()
	return array.NewRecordBatch(arrow.NewSchema([]arrow.Field{field}, nil), []arrow.Array{a}, int64(a.Len()))
}

func numbers(t testing.TB, values ...int64) arrow.RecordBatch {
	return batchOfColumn(t, arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int64}, values...)
}

// endMarker is how an Arrow stream ends.
var endMarker = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// stream returns batches as ArrowStream writes them, compressed as ClickHouse does.
func stream(t testing.TB, batches ...arrow.RecordBatch) []byte {
	t.Helper()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(batches[0].Schema()), ipc.WithLZ4())
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(out.Bytes(), endMarker) {
		t.Fatal("the stream has no end marker")
	}
	return out.Bytes()
}

// unfinished returns a stream up to its end marker.
func unfinished(t testing.TB, batches ...arrow.RecordBatch) []byte {
	return bytes.TrimSuffix(stream(t, batches...), endMarker)
}

// answerWith returns a server that sends these bytes.
func answerWith(body []byte) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, text string) {
		if !strings.HasPrefix(text, "KILL") {
			_, _ = w.Write(body)
		}
	}
}
