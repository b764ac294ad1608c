import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_FROM = 'HTTP/1.1 '.length

/** A keep-alive HTTP connection with one request at a time; it parses only the status and the length of a response. */
export class Connection {
  readonly #socket: Socket
  #pending: Buffer = Buffer.alloc(0)
  #answered: PromiseWithResolvers<number> | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#answered?.reject(error))
    socket.on('close', () => this.#answered?.reject(new Error('the server closed a connection')))
  }

  /** Connects to a port of this machine. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** Sends a complete request; resolves with the status after the whole response has arrived. */
  send(request: string): Promise<number> {
    this.#answered = Promise.withResolvers<number>()
    this.#socket.write(request, 'latin1')
    return this.#answered.promise
  }

  close(): void {
    this.#answered = null
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const headEnd = bytes.indexOf(HEAD_END)
    const head = headEnd < 0 ? '' : bytes.toString('latin1', 0, headEnd)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (headEnd < 0 || bytes.length < headEnd + HEAD_END.length + length) {
      this.#pending = bytes
      return
    }
    this.#pending = Buffer.alloc(0)
    if (Number.isNaN(length)) this.#answered?.reject(new Error(`an answer has no length: ${head}`))
    else this.#answered?.resolve(Number(head.slice(STATUS_FROM, STATUS_FROM + 3)))
  }
}
