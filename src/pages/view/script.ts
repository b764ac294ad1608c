import { BRAND_PREFIXES } from '../../domain/card-validation.ts'
import { TEST_CARD_VALIDITY_YEARS } from '../../domain/test-cards.ts'
import { BRAND_NAMES } from '../markup/card-brands.ts'

const NETWORKS = JSON.stringify(
  BRAND_PREFIXES.map(([brand, prefix]) => [prefix.source, BRAND_NAMES[brand], brand]),
)

const FORMS = String.raw`
const cardForm = document.querySelector('form[data-errors]')
if (cardForm) enhanceCardForm(cardForm)
for (const form of document.forms) preventSecondSubmit(form)

function preventSecondSubmit(form) {
  let pressed = null
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    const button = event.submitter
    if (!button || !form.dataset.working) return
    pressed = { button, label: button.textContent }
    button.textContent = form.dataset.working
    button.setAttribute('aria-disabled', 'true')
  })
  // The back button restores the page with its disabled button.
  addEventListener('pageshow', () => {
    delete form.dataset.sent
    if (!pressed) return
    pressed.button.textContent = pressed.label
    pressed.button.removeAttribute('aria-disabled')
    pressed = null
  })
}

function ascii(text) {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15))
}

function onlyDigits(text) {
  return ascii(text).replace(/\D/g, '')
}

function findNetwork(number) {
  return NETWORKS.find(([prefix]) => new RegExp(prefix).test(number)) ?? ['', '', '']
}

function passesLuhn(number) {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (let at = 0; at < number.length; at += 1) {
    const value = Number(number[number.length - 1 - at]) * (at % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

function groupDigits(number) {
  const [, , network] = findNetwork(number)
  const sizes = network === 'amex' || network === 'diners' ? [4, 6, 9] : [4, 4, 4, 4, 4]
  const groups = []
  let at = 0
  for (const size of sizes) {
    if (at < number.length) groups.push(number.slice(at, at + size))
    at += size
  }
  return groups.join(' ')
}
`

const CARDS = String.raw`
function enhanceCardForm(form) {
  const { number, exp_month, exp_year, cvc, name } = form.elements
  const errors = JSON.parse(form.dataset.errors)
  const [thisYear, thisMonth] = form.dataset.now.split('-').map(Number)
  const brand = document.getElementById('brand')

  const checks = new Map([
    [number, () => {
      const digits = onlyDigits(number.value)
      if (digits === '') return errors.numberMissing
      return passesLuhn(digits) ? '' : errors.numberInvalid
    }],
    [exp_month, () => {
      const month = ascii(exp_month.value).trim()
      if (!/^(0?[1-9]|1[0-2])$/.test(month)) return errors.monthInvalid
      return yearOf() === thisYear && Number(month) < thisMonth ? errors.monthPast : ''
    }],
    [exp_year, () => {
      const year = yearOf()
      if (year === null) return errors.yearInvalid
      return year < thisYear ? errors.yearPast : ''
    }],
    [cvc, () => {
      const code = ascii(cvc.value).trim()
      const [, , network] = findNetwork(onlyDigits(number.value))
      const lengths = network === '' ? [3, 4] : [network === 'amex' ? 4 : 3]
      if (/^\d+$/.test(code) && lengths.includes(code.length)) return ''
      return errors[lengths.length === 2 ? 'code3or4' : 'code' + lengths[0]]
    }],
    [name, () => (onlyDigits(name.value).length < 12 ? '' : errors.nameIsNumber)],
  ])

  function yearOf() {
    const year = ascii(exp_year.value).trim()
    return /^(\d{2}|\d{4})$/.test(year) ? Number(year) + (year.length === 2 ? 2000 : 0) : null
  }

  function show(field, error) {
    const output = document.getElementById(field.name + '-error')
    output.textContent = error
    output.hidden = error === ''
    if (error === '') field.removeAttribute('aria-invalid')
    else field.setAttribute('aria-invalid', 'true')
    const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== output.id)
    const ids = error === '' ? others : [...others, output.id]
    if (ids.length) field.setAttribute('aria-describedby', ids.join(' '))
    else field.removeAttribute('aria-describedby')
  }

  function groupNumber() {
    const before = onlyDigits(number.value.slice(0, number.selectionStart)).length
    const digits = onlyDigits(number.value).slice(0, 19)
    number.value = groupDigits(digits)
    let at = 0
    for (let seen = 0; seen < before && at < number.value.length; at += 1) if (number.value[at] !== ' ') seen += 1
    if (document.activeElement === number) number.setSelectionRange(at, at)
    const [, title, network] = findNetwork(digits)
    if (brand.textContent !== title) brand.textContent = title
    cvc.maxLength = network === '' || network === 'amex' ? 4 : 3
  }

  for (const [field, check] of checks) {
    field.addEventListener('blur', () => {
      if (field.value !== '') show(field, check())
    })
    field.addEventListener('input', () => {
      if (field === number) groupNumber()
      if (field.hasAttribute('aria-invalid') && check() === '') show(field, '')
    })
  }

  exp_month.addEventListener('keydown', (event) => {
    if (event.key !== '/' || exp_month.value === '') return
    event.preventDefault()
    exp_year.focus()
  })
  exp_month.addEventListener('paste', (event) => {
    const pasted = /^\s*(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})\s*$/.exec(ascii(event.clipboardData.getData('text')))
    if (!pasted) return
    event.preventDefault()
    exp_month.value = pasted[1]
    exp_year.value = pasted[2]
    cvc.focus()
  })

  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'test_card') return
    const results = [...checks].map(([field, check]) => [field, check()])
    for (const [field, error] of results) show(field, error)
    const first = results.find(([, error]) => error !== '')
    if (!first) return
    event.preventDefault()
    first[0].focus()
  })

  for (const code of document.querySelectorAll('.tests code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'pick'
    code.replaceWith(button)
    button.append(code)
    button.addEventListener('click', () => {
      number.value = code.textContent
      groupNumber()
      exp_month.value = '12'
      exp_year.value = String(thisYear + ${TEST_CARD_VALIDITY_YEARS})
      cvc.value = '1234'.slice(0, cvc.maxLength)
      for (const [field, check] of checks) show(field, check())
      form.querySelector('[type=submit]').focus()
    })
  }

  groupNumber()
}
`

/**
 * The optional script of forms: groups the digits, shows the card brand, checks the fields before submitting, fills in
 * test cards on a click and prevents a second submit. Forms work without it, and the server
 * checks everything again.
 */
export const SCRIPT = `(() => {\nconst NETWORKS = ${NETWORKS}\n${FORMS}${CARDS}})()\n`
