import { UsageError } from '../errors/usage-error.ts'

const SHAPE = 'description:amount[:tax_percent[:type]]'
const EXAMPLE = "--item 'Monthly rent:100000:20:rent'"

/** An item of a checkout session as `--item` writes it. */
export interface ItemParams {
  readonly description?: string
  readonly type?: string
  readonly price_data: { readonly amount: number; readonly tax_percent?: number }
}

/** Reads `description:amount[:tax_percent[:type]]`; `\:` is a colon and `\\` a backslash in the description. */
export function parseItem(text: string): ItemParams {
  const [description = '', amount, tax = '', type = '', ...more] = split(text)
  if (amount === undefined) throw wrong(text, 'has no amount', `Write ${SHAPE}, such as ${EXAMPLE}`)
  if (more.length > 0)
    throw wrong(text, 'has too many parts', 'A colon inside the description is written \\:')
  return {
    ...(description === '' ? {} : { description }),
    ...(type === '' ? {} : { type }),
    price_data: { amount: amountOf(text, amount), ...(tax === '' ? {} : { tax_percent: taxOf(text, tax) }) },
  }
}

function split(text: string): string[] {
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

function amountOf(item: string, text: string): number {
  const amount = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(amount)) return amount
  const hint = /^\d+[.,]\d+$/.test(text)
    ? 'Amounts are in minor units: 1250 with eur is 12.50 EUR.'
    : `Write ${SHAPE}; a colon inside the description is written \\:`
  throw wrong(item, `has the amount '${text}', which is no whole number`, hint)
}

function taxOf(item: string, text: string): number {
  if (/^\d{1,3}(?:\.\d{1,4})?$/.test(text)) return Number(text)
  throw wrong(
    item,
    `has the tax '${text}', which is no percentage`,
    'Write 20 or 5.5, without a percent sign.',
  )
}

function wrong(item: string, problem: string, hint: string): UsageError {
  return new UsageError('flag_invalid', `--item '${item}' ${problem}.`, { param: 'item', hint })
}
