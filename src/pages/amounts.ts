import { formatAmount } from '../domain/currencies.ts'

const SYMBOLS: Readonly<Record<string, string>> = {
  aud: 'A$',
  brl: 'R$',
  cad: 'CA$',
  cny: 'CN¥',
  eur: '€',
  gbp: '£',
  hkd: 'HK$',
  ils: '₪',
  inr: '₹',
  jpy: '¥',
  krw: '₩',
  mxn: 'MX$',
  nzd: 'NZ$',
  php: '₱',
  sgd: 'S$',
  twd: 'NT$',
  usd: '$',
  vnd: '₫',
}

const NO_BREAK_SPACE = '\u00a0'

/** Writes minor units as buyers read them, such as `€1,200.00`, `¥1,250` or `KWD 1.250`. */
export function formatMoney(amount: number, currency: string): string {
  const [figure = ''] = formatAmount(amount, currency).split(' ')
  const [whole = '', fraction] = figure.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const symbol = SYMBOLS[currency] ?? currency.toUpperCase() + NO_BREAK_SPACE
  return `${symbol}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}
