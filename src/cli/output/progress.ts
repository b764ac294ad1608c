/** Shows how far something long has come, on one line of a terminal that it clears at the end; silent elsewhere. */
export interface Progress {
  readonly show: (done: number, total: number) => void
  readonly clear: () => void
}

const MIN_TOTAL_BYTES = 20_000_000

/** Progress over bytes, or what else `minTotal` counts; less than that is done before anybody could read of it. */
export function createProgress(
  label: string,
  stream: NodeJS.WriteStream,
  minTotal = MIN_TOTAL_BYTES,
): Progress {
  let shown = -1
  return {
    show(done, total) {
      const percent = Math.floor((100 * done) / total)
      if (!stream.isTTY || total < minTotal || percent === shown) return
      shown = percent
      stream.write(`\r${label} ${String(percent).padStart(3)} %`)
    },
    clear() {
      if (shown >= 0) stream.write(`\r${' '.repeat(label.length + 6)}\r`)
      shown = -1
    },
  }
}

/** Text on one line of a terminal that the next one is written over; elsewhere each is a line of its own. */
export interface StatusLine {
  readonly show: (text: string) => void
  readonly clear: () => void
}

/** A status line on a stream. */
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
