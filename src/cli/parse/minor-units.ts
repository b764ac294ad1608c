import { getCurrencyDecimals, isCurrency, suggestCurrency } from '../../domain/core/currencies.ts'

const AMOUNT = /^([^\d.,-]{0,4})(-?\d+(?:[.,' _’\u00a0\u202f]\d+)*)([^\d.,-]{0,4})$/

/**
 * Returns a hint with an amount such as `5.00`, `€5` or `1,250` in minor units, after `prefix`; undefined for other
 * texts. The currency determines the decimals (default: two).
 */
export function findMinorUnitsHint(text: string, prefix: string, currency?: unknown): string | undefined {
  const [, before = '', number = '', after = ''] = AMOUNT.exec(text) ?? []
  const symbol = (before + after).trim()
  const parts = number.split(/[^\d-]/)
  if (number === '' || (parts.length === 1 && symbol === '')) return undefined
  const given = String(currency ?? symbol).toLowerCase()
  const code = isCurrency(given) ? given : suggestCurrency(given)
  const decimals = code === null ? 2 : getCurrencyDecimals(code)
  const name = code === null ? '' : ` ${code.toUpperCase()}`
  const last = parts.at(-1) ?? ''
  // Only a whole amount, such as `5.00` in JPY, may have more decimals. The last three digits of `1,000` EUR are not cents.
  const isDecimal = parts.length > 1 && (last.length <= decimals || /^0{1,2}$/.test(last))
  const groups = isDecimal ? parts.slice(0, -1) : parts
  const hasThousands = groups.slice(1).every((group) => group.length === 3)
  const [whole, fraction] = hasThousands ? [groups.join(''), isDecimal ? last : ''] : [parts[0], last]
  const value = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(value) || (!hasThousands && parts.length > 2)) return undefined
  const use = `use ${prefix}${value}.`
  if (!hasThousands) return `An amount${name && ` in${name}`} has at most ${decimals} decimals: ${use}`
  if (groups.length > 1 && !isDecimal && decimals > 0) {
    const [major, minor] = [Number(whole), Number(whole) / 10 ** decimals].map((one) => one.toFixed(decimals))
    return `Omit the '${/[^\d-]/.exec(number)?.[0]}', and use minor units: for ${major}${name} ${use} For ${minor}${name} use ${prefix}${whole}.`
  }
  return `Amounts are in minor units: for ${whole}${fraction && `.${fraction}`}${name} ${use}`
}
