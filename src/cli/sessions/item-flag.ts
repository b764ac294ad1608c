import { UsageError } from '../errors/usage-error.ts'
import { findMinorUnitsHint } from '../parse/minor-units.ts'

const SHAPE = 'description:amount[:tax_percent[:type[:quantity]]]'
const EXAMPLE = "--item 'Monthly rent:100000:20:rent'"

/** Parses `description:amount[:tax_percent[:type[:quantity]]]`. In the description, `\:` is a colon and `\\` a backslash. The currency is only for hints. */
export function parseItem(text: string, currency?: unknown): object {
  const [description = '', amount, tax = '', type = '', quantity = '', ...more] = splitAtColons(text)
  if (amount === undefined)
    throw itemError(text, 'the amount is missing', `Write ${SHAPE}, such as ${EXAMPLE}`)
  if (more.length > 0) throw itemError(text, 'too many parts', 'Write a colon in the description as \\:')
  return {
    ...(description === '' ? {} : { description }),
    ...(type === '' ? {} : { type }),
    ...(quantity === '' ? {} : { quantity: parseQuantity(text, quantity) }),
    price_data: {
      amount: parseAmount(text, amount, currency),
      ...(tax === '' ? {} : { tax_percent: parseTax(text, tax) }),
    },
  }
}

/** Splits a string at its colons. In a part, `\:` is a colon and `\\` a backslash. */
export function splitAtColons(text: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const [token] of text.matchAll(/\\[\\:]|./gsu)) {
    if (token === ':') {
      parts.push(part)
      part = ''
    } else part += token.replace(/^\\(?=.)/, '')
  }
  return [...parts, part]
}

const PLAN_SHAPE = 'description:amount[:currency[:interval[:tax_percent]]]'

/** Parses a plan of a portal session: `description:amount[:currency[:interval[:tax_percent]]]`, with `\\:` as in an item. */
export function parsePlan(text: string): object {
  const [description = '', amount = '', currency = '', interval = '', tax = '', ...more] = splitAtColons(text)
  const price = Number(amount)
  const isTax = tax === '' || /^\d{1,3}(?:\.\d{1,4})?$/.test(tax)
  if (!/^\d+$/.test(amount) || !Number.isSafeInteger(price) || !isTax || more.length > 0)
    throw new UsageError('flag_invalid', `Invalid --plan '${text}': expected ${PLAN_SHAPE}.`, {
      param: 'plan',
      hint:
        findMinorUnitsHint(amount, '', currency) ??
        "Amounts are in minor units, such as --plan 'Large:2000:eur:month'. Write a colon in the description as \\:",
    })
  const optional = { description, currency, interval }
  const given = Object.entries(optional).filter(([, value]) => value !== '')
  return { amount: price, ...Object.fromEntries(given), ...(tax === '' ? {} : { tax_percent: Number(tax) }) }
}

function parseAmount(item: string, text: string, currency: unknown): number {
  const amount = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(amount)) return amount
  const hint =
    findMinorUnitsHint(text, '', currency) ?? `Write ${SHAPE}, and a colon in the description as \\:`
  throw itemError(item, `the amount '${text}' is not an integer in minor units`, hint)
}

function parseTax(item: string, text: string): number {
  if (/^\d{1,3}(?:\.\d{1,4})?$/.test(text)) return Number(text)
  throw itemError(item, `the tax '${text}' is not a percentage`, 'Write 20 or 5.5, without a percent sign.')
}

function parseQuantity(item: string, text: string): number {
  const quantity = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(quantity)) return quantity
  throw itemError(item, `the quantity '${text}' is not an integer`, 'Write the number of units, such as 3.')
}

function itemError(item: string, problem: string, hint: string): UsageError {
  return new UsageError('flag_invalid', `Invalid --item '${item}': ${problem}.`, { param: 'item', hint })
}
