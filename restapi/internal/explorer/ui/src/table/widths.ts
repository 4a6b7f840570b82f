// The widths of the columns of a table: what their texts need, until a person drags one.

const charWidth = 8
const padding = 26
const least = 70

/** On a narrow screen the first column, which stays, leaves room for the others. */
const most = { wide: 320, narrow: 150 }

/** widthsOf measures columns by the longest of some texts of each. */
export function widthsOf(columns: string[], title: (c: string) => string, texts: (c: string) => string[], screen: keyof typeof most): Map<string, number> {
  return new Map(columns.map((c) => [c, Math.max(least, Math.min(most[screen], Math.max(title(c).length + 2, ...texts(c).map((t) => t.length)) * charWidth + padding))]))
}

export const leastWidth = least
