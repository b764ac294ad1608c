import type { Fields } from '../../client/fields.ts'
import { changesBetween, type FieldChange } from '../output/field-changes.ts'
import { plainText, wordIn } from '../output/values.ts'
import { layOut } from '../output/wrap-words.ts'

const LONGEST_VALUE = 60
const INDENT = '         '

/** One object that is not the same in two databases; null where it is not there. */
interface Different {
  readonly change: 'added' | 'removed' | 'changed'
  readonly before: object | null
  readonly now: object | null
}

/** The same as programs read it. */
interface StateDifference {
  readonly change: Different['change']
  readonly object: string
  readonly id: string
  /** Empty for one that was not there before, or is there no more. */
  readonly changes: readonly FieldChange[]
}

/** What is told of an object that differs. */
export function differenceOf({ change, before, now }: Different): StateDifference {
  const { object, id }: Fields = { ...(now ?? before) }
  const changes = before === null || now === null ? [] : changesBetween({ ...before }, { ...now })
  return { change, object: String(object), id: String(id), changes }
}

/** Objects that differ as text, each on a line, with what changed of it below. */
export function viewDifferences(found: readonly Different[], width: number): string {
  if (found.length === 0) return 'Nothing is different.\n'
  const rows = found.map((one) => ({ ...differenceOf(one), words: wordsOf(one) }))
  const longest = Math.max(...rows.map(({ object }) => object.length))
  return rows
    .map(({ change, object, id, words }) => {
      const head = `${change.padEnd(7)}  ${plainText(object).padEnd(longest)}  ${plainText(id)}\n`
      return words.length === 0 ? head : `${head}${INDENT}${layOut(words, { at: INDENT.length, width })}\n`
    })
    .join('')
}

function wordsOf(different: Different): string[] {
  const { currency }: Fields = { currency: null, ...different.now }
  return differenceOf(different).changes.map(({ field, from, to }) => {
    const told = [from, to].map((value) =>
      cut(wordIn(field, value, typeof currency === 'string' ? currency : null)),
    )
    return `${cut(plainText(field))} ${told.join(' -> ')}`
  })
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).toWellFormed()}…` : text
}
