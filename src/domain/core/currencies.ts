const CODES_BY_MINOR_UNITS: readonly (readonly [minorUnits: number, codes: string])[] = [
  [0, 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'],
  [
    2,
    'aed afn all amd aoa ars aud awg azn bam bbd bdt bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop ' +
      'crc cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ' +
      'ils inr irr jmd kes kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr ' +
      'mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek ' +
      'sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top try ttd twd tzs uah usd uyu uzs ved ves wst ' +
      'xcd xcg yer zar zmw zwg',
  ],
  [3, 'bhd iqd jod kwd lyd omr tnd'],
]

const MINOR_UNITS: ReadonlyMap<string, number> = new Map(
  CODES_BY_MINOR_UNITS.flatMap(([minorUnits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, minorUnits]),
  ),
)

const SPELLINGS_BY_CODE: readonly (readonly [code: string, spellings: string])[] = [
  // Withdrawn codes are listed with their replacement, such as `hrk` with `eur`.
  ['eur', '€ euro euros bgn hrk ltl lvl eek'],
  ['usd', '$ us$ dollar dollars'],
  ['gbp', '£ pound pounds sterling stg ukp'],
  ['jpy', '¥ yen'],
  ['cny', 'rmb cnh yuan renminbi'],
  ['chf', 'sfr francs franc'],
  ['inr', '₹ rs rupee rupees'],
  ['krw', '₩ won'],
  ['rub', '₽ rur'],
  ['brl', 'r$ real reais'],
  ['cad', 'c$ ca$'],
  ['aud', 'a$ au$'],
  ['pln', 'zł zloty'],
  ['try', '₺ tl trl'],
  ['ils', '₪ nis'],
  ['uah', '₴'],
  ['vnd', '₫'],
  ['thb', '฿'],
  ['ngn', '₦'],
  ['php', '₱'],
  ['twd', 'ntd nt$'],
  ['xcg', 'ang'],
  ['zwg', 'zwl'],
  ['sle', 'sll'],
  ['cup', 'cuc'],
  ['mru', 'mro'],
  ['stn', 'std'],
  ['byn', 'byr'],
  ['ves', 'vef'],
]

/** The lower-case codes of all national currencies active in ISO 4217. */
export const CURRENCY_CODES: readonly string[] = [...MINOR_UNITS.keys()].sort()

/** Returns whether a string is the lower-case code of a national currency active in ISO 4217. */
export function isCurrency(code: string): boolean {
  return MINOR_UNITS.has(code)
}

/** Returns the number of decimals of a currency in ISO 4217; throws RangeError on an unknown code. */
export function getCurrencyDecimals(code: string): number {
  const digits = MINOR_UNITS.get(code)
  if (digits === undefined)
    throw new RangeError('Unknown currency: expected the lower-case code of an active ISO 4217 currency.')
  return digits
}

/** Suggests a code for spellings such as `EUR`, `euro`, `$` or a withdrawn code; null for valid and unknown codes. */
export function suggestCurrency(code: string): string | null {
  if (isCurrency(code)) return null
  const spelling = code.trim().toLowerCase()
  if (isCurrency(spelling)) return spelling
  const [suggestion = null] =
    SPELLINGS_BY_CODE.find(([, spellings]) => spellings.split(' ').includes(spelling)) ?? []
  return suggestion
}

/** Formats an amount in minor units as plain ASCII, such as `12.50 EUR`; throws unless the amount is a safe integer. */
export function formatAmount(amount: number, currency: string): string {
  if (!Number.isSafeInteger(amount))
    throw new RangeError('Invalid amount: expected a safe integer in minor units.')
  const decimals = getCurrencyDecimals(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return `${amount < 0 ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`} ${currency.toUpperCase()}`
}
