/** An IBAN in one piece or in groups of four characters. A word character before it, as in `cus_…`, marks an id. */
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)/gi

/** Returns the text with every valid IBAN replaced by its last four characters. */
export function maskIbans(text: string): string {
  return text.replace(IBAN, (found) => {
    const iban = normalizeIban(found)
    return isIban(iban) ? `[IBAN ending in ${iban.slice(-4)}]` : found
  })
}

/** Removes the spaces of an IBAN and converts it to upper case. */
export function normalizeIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}

/**
 * Returns whether a normalized IBAN is valid by ISO 13616: the letters count from A = 10, and the number with its first
 * four characters moved to the end is 1 modulo 97.
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}
