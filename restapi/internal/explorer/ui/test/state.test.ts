import assert from 'node:assert/strict'
import test from 'node:test'
import { condition, list, literal } from '../src/filters.ts'
import { bucket, calendar, csv, number, placesOf, plain } from '../src/format.ts'
import { aroundZero, draw } from '../src/panels.ts'
import { applyToSaved, fragmentOf, fromHash, fromQuery, groupsOf, initial, merge, openSaved, toHash, toQuery, toSavedQuery, type State, type Types } from '../src/state.ts'

const dimension = (name: string, datatype: string) => [name, { name, datatype, is_time: false, is_dimension: true, source: 'declared' }] as const
const types: Types = {
  dimensions: new Map([dimension('orders.status', 'String'), dimension('orders.amount', 'Decimal'), dimension('orders.order_date', 'Date'), dimension('orders.paid', 'Boolean')]),
  metrics: new Map([['x_above', { name: 'x_above', kind: 'aggregate', datasets: [], measures: [], attribution: 'exact', param_schema: { t: { type: 'int', required: false, default: 50 } } }]]),
}

test('an address holds the whole state', () => {
  const s: State = {
    ...initial,
    page: 'attribution',
    saved: 'top_regions',
    metrics: ['revenue', 'a&b=c'],
    groups: [{ field: 'orders.order_date', grain: 'month' }, { field: 'we:ird.name' }],
    filters: [{ field: 'orders.status', op: '<>', value: "it's ~ & # %" }],
    where: "a = '?'",
    context: 'b > 1',
    start: '2024-01-01',
    end: '2025-01-01',
    timeDimension: 'orders.order_date',
    order: [{ key: 'revenue', desc: true }, { key: 'x', desc: false }],
    limit: 7,
    params: { t: '50,100', day: '2024=1' },
    rest: { time_ranges: { a: { start: '2024-01-01' } } },
    connection: 'wh',
    dialect: 'mysql',
    tab: 'plan',
    focus: 'orders',
    dimensions: ['orders.status'],
    baseline: { start: '2024-01-01', end: '2024-02-01' },
    current: { start: '2024-02-01', end: '2024-03-01' },
  }
  assert.deepEqual(fromHash(toHash(s)), s)
})

test('an address that was mangled is an empty page and no error', () => {
  for (const hash of ['', '#', '#/nowhere?x', '#/explore?more={', '#/explore?limit=-1&filter=a~like~b&by=:', '#?%']) {
    const s = fromHash(hash)
    assert.equal(s.page, 'explore')
    assert.deepEqual(s.filters, [])
  }
})

test('a saved query is sent by its name, with typed parameters and what replaces its parts', () => {
  const params = { least: { type: 'int', required: false, default: 1 }, code: { type: 'string', required: true } } as const
  const open = { ...openSaved('top', 'wh'), params: { least: '5', code: '1,2', unused: '' } }
  assert.deepEqual(toSavedQuery(open, params), { saved: 'top', params: { least: 5, code: '1,2' }, connection: 'wh' })
  const more = { ...open, ...applyToSaved(open, { params: { code: 'a' }, limit: 10, where_sql: null }) }
  assert.deepEqual(toSavedQuery(more, params), { saved: 'top', params: { least: 5, code: 'a' }, connection: 'wh', limit: 10, where_sql: null })
  assert.equal(applyToSaved(open, { saved: 'other' }).saved, 'other')
})

test('the group-bys of a result are its columns before the metrics', () => {
  const outputs = new Map([['revenue', 'revenue']])
  assert.deepEqual(groupsOf(['metric_time__month', 'a__b', 'revenue', 'x'], outputs), [{ field: 'metric_time', grain: 'month' }, { field: 'a__b' }])
  assert.deepEqual(groupsOf(['revenue'], outputs), [])
})

test('values become literals of the type of their field', () => {
  assert.equal(literal("O'Brien", 'String'), "'O''Brien'")
  assert.equal(literal('5', 'String'), "'5'")
  assert.equal(literal('5', 'Decimal'), '5')
  assert.equal(literal('5; DROP', 'Decimal'), "'5; DROP'")
  assert.equal(literal('2024-01-05', 'Date'), "DATE '2024-01-05'")
  assert.equal(literal('2024-01-05T10:30', 'DateTime'), "TIMESTAMP '2024-01-05 10:30:00'")
  assert.equal(literal('true', 'Boolean'), 'TRUE')
  assert.equal(literal('-1.5e3', undefined), '-1.5e3')
  assert.equal(literal('NaN', undefined), "'NaN'")
})

test('filters become conditions, and nothing until there is a value', () => {
  assert.equal(condition({ field: 'orders.status', op: '=', value: '' }, 'String'), '')
  assert.equal(condition({ field: 'orders.status', op: 'is null', value: '' }, 'String'), 'orders.status IS NULL')
  assert.equal(condition({ field: 'orders.status', op: 'in', value: "a, 'b, c', it's" }, 'String'), "orders.status IN ('a', 'b, c', 'it''s')")
  assert.equal(condition({ field: 'orders.status', op: 'contains', value: '100%' }, 'String'), "CONTAINS(orders.status, '100%')")
  assert.equal(condition({ field: 'odd name.x', op: '>', value: '3' }, 'Integer'), '"odd name".x > 3')
  assert.deepEqual(list(''), [])
  assert.deepEqual(list("'', b"), ['', 'b'])
})

