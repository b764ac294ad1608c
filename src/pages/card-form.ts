import type { Problem } from '../domain/refusal.ts'
import type { KeptFields } from './entered-card.ts'
import { type Html, html } from './html.ts'
import { testCards } from './test-cards-note.ts'

/** Something to tell the buyer above the form. */
export interface Notice {
  readonly title: string
  readonly text: string
}

/** What a form shows beside its empty fields. */
export interface FormState {
  readonly token: string
  readonly notice: Notice | null
  readonly problems: readonly Problem[]
  readonly kept: KeptFields
}

/** Where a form is sent to and what its button says. */
export interface FormPurpose {
  readonly action: string
  readonly title: string
  readonly button: string
  readonly consent: string | null
}

type FieldName = 'number' | 'exp_month' | 'exp_year' | 'cvc' | 'name'

interface Field {
  readonly name: FieldName
  readonly autocomplete: string
  readonly maxLength: number
  readonly value?: string
  readonly placeholder?: string
  readonly isText?: boolean
}

/** The form that asks for a card, with a message beside each faulty field, the first of which has the focus. */
export function cardForm(purpose: FormPurpose, state: FormState): Html {
  const { kept } = state
  const month = { name: 'exp_month', autocomplete: 'cc-exp-month', maxLength: 2, placeholder: 'MM' } as const
  const year = { name: 'exp_year', autocomplete: 'cc-exp-year', maxLength: 4, placeholder: 'YY' } as const
  const fields = html`
<div class="field"><label for="number">Card number</label>
${input(state, { name: 'number', autocomplete: 'cc-number', maxLength: 23 })}${faults(state, 'number')}</div>
<div class="row">
<fieldset class="expiry"><legend>Expiry <i>(MM / YY)</i></legend>
<div class="pair"><label class="visually-hidden" for="exp_month">Expiry month</label>${input(state, { ...month, value: kept.exp_month })}
<span aria-hidden="true">/</span>
<label class="visually-hidden" for="exp_year">Expiry year</label>${input(state, { ...year, value: kept.exp_year })}</div>
</fieldset>
<div class="field"><label for="cvc">Security code</label>
${input(state, { name: 'cvc', autocomplete: 'cc-csc', maxLength: 4 })}</div>
</div>
${faults(state, 'exp_month')}${faults(state, 'exp_year')}${faults(state, 'cvc')}
<div class="field"><label for="name">Name on card <i>(optional)</i></label>
${input(state, { name: 'name', autocomplete: 'cc-name', maxLength: 256, value: kept.name, isText: true })}${faults(state, 'name')}</div>`
  return form(purpose, state, { fields, foot: testCards() })
}

/** The form of a subscription that is invoiced: one button, no card. */
export function confirmForm(purpose: FormPurpose, state: FormState): Html {
  const fields = html`<p class="schedule">No card is needed: you pay by invoice.</p>`
  return form(purpose, state, { fields, foot: null })
}

function form(
  purpose: FormPurpose,
  { token, notice }: FormState,
  { fields, foot }: { readonly fields: Html; readonly foot: Html | null },
): Html {
  return html`<section class="panel" aria-labelledby="form-title">
<h2 id="form-title">${purpose.title}</h2>
${notice && html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`}
<form method="post" action="${purpose.action}" novalidate>
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
${fields}
<button type="submit">${purpose.button}</button>
${purpose.consent && html`<p class="consent">${purpose.consent}</p>`}
</form>
${foot}
</section>`
}

function input(state: FormState, field: Field): Html {
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
  const mode = field.isText ? html` autocapitalize="words"` : html` inputmode="numeric"`
  return html`<input type="text" id="${field.name}" name="${field.name}" value="${field.value ?? ''}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}" spellcheck="false"${mode}${placeholder}${required}${invalid}${described}${focus}>`
}

/** The field to begin with: the first faulty one, or the number, which is never kept. */
function firstField({ problems }: FormState): string {
  const order: readonly FieldName[] = ['number', 'exp_month', 'exp_year', 'cvc', 'name']
  return order.find((name) => problems.some(({ param }) => param === name)) ?? 'number'
}

function problemsOf({ problems }: FormState, name: FieldName): Problem[] {
  return problems.filter(({ param }) => param === name)
}

function faults(state: FormState, name: FieldName): Html | null {
  const messages = problemsOf(state, name).map(({ message }) => message)
  return messages.length === 0 ? null : html`<p class="fault" id="${name}-fault">${messages.join(' ')}</p>`
}
