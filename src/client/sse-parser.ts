import { StringDecoder } from 'node:string_decoder'

/** A server-sent event; `id` is null without an id field. */
export interface SseMessage {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** Returns a function that parses chunks of a response as server-sent events (WHATWG HTML), without comments. */
export function createSseParser(onMessage: (message: SseMessage) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let [id, event]: [string | null, string] = [null, '']
  let data: string[] = []

  function parseLine(line: string): void {
    if (line === '') flush()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }

  function flush(): void {
    if (id !== null || data.length > 0) onMessage({ id, event, data: data.join('\n') })
    id = null
    event = ''
    data = []
  }

  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) parseLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
