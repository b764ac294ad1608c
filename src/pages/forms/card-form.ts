import type { ValidationError } from '../../domain/core/domain-error.ts'
import { EN } from '../languages/en.ts'
import { cachePerLanguage, type Language } from '../languages/language.ts'
import { createConstantHtml, type Html, html } from '../markup/html.ts'
import { WALLET_GLYPH } from '../markup/wallet-glyph.ts'
import { renderDocument } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { CARD_FORM_ERROR_MESSAGES, toExpiryErrors } from './card-expiry.ts'
import { EMPTY_FIELDS, type PrefilledFields } from './posted-form.ts'

/** A message above the form. */
export interface FormNotice {
  readonly title: string
  readonly text: string
}

/** The variable parts of a form. */
export interface FormState {
  readonly token: string
  readonly notice: FormNotice | null
  readonly errors: readonly ValidationError[]
  readonly prefilled: PrefilledFields
  /** The time of the session or invoice in Unix seconds. */
  readonly now: number
}

/** The fixed texts of a form, and the path to which the form is posted. */
export interface CardFormTexts {
  readonly action: string
  readonly title: string
  readonly button: string
  readonly consent: string | null
  /** The reason why the form needs no card; set only for a form that consists of one button. */
  readonly note?: string | null
  /** Whether the form offers to use the card from now on. */
  readonly offersToKeep?: boolean
  /** The path of the wallet's sheet; absent or null when the form offers no wallet. */
  readonly wallet?: string | null
  /** Whether the form accepts a card (default: true). Otherwise, the only form debits a bank account. */
  readonly offersCard?: boolean
  /** Whether a form offers to debit a bank account. */
  readonly offersDebit?: boolean
}

const NUMERIC = html` dir="ltr" inputmode="numeric"`
const NAME = html` dir="auto" autocapitalize="words"`

/** The fields of the form in the order of the page. The server never sends a card number or security code back. */
const FIELDS = {
  number: { autocomplete: 'cc-number', maxLength: 23, mode: NUMERIC },
  // The maximum is longer than an expiry, so that a pasted expiry with many spaces is not truncated.
  expiry: { autocomplete: 'cc-exp', maxLength: 20, mode: NUMERIC },
  cvc: { autocomplete: 'cc-csc', maxLength: 4, mode: NUMERIC },
  name: { autocomplete: 'cc-name', maxLength: 256, mode: NAME },
  iban: { autocomplete: 'off', maxLength: 42, mode: html` dir="ltr" autocapitalize="characters"` },
  holder: { autocomplete: 'name', maxLength: 256, mode: NAME },
}

type FieldName = keyof typeof FIELDS

/** Returns a page with a summary and a form. The page title contains the title of the notice above the form. */
export function renderFormPage(
  content: { readonly title: string; readonly purpose: CardFormTexts; readonly summary: Html },
  state: FormState,
  view: PageView,
): Html {
  const { purpose, summary } = content
  const { notice, token, prefilled } = state
  const title = notice === null ? content.title : view.language.t('errorTitle', { title: notice.title })
  const main = html`${summary}\n${renderForm(purpose, state, view.language)}`
  const testable =
    purpose.note || isDebitOnly(purpose)
      ? null
      : { action: purpose.action, token, isKept: prefilled.keep !== false }
  return renderDocument({ title, main, shape: 'split', hasForm: true, testable }, view)
}

function renderForm(purpose: CardFormTexts, state: FormState, language: Language): Html {
  const { note, wallet, offersDebit } = purpose
  const head = html`<h2 id="form-title">${purpose.title}</h2>
${renderNotice(state.notice)}`
  if (isDebitOnly(purpose))
    return html`<section class="panel entry" aria-labelledby="form-title">
${head}
${debitForm(purpose, state, language)}
</section>`
  return html`<section class="panel entry" aria-labelledby="form-title">
${wallet && walletButton(wallet, language)}
${head}
<form${note ? null : cardAttributes(state, language)} method="post" action="${purpose.action}" novalidate>
<input type="hidden" name="form_token" autocomplete="off" value="${state.token}">
${note ? html`<p class="schedule">${note}</p>` : cardEntry(purpose, state, language)}
<button type="submit">${purpose.button}</button>
${purpose.consent && html`<p class="consent">${purpose.consent}</p>`}
</form>
${offersDebit && debitDetails(purpose, state, language)}
</section>`
}

