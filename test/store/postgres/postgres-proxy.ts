import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A statement of a Parse message after its name, or of a Query message. */
const STATEMENT =
  /(?:paycli_\d+|Q[\s\S]{4}|^P[\s\S]{4})\0?((?:BEGIN|SET|SELECT|INSERT|UPDATE|DELETE|WITH)\b[^\0]*)\0/g

/** When a connection is cut: before the server has a statement, or after, so that only its answer is lost. */
export type Cut = 'before' | 'after'

/** A way to a server that can be cut. */
export interface CutWay {
  readonly url: string
  /** Cuts the next connection on which a statement with these words is sent. */
  readonly cutAt: (words: string, cut: Cut) => void
  /** The highest number of a statement that was prepared under a name. */
  readonly prepared: () => number
  /** The texts of the statements that were sent on each connection. */
  readonly sessions: () => readonly (readonly string[])[]
  readonly close: () => Promise<void>
}

/** Opens a way to the server of a URL that can be cut. */
export async function openProxy(url: string): Promise<CutWay> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let trap: { readonly words: string; readonly cut: Cut } | null = null
  let highest = 0
  const sessions: string[][] = []

  function join(client: Socket): void {
    const server = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    let isDeaf = false
    const sent: string[] = []
    sessions.push(sent)
    client.on('data', (chunk: Buffer) => {
      for (const [, number] of chunk.toString('latin1').matchAll(/paycli_(\d+)\0/g))
        highest = Math.max(highest, Number(number))
      for (const [, text = ''] of chunk.toString('utf8').matchAll(STATEMENT)) sent.push(text)
      const caught = trap !== null && chunk.includes(trap.words) ? trap.cut : null
      if (caught !== null) trap = null
      if (caught === 'before') return end()
      isDeaf ||= caught === 'after'
      server.write(chunk)
    })
    server.on('data', (chunk: Buffer) => {
      if (isDeaf) end()
      else client.write(chunk)
    })
  }

  const listener = createServer(join).listen(0, '127.0.0.1')
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
