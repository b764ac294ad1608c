import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Matches the statement of a Parse message after its name, or of a Query message. */
const STATEMENT =
  /(?:paycli_\d+|Q[\s\S]{4}|^P[\s\S]{4})\0?((?:BEGIN|SET|SELECT|INSERT|UPDATE|DELETE|WITH)\b[^\0]*)\0/g

/** The end of the message of the statement COMMIT, and of the message of its result. */
export const COMMIT = 'COMMIT\0'

/** Whether a connection is cut before the server gets a statement, or after it, so that only the result is lost. */
export type CutTime = 'before' | 'after'

/** A TCP proxy to a server that can cut connections. */
export interface PostgresProxy {
  readonly url: string
  /** Cuts the next connection that sends a statement with these words. */
  readonly cutAt: (words: string, cut: CutTime) => void
  /** Returns the highest number in the name of a prepared statement. */
  readonly prepared: () => number
  /** Returns the statements of each connection. */
  readonly sessions: () => readonly (readonly string[])[]
  readonly close: () => Promise<void>
}

/** Opens a proxy to the server of a URL. */
export async function openProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let trap: { readonly words: string; readonly cut: CutTime } | null = null
  let highest = 0
  const sessions: string[][] = []

  function connectClient(client: Socket): void {
    const server = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    let dropped: string | null = null
    const sent: string[] = []
    sessions.push(sent)
    client.on('data', (chunk: Buffer) => {
      for (const [, number] of chunk.toString('latin1').matchAll(/paycli_(\d+)\0/g))
        highest = Math.max(highest, Number(number))
      for (const [, text = ''] of chunk.toString('utf8').matchAll(STATEMENT)) sent.push(text)
      const sprung = trap !== null && chunk.includes(trap.words) ? trap : null
      if (sprung !== null) trap = null
      if (sprung?.cut === 'before') return end()
      dropped ??= sprung?.words ?? null
      server.write(chunk)
    })
    server.on('data', (chunk: Buffer) => {
      if (dropped === null) client.write(chunk)
      // The results of earlier statements may arrive before the COMMIT is stored.
      else if (dropped !== COMMIT || chunk.includes(COMMIT)) end()
    })
  }

  const listener = createServer(connectClient).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: Object.assign(new URL(url), { port: String(address.port) }).href,
    cutAt(words, cut) {
      trap = { words, cut }
    },
    prepared: () => highest,
    sessions: () => sessions,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
