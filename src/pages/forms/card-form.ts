import type { ValidationError } from '../../domain/domain-error.ts'
import { EN } from '../languages/en.ts'
import { cachePerLanguage, type Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import type { PrefilledFields } from './posted-form.ts'
import { testCardsNote } from './test-cards-note.ts'

/** The id of the card form. */
export const CARD_FORM = 'card'

/** A message above the form. */
export interface Notice {
  readonly title: string
  readonly text: string
}

/** The variable parts of a form. */
export interface FormState {
  readonly token: string
  readonly notice: Notice | null
  readonly errors: readonly ValidationError[]
  readonly prefilled: PrefilledFields
  /** The time of the session or invoice in Unix seconds. */
  readonly now: number
}

/** The fixed texts of a form, and the path it is posted to. */
export interface FormPurpose {
  readonly action: string
  readonly title: string
  readonly button: string
  readonly consent: string | null
}

/** The errors that the script in the browser can find. */
const CLIENT_ERRORS = [
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

interface FormContext {
  readonly state: FormState
  readonly language: Language
}

/** Returns the card form with an error below each invalid field. The first invalid field has the focus. */
export function cardForm(purpose: FormPurpose, state: FormState, language: Language): Html {
  const { t } = language
  const context = { state, language }
  const { name } = state.prefilled
  const fields = html`
<div class="field numbered"><label for="number">${t('cardNumber')}</label>
<div class="with-brand">${input(context, { name: 'number', autocomplete: 'cc-number', maxLength: 23 })}<span id="brand" role="status"></span></div>${fieldErrors(context, 'number')}</div>
<div class="row">
${expiryFields(context)}
<div class="field"><label for="cvc">${t('securityCode')}</label>
${input(context, { name: 'cvc', autocomplete: 'cc-csc', maxLength: 4 })}</div>
</div>
${fieldErrors(context, 'exp_month')}${fieldErrors(context, 'exp_year')}${fieldErrors(context, 'cvc')}
<div class="field"><label for="name">${t('nameOnCard')} <i>${t('optional')}</i></label>
${input(context, { name: 'name', autocomplete: 'cc-name', maxLength: 256, value: name, isText: true })}${fieldErrors(context, 'name')}</div>`
  return renderForm(purpose, context, {
    fields,
    foot: testCardsNote(language),
    dataAttributes: clientCheckAttributes(context),
  })
}

function expiryFields(context: FormContext): Html {
  const { t } = context.language
  const { exp_month, exp_year } = context.state.prefilled
  const month = { name: 'exp_month', autocomplete: 'cc-exp-month', maxLength: 2 } as const
  const year = { name: 'exp_year', autocomplete: 'cc-exp-year', maxLength: 4 } as const
  return html`<fieldset class="expiry"><legend>${t('expiry')} <i>${t('monthSlashYear')}</i></legend>
<div class="pair" dir="ltr"><label class="visually-hidden" for="exp_month">${t('expiryMonth')}</label>${input(context, { ...month, value: exp_month, placeholder: t('month') })}
<span aria-hidden="true">/</span>
<label class="visually-hidden" for="exp_year">${t('expiryYear')}</label>${input(context, { ...year, value: exp_year, placeholder: t('year') })}</div>
</fieldset>`
}

/** Returns the form of an invoiced subscription: one button and no card. */
export function confirmForm(purpose: FormPurpose, state: FormState, language: Language): Html {
  const fields = html`<p class="schedule">${language.t('noCardNeeded')}</p>`
  return renderForm(purpose, { state, language }, { fields, foot: null, dataAttributes: null })
}

interface FormParts {
  readonly fields: Html
  readonly foot: Html | null
  readonly dataAttributes: Html | null
}

function renderForm(
  purpose: FormPurpose,
  { state: { token, notice }, language }: FormContext,
  { fields, foot, dataAttributes }: FormParts,
): Html {
  return html`<section class="panel" aria-labelledby="form-title">
<h2 id="form-title">${purpose.title}</h2>
${notice && html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`}
<form${dataAttributes && html` id="${CARD_FORM}"`} method="post" action="${purpose.action}" data-working="${language.t('working')}"${dataAttributes} novalidate>
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
${fields}
<button type="submit">${purpose.button}</button>
${purpose.consent && html`<p class="consent">${purpose.consent}</p>`}
</form>
${foot}
</section>`
}

const clientErrorsOf = cachePerLanguage(({ messages }) => {
  const texts = CLIENT_ERRORS.map((key) => [EN.errors[key], messages.errors[key]])
  return html`${JSON.stringify(Object.fromEntries(texts))}`
})

/** Returns the data for the script: its translated errors, and the current month of the session's clock. */
function clientCheckAttributes({ state, language }: FormContext): Html {
  const month = new Date(state.now * 1000).toISOString().slice(0, 'YYYY-MM'.length)
  return html` data-now="${month}" data-errors="${clientErrorsOf(language)}"`
}

function input({ state }: FormContext, field: Field): Html {
  const isInvalid = findErrors(state, field.name).length > 0
  const describedBy = [
    state.notice !== null && field.name === findFirstField(state) && 'notice',
    isInvalid && `${field.name}-error`,
  ].filter((id) => id !== false)
  const placeholder = field.placeholder && html` placeholder="${field.placeholder}"`
  const required = field.name !== 'name' && html` required`
  const invalid = isInvalid && html` aria-invalid="true"`
  const described = describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`
  const focus = state.notice !== null && field.name === findFirstField(state) && html` autofocus`
  const mode = field.isText ? html` dir="auto" autocapitalize="words"` : html` dir="ltr" inputmode="numeric"`
  return html`<input type="text" id="${field.name}" name="${field.name}" value="${field.value ?? ''}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}" spellcheck="false"${mode}${placeholder}${required}${invalid}${described}${focus}>`
}

/** Returns the first invalid field, or the card number, which is never prefilled. */
function findFirstField({ errors }: FormState): string {
  const order: readonly FieldName[] = ['number', 'exp_month', 'exp_year', 'cvc', 'name']
  return order.find((name) => errors.some(({ param }) => param === name)) ?? 'number'
}

function findErrors({ errors }: FormState, name: FieldName): ValidationError[] {
  return errors.filter(({ param }) => param === name)
}

function fieldErrors({ state, language }: FormContext, name: FieldName): Html {
  const messages = findErrors(state, name).map(({ message }) => language.translateError(message))
  const hidden = messages.length === 0 && html` hidden`
  return html`<p class="field-error" id="${name}-error"${hidden}>${messages.join(' ')}</p>`
}
