// Package fileschema describes the files beside a model as JSON Schema: test files and files
// of connection profiles.
//
//	keys of profiles (profile.DescribeWarehouseTypes) ──► Connections ─┐
//	                                                  ├─► *schema.Schema
//	keys of queries (query.MetricKeys, …) ──► Tests ──┘
package fileschema
