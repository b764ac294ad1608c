import type { StoredObject } from '../../domain/core/changes.ts'

const ID_START = '{"id":"'
/** Matches the first fields of most records. */
const HEAD = /\{"id":"(\w+)","object":"(\w+)","created":(\d+),/y
// The fields that event indexes use are at the start of the JSON text, up to the object's id, and at the end.
const EVENT_HEAD =
  /\{"id":"(\w+)","object":"event","type":"([\w.]+)","api_version":"\w+","created":(\d+),"livemode":false,"data":\{"object":\{"id":"(\w+)"/y
const EVENT_TAIL = /,"sequence":(\d+),"test_clock":(?:null|"(\w+)")\}/y
const TAIL_START = ',"sequence":'

const NOT_ASCII = /[\x80-\xff]/

/**
 * The JSON bytes of a record, parsed on the first read. Most records are never read. One long string for many records
 * saves parse time and garbage collection.
 */
export class RawRecord {
  /** The file section; empty once the record is parsed, so that the memory of the section can be freed. */
  #bytes: string
  readonly #from: number
  readonly #to: number
  #parsed: StoredObject | null = null

  /** `bytes` is a section of the file as a Latin-1 string, one character for each byte. */
  constructor(bytes: string, from: number, to: number) {
    this.#bytes = bytes
    this.#from = from
    this.#to = to
  }

  /** The length of the JSON text in bytes. */
  get bytes(): number {
    return this.#to - this.#from
  }

  get text(): string {
    if (this.#parsed !== null) return JSON.stringify(this.#parsed)
    const bytes = this.#bytes.slice(this.#from, this.#to)
    return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
  }

  /** Returns whether the JSON text begins with this id. Requires that `parseKeys` returned the fields of the record. */
  hasId(id: string): boolean {
    if (this.#parsed !== null) return this.#parsed.id === id
    // An id with a quote could match the text of other fields.
    if (id.includes('"')) return false
    const from = this.#from + ID_START.length
    return this.#bytes.startsWith(id, from) && this.#bytes[from + id.length] === '"'
  }

  /** Returns the record, which several stores may share; a repeated call returns the same object. */
  parse(): StoredObject {
    if (this.#parsed !== null) return this.#parsed
    const record = JSON.parse(this.text) as StoredObject
    this.#parsed = record
    this.#bytes = ''
    return record
  }

  /**
   * Returns all fields that indexes use for an event, but only `id`, `object` and `created` for another record. Returns
   * null for another field order.
   */
  parseKeys(): StoredObject | null {
    if (this.#parsed !== null) return this.#parsed
    const [, id, object, created] = this.#match(HEAD, this.#from) ?? []
    if (id === undefined || object === undefined || object === 'event') return this.#parseEventKeys()
    const keys = { id, object, created: Number(created) }
    return keys
  }

  #parseEventKeys(): StoredObject | null {
    const head = this.#match(EVENT_HEAD, this.#from)
    if (head === null) return null
    const tail = this.#match(EVENT_TAIL, this.#bytes.lastIndexOf(TAIL_START, this.#to))
    // Quotes inside a JSON string are escaped, so this pattern can only match the end of the event itself.
    if (tail === null || EVENT_TAIL.lastIndex !== this.#to) return null
    const [, id = '', type, created, objectId] = head
    const [, sequence, testClock = null] = tail
    const keys = {
      ...{ id, object: 'event', type, created: Number(created), data: { object: { id: objectId } } },
      ...{ sequence: Number(sequence), test_clock: testClock },
    }
    return keys
  }

  #match(part: RegExp, at: number): RegExpExecArray | null {
    part.lastIndex = at
    return part.exec(this.#bytes)
  }
}
