/** A percentage on one line of a terminal. Prints nothing elsewhere. */
export interface ProgressDisplay {
  readonly show: (done: number, total: number) => void
  readonly clear: () => void
}

const MIN_TOTAL_BYTES = 20_000_000

/**
 * Creates a progress display. Shows no progress for a total below `minTotal` (default: 20 MB), because the work ends
 * too soon.
 */
export function createProgressDisplay(
  label: string,
  stream: NodeJS.WriteStream,
  minTotal = MIN_TOTAL_BYTES,
): ProgressDisplay {
  const line = createStatusLine(stream)
  return {
    show(done, total) {
      const percent = Math.floor((100 * done) / total)
      if (stream.isTTY && total >= minTotal) line.show(`${label} ${String(percent).padStart(3)} %`)
    },
    clear: line.clear,
  }
}

/** A line of status text. On a terminal each text replaces the previous one; elsewhere each text is a new line. */
export interface StatusLine {
  readonly show: (text: string) => void
  readonly clear: () => void
}

/** Creates a status line on a stream. */
export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
  let shown = ''
  return {
    show(text) {
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
