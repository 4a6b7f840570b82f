// Rows as a workbook: a zip file of a few parts of XML, which are stored as they are.

import type { Row } from '../api.ts'

const escaped = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A cell holds at most this many characters. */
const mostCharacters = 32_767

/** The days between the first of January 1900 as workbooks count, and 1970. */
const dayOf1970 = 25_569

const dayMs = 86_400_000

/** The places of the formats in the styles: a day, and a time. */
const [dayStyle, timeStyle] = [1, 2]

function cell(v: Row[string] | undefined): string {
  if (v === null || v === undefined) return '<c/>'
  if (typeof v === 'boolean') return `<c t="b"><v>${Number(v)}</v></c>`
  if (typeof v === 'number') return `<c><v>${v}</v></c>`
  const date = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?$/.exec(v)
  const at = date ? Date.parse(`${date[1]}T${date[2] ?? '00:00:00'}Z`) / dayMs + dayOf1970 : NaN
  // A workbook has a 29 February 1900: days before it are counted otherwise.
  if (at > 60) return `<c s="${date![2] ? timeStyle : dayStyle}"><v>${at}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(v.slice(0, mostCharacters))}</t></is></c>`
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const document = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml.'

/** xlsxOf is a workbook of one sheet: the names of the columns, and the rows with their types. */
export function xlsxOf(columns: string[], rows: Row[]): ArrayBuffer {
  const line = (cells: string[]) => `<row>${cells.join('')}</row>`
  const sheet = [line(columns.map(cell)), ...rows.map((r) => line(columns.map((c) => cell(r[c]))))].join('')
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${document}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${document}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${document}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${document}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  })
}

const polynomial = 0xedb88320
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ polynomial : c >>> 1
  return c
})

function checksum(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (const b of bytes) c = (c >>> 8) ^ table[(c ^ b) & 0xff]
  return ~c >>> 0
}

/** The first of January 1980, the first day that a zip file can name: the same rows are the same bytes. */
const firstDay = 0x21

/** zip stores texts under their names. */
function zip(parts: Record<string, string>): ArrayBuffer {
  const write = new TextEncoder()
  const files = Object.entries(parts).map(([name, text]) => ({ name: write.encode(name), bytes: write.encode(text) }))
  const [local, central, end] = [30, 46, 22]
  const size = files.reduce((sum, f) => sum + local + central + 2 * f.name.length + f.bytes.length, end)
  const out = new Uint8Array(size)
  const view = new DataView(out.buffer)
  let at = 0
  const put = (values: [bytes: 2 | 4, value: number][]) => {
    for (const [bytes, value] of values) {
      if (bytes === 2) view.setUint16(at, value, true)
      else view.setUint32(at, value, true)
      at += bytes
    }
  }
  const copy = (bytes: Uint8Array) => {
    out.set(bytes, at)
    at += bytes.length
  }
  const places = files.map((f) => {
    const start = at
    const crc = checksum(f.bytes)
    put([[4, 0x04034b50], [2, 20], [2, 0x0800], [2, 0], [2, 0], [2, firstDay], [4, crc], [4, f.bytes.length], [4, f.bytes.length], [2, f.name.length], [2, 0]])
    copy(f.name)
    copy(f.bytes)
    return { start, crc }
  })
  const directory = at
  files.forEach((f, i) => {
    put([[4, 0x02014b50], [2, 20], [2, 20], [2, 0x0800], [2, 0], [2, 0], [2, firstDay], [4, places[i].crc], [4, f.bytes.length], [4, f.bytes.length], [2, f.name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, places[i].start]])
    copy(f.name)
  })
  put([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, at - directory], [4, directory], [2, 0]])
  return out.buffer
}
