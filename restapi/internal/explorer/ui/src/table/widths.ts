// The widths of the columns of a table: what their texts need, until a person drags one.

const padding = 26
const least = 70

/** On a narrow screen the first column, which stays, leaves room for the others. */
const most = { wide: 320, narrow: 150 }

/** What a header has beside its name: the arrow of its order. */
const sortMark = ' ↓'

/** A text that no screen has room for is not measured to its end. */
const longestMeasured = 200

/** widthsOf measures columns by the widest of some texts of each. A text may be cut where a column would be too wide; a number is never cut. */
export function widthsOf(columns: string[], title: (c: string) => string, texts: (c: string) => string[], isNumeric: (c: string) => boolean, screen: keyof typeof most): Map<string, number> {
  const width = textWidth()
  const wide = (texts: string[]) => Math.ceil(texts.reduce((widest, t) => Math.max(widest, width(t.slice(0, longestMeasured))), 0)) + padding
  return new Map(
    columns.map((c) => {
      const longest = wide(texts(c))
      const cut = Math.min(most[screen], Math.max(longest, wide([title(c) + sortMark])))
      return [c, Math.max(least, cut, isNumeric(c) ? longest : 0)]
    }),
  )
}

/** textWidth measures texts in the font of the page, as wide as it is in rows of totals. */
function textWidth(): (text: string) => number {
  const pen = document.createElement('canvas').getContext('2d')!
  const { fontSize, fontFamily } = getComputedStyle(document.body)
  pen.font = `600 ${fontSize} ${fontFamily}`
  return (text) => pen.measureText(text).width
}

export const leastWidth = least
