import type { Stored } from '../domain/changes.ts'

// All that the indexes of events are made of, up to the id of the object; whatever looks different is parsed at once.
const EVENT_HEAD =
  /\{"id":"\w+","object":"event","type":"[\w.]+","api_version":"\w+","created":\d+,"livemode":false,"data":\{"object":\{"id":"\w+"/y

const NOT_ASCII = /[\x80-\xff]/

/**
 * A record as it lies in a file, parsed when it is first read: most events never are, and as one long text they cost
 * neither the time to parse them nor the garbage collector's to look at them.
 */
export class RawRecord {
  readonly #bytes: string
  readonly #from: number
  readonly #to: number

  /** `bytes` is a part of the file, each byte a character. */
  constructor(bytes: string, from: number, to: number) {
    this.#bytes = bytes
    this.#from = from
    this.#to = to
  }

  get text(): string {
    const bytes = this.#bytes.slice(this.#from, this.#to)
    return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
  }

  parse(): Stored {
    return JSON.parse(this.text) as Stored
  }

  /** The fields of an event that indexes are made of, or null for what does not begin as events are written. */
  sketch(): Stored | null {
    EVENT_HEAD.lastIndex = this.#from
    const match = EVENT_HEAD.exec(this.#bytes)
    return match === null ? null : (JSON.parse(`${match[0]}}}}`) as Stored)
  }
}
