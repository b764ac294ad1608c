import { BRAND_PREFIXES } from '../../domain/card-checks.ts'
import { TEST_CARD_YEARS } from '../../domain/test-cards.ts'
import { BRAND_NAMES } from '../markup/card-brands.ts'

const NETWORKS = JSON.stringify(
  BRAND_PREFIXES.map(([brand, prefix]) => [prefix.source, BRAND_NAMES[brand], brand]),
)

const FORMS = String.raw`
const cardForm = document.querySelector('form[data-said]')
if (cardForm) improveCardForm(cardForm)
for (const form of document.forms) sendOnce(form)

function sendOnce(form) {
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
  // The back button shows the page as it was left.
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

function networkOf(number) {
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

function grouped(number) {
  const [, , network] = networkOf(number)
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
function improveCardForm(form) {
  const { number, exp_month, exp_year, cvc, name } = form.elements
  const said = JSON.parse(form.dataset.said)
  const [thisYear, thisMonth] = form.dataset.now.split('-').map(Number)
  const brand = document.getElementById('brand')

  const checks = new Map([
    [number, () => {
      const digits = onlyDigits(number.value)
      if (digits === '') return said.numberMissing
      return passesLuhn(digits) ? '' : said.numberInvalid
    }],
    [exp_month, () => {
      const month = ascii(exp_month.value).trim()
      if (!/^(0?[1-9]|1[0-2])$/.test(month)) return said.monthInvalid
      return yearOf() === thisYear && Number(month) < thisMonth ? said.monthPast : ''
    }],
    [exp_year, () => {
      const year = yearOf()
      if (year === null) return said.yearInvalid
      return year < thisYear ? said.yearPast : ''
    }],
    [cvc, () => {
      const code = ascii(cvc.value).trim()
      const [, , network] = networkOf(onlyDigits(number.value))
      const lengths = network === '' ? [3, 4] : [network === 'amex' ? 4 : 3]
      if (/^\d+$/.test(code) && lengths.includes(code.length)) return ''
      return said[lengths.length === 2 ? 'code3or4' : 'code' + lengths[0]]
    }],
    [name, () => (onlyDigits(name.value).length < 12 ? '' : said.nameIsNumber)],
  ])

  function yearOf() {
    const year = ascii(exp_year.value).trim()
    return /^(\d{2}|\d{4})$/.test(year) ? Number(year) + (year.length === 2 ? 2000 : 0) : null
  }

  function show(field, fault) {
    const place = document.getElementById(field.name + '-fault')
    place.textContent = fault
    place.hidden = fault === ''
    if (fault === '') field.removeAttribute('aria-invalid')
    else field.setAttribute('aria-invalid', 'true')
    const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== place.id)
    const ids = fault === '' ? others : [...others, place.id]
    if (ids.length) field.setAttribute('aria-describedby', ids.join(' '))
    else field.removeAttribute('aria-describedby')
  }

  function group() {
    const before = onlyDigits(number.value.slice(0, number.selectionStart)).length
    const digits = onlyDigits(number.value).slice(0, 19)
    number.value = grouped(digits)
    let at = 0
    for (let seen = 0; seen < before && at < number.value.length; at += 1) if (number.value[at] !== ' ') seen += 1
    if (document.activeElement === number) number.setSelectionRange(at, at)
    const [, title, network] = networkOf(digits)
    if (brand.textContent !== title) brand.textContent = title
    cvc.maxLength = network === '' || network === 'amex' ? 4 : 3
  }

  for (const [field, check] of checks) {
    field.addEventListener('blur', () => {
      if (field.value !== '') show(field, check())
    })
    field.addEventListener('input', () => {
      if (field === number) group()
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
    const faults = [...checks].map(([field, check]) => [field, check()])
    for (const [field, fault] of faults) show(field, fault)
    const first = faults.find(([, fault]) => fault !== '')
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
      group()
      exp_month.value = '12'
      exp_year.value = String(thisYear + ${TEST_CARD_YEARS})
      cvc.value = '1234'.slice(0, cvc.maxLength)
      for (const [field, check] of checks) show(field, check())
      form.querySelector('[type=submit]').focus()
    })
  }

  group()
}
`

/**
 * What a browser with scripts adds to the forms: grouped digits, the card's brand, faults beside their fields before
 * anything is sent, test cards by a click and no second submit. Forms do all they must without it, and the server
 * checks everything again.
 */
export const SCRIPT = `(() => {\nconst NETWORKS = ${NETWORKS}\n${FORMS}${CARDS}})()\n`
