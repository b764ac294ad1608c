import { checkCardName } from '../../domain/card-checks.ts'
import type { EnteredCard } from '../../domain/card-submission.ts'
import type { ValidationError } from '../../domain/domain-error.ts'

/** A posted form: field names and text. */
export type PostedForm = Readonly<Record<string, unknown>>

/** What of a submitted form is shown again: never the card's number, never its security code. */
export interface KeptFields {
  readonly name: string
  readonly exp_month: string
  readonly exp_year: string
}

/** Nothing, for a form that is opened anew. */
export const NOTHING_KEPT: KeptFields = { name: '', exp_month: '', exp_year: '' }

/** A card as it was typed into the form. */
export interface TypedCard {
  readonly entered: EnteredCard
  readonly kept: KeptFields
  /** What is wrong with the name; the rules check all else. */
  readonly problems: readonly ValidationError[]
}

/** The text of one field of a posted form; empty when it is absent or sent twice. */
export function fieldOf(form: PostedForm, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads the card form. Whatever might be a card number in the wrong field is neither shown again nor passed on. */
export function readTypedCard(form: PostedForm): TypedCard {
  const field = (name: string) => fieldOf(form, name)
  const digits = (name: string) => toAsciiDigits(field(name))
  const name = field('name')
  const problems = checkCardName(name)
  const isNameKept = problems.length === 0
  return {
    entered: {
      number: digits('number'),
      exp_month: digits('exp_month'),
      exp_year: digits('exp_year'),
      cvc: digits('cvc'),
      name: isNameKept && name !== '' ? name : null,
    },
    kept: {
      name: isNameKept ? name : '',
      exp_month: keptIf(/^\d{1,2}$/, digits('exp_month')),
      exp_year: keptIf(/^(20)?\d{2}$/, digits('exp_year')),
    },
    problems,
  }
}

/** A security code that was typed into the wrong field looks like no month and hardly like a year. */
function keptIf(shape: RegExp, text: string): string {
  return shape.test(text) ? text : ''
}

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g

/** Arabic, Persian and full-width digits as the ones on cards: the last four bits of each are its value. */
function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
}