test('a state becomes the request of the contract', () => {
  const s: State = {
    ...initial,
    metrics: ['x_above'],
    groups: [{ field: 'orders.order_date', grain: 'month' }],
    filters: [{ field: 'orders.amount', op: '>', value: '10' }],
    where: 'a OR b',
    start: '2024-01-01',
    order: [{ key: 'x_above', desc: true }],
    limit: 5,
    params: { t: '50,100' },
  }
  assert.deepEqual(toQuery(s, types), {
    metrics: ['x_above'],
    group_by: [{ field: 'orders.order_date', grain: 'month' }],
    where_sql: 'orders.amount > 10 AND (a OR b)',
    time_range: { start: '2024-01-01' },
    order_by: [{ key: 'x_above', desc: true }],
    limit: 5,
    params: { t: [50, 100] },
  })
})

test('a suggested fragment becomes part of the state and keeps the filters that it leaves alone', () => {
  const s: State = { ...initial, metrics: ['a'], filters: [{ field: 'orders.status', op: '=', value: 'x' }], start: '2024-01-01' }
  const q = merge(toQuery(s, types), fragmentOf('{"metrics":["a","b"],"time_range":null}')!)
  const next = fromQuery(s, q, types)
  assert.deepEqual(next.metrics, ['a', 'b'])
  assert.deepEqual(next.filters, s.filters)
  assert.equal(next.start, '')
  const other = fromQuery(s, merge(q, { where_sql: "orders.status = 'y'" }), types)
  assert.deepEqual([other.filters, other.where], [[], "orders.status = 'y'"])
  assert.equal(fragmentOf('group by a dimension'), undefined)
})

test('numbers and periods are legible', () => {
  const metric = (m: object) => m as never
  assert.equal(number(1234567.891), '1,234,568')
  assert.equal(number(0.1234, metric({ format: '0.0%' })), '12.3 %')
  assert.equal(number(12.5, metric({ unit: 'EUR' })), '€12.50')
  assert.equal(number(null), '–')
  assert.equal(plain(1234.5, 2), '1,234.50')
  assert.equal(plain('12345678901234567890'), '12345678901234567890')
  assert.equal(placesOf([1, 2.25, null, 'x']), 2)
  assert.equal(bucket('2024-04-01', 'quarter'), 'Q2 2024')
  assert.equal(bucket(null, 'month'), '(null)')
  assert.deepEqual(calendar('2024-01-01', '2024-04-01', 'month'), ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'])
  assert.deepEqual(calendar('2024-12-30', '2025-01-13', 'week'), ['2024-12-30', '2025-01-06', '2025-01-13'])
})

test('what is copied for a spreadsheet is quoted and runs no formula', () => {
  assert.equal(csv(['a', 'b'], [{ a: 'x,"y"', b: null }, { a: '=1+1', b: -5 }]), 'a,b\r\n"x,""y""",\r\n\'=1+1,-5\r\n')
})

const metric = (name: string, unit?: string, format?: string) => ({ name, metric: { name, kind: 'aggregate', datasets: [], measures: [], attribution: 'exact' as const, unit, format } })
const answer = (columns: string[], ...rows: (string | number | null)[][]) => ({
  dialect: 'duckdb',
  sql: '',
  columns,
  rows: rows.map((r) => Object.fromEntries(columns.map((c, i) => [c, r[i]]))),
  row_count: rows.length,
})

test('metrics of different units or magnitudes have plots of their own', () => {
  const result = answer(['region', 'revenue', 'cost', 'growth', 'orders'], ['north', 900, 500, 0.1, 12], ['south', 700, 800, -0.2, 9])
  const columns = [metric('revenue', 'EUR'), metric('cost', 'EUR'), metric('growth', undefined, '0.0%'), metric('orders')]
  const titles = (r: typeof result, c: typeof columns) => draw(r, [{ field: 'region' }], c, false).panels.map((p) => p.title)
  assert.deepEqual(titles(result, columns), ['revenue, cost (EUR)', 'growth', 'orders'])
  assert.deepEqual(titles(answer(['region', 'a', 'b', 'c'], ['x', 100, 4, 1900]), [metric('a'), metric('b'), metric('c')]), ['a, c', 'b'])
  assert.deepEqual(titles(answer(['region', 'a', 'b'], ['x', 100, 5], ['y', null, -0.5]), [metric('a'), metric('b')]), ['a, b'])
})

test('bars stand in the order of their values, unless the query has an order', () => {
  const result = answer(['region', 'revenue'], ['east', -5], ['north', 3], [null, null], ['south', 40])
  const labels = (ordered: boolean) => draw(result, [{ field: 'region' }], [metric('revenue')], ordered).labels
  assert.deepEqual(labels(false), ['south', 'north', 'east', '(null)'])
  assert.deepEqual(labels(true), ['east', 'north', '(null)', 'south'])
  const many = answer(['item', 'n'], ...Array.from({ length: 401 }, (_, i) => [`i${i}`, i]))
  const drawn = draw(many, [{ field: 'item' }], [metric('n')], false)
  assert.deepEqual([drawn.labels.length, drawn.labels[0], drawn.labels[59], drawn.notes], [60, 'i400', 'i341', ['the largest 60 of 401 bars']])
  assert.deepEqual(draw({ ...many, limited: true }, [{ field: 'item' }], [metric('n')], false).notes, ['the largest 60 of 401 bars in these rows, which are limited'])
})

test('zero is within the plot', () => {
  const panel = (...values: (number | null)[]) => ({ title: '', series: [{ label: '', values }] })
  assert.deepEqual(aroundZero(panel(-50, null, -100)), { beginAtZero: true, suggestedMax: 8 })
  assert.deepEqual(aroundZero(panel(-50, 1)), { beginAtZero: true })
  assert.deepEqual(aroundZero(panel(3, 4)), { beginAtZero: true })
  assert.deepEqual(aroundZero(panel(null)), { beginAtZero: true })
})
