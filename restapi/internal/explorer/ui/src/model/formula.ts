// The definition of a metric in parts: what is text, and what names another metric.

export interface Piece {
  text: string
  /** The metric that the text names. */
  metric?: string
}

/** A text in quotes, a name, or one other character. Names of fields are paths: dataset.field. */
const token = /'(?:[^']|'')*'|(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)(?:\.(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*))*|[^]/gu

/** The word before the condition of a filtered metric, whose names are fields. */
const condition = 'where'

/**
 * linesOf parts a definition at its semicolons: the first line is the metric itself, each other one a metric that it names.
 * A name without a dataset, outside conditions, texts and calls, is that of a metric.
 */
export function linesOf(definition: string, metricOf: (name: string) => string | undefined): Piece[][] {
  const lines: Piece[][] = [[]]
  let filtered = false
  for (const match of definition.matchAll(token)) {
    const text = match[0]
    if (text === ';') {
      lines.push([])
      filtered = false
      continue
    }
    if (text === condition) filtered = true
    const name = /^"(?:[^"]|"")*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text
    const line = lines[lines.length - 1]
    if (line.length === 0 && /^\s$/.test(text)) continue
    const called = definition[match.index + text.length] === '('
    const last = line[line.length - 1]
    const metric = filtered || called || text.startsWith("'") ? undefined : metricOf(name)
    if (metric !== undefined) line.push({ text, metric })
    else if (last && last.metric === undefined) last.text += text
    else line.push({ text })
  }
  return lines
}
