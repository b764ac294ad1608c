import { getCurrencyDecimals, isCurrency, suggestCurrency } from '../../domain/core/currencies.ts'

/**
 * Returns a hint with an amount such as `5.00` or `€5` in minor units of a currency (default: two decimals), after
 * `prefix`. Undefined for any other text.
 */
export function findMinorUnitsHint(text: string, prefix: string, currency?: unknown): string | undefined {
  const [, before = '', whole = '', fraction, after = ''] =
    /^([^\d.,-]{0,4})(-?\d+)(?:[.,](\d+))?([^\d.,-]{0,4})$/.exec(text) ?? []
  const symbol = (before + after).trim()
  if (whole === '' || (fraction === undefined && symbol === '')) return undefined
  const given = String(currency ?? symbol).toLowerCase()
  const code = isCurrency(given) ? given : suggestCurrency(given)
  const decimals = code === null ? 2 : getCurrencyDecimals(code)
  // Only a whole amount, such as `5.00` in JPY, may have more decimals. `1,000` is perhaps a thousand.
  const significant = /^0{1,2}$/.test(fraction ?? '') ? '' : (fraction ?? '')
  const name = code === null ? '' : ` ${code.toUpperCase()}`
  if (significant.length > decimals)
    return `An amount${name && ` in${name}`} has at most ${decimals} decimals.`
  const amount = fraction === undefined ? whole : `${whole}.${fraction}`
  const value = Number(whole + significant.padEnd(decimals, '0'))
  if (!Number.isSafeInteger(value)) return undefined
  return `Amounts are in minor units: for ${amount}${name} use ${prefix}${value}.`
}
