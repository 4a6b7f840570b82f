import { readFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import test from 'node:test'
import { axesOf, grainOf } from '../src/home/axes.ts'
import { dimensionEntries, linesOf as pickerLines, type Entry } from '../src/explore/entries.ts'
import { api, ApiError, type Dimension } from '../src/api.ts'
import { askWhy, breakDown, exclude, frameOf, isDrillable, keepOnly, showRecords, type Frame, type Place } from '../src/explore/drill.ts'
import { instantOf, wallClock } from '../src/explore/clock.ts'
import { askedText, daysText, filterText } from '../src/explore/asked.ts'
import { topOf } from '../src/explore/top.ts'
import { addPeriods, lastDay, previousRange, yearBefore } from '../src/periods.ts'
import { isSame, selectOf } from '../src/explore/select.ts'
import { among, fieldsAmong, linesOf } from '../src/model/formula.ts'
import { place, subjectsOf } from '../src/model/layout.ts'
import { humanised, nameField, nameGroup } from '../src/labels.ts'
import { datasetOf, fieldOf, partsOf, qualified, quoted } from '../src/names.ts'
import { windowsOf } from '../src/why/presets.ts'
import { dimensionsOf, findingsOf } from '../src/why/surprise.ts'
import { stepsOf } from '../src/why/waterfall.tsx'
import { leadersQuery, readLeaders } from '../src/home/leaders.ts'
import { acrossOf, levelsOf, totalsOf } from '../src/table/levels.ts'
import { pivot } from '../src/table/pivot.tsx'
import { tsv } from '../src/table/download.ts'
import { headlinesFirst } from '../src/catalog.ts'
import { condition, list, literal } from '../src/filters.ts'
import { apart, bucket, calendar, change, csv, number, otherValue, placesOf, plain, shorten, wrapped } from '../src/format.ts'
import { coloursOf, colourValues, hasColours, onDark, onLight } from '../src/chart/colours.ts'
import { cutsOf, wholeOf } from '../src/chart/cuts.ts'
import { withOrders } from '../src/chart/order.ts'
import { aroundZero, draw } from '../src/chart/panels.ts'
import { snippets } from '../src/requests.ts'
import { rangesOf, rangeText, shapeOf } from '../src/chart/shape.ts'
import { applyToSaved, fragmentOf, fromHash, fromQuery, groupsOf, initial, merge, openSaved, toHash, toQuery, toSavedQuery, withoutGroup, type State, type Types } from '../src/state.ts'

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
    calculations: [{ name: 'rate', expression: 'a ~ b / 2' }],
    groups: [{ field: 'orders.order_date', grain: 'month' }, { field: 'we:ird.name' }],
    filters: [{ field: 'orders.status', op: '<>', value: "it's ~ & # %" }],
    where: "a = '?'",
    context: 'b > 1',
    start: '2024-01-01',
    end: '2025-01-01',
    timeDimension: 'orders.order_date',
    last: '12 month',
    asOf: '2024-06-01',
    compare: 'year',
    totals: true,
    shares: true,
    kind: 'stacked',
    across: 'status',
    sort: '-revenue',
    client: 'Go',
    from: 'orders',
    offset: 100,
    order: [{ key: 'revenue', desc: true }, { key: 'x', desc: false }],
    limit: 7,
    params: { t: '50,100', day: '2024=1' },
    rest: { time_ranges: { a: { start: '2024-01-01' } } },
    connection: 'wh',
    dialect: 'mysql',
    tab: 'plan',
    grain: 'week',
    periods: 12,
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
    assert.equal(s.page, hash.startsWith('#/explore') ? 'explore' : 'home')
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
  // The fields that a saved query names tell apart columns of one name, also beside the column of the others.
  assert.deepEqual(groupsOf(['metric_time__month', 'name', 'name__other', 'revenue'], outputs, ['metric_time', 'products.name']), [{ field: 'metric_time', grain: 'month' }, { field: 'products.name' }])
  assert.deepEqual(groupsOf(['name', 'revenue'], outputs, ['a.b', 'c.d']), [{ field: 'name' }])
})

