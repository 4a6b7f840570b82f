package restapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// ResultCacheReporter is a Service that may keep results; *engine.Engine implements it.
type ResultCacheReporter interface {
	// ResultCacheStats returns the numbers of the cache; false without one.
	ResultCacheStats() (engine.ResultCacheStats, bool)
}

// keepsResults reports whether a service has a result cache.
func keepsResults(service Service) bool {
	r, ok := service.(ResultCacheReporter)
	if !ok {
		return false
	}
	_, on := r.ResultCacheStats()
	return on
}

// headerCache names the outcome of the result cache.
const headerCache = "X-Cache"

// setCacheHeaders names how the result cache has served the request. It reports whether there is a cache.
func setCacheHeaders(c *fiber.Ctx, use *engine.CacheUse) bool {
	outcome := use.Outcome()
	if outcome == "" {
		return false
	}
	c.Set(headerCache, outcome)
	if age, ok := use.Age(); ok {
		c.Set(fiber.HeaderAge, strconv.FormatInt(int64(age/time.Second), 10))
	}
	return true
}

// sendExecuted sends the result of an execution. With a result cache it has a strong ETag, and a client that has the result already gets 304.
func sendExecuted(c *fiber.Ctx, body []byte) error {
	if !setCacheHeaders(c, requestRecordOf(c.Context()).cacheUse) {
		return sendJSON(c, fiber.StatusOK, body)
	}
	hash := sha256.Sum256(body)
	tag, packed := hex.EncodeToString(hash[:]), isCompressible(body) && acceptsGzip(&c.Request().Header)
	if packed {
		tag += "-gzip"
	}
	if isCompressible(body) {
		addVary(&c.Response().Header, fiber.HeaderAcceptEncoding)
	}
	if respondIfNotModified(c, `"`+tag+`"`) {
		return nil
	}
	if packed {
		c.Response().Header.SetContentEncoding("gzip")
		body = fasthttp.AppendGzipBytesLevel(nil, body, fasthttp.CompressBestSpeed)
	}
	return sendJSON(c, fiber.StatusOK, body)
}

// notModifiedStream sets the headers of a stream. It reports whether it has responded that the client has the result already.
func (s *Server) notModifiedStream(ctx context.Context, c *fiber.Ctx, stream *engine.Stream) (bool, error) {
	if !setCacheHeaders(c, requestRecordOf(c.Context()).cacheUse) {
		return false, nil
	}
	tag, err := stream.ContentTag(ctx)
	if err != nil || tag == "" { // Write reports the error
		return false, nil //nolint:nilerr // as the comment explains
	}
	if !respondIfNotModified(c, `"`+tag+`"`) {
		return false, nil
	}
	return true, stream.Close()
}

// resultCacheCollector collects the numbers of the result cache, which all models share.
type resultCacheCollector struct{ server *Server }

var (
	cacheRequestsDesc  = prometheus.NewDesc("semlayer_cache_requests_total", "Statements with a result cache, by outcome: hit, shared, miss or bypass.", []string{"result"}, nil)
	cacheBytesDesc     = prometheus.NewDesc("semlayer_cache_bytes", "Memory that the result cache holds.", nil, nil)
	cacheEntriesDesc   = prometheus.NewDesc("semlayer_cache_entries", "Results that are kept.", nil, nil)
	cacheEvictionsDesc = prometheus.NewDesc("semlayer_cache_evictions_total", "Results that were dropped to make room.", nil, nil)
)

// Describe lists what Collect sends.
func (resultCacheCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{cacheRequestsDesc, cacheBytesDesc, cacheEntriesDesc, cacheEvictionsDesc} {
		to <- d
	}
}

// Collect sends the present numbers.
func (m resultCacheCollector) Collect(to chan<- prometheus.Metric) {
	r, ok := m.server.models.Load().list[0].Service.(ResultCacheReporter)
	if !ok {
		return
	}
	stats, _ := r.ResultCacheStats()
	for outcome, n := range stats.Requests {
		to <- prometheus.MustNewConstMetric(cacheRequestsDesc, prometheus.CounterValue, float64(n), string(outcome))
	}
	to <- prometheus.MustNewConstMetric(cacheBytesDesc, prometheus.GaugeValue, float64(stats.Bytes))
	to <- prometheus.MustNewConstMetric(cacheEntriesDesc, prometheus.GaugeValue, float64(stats.Entries))
	to <- prometheus.MustNewConstMetric(cacheEvictionsDesc, prometheus.CounterValue, float64(stats.Evictions))
}

// addCacheToOperation describes what a result cache adds to a route that runs a query.
func addCacheToOperation(o *openapi.Operation) {
	headers := []openapi.Header{
		{Name: headerCache, Description: "Where the result comes from: hit, shared, miss or bypass."},
		{Name: fiber.HeaderAge, Description: "The age of the result in seconds, if it was not read for this request."},
		{Name: fiber.HeaderETag, Description: "A hash of the response, if all rows are known before the first is sent."},
	}
	o.Answers[0].Headers = append(o.Answers[0].Headers, headers...)
	o.Answers = append(o.Answers, openapi.Response{Status: http.StatusNotModified, Description: "You have the result.", Headers: headers})
	o.Parameters = append(slices.Clone(o.Parameters), openapi.Parameter{
		Name: fiber.HeaderIfNoneMatch, In: "header", Description: "The ETag of an earlier response: if the result is unchanged, the response is 304 without a body.",
	})
}
