import { StringDecoder } from 'node:string_decoder'

/** One server-sent event; `id` is null where it has none of its own. */
export interface Frame {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** Reads server-sent events from pieces of a response, as the WHATWG HTML standard has them; comments are left out. */
export function createFrameReader(onFrame: (frame: Frame) => void): (piece: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let [id, event]: [string | null, string] = [null, '']
  let data: string[] = []

  function take(line: string): void {
    if (line === '') flush()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }

  function flush(): void {
    if (id !== null || data.length > 0) onFrame({ id, event, data: data.join('\n') })
    id = null
    event = ''
    data = []
  }

  return (piece) => {
    const lines = (rest + decoder.write(piece)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