test('an answer that is cut off, or of another program, can be asked for again', async () => {
  const answers = async (response: Partial<Response>, signal?: AbortSignal) => {
    globalThis.fetch = async () => ({ ok: response.status === 200, headers: new Headers(), ...response }) as Response
    try {
      return await api.execute({}, signal)
    } catch (e) {
      return e instanceof ApiError ? [e.status, e.body.code, e.body.message] : String(e)
    }
  }
  const cut = () => Promise.reject(new TypeError('Failed to fetch'))
  const says = (text: string) => () => Promise.resolve(text)
  assert.deepEqual(await answers({ status: 200, text: cut }), [0, 'unreachable', 'The connection ended in the middle of the response.'])
  assert.deepEqual(await answers({ status: 502, text: says('<h1>Bad Gateway</h1>') }), [502, 'unreachable', 'The response is not from the service (HTTP status 502).'])
  assert.deepEqual(await answers({ status: 200, text: says('<h1>Sign in</h1>') }), [200, 'unreachable', 'The response is not from the service (HTTP status 200).'])
  assert.deepEqual(await answers({ status: 500, text: says('{"message": "no"}') }), [500, 'unreachable', 'The response is not from the service (HTTP status 500).'])
  assert.deepEqual(await answers({ status: 504, text: says('{"error": {"code": "timeout", "message": "too long"}}') }), [504, 'timeout', 'too long'])
  assert.deepEqual(await answers({ status: 200, text: says('{"rows": []}') }), { rows: [] })
  // A request that the page itself has ended has no error of the service.
  assert.equal(await answers({ status: 200, text: cut }, AbortSignal.abort()), 'TypeError: Failed to fetch')
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

test('metrics that are headlines come first', () => {
  const list = [{ name: 'a' }, { name: 'b', headline: true }, { name: 'c', headline: false }, { name: 'd', headline: true }]
  assert.deepEqual(headlinesFirst(list).map((m) => m.name), ['b', 'd', 'a', 'c'])
})

test('numbers and periods are legible', () => {
  const metric = (m: object) => m as never
  assert.equal(number(1234567.891), '1,234,568')
  assert.equal(number(0.1234, metric({ format: '0.0%' })), '12.3%')
  assert.equal(number(12.5, metric({ unit: 'EUR' })), '€12.50')
  assert.equal(number(12.345, metric({ format: 'number:2', unit: 'kg' })), '12.35 kg')
  assert.equal(number(0.25, metric({ format: 'percent' })), '25%')
  assert.equal(number(0.25, metric({ format: 'percent:1', unit: '%' })), '25.0%')
  assert.equal(number(25, metric({ unit: '%' })), '25%')
  assert.equal(number(25, metric({ format: 'number:1', unit: '%' })), '25.0%')
  assert.equal(number(12.5, metric({ format: 'currency:EUR' })), '€12.50')
  assert.equal(number(12.5, metric({ format: 'currency:JPY', unit: 'JPY' })), '¥13')
  assert.equal(number(1234567, metric({ format: 'compact' })), '1.2M')
  assert.equal(number(12.5, metric({ format: 'number:21' })), '12.5')
  assert.equal(number(null), '∅ none')
  assert.equal(plain(1234.5, 2), '1,234.50')
  assert.equal(plain('12345678901234567890'), '12345678901234567890')
  assert.deepEqual([plain(0.4, 0), plain(0.0000123, 0), plain(-1234.5, 0)], ['0.4', '0.0000123', '-1,235'])
  assert.equal(placesOf([1, 20.255, null, 'x']), 2)
  assert.equal(placesOf([1000, 2.25]), 0)
  assert.equal(placesOf([9, 0.123456]), 4)
  assert.equal(bucket('2024-04-01', 'quarter'), 'Q2 2024')
  assert.equal(bucket(null, 'month'), '∅ none')
  assert.equal(bucket('', undefined), '(empty)')
  assert.equal(shorten('a name that is much too long for a label'), 'a name that …for a label')
  assert.equal(shorten('short'), 'short')
  assert.deepEqual(calendar(['2024-01-01', '2024-04-01'], 'month'), ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'])
  assert.deepEqual(calendar(['2024-12-30', '2025-01-13'], 'week'), ['2024-12-30', '2025-01-06', '2025-01-13'])
  assert.deepEqual(calendar(['2024-01-10T05:00:00', '2024-01-10T07:00:00'], 'hour'), ['2024-01-10T05:00:00', '2024-01-10T06:00:00', '2024-01-10T07:00:00'])
  assert.equal(calendar(['2024-01-29', '2024-02-26'], 'fiscal_month'), undefined)
  assert.equal(calendar(['2024-01-01', '2024-01-15'], 'month'), undefined) // no bucket is left out
  assert.equal(calendar(['0001-01-01', '2024-01-01'], 'day'), undefined)
  assert.equal(number(0.000001), '0.000001')
  assert.equal(apart('north'), 'north')
  assert.equal(apart('צפון'), '\u2068צפון\u2069')
  assert.equal(shorten('👩‍👩‍👧'.repeat(30), 3), '👩‍👩‍👧…👩‍👩‍👧')
  assert.equal(number(-0.00012345), '-0.000123')
  assert.deepEqual([number(-0.0004, metric({ format: '0.0%' })), number(-0.004, metric({ format: 'number:2' })), number(-0.4)], ['0.0%', '0.00', '-0.4'])
  assert.equal(number(2000, undefined, true, 12000), '2K')
  assert.equal(number(8000, undefined, true, 8000), '8,000')
  assert.equal(number(0.00004, undefined, true, 0.00012), '4E-5')
  assert.equal(number(0, undefined, true, 0.00012), '0')
  assert.deepEqual([0, 5e17, 1e18].map((v) => number(v, undefined, true, 1e18, 5e17)), ['0', '5E17', '1E18'])
  assert.deepEqual([number(999999999999999), number('3499999999999999998'), number(2e18, metric({ format: 'number:2', unit: 'kg' }))], ['999,999,999,999,999', '3.5E18', '2E18 kg'])
})

test('what is copied for a spreadsheet is quoted and runs no formula', () => {
  assert.equal(csv(['a', 'b'], [{ a: 'x,"y"', b: null }, { a: '=1+1', b: -5 }]), 'a,b\r\n"x,""y""",\r\n\'=1+1,-5\r\n')
})

const metric = (name: string, unit?: string, format?: string) => ({ name, metric: { name, kind: 'aggregate', datasets: [], measures: [], attribution: 'exact' as const, unit, format } })
const plainWish = { kind: 'auto', ordered: false } as const
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
  const titles = (r: typeof result, c: typeof columns) => draw(r, [{ field: 'region' }], c, plainWish).panels.map((p) => p.title)
  assert.deepEqual(titles(result, columns), ['Revenue, Cost (EUR)', 'Growth', 'Orders'])
  assert.deepEqual(titles(answer(['region', 'a', 'b', 'c'], ['x', 100, 4, 1900]), [metric('a'), metric('b'), metric('c')]), ['A, C', 'B'])
  assert.deepEqual(titles(answer(['region', 'a', 'b'], ['x', 100, 5], ['y', null, -0.5]), [metric('a'), metric('b')]), ['A, B'])
})

test('bars stand in the order of their values, unless the query has an order', () => {
  const result = answer(['region', 'revenue'], ['east', -5], ['north', 3], [null, null], ['south', 40])
  const labels = (ordered: boolean) => draw(result, [{ field: 'region' }], [metric('revenue')], { kind: 'auto', ordered }).labels
  assert.deepEqual(labels(false), ['south', 'north', 'east', '∅ none'])
  assert.deepEqual(labels(true), ['east', 'north', '∅ none', 'south'])
  const many = answer(['item', 'n'], ...Array.from({ length: 401 }, (_, i) => [`i${i}`, i]))
  const drawn = draw(many, [{ field: 'item' }], [metric('n')], plainWish)
  assert.deepEqual([drawn.labels.length, drawn.labels[0], drawn.labels[59], drawn.notes], [60, 'i400', 'i341', ['the largest 60 of 401 bars']])
  assert.deepEqual(draw({ ...many, limited: true }, [{ field: 'item' }], [metric('n')], plainWish).notes, ['the largest 60 of 401 bars in these rows, which are limited'])
})

test('numbers and values that the model orders keep their order', () => {
  const sizes = answer(['size', 'n'], ['large', 1], ['odd', 7], [null, 9], ['small', 3], ['even', 2], ['medium', 8])
  const ordered = { field: 'o.size', order: ['small', 'medium', 'large'] }
  assert.deepEqual(draw(sizes, [ordered], [metric('n')], plainWish).labels, ['small', 'medium', 'large', 'even', 'odd', '∅ none'])
  assert.deepEqual(draw(sizes, [ordered], [metric('n')], { kind: 'auto', ordered: true }).labels, ['large', 'odd', '∅ none', 'small', 'even', 'medium']) // that of the query
  const days = answer(['day', 'n'], ['2024-03-01', 2], ['2024-01-15', 9], [otherValue, 1], [null, 4])
  assert.deepEqual(draw(days, [{ field: 'o.day' }], [metric('n')], plainWish).labels, ['Jan 15, 2024', 'Mar 1, 2024', '∅ none', 'other'])
  const dated = draw(answer(['kind', 'day', 'n'], ['a', '2024-03-01', 2], ['a', '2024-01-15', 9]), [{ field: 'o.kind' }, { field: 'o.day' }], [metric('n')], plainWish)
  assert.deepEqual(dated.panels[0].series.map((s) => s.label), ['Jan 15, 2024', 'Mar 1, 2024'])
  assert.deepEqual(draw(answer(['rank', 'n'], [10, 1], [2, 9], [null, 4], [1, 3]), [{ field: 'o.rank' }], [metric('n')], plainWish).labels, ['1', '2', '10', '∅ none'])
  const parts = answer(['day', 'size', 'n'], ['2024-01-01', 'large', 1], ['2024-01-01', 'small', 3], ['2024-01-02', 'medium', 2])
  assert.deepEqual(draw(parts, [{ field: 'o.day', grain: 'day' }, ordered], [metric('n')], plainWish).panels[0].series.map((s) => s.label), ['small', 'medium', 'large'])
  const many = answer(['item', 'n'], ...Array.from({ length: 100 }, (_, i) => [i, i % 2 === 0 ? 1000 - i : i]))
  const drawn = draw(many, [{ field: 'o.item' }], [metric('n')], plainWish)
  assert.deepEqual([drawn.stops.length, drawn.stops[0], drawn.stops[59]], [60, 0, 99]) // the 50 even ones, and the ten largest others
  assert.deepEqual(pivot(sizes, ['size'], 'size', ordered.order).across, ['small', 'medium', 'large', 'even', 'odd', null])
  const dimensions = new Map([['o.size', { name: 'o.size', is_time: false, is_dimension: true, source: 'declared', order: ordered.order }]])
  assert.deepEqual(withOrders([{ field: 'o.size' }, { field: 'parent.size' }, { field: 'o.day', grain: 'day' }], { dimensions, datasets: [] }).map((g) => [g.label, g.order?.length]), [['Size', 3], ['Parent · Size', 3], ['O · Day (day)', undefined]])
})

test('a period that a bound cuts has a part of its days', () => {
  const stops = ['2024-01-01', '2024-02-01', '2024-03-01']
  const cuts = cutsOf(stops, 'month', { start: '2024-01-10', end: '2024-03-10' })
  assert.deepEqual([...cuts], [['2024-01-01', { days: 22, of: 31 }], ['2024-03-01', { days: 9, of: 31 }]])
  assert.deepEqual(wholeOf(stops, 'month', cuts), { start: '2024-02-01', end: '2024-03-01' })
  assert.deepEqual([...cutsOf(['2024-02-01'], 'month', { start: '2024-02-10', end: '2024-02-20' })], [['2024-02-01', { days: 10, of: 29 }]])
  assert.equal(cutsOf(stops, 'month', { start: '2024-01-01', end: '2024-04-01' }).size, 0)
  assert.equal(cutsOf(stops, 'month', { start: '', end: '' }).size, 0)
  assert.equal(cutsOf(['2024-01-01'], 'day', { start: '2024-01-01', end: '2024-01-01' }).size, 0)
  assert.equal(wholeOf(['2024-02-01'], 'month', new Map([['2024-02-01', { days: 1, of: 29 }]])), undefined)
})

test('a value keeps its colour, and what is put together has one of its own', () => {
  const series = (...values: string[]) => values.map((value) => ({ label: '', column: 'n', of: [{ key: 'region', value }], before: false, values: [] }))
  assert.deepEqual(coloursOf(series('south', 'north', otherValue), 10), [1, 0, -1])
  assert.deepEqual(coloursOf(series('south'), 10), [1])
  assert.deepEqual(coloursOf(series('east', 'south'), 10), [2, 1])
  colourValues('size', ['b', 'a'], 10)
  assert.deepEqual([hasColours('size'), hasColours('kind')], [true, false])
  assert.deepEqual(coloursOf(series('b').map((s) => ({ ...s, of: [{ key: 'size', value: 'b' }] })), 10), [1])
  const many = coloursOf(series(...Array.from({ length: 10 }, (_, i) => `x${i}`)), 10)
  assert.equal(new Set(many).size, 10) // also where others of the field have had them all
})

test('what is put together leaves the bars where it is too large', () => {
  const one = draw(answer(['item', 'n'], ['a', 10], ['b', 5], [otherValue, 31]), [{ field: 'item' }], [metric('n')], plainWish)
  assert.deepEqual([one.labels, one.panels[0].beside], [['a', 'b'], [{ label: 'other', least: 31, most: 31 }]])
  const kept = draw(answer(['item', 'n'], ['a', 10], ['b', 5], [otherValue, 30]), [{ field: 'item' }], [metric('n')], plainWish)
  assert.deepEqual([kept.labels, kept.panels[0].beside], [['a', 'b', 'other'], []])
  const rows: [string, string, number][] = [['2024-01-01', 'a', 1], ['2024-01-01', otherValue, 9], ['2024-02-01', otherValue, 4]]
  const stacked = draw(answer(['day', 'item', 'n'], ...rows), [{ field: 'day', grain: 'month' }, { field: 'item' }], [metric('n')], { ...plainWish, kind: 'stacked' })
  assert.deepEqual(stacked.panels[0].series.map((s) => s.label), ['a', 'other'])
  const bars = draw(answer(['day', 'item', 'n'], ...rows), [{ field: 'day', grain: 'month' }, { field: 'item' }], [metric('n')], { ...plainWish, kind: 'bar' })
  assert.deepEqual([bars.panels[0].series.map((s) => s.label), bars.panels[0].beside], [['a'], [{ label: 'other', least: 4, most: 9 }]])
})

test('zero is within the plot', () => {
  const panel = (...values: (number | null)[]) => ({ title: '', beside: [], series: [{ label: '', column: '', of: [], before: false, values }] })
  assert.deepEqual(aroundZero(panel(-50, null, -100)), { beginAtZero: true, suggestedMax: 8 })
  assert.deepEqual(aroundZero(panel(-50, 1)), { beginAtZero: true })
  assert.deepEqual(aroundZero(panel(3, 4)), { beginAtZero: true })
  assert.deepEqual(aroundZero(panel(null)), { beginAtZero: true })
})

test('rows of totals and merged values are told from the groups that a chart draws', () => {
  const revenue = { name: 'revenue', kind: 'aggregate', datasets: [], measures: [], additivity: 'additive', attribution: 'exact', unit: 'EUR' } as const
  const result = {
    dialect: 'duckdb',
    sql: '',
    columns: ['kind', 'kind__other', 'day__month', 'revenue', 'revenue__share', 'level'],
    rows: [
      { kind: 'jam', kind__other: false, day__month: '2024-01-01', revenue: 30, revenue__share: 0.75, level: 0 },
      { kind: null, kind__other: true, day__month: '2024-01-01', revenue: 10, revenue__share: 0.25, level: 0 },
      { kind: null, kind__other: null, day__month: null, revenue: 40, revenue__share: 1, level: 1 },
    ],
    row_count: 3,
  }
  const outputs = [
    { column: 'revenue', metric: 'revenue' },
    { column: 'revenue__share', metric: 'revenue', kind: 'share' },
  ]
  const groups = [{ field: 'sale.kind' }, { field: 'sale.day', grain: 'month' }]
  for (const given of [groups, groupsOf(result.columns, new Map(outputs.map((o) => [o.column, o.metric])))]) {
    const shape = shapeOf(result, outputs, given, new Map([['revenue', revenue]]))
    assert.equal(shape.level, 'level')
    assert.equal(shape.groups.length, 2)
    assert.equal(shape.groups[1].grain, 'month')
    assert.deepEqual(shape.drawn.columns, ['kind', 'day__month', 'revenue', 'revenue__share'])
    assert.deepEqual(shape.drawn.rows.map((r) => r.kind), ['jam', otherValue])
    assert.equal(number(0.25, shape.columns[1].metric), '25.0%')
    assert.equal(number(30, shape.columns[0].metric), '€30.00')
  }
  // Before the query is compiled, and in a list of groups, nothing is known of the columns.
  assert.deepEqual(shapeOf({ ...result, columns: ['kind'] }, undefined, [{ field: 'sale.kind' }], new Map()).columns, [])
  assert.deepEqual(shapeOf({ ...result, columns: ['kind', 'revenue'] }, undefined, [{ field: 'sale.kind' }], new Map()).columns.length, 1)
})

test('the bounds of relative ranges are named', () => {
  const range = { start: '2024-03-01', end: '2024-05-01', as_of: '2024-05-15', time_zone: 'UTC' }
  assert.deepEqual(rangesOf(undefined), [])
  assert.deepEqual(rangesOf(range), [['', range]])
  assert.deepEqual(rangesOf({ start: range }), [['start', range]])
  assert.equal(rangeText({ ...range, dimension: 'sale.day' }), 'Mar 2024 – Apr 2024 of sale.day, as of May 15, 2024 in UTC')
})

test('a suggestion with forms that the form has no control for is kept', () => {
  const metrics = ['a', { name: 'large', expression: 'SUM(x)' }]
  const group_by = [{ name: 'size', expression: 'x > 1' }, { field: 'd.day', grain: 'month' }]
  const time_range = { last: { n: 3, unit: 'month' } }
  const next = fromQuery(initial, { metrics, group_by, time_range, totals: [[]] }, types)
  assert.deepEqual([next.metrics, next.calculations], [['a'], [metrics[1]]])
  assert.deepEqual(next.groups, [{ field: 'size' }, { field: 'd.day', grain: 'month' }])
  assert.deepEqual(toQuery(next, types), { metrics, group_by, time_range, totals: [[]], limit: 1000 })
  assert.deepEqual(fromHash(toHash(next)).rest, next.rest)
})

test('the request in Go has every key of the query', () => {
  const go = (q: object) => snippets('http://x', 'query', q).find((s) => s.name === 'Go')!.text
  assert.match(go({ metrics: ['a'], limit: 5 }), /client\.MetricQuery\{\n\t\tMetrics: \[\]string\{"a"\},\n\t\tLimit: new\(5\),\n\t\}\)\n\tif err/)
  for (const q of [{ metrics: ['a'], totals: [[]] }, { metrics: [{ name: 'b', expression: 'c' }] }, { metrics: ['a'], time_range: { last: { n: 1, unit: 'day' } } }]) {
    const text = go(q)
    assert.ok(text.includes(JSON.stringify(JSON.stringify(q))), text)
    assert.match(text, /"encoding\/json"/)
  }
})

