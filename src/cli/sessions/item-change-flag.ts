import { createInvalidFlagError } from '../errors/usage-error.ts'
import { findMinorUnitsHint } from '../parse/minor-units.ts'
import { parseItem, splitAtColons } from './item-flag.ts'

const EXAMPLE = "--item 'si_4bT9…:quantity=3'"
const ITEM_ID = /^si_[0-9A-Za-z…]+(?::|$)/
const FIELDS = ['quantity', 'amount', 'tax_percent', 'description', 'type']
const NUMBERS: ReadonlySet<string> = new Set(['quantity', 'amount', 'tax_percent'])
const PRICE_FIELDS: ReadonlySet<string> = new Set(['amount', 'tax_percent'])

/**
 * Parses a change of an item: `si_…:quantity=3:amount=2000` changes an item, `si_…:deleted` removes an item, and
 * `description:amount[:tax_percent[:type[:quantity]]]` adds an item. In a value, `\:` is a colon and `\\` a backslash.
 */
export function parseItemChange(text: string): object {
  if (!ITEM_ID.test(text)) return parseItem(text)
  const [id = '', ...parts] = splitAtColons(text)
  if (parts.length === 0) throw changeError(text, `Write the changes, such as ${EXAMPLE}`)
  if (parts.length === 1 && parts[0] === 'deleted') return { id, deleted: true }
  const values = parts.map((part) => parseField(text, part))
  const price = Object.fromEntries(values.filter(([name]) => PRICE_FIELDS.has(name)))
  const others = Object.fromEntries(values.filter(([name]) => !PRICE_FIELDS.has(name)))
  return { id, ...others, ...(Object.keys(price).length === 0 ? {} : { price_data: price }) }
}

function parseField(text: string, part: string): [name: string, value: string | number] {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(part) ?? []
  if (!FIELDS.includes(name))
    throw changeError(text, `Set ${FIELDS.join(', ')} with =, or write deleted. For example: ${EXAMPLE}`)
  if (!NUMBERS.has(name)) return [name, value]
  if (/^\d+$/.test(value) || (name === 'tax_percent' && /^\d{1,3}\.\d{1,4}$/.test(value)))
    return [name, Number(value)]
  const amountHint = name === 'amount' ? findMinorUnitsHint(value, 'amount=') : undefined
  throw changeError(text, amountHint ?? `Write a number, such as ${name}=3.`)
}

function changeError(text: string, hint: string): Error {
  return createInvalidFlagError('item', text, 'a change of an item', hint)
}
