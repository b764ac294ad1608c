import { getCardBrand, listCardErrors, listCardholderNameErrors } from '../../domain/cards/card-validation.ts'
import { findCardBrandName } from '../../presentation/card-brands.ts'
import {
  CARD_FORM_ERROR_MESSAGES,
  formatCardExpiry,
  formatTypedExpiry,
  parseCardExpiry,
  toAsciiDigits,
  toExpiryErrors,
} from '../forms/card-expiry.ts'
import { TEST_CARD_EXPIRY } from '../forms/posted-form.ts'

const MAX_NUMBER_DIGITS = 19

/** The fields of the card form, in the order of the page. */
type CardFields = Readonly<Record<'number' | 'expiry' | 'cvc' | 'name', HTMLInputElement>>

/**
 * Adds the behavior of the card form: groups the digits of the card number and shows its brand. Checks the fields with
 * the rules of the server before submitting, and fills in test cards on a click.
 */
export function enhanceCardForm(form: HTMLFormElement): void {
  const fields = form.elements as HTMLFormControlsCollection & CardFields
  const check = createCheck(form, fields)
  formatExpiry(fields.expiry)
  for (const field of listFields(fields)) {
    field.addEventListener('blur', () => {
      if (field.value !== '') showError(field, check(field))
    })
    field.addEventListener('input', () => {
      if (field === fields.number) groupNumber(fields)
      if (field.hasAttribute('aria-invalid') && check(field) === '') showError(field, '')
    })
  }
  form.addEventListener('submit', (event) => {
    const invalid = listFields(fields).filter((field) => showError(field, check(field)))
    if (invalid.length === 0) return
    event.preventDefault()
    invalid[0]?.focus()
  })
  addTestCardButtons(form, fields, check)
  groupNumber(fields)
}

function listFields({ number, expiry, cvc, name }: CardFields): HTMLInputElement[] {
  return [number, expiry, cvc, name]
}

type FieldCheck = (field: HTMLInputElement) => string

/** Returns a function that returns the translated errors of a field, or an empty string. */
function createCheck(form: HTMLFormElement, fields: CardFields): FieldCheck {
  const { errors = '', now = '' } = form.dataset
  const translations = errors.split('\n')
  const seconds = Date.parse(now) / 1000
  return (field) => {
    const card = {
      number: onlyDigits(fields.number.value),
      ...parseCardExpiry(fields.expiry.value),
      cvc: toAsciiDigits(fields.cvc.value),
    }
    const errors = [...listCardErrors(card, seconds), ...listCardholderNameErrors(fields.name.value.trim())]
    return toExpiryErrors(errors)
      .filter(({ param }) => param === field.name)
      .map(({ message }) => translations[CARD_FORM_ERROR_MESSAGES.indexOf(message)] || message)
      .join(' ')
  }
}

function onlyDigits(text: string): string {
  return toAsciiDigits(text).replace(/\D/g, '')
}

/** Shows the error of a field below the field; hides an empty error. Returns whether the field has an error. */
function showError(field: HTMLInputElement, error: string): boolean {
  const output = document.getElementById(`${field.name}-error`)
  if (output === null) return false
  const isInvalid = error !== ''
  output.textContent = error
  output.hidden = !isInvalid
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== output.id)
  setAttribute(field, 'aria-invalid', isInvalid ? 'true' : '')
  setAttribute(field, 'aria-describedby', [...others, isInvalid ? output.id : ''].join(' ').trim())
  return isInvalid
}

function setAttribute(element: Element, name: string, value: string): void {
  if (value === '') element.removeAttribute(name)
  else element.setAttribute(name, value)
}

function groupNumber({ number, cvc }: CardFields): void {
  const digits = onlyDigits(number.value).slice(0, MAX_NUMBER_DIGITS)
  const brand = getCardBrand(digits)
  const digitsBeforeCaret = onlyDigits(number.value.slice(0, number.selectionStart ?? 0)).length
  number.value = groupDigits(digits, brand === 'amex' || brand === 'diners' ? [4, 6, 9] : [4, 4, 4, 4, 4])
  if (document.activeElement === number) {
    const caret = new RegExp(`^( ?\\d){${digitsBeforeCaret}}`).exec(number.value)?.[0].length ?? 0
    number.setSelectionRange(caret, caret)
  }
  const title = findCardBrandName(brand) ?? ''
  const output = document.getElementById('brand')
  // Screen readers announce every change of the output, even when the text is the same.
  if (output !== null && output.textContent !== title) output.textContent = title
  if (output?.parentElement) setAttribute(output.parentElement, 'data-brand', title === '' ? '' : brand)
  cvc.maxLength = brand === 'unknown' || brand === 'amex' ? 4 : 3
}

function groupDigits(digits: string, sizes: readonly number[]): string {
  let at = 0
  const groups = sizes.map((size) => {
    at += size
    return digits.slice(at - size, at)
  })
  return groups.join(' ').trim()
}

/**
 * Formats the expiry as `MM / YY`. Inserts the separator while the customer types at the end. Formats the whole value
 * when the field loses the focus or is filled in automatically.
 */
function formatExpiry(expiry: HTMLInputElement): void {
  expiry.addEventListener('input', (event) => {
    const { inputType = '', isComposing } = event as Partial<InputEvent>
    const isAtEnd = expiry.selectionStart === expiry.value.length
    if (isComposing || inputType.startsWith('history')) return
    if (inputType === 'insertText') {
      if (isAtEnd) setValue(expiry, formatTypedExpiry(expiry.value))
    } else if (inputType.startsWith('delete')) {
      if (isAtEnd) setValue(expiry, expiry.value.replace(/[\s/]+$/, ''))
    } else completeExpiry(expiry)
  })
  expiry.addEventListener('blur', () => completeExpiry(expiry))
}

function completeExpiry(expiry: HTMLInputElement): void {
  setValue(expiry, formatCardExpiry(parseCardExpiry(expiry.value)) || expiry.value)
}

/** Sets a value only if it differs, because setting the value moves the caret. */
function setValue(field: HTMLInputElement, value: string): void {
  if (field.value !== value) field.value = value
}

/** Turns the numbers of the test cards into buttons that fill in the form. */
function addTestCardButtons(form: HTMLFormElement, fields: CardFields, check: FieldCheck): void {
  for (const code of document.querySelectorAll('.tests ul code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'pick'
    code.replaceWith(button)
    button.append(code)
    button.addEventListener('click', () => {
      fields.number.value = code.textContent ?? ''
      groupNumber(fields)
      fields.expiry.value = TEST_CARD_EXPIRY
      fields.cvc.value = '1234'.slice(0, fields.cvc.maxLength)
      for (const field of listFields(fields)) showError(field, check(field))
      form.querySelector<HTMLElement>('[type=submit]')?.focus()
    })
  }
}