test('periods are moved on the calendar', () => {
  assert.equal(addPeriods('2024-03-31', -1, 'month'), '2024-02-29')
  assert.equal(addPeriods('2024-01-01', 1, 'quarter'), '2024-04-01')
  assert.equal(addPeriods('2024-12-30', 1, 'week'), '2025-01-06')
  assert.equal(addPeriods('2024-01-10T23:00:00', 1, 'hour'), '2024-01-11T00:00:00')
  assert.equal(addPeriods('2024-01-10T05:59:00Z', 1, 'minute'), '2024-01-10T06:00:00Z')
  assert.deepEqual(previousRange('2024-03-01', '2024-06-01'), { start: '2023-12-01', end: '2024-03-01' })
  assert.deepEqual(previousRange('2024-03-02', '2024-03-09'), { start: '2024-02-24', end: '2024-03-02' })
  assert.deepEqual(yearBefore('2024-02-29', '2024-03-01'), { start: '2023-02-28', end: '2023-03-01' })
})

test('metrics of one time axis are asked for together', () => {
  const datasets = [
    { name: 'a', source: '', primary_key: [], fields: 1, time_dimensions: [], primary_time_dimension: 'day' },
    { name: 'b', source: '', primary_key: [], fields: 1, time_dimensions: [] },
  ]
  const of = (name: string, datasets: string[], time_dimension?: string) => ({ name, kind: '', datasets, measures: [], additivity: 'additive' as const, attribution: 'exact' as const, time_dimension })
  const axes = axesOf([of('x', ['a'], 'a.day'), of('y', ['b']), of('z', ['a'], 'a.day'), of('both', ['a', 'b'])], datasets, new Map([['a.day', { name: 'a.day', is_time: true, is_dimension: true, source: '', grains: ['hour', 'week', 'month', 'year'] }]]))
  assert.deepEqual(axes.map((a) => [a.metrics.map((m) => m.name), a.grains]), [[['x', 'z'], ['week', 'month', 'year']], [['y', 'both'], []]])
  assert.equal(grainOf(axes[0], 'day'), 'week')
  assert.equal(grainOf(axes[0], 'quarter'), 'year')
})

