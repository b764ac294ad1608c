import type { ValidationError } from '../../domain/domain-error.ts'
import { type Language, perLanguage } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import type { KeptFields } from './entered-card.ts'
import { testCards } from './test-cards-note.ts'

/** The id of the form that asks for a card. */
export const CARD_FORM = 'card'

/** Something to tell the buyer above the form. */
export interface Notice {
  readonly title: string
  readonly text: string
}

/** What a form shows beside its empty fields. */
export interface FormState {
  readonly token: string
  readonly notice: Notice | null
  readonly problems: readonly ValidationError[]
  readonly kept: KeptFields
  /** On the clock of what is paid, in Unix seconds. */
  readonly now: number
}

/** Where a form is sent to and what its button says. */
export interface FormPurpose {
  readonly action: string
  readonly title: string
  readonly button: string
  readonly consent: string | null
}

/** The faults that a browser can tell without the server. */
const CHECKED = [
  'numberMissing',
  'numberInvalid',
  'monthInvalid',
  'monthPast',
  'yearInvalid',
  'yearPast',
  'code3',
  'code4',
  'code3or4',
  'nameIsNumber',
] as const

type FieldName = 'number' | 'exp_month' | 'exp_year' | 'cvc' | 'name'

interface Field {
  readonly name: FieldName
  readonly autocomplete: string
  readonly maxLength: number
  readonly value?: string
  readonly placeholder?: string
  readonly isText?: boolean
}

/** A form to be made: what it shows, and in which language. */
interface Drawing {
  readonly state: FormState
  readonly language: Language
}

/** The form that asks for a card, with a message beside each faulty field, the first of which has the focus. */
export function cardForm(purpose: FormPurpose, state: FormState, language: Language): Html {
  const { say } = language
  const drawing = { state, language }
  const { name } = state.kept
  const fields = html`
<div class="field numbered"><label for="number">${say('cardNumber')}</label>
<div class="with-brand">${input(drawing, { name: 'number', autocomplete: 'cc-number', maxLength: 23 })}<span id="brand" role="status"></span></div>${faults(drawing, 'number')}</div>
<div class="row">
${expiry(drawing)}
<div class="field"><label for="cvc">${say('securityCode')}</label>
${input(drawing, { name: 'cvc', autocomplete: 'cc-csc', maxLength: 4 })}</div>
</div>
${faults(drawing, 'exp_month')}${faults(drawing, 'exp_year')}${faults(drawing, 'cvc')}
<div class="field"><label for="name">${say('nameOnCard')} <i>${say('optional')}</i></label>
${input(drawing, { name: 'name', autocomplete: 'cc-name', maxLength: 256, value: name, isText: true })}${faults(drawing, 'name')}</div>`
  return form(purpose, drawing, { fields, foot: testCards(language), checks: checks(drawing) })
}

function expiry(drawing: Drawing): Html {
  const { say } = drawing.language
  const { exp_month, exp_year } = drawing.state.kept
  const month = { name: 'exp_month', autocomplete: 'cc-exp-month', maxLength: 2 } as const
  const year = { name: 'exp_year', autocomplete: 'cc-exp-year', maxLength: 4 } as const
  return html`<fieldset class="expiry"><legend>${say('expiry')} <i>${say('monthSlashYear')}</i></legend>
<div class="pair" dir="ltr"><label class="visually-hidden" for="exp_month">${say('expiryMonth')}</label>${input(drawing, { ...month, value: exp_month, placeholder: say('month') })}
<span aria-hidden="true">/</span>
<label class="visually-hidden" for="exp_year">${say('expiryYear')}</label>${input(drawing, { ...year, value: exp_year, placeholder: say('year') })}</div>
</fieldset>`
}

/** The form of a subscription that is invoiced: one button, no card. */
export function confirmForm(purpose: FormPurpose, state: FormState, language: Language): Html {
  const fields = html`<p class="schedule">${language.say('noCardNeeded')}</p>`
  return form(purpose, { state, language }, { fields, foot: null, checks: null })
}

interface Parts {
  readonly fields: Html
  readonly foot: Html | null
  readonly checks: Html | null
}

function form(
  purpose: FormPurpose,
  { state: { token, notice }, language }: Drawing,
  { fields, foot, checks }: Parts,
): Html {
  return html`<section class="panel" aria-labelledby="form-title">
<h2 id="form-title">${purpose.title}</h2>
${notice && html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`}
<form${checks && html` id="${CARD_FORM}"`} method="post" action="${purpose.action}" data-working="${language.say('working')}"${checks} novalidate>
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
${fields}
<button type="submit">${purpose.button}</button>
${purpose.consent && html`<p class="consent">${purpose.consent}</p>`}
</form>
${foot}
</section>`
}

const saidOf = perLanguage(({ messages }) => {
  const said = CHECKED.map((key) => [key, messages.said[key]])
  return html`${JSON.stringify(Object.fromEntries(said))}`
})

/** What the script needs to find faults by itself: its words, and which month it is on the session's clock. */
function checks({ state, language }: Drawing): Html {
  const month = new Date(state.now * 1000).toISOString().slice(0, 'YYYY-MM'.length)
  return html` data-now="${month}" data-said="${saidOf(language)}"`
}

function input({ state }: Drawing, field: Field): Html {
  const isFaulty = problemsOf(state, field.name).length > 0
  const describedBy = [
    state.notice !== null && field.name === firstField(state) && 'notice',
    isFaulty && `${field.name}-fault`,
  ].filter((id) => id !== false)
  const placeholder = field.placeholder && html` placeholder="${field.placeholder}"`
  const required = field.name !== 'name' && html` required`
  const invalid = isFaulty && html` aria-invalid="true"`
  const described = describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`
  const focus = state.notice !== null && field.name === firstField(state) && html` autofocus`
  const mode = field.isText ? html` dir="auto" autocapitalize="words"` : html` dir="ltr" inputmode="numeric"`
  return html`<input type="text" id="${field.name}" name="${field.name}" value="${field.value ?? ''}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}" spellcheck="false"${mode}${placeholder}${required}${invalid}${described}${focus}>`
}

/** The field to begin with: the first faulty one, or the number, which is never kept. */
function firstField({ problems }: FormState): string {
  const order: readonly FieldName[] = ['number', 'exp_month', 'exp_year', 'cvc', 'name']
  return order.find((name) => problems.some(({ param }) => param === name)) ?? 'number'
}

function problemsOf({ problems }: FormState, name: FieldName): ValidationError[] {
  return problems.filter(({ param }) => param === name)
}

function faults({ state, language }: Drawing, name: FieldName): Html {
  const messages = problemsOf(state, name).map(({ message }) => language.translate(message))
  const hidden = messages.length === 0 && html` hidden`
  return html`<p class="fault" id="${name}-fault"${hidden}>${messages.join(' ')}</p>`
}