function isDebitOnly({ offersCard = true, offersDebit = false }: CardFormTexts): boolean {
  return !offersCard && offersDebit
}

// The button of a separate form does not require the card fields. The form is open while it has an error.
function debitDetails(purpose: CardFormTexts, state: FormState, language: Language): Html {
  const isOpen = state.prefilled.holder !== undefined
  const shown = isOpen ? state : { ...state, ...BLANK }
  return html`<details class="debit"${isOpen && html` open`}><summary class="or"><u>${language.t('payByDebit')}</u></summary>
${debitForm(purpose, shown, language)}
</details>`
}

function debitForm({ action, button }: CardFormTexts, state: FormState, language: Language): Html {
  const { t } = language
  const fields = (['iban', 'holder'] as const).map(
    (name) => html`<div class="field"><label for="${name}">${t(name)}</label>
${input(name, state, name === 'iban' ? IBAN_PLACEHOLDER : '')}${fieldErrors(name, state, language)}</div>
`,
  )
  return html`<form method="post" action="${action}" novalidate>
<input type="hidden" name="form_token" autocomplete="off" value="${state.token}">
${fields}<button type="submit">${button}</button>
<p class="consent">${t('mandate')}</p>
</form>`
}

/** The test IBAN whose debits succeed. */
const IBAN_PLACEHOLDER = 'DE89 3704 0044 0532 0130 00'

/** Returns the attributes for the script: its translated errors, and the current month of the session's clock. */
function cardAttributes({ now }: FormState, language: Language): Html {
  const month = new Date(now * 1000).toISOString().slice(0, 'YYYY-MM'.length)
  return html` id="card" data-now="${month}"${errorTranslations(language)}`
}

/** Returns the card fields with an error below each invalid field. The first invalid field has the focus. */
function cardEntry({ offersToKeep }: CardFormTexts, formState: FormState, language: Language): Html {
  const state = { ...formState, errors: toExpiryErrors(formState.errors) }
  return html`
${isBlank(state) ? blankFields(language) : cardFields(state, language)}
${offersToKeep && keepField(state, language)}`
}

type FieldState = Pick<FormState, 'notice' | 'errors' | 'prefilled'>

const BLANK: FieldState = { notice: null, errors: [], prefilled: EMPTY_FIELDS }

function isBlank({ notice, errors, prefilled }: FieldState): boolean {
  return notice === null && errors.length === 0 && prefilled.name === '' && prefilled.expiry === ''
}

/** Returns the empty card fields. The empty fields are cached, because almost every form is initially empty. */
const blankFields = cachePerLanguage((language) => createConstantHtml(cardFields(BLANK, language)))

function cardFields(state: FieldState, language: Language): Html {
  const { t } = language
  const errorsOf = (...names: readonly FieldName[]) => names.map((name) => fieldErrors(name, state, language))
  return html`<div class="joined">
<div class="cell wide"><label for="number">${t('cardNumber')}</label>${input('number', state, '1234 1234 1234 1234')}<span class="marks">${CARD_MARKS}<span id="brand" role="status"></span></span></div>
<div class="cell"><label for="expiry">${t('expiry')}</label>${input('expiry', state, t('monthSlashYear'))}</div>
<div class="cell"><label for="cvc">${t('securityCode')}</label>${input('cvc', state, '123')}<span class="marks code">${CODE_MARK}</span></div>
</div>
${errorsOf('number', 'expiry', 'cvc')}
<div class="field"><label for="name">${t('nameOnCard')} <i>${t('optional')}</i></label>
${input('name', state)}${errorsOf('name')}</div>`
}