test('metrics of one time axis with other grains are asked for apart', () => {
  const datasets = [{ name: 'a', source: '', primary_key: [], fields: 1, time_dimensions: [], primary_time_dimension: 'day' }]
  const of = (name: string, grains?: string[]) => ({ name, kind: '', datasets: ['a'], measures: [], additivity: 'additive' as const, attribution: 'exact' as const, time_dimension: 'a.day', grains })
  const axes = axesOf([of('x'), of('weekly', ['day', 'week']), of('y')], datasets, new Map())
  assert.deepEqual(axes.map((a) => [a.metrics.map((m) => m.name), a.grains]), [[['x', 'y'], ['day', 'week', 'month', 'quarter', 'year']], [['weekly'], ['day', 'week']]])
  assert.equal(grainOf(axes[1], 'month'), 'week')
})

test('a change has the mood that its metric gives it', () => {
  const of = (better?: 'up' | 'down') => ({ name: 'x', better }) as never
  assert.deepEqual(change(40, 60, of('up')), { arrow: '▲', text: '+50%', mood: 'good' })
  assert.deepEqual(change(40, 60, of('down')), { arrow: '▲', text: '+50%', mood: 'bad' })
  assert.deepEqual(change(60, 40, of()), { arrow: '▼', text: '-33.3%', mood: 'neutral' })
  assert.equal(change(0, 5, of())!.text, '+5')
  assert.equal(change(-10, 5, of())!.text, '+15')
  assert.equal(change(null, 5, of()), undefined)
})

test('a comparison has both its ranges, and totals need groups', () => {
  const at = (p: Partial<State>) => toQuery({ ...initial, metrics: ['a'], groups: [{ field: 'd', grain: 'month' }], ...p }, types)
  assert.deepEqual(at({ compare: 'previous' }).compare, undefined)
  assert.deepEqual(at({ compare: 'previous', start: '2024-03-01', end: '2024-05-01' }).compare, { range: { start: '2024-01-01', end: '2024-03-01' } })
  assert.deepEqual(at({ compare: 'previous', last: '3 month', asOf: '2024-06-01' }), { metrics: ['a'], group_by: [{ field: 'd', grain: 'month' }], time_range: { last: { n: 3, unit: 'month' } }, as_of: '2024-06-01', compare: { offset: { count: 3, unit: 'month' } }, limit: 1000 })
  assert.deepEqual(at({ compare: 'year', last: '3 month' }).compare, { offset: { count: 1, unit: 'year' } })
  assert.deepEqual(at({ totals: true, shares: true }).shares, [{ metric: 'a' }])
  assert.equal(at({ totals: true, groups: [] }).totals, undefined)
  const kept = fromQuery({ ...initial, metrics: ['a'], groups: [{ field: 'd' }], totals: true }, { ...at({ totals: true }), limit: 5 }, types)
  assert.deepEqual([kept.totals, kept.rest], [true, {}])
})

test('a mark leads to its rows', () => {
  const month: Place = { group: { field: 'metric_time', grain: 'month' }, value: '2024-02-01' }
  const region: Place = { group: { field: 'c.region' }, value: 'north' }
  const none: Place = { group: { field: 'c.region' }, value: null }
  const state = { ...initial, metrics: ['a'], groups: [month.group, region.group], last: '12 month', compare: 'year' as const }
  const frame = frameOf(state)
  assert.deepEqual(keepOnly(state, [month, region], frame), { filters: [{ field: 'c.region', op: '=', value: 'north' }], start: '2024-02-01', end: '2024-03-01', last: '', asOf: '', timeDimension: '', compare: '' })
  // A range of another field stays, as a condition.
  const shipped = { ...state, last: '', timeDimension: 'o.ship_date', start: '2024-01-01', end: '2024-02-01' }
  assert.deepEqual(keepOnly(shipped, [month], frame).filters, [{ field: 'o.ship_date', op: '>=', value: '2024-01-01' }, { field: 'o.ship_date', op: '<', value: '2024-02-01' }])
  const hour: Place = { group: { field: 'o.at', grain: 'hour' }, value: '2024-01-10T05:00:00' }
  assert.deepEqual(keepOnly(state, [hour], frame).filters, [{ field: 'o.at', op: '>=', value: '2024-01-10T05:00:00' }, { field: 'o.at', op: '<', value: '2024-01-10T06:00:00' }])
  assert.equal(isDrillable({ group: { field: 'metric_time', grain: 'fiscal_month' }, value: '2024-01-29' }, frame), false)
  assert.deepEqual(keepOnly(state, [none], frame), { filters: [{ field: 'c.region', op: 'is null', value: '' }] })
  // Rows without a value stay when another is excluded.
  assert.deepEqual(exclude(state, region), { filters: [{ field: 'c.region', op: 'is not', value: 'north' }] })
  assert.equal(condition({ field: 'c.region', op: 'is not', value: 'north' }, 'String'), "(c.region <> 'north' OR c.region IS NULL)")
  const blank: Place = { group: { field: 'c.region' }, value: '' }
  assert.deepEqual(keepOnly(state, [blank], frame), { filters: [{ field: 'c.region', op: 'is empty', value: '' }] })
  assert.deepEqual(exclude(state, blank), { filters: [{ field: 'c.region', op: 'is not empty', value: '' }] })
  assert.equal(condition({ field: 'c.region', op: 'is empty', value: '' }, 'String'), "c.region = ''")
  assert.equal(condition({ field: 'c.region', op: 'is not empty', value: '' }, 'String'), "(c.region <> '' OR c.region IS NULL)")
  assert.deepEqual(breakDown(state, [region], { field: 'p.kind' }, frame).groups, [month.group, { field: 'p.kind' }])
})

test('a period at the edge of a range has the rows of the range only', () => {
  const january: Place = { group: { field: 'metric_time', grain: 'month' }, value: '2024-01-01' }
  const march: Place = { group: { field: 'metric_time', grain: 'month' }, value: '2024-03-01' }
  const state = { ...initial, metrics: ['a'], groups: [january.group], params: { t: '5' } }
  const at = (p: Place, frame: Frame) => (({ start, end }) => [start, end])(keepOnly(state, [p], frame))
  const frame = { start: '2024-01-15', end: '2024-03-10T12:00:00', typeOf: () => 'Date' }
  assert.deepEqual(at(january, frame), ['2024-01-15', '2024-02-01'])
  assert.deepEqual(at(march, frame), ['2024-03-01', '2024-03-10T12:00:00'])
  assert.deepEqual(at(march, { ...frame, start: '', end: '' }), ['2024-03-01', '2024-04-01'])
  const why = askWhy(state, 'a', 'month', '2024-01-01', '2024-02-01', [], frame)!
  assert.deepEqual([why.baseline, why.current, why.params], [{ start: '2024-01-15', end: '2024-02-01' }, { start: '2024-02-01', end: '2024-03-01' }, { t: '5' }])
})

