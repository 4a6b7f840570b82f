// The query of the form in the languages of those who will run it again.

import type { Query, RowKind } from './api.ts'

export interface Snippet {
  name: string
  language: string
  text: string
  /** What the text is for. */
  about?: string
}

/** The one character that ends a quoted shell word is spelled around. */
const shell = (s: string) => `'${s.replaceAll("'", `'\\''`)}'`
const json = (v: unknown, indent?: number) => JSON.stringify(v, null, indent)

export function snippets(origin: string, kind: RowKind, q: Query): Snippet[] {
  return [
    { name: 'curl', language: 'bash', text: curl(origin, `/v1/${kind}/execute`, q) },
    { name: 'Go', language: 'go', text: go(origin, kind, q) },
    { name: 'Python', language: 'python', text: python(origin, kind, q) },
    { name: 'MCP', language: 'json', text: json({ name: kind === 'query' ? 'run_query' : 'select', arguments: q }, 2) },
    { name: 'JSON', language: 'json', text: json(q, 2) },
  ]
}

function curl(origin: string, path: string, q: Query): string {
  return `curl -s ${origin}${path} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(json(q))}\n# with a token: -H "Authorization: Bearer $SVC_SERVER_TOKEN"`
}

/** The keys that the call with the Go client writes as fields of its struct. */
const typedKeys = ['saved', 'metrics', 'group_by', 'where_sql', 'context_filter', 'time_range', 'order_by', 'limit', 'params', 'connection']

/** isTyped reports whether a query has no other key and no form of a key that the fields do not write. */
function isTyped(q: Query): boolean {
  return (
    Object.entries(q).every(([k, v]) => typedKeys.includes(k) && v !== null) &&
    (q.metrics ?? []).every((m) => typeof m === 'string') &&
    (q.group_by ?? []).every((g) => !g.name && !g.expression) &&
    !q.time_range?.last
  )
}

/** The call with the Go client; parts that its struct orders differently than JSON are written as its own types. */
function go(origin: string, kind: RowKind, q: Query): string {
  const type = kind === 'query' ? 'MetricQuery' : 'DetailQuery'
  const call = kind === 'query' ? 'Execute' : 'SelectExecute'
  if (!isTyped(q)) return goProgram(origin, `\tvar query client.${type}
	if err := json.Unmarshal([]byte(${str(json(q))}), &query); err != nil {
		log.Fatal(err)
	}
	result, err := c.${call}(context.Background(), query)`, ['context', 'encoding/json', 'fmt', 'log'])
  const lines: string[] = []
  const put = (name: string, value: string) => lines.push(`\t\t${name}: ${value},`)
  if (q.saved) put('Saved', str(q.saved))
  if (q.metrics) put('Metrics', `[]string{${q.metrics.map((m) => str(m as string)).join(', ')}}`)
  if (q.group_by) put('GroupBy', `[]client.GroupBy{${q.group_by.map((g) => `{Field: ${str(g.field ?? '')}${g.grain ? `, Grain: ${str(g.grain)}` : ''}${g.part ? `, Part: ${str(g.part)}` : ''}}`).join(', ')}}`)
  if (q.where_sql) put('WhereSQL', str(q.where_sql))
  if (q.context_filter) put('ContextFilter', str(q.context_filter))
  if (q.time_range) {
    const { start, end, dimension } = q.time_range
    const parts = [start && `Start: ${str(start)}`, end && `End: ${str(end)}`, dimension && `Dimension: ${str(dimension)}`].filter(Boolean)
    put('TimeRange', `&client.TimeRange{${parts.join(', ')}}`)
  }
  if (q.order_by) put('OrderBy', `[]client.OrderBy{${q.order_by.map((o) => `{Key: ${str(o.key)}${o.desc ? ', Desc: true' : ''}}`).join(', ')}}`)
  if (q.limit !== undefined) put('Limit', `new(${q.limit})`)
  if (q.params) put('Params', `client.Params{${Object.entries(q.params).map(([k, v]) => `{Name: ${str(k)}, Value: ${goValue(v)}}`).join(', ')}}`)
  if (q.connection) put('Connection', str(q.connection))
  return goProgram(origin, `	result, err := c.${call}(context.Background(), client.${type}{
${lines.join('\n')}
	})`, ['context', 'fmt', 'log'])
}

/** goProgram is a program that runs the statements of a query. */
function goProgram(origin: string, statements: string, imports: string[]): string {
  return `package main

import (
${imports.map((i) => `\t"${i}"`).join('\n')}

	client "github.com/semlayer/semlayer/clients/go"
)

func main() {
	c, err := client.New(${str(origin)})
	if err != nil {
		log.Fatal(err)
	}
${statements}
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range result.Rows {
		fmt.Println(row)
	}
}`
}

/** JSON's strings are Go's, but for two separators that both may hold. */
const str = (s: string) => JSON.stringify(s)

function goValue(v: unknown): string {
  if (Array.isArray(v)) return `[]any{${v.map(goValue).join(', ')}}`
  return v === null ? 'nil' : JSON.stringify(v)
}

function python(origin: string, kind: RowKind, q: Query): string {
  return `from semlayer import Client

client = Client("${origin}")
result = client.${kind === 'query' ? 'execute' : 'select'}(${pythonValue(q, 0)})
for row in result:
    print(row)`
}

function pythonValue(v: unknown, depth: number): string {
  const pad = '    '.repeat(depth + 1)
  const end = '    '.repeat(depth)
  if (v === true) return 'True'
  if (v === false) return 'False'
  if (v === null || v === undefined) return 'None'
  if (Array.isArray(v)) return `[${v.map((x) => pythonValue(x, depth + 1)).join(', ')}]`
  if (typeof v === 'object') {
    const items = Object.entries(v as object).map(([k, x]) => `${JSON.stringify(k)}: ${pythonValue(x, depth + 1)}`)
    return depth === 0 ? `{\n${items.map((i) => pad + i + ',\n').join('')}${end}}` : `{${items.join(', ')}}`
  }
  return JSON.stringify(v)
}
