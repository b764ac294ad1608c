const MIN_TOTAL_BYTES = 20_000_000

/** A display that shows a percentage on one line of a terminal. Without a terminal, the display prints nothing. */
export type ProgressDisplay = ReturnType<typeof createProgressDisplay>

/**
 * Creates a progress display. Shows no progress for a total below `minTotal` (default: 20 MB), because the work is too
 * short.
 */
export function createProgressDisplay(label: string, stream: NodeJS.WriteStream, minTotal = MIN_TOTAL_BYTES) {
  const line = createStatusLine(stream)
  return {
    show(done: number, total: number) {
      const percent = Math.floor((100 * done) / total)
      if (stream.isTTY && total >= minTotal) line.show(`${label} ${String(percent).padStart(3)} %`)
    },
    clear: line.clear,
  }
}

/** A line of status text. On a terminal each text replaces the previous text; elsewhere each text is a new line. */
export type StatusLine = ReturnType<typeof createStatusLine>

/** Creates a status line on a stream. */
export function createStatusLine(stream: NodeJS.WriteStream) {
  let shown = ''
  return {
    show(text: string) {
      if (text === shown) return
      stream.write(stream.isTTY ? `\r${text.padEnd(shown.length)}` : `${text}\n`)
      shown = text
    },
    clear() {
      if (stream.isTTY && shown !== '') stream.write(`\r${' '.repeat(shown.length)}\r`)
      shown = ''
    },
  }
}