function keepField({ prefilled: { keep = true } }: FormState, { t }: Language): Html {
  return html`<div class="keep"><input type="checkbox" id="keep" name="keep" value="1" aria-describedby="keep-how"${keep && html` checked`}>
<label for="keep">${t('keepCard')}</label><p id="keep-how">${t('keepCardHow')}</p></div>`
}

function walletButton(sheet: string, { t }: Language): Html {
  return html`<a class="button wallet" href="${sheet}">${WALLET_GLYPH}${t('payWithWallet')}</a>
<p class="or">${t('orPayWithCard')}</p>`
}

/** Returns the notice above a form. */
export function renderNotice(notice: FormNotice | null): Html | null {
  return (
    notice &&
    html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`
  )
}

const errorTranslations = cachePerLanguage(({ messages, translateError }) => {
  // The script itself contains the English messages.
  const texts = messages.errors === EN.errors ? null : CARD_FORM_ERROR_MESSAGES.map(translateError)
  return html`${texts && html` data-errors="${texts.join('\n')}"`}`
})

function input(name: FieldName, { notice, errors, prefilled }: FieldState, placeholder = ''): Html {
  const { autocomplete, maxLength, mode } = FIELDS[name]
  const value = { number: '', cvc: '', iban: '', holder: '', ...prefilled }[name]
  const isInvalid = errors.some(({ param }) => param === name)
  // The notice is about the first invalid field, or the number, which is never prefilled.
  const [first = prefilled.holder === undefined ? 'number' : 'iban'] = Object.keys(FIELDS).filter((key) =>
    errors.some(({ param }) => param === key),
  )
  const isNoticed = notice !== null && name === first
  const describedBy = [...(isNoticed ? ['notice'] : []), ...(isInvalid ? [`${name}-error`] : [])].join(' ')
  const attributes = [
    mode,
    placeholder !== '' && html` placeholder="${placeholder}"`,
    name !== 'name' && html` required`,
    isInvalid && html` aria-invalid="true"`,
    describedBy !== '' && html` aria-describedby="${describedBy}"`,
    isNoticed && html` autofocus`,
  ]
  return html`<input type="text" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}" maxlength="${maxLength}" spellcheck="false"${attributes}>`
}

function fieldErrors(name: FieldName, { errors }: FieldState, language: Language): Html {
  const messages = errors
    .filter(({ param }) => param === name)
    .map(({ message }) => language.translateError(message))
  return html`<p class="field-error" id="${name}-error"${messages.length === 0 && html` hidden`}>${messages.join(' ')}</p>`
}

/**
 * The marks of the most common card networks, whose class is the brand. The logos are decorative, because screen
 * readers announce the brand as text.
 */
const CARD_MARKS = html`<svg class="visa" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#fff"/><path d="M6 7l3 6.5L12.2 7M15 7l-1.5 6.5M21 7.7c-1.6-1-4-.5-3.8.8.2 1.3 3 1.2 2.7 2.9-.3 1.5-2.6 1.6-4.3.7M21.5 13.5L25 7.2l1 6.3M22.8 11.5h3" fill="none" stroke="#1a3fae" stroke-width="1.6"/></svg><svg class="mastercard" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#fff"/><circle cx="11.8" cy="10" r="5.5" fill="#e8112d"/><circle cx="18.2" cy="10" r="5.5" fill="#f79e1b" fill-opacity=".85"/></svg><svg class="amex" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#1f72cd"/><path d="M3.5 13l2.3-6 2.3 6M4.3 11.3h3M10 13V7.3l2.2 3.2 2.2-3.2V13M20.5 7.5h-3.7v5h3.7M16.8 10h3.3M22 7.3l4.5 5.7M26.5 7.3L22 13" fill="none" stroke="#fff" stroke-width="1.3"/></svg>`

const CODE_MARK = html`<svg viewBox="0 0 30 20" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><rect x="1" y="1" width="28" height="18" rx="3"/><path d="M1 6.5h28" stroke-width="3"/><rect x="17" y="11" width="9" height="5" rx="1.5"/></svg>`
