// The widths of the columns of a table: what their texts need, until a person drags one.

const charWidth = 8
const padding = 26
const least = 70

/** On a narrow screen the first column, which stays, leaves room for the others. */
const most = { wide: 320, narrow: 150 }

/** widthsOf measures columns by the longest of some texts of each. A text may be cut where a column would be too wide; a number is never cut. */
export function widthsOf(columns: string[], title: (c: string) => string, texts: (c: string) => string[], isNumeric: (c: string) => boolean, screen: keyof typeof most): Map<string, number> {
  const wide = (chars: number) => chars * charWidth + padding
  return new Map(
    columns.map((c) => {
      const longest = wide(Math.max(0, ...texts(c).map((t) => t.length)))
      const cut = Math.min(most[screen], Math.max(longest, wide(title(c).length + 2)))
      return [c, Math.max(least, cut, isNumeric(c) ? longest : 0)]
    }),
  )
}

export const leastWidth = least
