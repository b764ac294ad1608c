import type { Stored } from '../../domain/changes.ts'

// All that the indexes of events are made of stands at the beginning, up to the id of the object, and at the end.
const EVENT_HEAD =
  /\{"id":"\w+","object":"event","type":"[\w.]+","api_version":"\w+","created":\d+,"livemode":false,"data":\{"object":\{"id":"\w+"/y
const EVENT_TAIL = /,"sequence":\d+,"test_clock":(?:null|"\w+")\}/y
const TAIL_START = ',"sequence":'

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

  /** The fields of an event that indexes are made of, or null for what is not laid out as events are written. */
  sketch(): Stored | null {
    const head = this.#match(EVENT_HEAD, this.#from)
    if (head === null) return null
    const tail = this.#match(EVENT_TAIL, this.#bytes.lastIndexOf(TAIL_START, this.#to))
    // Quotes in a text have a backslash before them, so an end that looks like this one is the event's own.
    const isWhole = tail !== null && EVENT_TAIL.lastIndex === this.#to
    return isWhole ? (JSON.parse(`${head}}}${tail}`) as Stored) : null
  }

  #match(part: RegExp, at: number): string | null {
    part.lastIndex = at
    return part.exec(this.#bytes)?.[0] ?? null
  }
}