test('periods of a time zone are kept on its clock, and conditions are instants', () => {
  assert.equal(wallClock('2024-07-01T10:00:00Z', 'Europe/Berlin'), '2024-07-01T12:00:00')
  assert.equal(wallClock('2023-12-31T23:30:00Z', 'Asia/Kolkata'), '2024-01-01T05:00:00')
  assert.equal(instantOf('2024-03-31', 'Europe/Berlin'), '2024-03-30T23:00:00Z')
  assert.equal(instantOf('2024-04-01', 'Europe/Berlin'), '2024-03-31T22:00:00Z')
  assert.equal(instantOf('2024-03-31T02:30:00', 'Europe/Berlin'), '2024-03-31T01:00:00Z') // which spring leaves out
  assert.equal(instantOf('2024-10-27T02:30:00', 'Europe/Berlin'), '2024-10-27T00:30:00Z') // the first of two
  assert.equal(instantOf('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00Z') // a day that begins at one
  const frame: Frame = { start: '', end: '', zone: 'Europe/Berlin', typeOf: (f) => (f === 'o.at' ? 'DateTimeTz' : undefined) }
  const place = (field: string, grain: string, value: string): Place => ({ group: { field, grain }, value })
  const kept = (p: Place) => (({ filters, start, end }) => [filters!.map((f) => `${f.op} ${f.value}`).join(' '), start, end])(keepOnly(initial, [p], frame))
  assert.deepEqual(kept(place('o.at', 'month', '2024-07-01')), ['>= 2024-06-30T22:00:00Z < 2024-07-31T22:00:00Z', undefined, undefined])
  assert.deepEqual(kept(place('o.at', 'hour', '2024-07-01T10:00:00Z')), ['>= 2024-07-01T10:00:00Z < 2024-07-01T11:00:00Z', undefined, undefined])
  assert.deepEqual(kept(place('metric_time', 'hour', '2024-07-01T10:00:00Z')), ['', '2024-07-01T12:00:00', '2024-07-01T13:00:00'])
  const twice = [place('metric_time', 'hour', '2024-10-27T00:00:00Z'), place('metric_time', 'hour', '2024-10-27T01:00:00Z'), place('metric_time', 'hour', '2024-10-27T02:00:00Z')]
  assert.deepEqual(twice.map((p) => isDrillable(p, frame)), [false, false, true])
  assert.equal(isDrillable(place('o.at', 'month', '2024-07-01'), { ...frame, zone: undefined }), false)
  assert.equal(literal('2024-07-01T10:00:00Z', 'DateTimeTz'), "TIMESTAMPTZ '2024-07-01 10:00:00+00:00'")
})

test('labels of an axis tell its steps apart, and percents differ by points', () => {
  const rate = { ...metric('rate').metric!, format: 'percent:1' }
  assert.deepEqual([0, 0.0005, 0.001].map((v) => number(v, rate, true, 0.004, 0.0005)), ['0%', '0.05%', '0.1%'])
  assert.deepEqual([1000000, 1000500].map((v) => number(v, undefined, true, 1001000, 500)), ['1M', '1.0005M'])
  assert.deepEqual([0, 2500].map((v) => number(v, undefined, true, 10000, 2500)), ['0', '2.5K'])
  assert.equal(change(0.25, 0.254, rate)!.text, '+0.4 pp')
  const outputs = [
    { column: 'rate', metric: 'rate' },
    { column: 'rate__change', metric: 'rate', kind: 'change' },
    { column: 'rate__change_ratio', metric: 'rate', kind: 'change_ratio' },
  ]
  const compared = { columns: outputs.map((o) => o.column), rows: [{ rate: 0.254, rate__change: 0.004, rate__change_ratio: 0.016 }], row_count: 1 }
  const shape = shapeOf(compared, outputs, [], new Map([['rate', rate]]))
  assert.deepEqual(shape.columns.map((c) => number(compared.rows[0][c.name as 'rate'], c.metric)), ['25.4%', '0.4 pp', '1.6%'])
})

test('a chart of many values asks for the largest', () => {
  const result = answer(['item', 'revenue'], ...Array.from({ length: 21 }, (_, i) => [`i${i}`, i]))
  const shape = (r: typeof result) => ({ groups: [{ field: 'd.item' }], columns: [metric('revenue')], drawn: r })
  const query = { metrics: ['revenue'], group_by: [{ field: 'd.item' }], limit: 1000, order_by: [{ key: 'item' }] }
  assert.deepEqual(topOf(query, result, shape(result))!.query, { metrics: ['revenue'], group_by: [{ field: 'd.item' }], order_by: [{ key: 'item' }], top: { dimension: 'item', n: 20, by: 'revenue' } })
  // Eleven series are more than are told apart; a value of the rows without one is one of the ten.
  const series = answer(['day', 'item', 'revenue'], ...Array.from({ length: 11 }, (_, i) => ['2024-01-01', i === 0 ? null : `i${i}`, i]))
  const seriesShape = { groups: [{ field: 'd.day', grain: 'day' }, { field: 'd.item' }], columns: [metric('revenue')], drawn: series }
  assert.deepEqual(topOf(query, series, seriesShape)!.query.top, { dimension: 'item', n: 9, by: 'revenue' })
  const few = { ...result, rows: result.rows.slice(1) }
  assert.equal(topOf(query, few, shape(few)), undefined)
  assert.equal(topOf({ ...query, top: { dimension: 'item', n: 2 } }, result, shape(result)), undefined)
})

test('a pivot has one line for each combination of the other groups', () => {
  const result = answer(['month', 'region', 'revenue'], ['2024-01-01', 'north', 1], ['2024-01-01', null, 2], ['2024-02-01', 'north', 3])
  const p = pivot(result, ['month', 'region'], 'region')
  assert.deepEqual([p.down, p.across, p.lines.map((l) => [l.key, p.across.map((a) => l.cells.get(a)?.revenue)])], [['month'], ['north', null], [[['2024-01-01'], [1, 2]], [['2024-02-01'], [3, undefined]]]])
})

test('what is copied for the clipboard runs no formula and keeps its lines', () => {
  assert.equal(tsv(['a', 'b'], [{ a: '=1+1\tx', b: null }, { a: '-5', b: 2 }]), "a\tb\n'=1+1 x\t\n-5\t2\n")
})

test('names keep the parts that they are made of', () => {
  assert.deepEqual(partsOf('orders.status'), ['orders', 'status'])
  assert.deepEqual(partsOf('"odd name"."a.b"'), ['odd name', 'a.b'])
  assert.deepEqual(partsOf('"a""b"'), ['a"b'])
  assert.deepEqual([datasetOf('"odd name".kind'), fieldOf('"odd name".kind'), datasetOf('metric_time')], ['odd name', 'kind', ''])
  assert.equal(quoted('odd name.kind'), '"odd name".kind')
  assert.equal(quoted('"odd name".kind'), '"odd name".kind')
  assert.equal(qualified('odd name', 'kind'), '"odd name".kind')
})

test('a query that a SELECT can say is written over the wide relation', () => {
  const is = (n: string) => n === 'revenue'
  const q = { metrics: ['revenue'], group_by: [{ field: 'metric_time', grain: 'month' }, { field: '"odd name".kind' }], where_sql: "status = 'x' OR a > 1", time_range: { start: '2024-01-01' }, order_by: [{ key: 'revenue', desc: true }], limit: 5 }
  assert.equal(
    selectOf('my model', q, is),
    `SELECT DATE_TRUNC('month', metric_time) AS metric_time__month,\n       "odd name".kind AS kind,\n       MEASURE(revenue) AS revenue\nFROM "my model"\nWHERE (status = 'x' OR a > 1)\n  AND metric_time >= DATE '2024-01-01'\nGROUP BY 1, 2\nORDER BY revenue DESC NULLS LAST\nLIMIT 5`,
  )
  for (const other of [{ totals: [[]] }, { params: { a: 1 } }, { where_sql: 'revenue > 5' }, { time_range: { last: { n: 1, unit: 'day' } } }, { metrics: [{ name: 'a', expression: 'b' }] }]) assert.equal(selectOf('m', { ...q, ...other }, is), undefined)
  assert.equal(isSame(q, { ...q, time_range: { start: '2024-01-01', dimension: 'metric_time' } }), true)
  assert.equal(isSame(q, { ...q, limit: 6 }), false)
  assert.equal(isSame(q, undefined), false)
})

test('the steps of a change lead from the first value to the second', () => {
  const segment = (value: string, delta: number) => ({ dimension: 'd', value, baseline_value: 0, current_value: delta, delta, segment_kind: 'normal', drill_down: { where_sql: '' } })
  const steps = (delta: number, ...list: [string, number][]) => stepsOf(list.map(([v, d]) => segment(v, d)), { baseline_value: 100, current_value: 100 + delta, delta }, (s) => String(s.value)).map((s) => [s.label, s.from, s.to])
  assert.deepEqual(steps(20, ['a', 40], ['b', -20]), [['from', 100, 100], ['a', 100, 140], ['b', 140, 120], ['to', 120, 120]])
  assert.deepEqual(steps(-3, ['a', -5]), [['from', 100, 100], ['a', 100, 95], ['the rest', 95, 97], ['to', 97, 97]])
})

test('a segment is surprising where it moved otherwise than the whole', () => {
  // Of 100 north has 60 and south 40. The whole rises by 10: north would rise by 6 and rises by 6, south would rise by 4 and rises by 9, west is new.
  const segment = (dimension: string, value: string, baseline_value: number, delta: number) => ({ dimension, value, baseline_value, current_value: baseline_value + delta, delta, segment_kind: 'normal', drill_down: { where_sql: '' } })
  const part = (...values: ReturnType<typeof segment>[]) => ({ values, non_additive: false, truncated: false })
  const a = {
    metric: 'm',
    strategy: 'term_wise',
    total_change: { baseline_value: 100, current_value: 110, delta: 10 },
    dimension_ranking: ['kind', 'region'].map((dimension) => ({ dimension, non_additive: false, truncated: false })),
    per_dimension: { region: part(segment('region', 'north', 60, 6), segment('region', 'south', 40, 9), segment('region', 'west', 0, -5)), kind: part(segment('kind', 'a', 50, 6), segment('kind', 'b', 50, 4)) },
  }
  assert.deepEqual(findingsOf(a).slice(0, 3).map((f) => [f.segment.value, f.surprise]), [['south', 5], ['west', -5], ['a', 1]])
  assert.deepEqual(findingsOf(a, 'kind').map((f) => f.surprise), [1, -1])
  assert.deepEqual(dimensionsOf(a), ['region', 'kind'])
  // A ratio is weighed by the share of its denominator.
  const ratio = { ...a, strategy: 'mix_shift', per_dimension: { region: part({ ...segment('region', 'north', 30, 4), baseline_share: 0.5 } as ReturnType<typeof segment>) } }
  assert.deepEqual(findingsOf(ratio).map((f) => f.surprise), [-1])
})

test('a list of values has the surprising ones first, and what is put together last', () => {
  const revenue = { ...metric('revenue').metric!, additivity: 'additive' } as never
  const row = (region: string | null, other: boolean | null, now: number | null, before: number | null, level = 0) => ({ region, region__other: other, revenue: now, revenue__previous: before, revenue__change: now === null || before === null ? null : now - before, revenue__share: (now ?? 0) / 110, level })
  const rows = [row('north', false, 66, 60), row(null, true, 20, 10), row('south', false, 24, 30), row('west', false, null, 10), row(null, null, 110, 110, 1)]
  const leaders = readLeaders({ dialect: '', sql: '', columns: ['region', 'region__other', 'revenue'], rows, row_count: 5 }, revenue)
  assert.deepEqual(leaders.map((l) => [l.value, l.now, l.change, l.surprise]), [['west', null, -10, -10], ['north', 66, 6, 6], ['south', 24, -6, -6], [otherValue, 20, 10, 10]])
  // The rest of values that are all listed has nothing.
  assert.deepEqual(readLeaders({ dialect: '', sql: '', columns: ['region', 'region__other', 'revenue'], rows: [rows[0], row(null, true, null, null), rows[4]], row_count: 3 }, revenue).map((l) => l.value), ['north'])
  const query = leadersQuery(revenue, 'c.region', { start: '2024-01-01', end: '2024-02-01', grain: 'month' }, { connection: 'wh' })
  assert.deepEqual(query, { connection: 'wh', metrics: ['revenue'], group_by: [{ field: 'c.region', name: 'leader__value' }], top: { dimension: 'leader__value', n: 7, by: 'revenue' }, totals: [[]], shares: [{ metric: 'revenue' }], time_range: { start: '2024-01-01', end: '2024-02-01', dimension: 'metric_time' }, compare: { offset: { count: 1, unit: 'month' } } })
})

test('windows to compare end with the last complete period', () => {
  assert.deepEqual(windowsOf('previous', 'month', { start: '2024-04-01', end: '2024-05-01' }), { current: { start: '2024-04-01', end: '2024-05-01' }, baseline: { start: '2024-03-01', end: '2024-04-01' } })
  assert.deepEqual(windowsOf('year', 'quarter', { start: '2024-01-01', end: '2024-04-01' }).baseline, { start: '2023-01-01', end: '2023-04-01' })
  assert.deepEqual(windowsOf('year', 'week', { start: '2024-04-29', end: '2024-05-06' }), { current: { start: '2024-04-29', end: '2024-05-06' }, baseline: { start: '2023-05-01', end: '2023-05-08' } })
})

test('datasets of a large model are put together by subject', () => {
  const of = subjectsOf(['sales_a', 'sales_b', 'lonely', 'x'], [{ from: 'lonely', to: 'sales_a' }], new Map([['sales_b', 'money']]))
  assert.deepEqual([...of], [['sales_a', 'sales'], ['sales_b', 'money'], ['lonely', 'sales'], ['x', '']])
  const boxes = Array.from({ length: 40 }, (_, i) => ({ id: String(i), title: `box ${i}`, cluster: i % 2 ? 'odd' : 'even' }))
  const placed = place(boxes, [{ from: '0', to: '2' }, { from: '0', to: '1' }], 'LR')
  assert.deepEqual([placed.boxes.length, placed.arrows.length, placed.clusters.map((c) => c.title).sort()], [40, 2, ['even', 'odd']])
  const overlap = placed.boxes.some((a, i) => placed.boxes.some((b, j) => i < j && Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2))
  assert.equal(overlap, false)
})

test('a line says what a query asks, and nothing that it does not', () => {
  const metrics: Types['metrics'] = new Map([['revenue', { name: 'revenue', label: 'Money in', kind: 'aggregate', datasets: [], measures: [], additivity: 'additive', attribution: 'exact' }]])
  const region = { name: 'c.region', label: 'Area', is_time: false, is_dimension: true, source: 'declared' }
  const named = { metrics, dimensions: new Map([[region.name, region]]), datasets: [] }
  const asked = (s: Partial<State>) => askedText({ ...initial, metrics: ['revenue'], ...s }, named)
  assert.equal(asked({}), 'Money in')
  assert.equal(asked({ metrics: ['revenue', 'x'], groups: [{ field: 'metric_time', grain: 'month' }, { field: 'c.region' }] }), 'Money in, X by Time (month), Area')
  assert.equal(asked({ last: '12 month', asOf: '2024-06-01', compare: 'year' }), 'Money in · last 12 months of the data, to May 31, 2024 · with the year before')
  assert.equal(asked({ compare: 'year' }), 'Money in', 'a comparison without a range is not asked')
  const filters: State['filters'] = [{ field: 'c.region', op: '=', value: '' }, { field: 'c.region', op: 'is null', value: '' }, { field: 'c.name', op: 'in', value: 'a, b' }]
  assert.equal(asked({ filters, where: 'x > 1' }), 'Money in · Area has no value · C · Name is one of a, b · x > 1', 'a filter without its value is not asked')
  assert.equal(asked({ params: { t: '', n: '3' }, calculations: [{ name: 'double', expression: 'revenue * 2' }] }), 'Money in, double · n = 3')
  assert.equal(filterText(named, { field: 'c.region', op: 'in', value: "'a, b'" }), 'Area is a, b')
  assert.equal(filterText(named, { field: 'revenue', op: '>', value: '7' }), 'Money in is more than 7')
})

test('people name the last day of a range', () => {
  assert.deepEqual([daysText('2024-01-01', '2024-04-01'), daysText('2024-02-01', '2024-03-01'), daysText('2023-01-01', '2025-01-01'), daysText('2024-01-01', '2025-01-01')], ['Jan 2024 – Mar 2024', 'Feb 2024', '2023 – 2024', '2024'])
  assert.deepEqual([daysText('2024-01-10', '2024-02-10'), daysText('2024-01-10', '2024-01-11'), daysText('2024-01-10', ''), daysText('', '2024-01-10'), daysText('', '')], ['Jan 10, 2024 – Feb 9, 2024', 'Jan 10, 2024', 'since Jan 10, 2024', 'up to Jan 9, 2024', ''])
  assert.deepEqual([lastDay('2024-03-01'), lastDay('2024-03-01T00:00:00'), lastDay('2024-03-01T12:00:00')], ['2024-02-29', '2024-02-29', '2024-03-01'])
})

test('a name is written in words, and told from the same one of another dataset', () => {
  assert.deepEqual(['order_date', 'revenue', 'odd name', 'revenue__total', '_'].map(humanised), ['Order date', 'Revenue', 'odd name', 'Revenue · total', '_'])
  const dimension = (name: string, label?: string): [string, Dimension] => [name, { name, label, is_time: false, is_dimension: true, source: 'declared' }]
  const named = { dimensions: new Map([dimension('customers.name'), dimension('products.name'), dimension('customers.region', 'Area')]), datasets: [{ name: 'customers', label: 'Clients' }] as never }
  assert.deepEqual(['customers.name', 'products.name', 'customers.region', 'bill_to.region', 'metric_time'].map((f) => nameField(named, f)), ['Clients · Name', 'Products · Name', 'Area', 'Bill to · Area', 'Over time'])
  assert.deepEqual(nameGroup(named, { field: 'metric_time', grain: 'month' }), 'Time (month)')
  // A column of one of two fields has the label of neither.
  const two = { ...named, dimensions: new Map([dimension('customers.name', 'Customer'), dimension('products.name', 'Product')]) }
  assert.deepEqual(['name', 'products.name'].map((f) => nameField(two, f)), ['Name', 'Product'])
})

test('a calculation is a metric behind those of the model', () => {
  const calculations = [{ name: 'rate', expression: 'revenue / 2' }]
  const query = toQuery({ ...initial, metrics: ['revenue'], calculations }, types)
  assert.deepEqual(query.metrics, ['revenue', calculations[0]])
  const back = fromQuery(initial, query, types)
  assert.deepEqual([back.metrics, back.calculations, back.rest], [['revenue'], calculations, {}])
  // One in another place, or with more than an expression, stays as it came.
  const other = [{ name: 'rate', expression: 'COUNT(*)', dataset: 'orders' }, 'revenue']
  assert.deepEqual(fromQuery(initial, { metrics: other }, types).rest, { metrics: other })
})

test('a long text is broken between its words, and never lost but in its middle', () => {
  assert.deepEqual(wrapped('north'), ['north'])
  assert.deepEqual(wrapped(''), [])
  const long = 'the quick brown fox jumps over the lazy dog and runs away'
  assert.equal(wrapped(long).join(' '), long)
  assert.ok(wrapped(long).every((line) => line.length <= 44))
  assert.equal(wrapped('x'.repeat(100)).join(''), 'x'.repeat(100))
  const endless = wrapped('ab '.repeat(1000) + 'end')
  assert.equal(endless.length, 12)
  assert.ok(endless[11].endsWith('end'))
})

test('a definition links the metrics that it names, and no field, text or function', () => {
  const known = new Map(['above', 'total', 'odd "one"', 'count', 'x'].map((n) => [n, n]))
  const links = (text: string) => linesOf(text, { metricOf: (n) => known.get(n.toLowerCase()) }).map((line) => line.map((p) => (p.metric === undefined ? p.text : `[${p.metric}]`)).join(''))
  assert.deepEqual(links("above / SUM(d.x) + COUNT(d.total); above = total where x > 1 AND kind = 'a; total'; total = SUM(d.x)"), ["[above] / SUM(d.x) + COUNT(d.total)", "[above] = [total] where x > 1 AND kind = 'a; total'", '[total] = SUM(d.x)'])
  assert.deepEqual(links('"odd ""one""" / Total - "d".x'), ['[odd "one"] / [total] - "d".x'])
  assert.deepEqual(links('SUM(d.größe) / x'), ['SUM(d.größe) / [x]'])
})

test('a definition links the fields that it names, in conditions too', () => {
  const metric = (name: string, datasets: string[], derive_base?: string) => [name, { name, kind: 'aggregate', datasets, measures: [], additivity: 'additive' as const, attribution: 'exact' as const, derive_base }] as const
  const metrics = new Map([metric('total', ['sale']), metric('large', ['sale', 'town'], 'total'), metric('both', ['sale', 'town'])])
  const datasetOf = fieldsAmong(['metric_time', 'sale.amount', 'sale.kind', 'sale.date', 'sale.t', 'town.name', 'town.kind', '"odd ""one""".x'], [{ name: 'bill_to', to: 'town' }], metrics)
  const links = (text: string) => linesOf(text, { metricOf: among([...metrics.keys()]), datasetOf }).map((line) => line.map((p) => (p.dataset ? `[${p.text} of ${p.dataset}]` : p.text)).join(''))
  assert.deepEqual(links("large where Amount > :t AND kind IN ('date', amount)"), ["large where [Amount of sale] > :t AND [kind of sale] IN ('date', [amount of sale])"])
  assert.deepEqual(links("total where date >= DATE '2024-01-01' AND t::date = 1; total = SUM(sale.amount)"), ["total where [date of sale] >= DATE '2024-01-01' AND [t of sale]::date = 1", 'total = SUM([sale.amount of sale])'])
  assert.deepEqual(links('total where "odd ""one""".X = BILL_TO.name AND kind(kind) = missing AND town.missing'), ['total where ["odd ""one""".X of odd "one"] = [BILL_TO.name of town] AND kind([kind of sale]) = missing AND town.missing'])
  assert.deepEqual(links('both where kind = 1 AND amount = 2'), ['both where kind = 1 AND [amount of sale] = 2']) // two datasets have a kind
  assert.deepEqual(links('amount / total'), ['amount / total'])
})

test('the totals of a pivot stand at their lines and columns, whatever the order of their names', () => {
  const keys = ['month', 'region', 'kind']
  assert.deepEqual(levelsOf(keys, 'kind'), [['month', 'region'], ['kind'], []])
  assert.deepEqual(levelsOf(['region'], 'region'), [[]])
  assert.equal(acrossOf(keys, [{ field: 'day', grain: 'month' }, { field: 'region' }, { field: 'kind' }], ''), 'region')
  assert.equal(acrossOf(keys, [{ field: 'day', grain: 'month' }, { field: 'region' }, { field: 'kind' }], 'kind'), 'kind')
  const rows = [
    { month: 'a', region: null, kind: null, v: 1, level: 2 },
    { month: null, region: null, kind: 'x', v: 2, level: 1 },
    { month: null, region: null, kind: null, v: 3, level: 1 },
    { month: null, region: null, kind: null, v: 4, level: 3 },
    { month: null, region: 'r', kind: null, v: 5, level: 4 },
  ]
  const totals = totalsOf(rows, 'level', [['kind'], ['region', 'month'], [], ['region']], keys, 'kind')
  assert.deepEqual([[...totals.lines], [...totals.columns], totals.whole], [[['["a",null]', rows[0]]], [['x', rows[1]], [null, rows[2]]], rows[3]])
})

test('the groups of the picker keep their places, and roles come last', () => {
  const entry = (group: string, name: string, grey = false): Entry => ({ group, name, label: name, about: '', grey })
  const titles = (...entries: Entry[]) => pickerLines(entries, new Set(), ['Time', 'sale', 'visit']).flatMap((l) => ('title' in l ? [l.title] : []))
  const of = [entry('ship_to', 'ship_to.town'), entry('visit', 'visit.day'), entry('bill_to', 'bill_to.town'), entry('Time', 'metric_time'), entry('sale', 'sale.region')]
  assert.deepEqual(titles(...of), ['Time', 'sale', 'visit', 'bill_to', 'ship_to'])
  assert.deepEqual(titles(...of.map((e) => ({ ...e, grey: e.group === 'sale' })).reverse()), ['Time', 'sale', 'visit', 'bill_to', 'ship_to'])
})

test('an axis of time is named by its field and its grain, another one by its column', () => {
  const titleOf = (column: string, field: string, grain?: string) => draw({ dialect: 'duckdb', sql: '', columns: [column, 'x'], rows: [{ [column]: '2024-01-01', x: 1 }], row_count: 1 }, withOrders([{ field, grain }], { dimensions: new Map(), datasets: [] }), [{ name: 'x' }], { kind: 'auto', ordered: false }).title
  assert.equal(titleOf('metric_time__month', 'metric_time', 'month'), 'Time (month)')
  assert.equal(titleOf('order_date__quarter', 'orders.order_date', 'quarter'), 'Orders · Order date (quarter)')
  assert.equal(titleOf('order_date__fiscal_year', 'orders.order_date', 'fiscal_year'), 'Orders · Order date (fiscal year)')
  assert.equal(titleOf('region', 'customers.region'), 'Customers · Region')
})

test('a part of a time is a number that keeps its order, and no period', () => {
  const s: State = { ...initial, page: 'explore', metrics: ['x'], groups: [{ field: 'o.at', part: 'hour_of_day' }, { field: 'o.at', grain: 'day_of_week' }, { field: '"odd:part".at', grain: 'month' }] }
  assert.match(toHash(s), /by=o.at%3Apart%3Ahour_of_day/)
  assert.deepEqual(fromHash(toHash(s)).groups, s.groups) // a calendar can have a period of the same name
  const query = toQuery(s, types)
  assert.deepEqual(query.group_by, [{ field: 'o.at', part: 'hour_of_day' }, { field: 'o.at', grain: 'day_of_week' }, { field: '"odd:part".at', grain: 'month' }])
  assert.deepEqual(fromQuery(initial, query, types).groups, s.groups)
  assert.deepEqual(groupsOf(['at__hour_of_day', 'x'], new Map([['x', 'x']])), [{ field: 'at', part: 'hour_of_day' }])
  assert.match(askedText(s, { metrics: new Map(), dimensions: new Map(), datasets: [] }), /^X by O · At \(hour of day\), /)
  assert.match(snippets('', 'query', query)[1].text, /Field: "o.at", Part: "hour_of_day"/)

  const hours = answer(['at__hour_of_day', 'x'], [22, 5], [9, 100], [null, 1], [8, 7], [11, 0.5])
  const drawn = draw(hours, [{ field: 'o.at', part: 'hour_of_day' }], [metric('x')], plainWish)
  assert.deepEqual([drawn.kind, drawn.title, drawn.notes], ['bar', 'at__hour_of_day', ['rows without a date are in the table only']])
  assert.deepEqual(drawn.stops, [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]) // ten is a gap
  assert.deepEqual(drawn.panels[0].series[0].values.slice(0, 4), [7, 100, null, 0.5])
  assert.deepEqual(drawn.labels.slice(0, 2), ['hour of day 8', 'hour of day 9'])
  const days = answer(['at__day_of_year', 'x'], ...Array.from({ length: 366 }, (_, i) => [366 - i, i]))
  const year = draw(days, [{ field: 'o.at', part: 'day_of_year' }], [metric('x')], plainWish)
  assert.deepEqual([year.kind, year.stops.length, year.stops[0], year.notes], ['line', 366, 1, []])
  const kinds = answer(['kind', 'at__day_of_week', 'x'], ['b', 7, 1], ['a', 1, 2], ['a', 3, 4])
  const both = draw(kinds, [{ field: 'o.kind' }, { field: 'o.at', part: 'day_of_week' }], [metric('x')], plainWish)
  assert.deepEqual([both.axis, both.stops, both.panels[0].series.map((s) => s.label)], ['at__day_of_week', [1, 2, 3, 4, 5, 6, 7], ['a', 'b']])
  const across = draw(answer(['at__month', 'at__day_of_week', 'x'], ['2024-01-01', 10, 1], ['2024-01-01', 2, 2]), [{ field: 'o.at', grain: 'month' }, { field: 'o.at', part: 'day_of_week' }], [metric('x')], plainWish)
  assert.deepEqual([across.kind, across.panels[0].series.map((s) => s.label)], ['line', ['day of week 2', 'day of week 10']])
  const shape = { groups: [{ field: 'o.at', part: 'day_of_year' }], columns: [metric('x')], totals: [], drawn: days }
  assert.equal(topOf({ metrics: ['x'] }, days, shape), undefined) // "other" is not a number
})

test('a mark of a part leads to its column, and its records to its field', () => {
  const weekday: Place = { group: { field: 'metric_time', part: 'day_of_week' }, value: 2, column: 'metric_time__day_of_week' }
  const region: Place = { group: { field: 'c.region' }, value: 'north', column: 'region' }
  const state: State = { ...initial, metrics: ['a'], groups: [weekday.group, region.group], where: 'c.x = 1 OR c.y = 2', last: '12 month', timeDimension: 'o.ship_date' }
  const catalog = { metrics: new Map([['a', { datasets: ['o'] }]]) } as unknown as Parameters<typeof showRecords>[3]
  const frame: Frame = { ...frameOf(state), typeOf: (f) => (f === 'o.day' ? 'Date' : f === 'o.at' ? 'DateTimeTz' : f === 'o.code' ? 'String' : undefined), axis: 'o.day', zone: 'UTC', firstDay: 7 }
  assert.equal(isDrillable(weekday, frame), true)
  assert.deepEqual(keepOnly(state, [weekday], frame), { filters: [{ field: 'metric_time__day_of_week', op: '=', value: '2' }] })
  assert.deepEqual(exclude(state, weekday), { filters: [{ field: 'metric_time__day_of_week', op: 'is not', value: '2' }] })
  assert.deepEqual(keepOnly(state, [{ ...weekday, value: null }], frame).filters, [{ field: 'metric_time__day_of_week', op: 'is null', value: '' }])
  // The condition names a column: the group stays, and takes the condition along.
  const broken = breakDown(state, [weekday, region], { field: 'p.kind' }, frame)
  assert.deepEqual(broken.groups, [weekday.group, { field: 'p.kind' }])
  const filtered = { ...state, filters: [...broken.filters!, { field: 'metric_time__day_of_week', op: '<' as const, value: '6' }] }
  assert.deepEqual(withoutGroup(filtered, weekday.group), { groups: [region.group], filters: [{ field: 'c.region', op: '=', value: 'north' }] })

  const records = (s: State, places: Place[], f = frame) => (({ filters, where }) => [filters, where])(showRecords(s, places, 'a', catalog, f) ?? { filters: undefined, where: undefined })
  const day = '((EXTRACT(ISODOW FROM o.day) + 0) % 7 + 1)' // Monday is the second day of weeks from Sunday
  assert.deepEqual(records(filtered, [weekday, region]), [[{ field: 'c.region', op: '=', value: 'north' }, { field: 'c.region', op: '=', value: 'north' }], `(c.x = 1 OR c.y = 2) AND ${day} = 2 AND ${day} < 6 AND ${day} = 2`])
  assert.deepEqual(records(state, [weekday], { ...frame, firstDay: 1 }), [[], '(c.x = 1 OR c.y = 2) AND EXTRACT(ISODOW FROM o.day) = 2'])
  const hour = (field: string): Place => ({ group: { field, part: 'hour_of_day' }, value: 5, column: 'at__hour_of_day' })
  assert.deepEqual(records({ ...state, where: '' }, [hour('o.at')]), [[], 'EXTRACT(HOUR FROM o.at) = 5'])
  assert.deepEqual(records(state, [hour('o.at')], { ...frame, zone: 'Asia/Tokyo' }), [undefined, undefined]) // conditions have the clock of UTC
  assert.deepEqual(records(state, [hour('o.code')]), [undefined, undefined])
  assert.deepEqual(records(state, [weekday], { ...frame, axis: undefined }), [undefined, undefined])
  assert.deepEqual(records(state, [region]), [[{ field: 'c.region', op: '=', value: 'north' }], state.where])
  const month: Place = { group: { field: 'metric_time', grain: 'month' }, value: '2024-02-01', column: 'metric_time__month' }
  assert.equal(askWhy({ ...state, timeDimension: '' }, 'a', 'month', '2024-01-01', '2024-02-01', [month, weekday], frame)!.where, `(c.x = 1 OR c.y = 2) AND ${day} = 2`)
})

test('the picker lists the parts of a time that is chosen, and those that words find', () => {
  const time = (name: string, ...parts: string[]): Dimension => ({ name, is_time: true, is_dimension: true, source: 'declared', grains: ['month'], parts })
  const list = [time('o.at', 'hour_of_day', 'day_of_week'), time('o.paid_month', 'month_of_year'), { name: 'o.week', is_time: false, is_dimension: true, source: 'declared' }]
  const catalog = {
    metricList: [{ name: 'x', time_dimension: 'o.at' }],
    dimensionList: list,
    dimensions: new Map(list.map((d) => [d.name, d])),
    index: list.map((d) => ({ kind: 'dimension', name: d.name, label: d.name, about: '', words: d.name })),
  } as unknown as Parameters<typeof dimensionEntries>[0]
  const names = (text: string, ...groups: { field: string; grain?: string; part?: string }[]) => dimensionEntries(catalog, undefined, groups, text).map((e) => e.name)
  assert.deepEqual(names(''), ['metric_time', 'o.at', 'o.paid_month', 'o.week'])
  assert.deepEqual(names('', { field: 'o.at', grain: 'month' }), ['metric_time', 'o.at', 'o.at:hour_of_day', 'o.at:day_of_week', 'o.paid_month', 'o.week'])
  assert.deepEqual(names('week'), ['metric_time:day_of_week', 'o.week', 'o.at:day_of_week'])
  assert.deepEqual(names('o.at hour'), ['o.at:hour_of_day'])
  assert.deepEqual(names('o.at'), ['o.at'])
  const fits = { metrics: new Set<string>(), dimensions: new Map([['o.at', { name: 'o.at', grains: ['month'], parts: ['day_of_week'] }]]) }
  assert.deepEqual(dimensionEntries(catalog, fits, [{ field: 'o.at', part: 'day_of_week' }], '').map((e) => [e.name, e.grey]), [['metric_time', true], ['o.at', false], ['o.at:day_of_week', false], ['o.paid_month', true], ['o.week', true]])
})

test('a SELECT has the part of a time as EXTRACT', () => {
  const q = { metrics: ['revenue'], group_by: [{ field: 'orders.order_date', part: 'day_of_week' }], limit: 5 }
  assert.equal(selectOf('m', q, () => true), 'SELECT EXTRACT(ISODOW FROM orders.order_date) AS order_date__day_of_week,\n       MEASURE(revenue) AS revenue\nFROM m\nGROUP BY 1\nLIMIT 5')
  assert.equal(isSame(q, { ...q, group_by: [{ field: 'orders.order_date', part: 'day_of_year' }] }), false)
})

test('no two colours of series are alike, and none is like that of the rest', () => {
  const style = readFileSync('src/style.css', 'utf8')
  const rest = [...style.matchAll(/--faint: (#[0-9a-f]{6})/g)].map((found) => found[1])
  const parts = (colour: string) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
  const apart = (a: string, b: string) => Math.hypot(...parts(a).map((p, i) => p - parts(b)[i]))
  for (const colours of [[...onLight, rest[0]], [...onDark, rest[1]]]) {
    const near = colours.flatMap((a, i) => colours.slice(i + 1).filter((b) => apart(a, b) < 45).map((b) => [a, b]))
    assert.deepEqual(near, [])
  }
})
