package restapi

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// sendFasthttpResponseToNetHTTP writes a response of the HTTP library to a server of net/http.
func sendFasthttpResponseToNetHTTP(w http.ResponseWriter, r *http.Request, from *fasthttp.Response) {
	for name, value := range from.Header.All() {
		if string(name) == fiber.HeaderVary { // the other program may have set some
			w.Header().Add(fiber.HeaderVary, string(value))
			continue
		}
		w.Header().Set(string(name), string(value))
	}
	status := from.StatusCode()
	if stream, ok := from.BodyStream().(io.ReadCloser); ok {
		w.WriteHeader(status)
		sendStreamToNetHTTP(w, r, stream)
		return
	}
	body := from.Body()
	if status == fiber.StatusNoContent || status == fiber.StatusNotModified {
		body = nil
	} else {
		w.Header().Set(fiber.HeaderContentLength, strconv.Itoa(len(body)))
	}
	if len(body) == 0 {
		w.Header().Del(fiber.HeaderContentType) // the library's default
	}
	w.WriteHeader(status)
	if len(body) > 0 && r.Method != http.MethodHead {
		_, _ = w.Write(body) // where it fails, the client has gone
	}
}

// sendStreamToNetHTTP sends a body piece by piece while it is made, and ends the making when
// the client disconnects. A body that fails is cut off: the panic makes net/http close
// the connection without the end of the body.
func sendStreamToNetHTTP(w http.ResponseWriter, r *http.Request, body io.ReadCloser) {
	stop := context.AfterFunc(r.Context(), func() { _ = body.Close() })
	defer stop()
	client := http.NewResponseController(w)
	defer func() { _ = client.SetWriteDeadline(time.Time{}) }()
	piece := make([]byte, 32<<10)
	for {
		n, err := body.Read(piece)
		if n > 0 {
			// A stream may take longer than writeTimeout: each piece has the full time.
			_ = client.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, failed := w.Write(piece[:n]); failed != nil {
				err = failed
			} else {
				_ = client.Flush()
			}
		}
		if err == io.EOF { //nolint:errorlint // an error of the warehouse that wraps it is not the end
			_ = body.Close()
			return
		}
		if err != nil {
			_ = body.Close()
			panic(http.ErrAbortHandler)
		}
	}
}
