// Rows as text and as files, made in the browser.

import type { Row } from '../api.ts'
import { csv } from '../format.ts'

/** tsv is what spreadsheets take from the clipboard. */
export function tsv(columns: string[], rows: Row[]): string {
  const cell = (v: unknown) => {
    const text = v === null || v === undefined ? '' : String(v).replace(/[\t\r\n]+/g, ' ')
    return typeof v === 'string' && /^[=+\-@]/.test(text) && !/^-?[\d.]+$/.test(text) ? "'" + text : text
  }
  return [columns.map(cell).join('\t'), ...rows.map((r) => columns.map((c) => cell(r[c])).join('\t'))].join('\n') + '\n'
}

export const csvOf = csv

/** jsonOf keeps the columns in their order. */
export const jsonOf = (columns: string[], rows: Row[]) => JSON.stringify(rows.map((r) => Object.fromEntries(columns.map((c) => [c, r[c]]))), null, 1)

/** save offers a text, bytes or a picture as a file. */
export function save(name: string, content: string | ArrayBuffer, type: string) {
  const address = type === '' ? String(content) : URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  if (type !== '') setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
